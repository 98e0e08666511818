// Wrong versions of 10.3 that count where a tile is, or where it ends, from another place, and
// those that leave a query without a key: 0 / 0.

#include "wrong_causal.hpp"

namespace misconceptions_causal_slips {

using namespace wrong;

namespace {

/// A tile is asked for as a whole, or cut where the last query of the block ends.
enum class Cut { at_n_keys, at_the_last_query };

/// What differs from the right one: what score_tile is asked for, and where its answer is read.
struct Slip {
    Block (*asked)(Block) = [](Block block) { return block; };
    bool rows_of_all = false, columns_of_all = false;
};

auto slipping(Slip slip, Cut cut) {
    return by_hand([=](const ScoreTile& score_tile, In V, std::size_t n_queries,
                       std::size_t tile) -> Matrix {
        lesson::require_tile("causal_streaming", tile);
        const std::size_t n_keys = V.shape(0);
        Matrix output = Matrix::from_shape({n_queries, V.shape(1)});
        for (std::size_t query = 0; query < n_queries; query += tile) {
            const std::size_t rows = std::min(tile, n_queries - query);
            const std::size_t seen_by_last = std::min(n_keys, query + rows);
            std::vector<Partial> so_far(rows, no_keys_yet(V.shape(1)));
            for (std::size_t key = 0; key < seen_by_last; key += tile) {
                const std::size_t end = cut == Cut::at_n_keys ? n_keys : seen_by_last;
                const Block block = slip.asked(
                    {query, rows, key, std::min(tile, end - key), n_queries, n_keys, tile});
                const Matrix scores = score_tile(block.query, block.rows, block.key, block.columns);
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t j = 0; j < block.columns && key + j <= query + r; ++j) {
                        const double score = scores((slip.rows_of_all ? query : 0) + r,
                                                    (slip.columns_of_all ? key : 0) + j);
                        so_far[r] =
                            right_merge(so_far[r], {score, 1, xt::view(V, key + j, xt::all())});
                    }
                }
            }
            for (std::size_t r = 0; r < rows; ++r) {
                xt::view(output, query + r, xt::all()) = so_far[r].output / so_far[r].sum;
            }
        }
        return output;
    });
}

#define WRONG_SLIP(name, text, ...)                                                                \
    MISCONCEPTION_IN(by_tiles, causal_streaming, name, text,                                       \
                     slipping({__VA_ARGS__}, Cut::at_the_last_query));                             \
    MISCONCEPTION_IN(by_tiles, causal_streaming, name##_of_whole_tiles, text,                      \
                     slipping({__VA_ARGS__}, Cut::at_n_keys))

// ---- Asking for scores.

constexpr const char* counted_from_the_tile =
    "score_tile is asked for the first queries or the first keys, whichever tile it is. It takes "
    "positions among all of them: first_query and first_key.";
WRONG_SLIP(
    asked_for_the_first_queries, counted_from_the_tile, .asked = [](Block block) {
        block.query = 0;
        return block;
    });
WRONG_SLIP(
    asked_for_the_first_keys, counted_from_the_tile, .asked = [](Block block) {
        block.key = 0;
        return block;
    });
WRONG_SLIP(
    asked_for_the_first_tile, counted_from_the_tile, .asked = [](Block block) {
        block.query = block.key = 0;
        return block;
    });
WRONG_SLIP(
    asked_by_numbers_of_tiles,
    "score_tile is given which block and which tile it is, 0, 1, 2 …. It takes positions: where "
    "they begin, first_query = block · tile and first_key likewise.",
    .asked = [](Block block) {
        block.query /= block.tile;
        block.key /= block.tile;
        return block;
    });

// ---- Reading them.

constexpr const char* read_at_positions_of_all =
    "the scores of a tile are read at positions among all queries or keys. What score_tile returns "
    "is (rows, columns): r and j count from 0 in each tile.";
MISCONCEPTION_IN(by_tiles, causal_streaming, read_at_queries_of_all, read_at_positions_of_all,
                 slipping({.rows_of_all = true}, Cut::at_the_last_query));
WRONG_SLIP(read_at_keys_of_all, read_at_positions_of_all, .columns_of_all = true);

// ---- Queries that see nothing.

auto dividing(Sees sees, Computed computed) {
    Causal wrong;
    wrong.sees = std::move(sees);
    wrong.computed = std::move(computed);
    return wrong;
}

MISCONCEPTION_IN(by_tiles, causal_streaming, not_itself_and_divided,
                 "a query does not see its own position, so the first one sees nothing: 0 / 0 is "
                 "NaN. Query i sees the keys 0 … i, with i among them: first_query + r + 1 − "
                 "first_key of a tile.",
                 dividing([](auto i, auto j, auto&) { return j < i; }, Causal{}.computed));
MISCONCEPTION_IN(by_tiles, causal_streaming, diagonal_tiles_lost_and_divided,
                 "tiles on the diagonal are left out, so the queries of the first block see "
                 "nothing: 0 / 0 is NaN. The keys of a block go on to first_query + rows, where "
                 "its last query ends.",
                 dividing(Causal{}.sees,
                          [](auto& block, auto, auto) { return block.key < block.query; }));
MISCONCEPTION_IN(
    by_tiles, causal_streaming, last_query_does_not_see_itself,
    "the last query of each block does not see its own position: the loop over keys "
    "ends one too early. It ends at first_query + rows, which is past that position.",
    dividing([](auto i, auto j, auto& block) { return j <= i && j + 1 < block.query + block.rows; },
             [](auto& block, auto, auto) { return block.key + 1 < block.query + block.rows; }));

/// Every query reads the scores of its block's first; asked for once, or for each of them.
auto reading_the_first_row(bool asked_for_each) {
    Causal wrong;
    wrong.scores = [=](auto& score_tile, auto& block) {
        Matrix all = score_tile(block.query, block.rows, block.key, block.columns);
        for (std::size_t r = 1; r < block.rows; ++r) {
            if (asked_for_each) {
                score_tile(block.query, block.rows, block.key, block.columns);
            }
            xt::view(all, r, xt::all()) = xt::view(all, 0, xt::all());
        }
        return all;
    };
    return wrong;
}
constexpr const char* first_row_for_all =
    "every query of a block is given the scores of the block's first: row 0 of the tile is read, "
    "where row r is meant, of query first_query + r.";
MISCONCEPTION_IN(by_tiles, causal_streaming, first_row_of_the_tile, first_row_for_all,
                 reading_the_first_row(false));
MISCONCEPTION_IN(by_tiles, causal_streaming, first_row_of_a_tile_for_each, first_row_for_all,
                 reading_the_first_row(true));

MISCONCEPTION_IN(by_tiles, causal_streaming, outputs_in_the_first_rows_only_made,
                 "every block of queries is written to the first rows of the output: row r, where "
                 "first_query + r is meant.",
                 [] {
                     Causal wrong;
                     wrong.row_of = [](auto, auto r) { return r; };
                     wrong.only_made = true;
                     return wrong;
                 }());

} // namespace

} // namespace misconceptions_causal_slips
