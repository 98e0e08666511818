// Wrong versions of 10.3 that people really write.

#include "wrong_causal.hpp"

using namespace wrong;

namespace {

// ---- Which tiles.

MISCONCEPTION_IN(by_tiles, causal_streaming, all_tiles_computed,
                 "the output is right, but every tile is computed, those above the diagonal, too, "
                 "which nobody sees. End the loop over keys where the last query of the block "
                 "ends.",
                 computing([](auto&, auto, auto) { return true; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, one_tile_too_many,
                 "the output is right, but one tile more than needed is computed for each block of "
                 "queries: one that begins just past its last query. The first key has to be below "
                 "first_query + rows.",
                 computing([](auto& block, auto, auto) {
                     return block.key <= block.query + block.rows;
                 }));
MISCONCEPTION_IN(
    by_tiles, causal_streaming, first_query_alone_decides,
    "a tile is left out unless the first query of the block sees all of it: the one on "
    "the diagonal is lost, of which the later queries see a part.",
    [] {
        Causal wrong = seeing(Causal{}.sees, [](auto& block, auto, auto) {
            return block.key + block.columns <= block.query + 1;
        });
        return wrong;
    }());
MISCONCEPTION_IN(by_tiles, causal_streaming, diagonal_tiles_lost,
                 "tiles on the diagonal are left out. Their queries see a part of them, each up to "
                 "its own position.",
                 seeing(Causal{}.sees,
                        [](auto& block, auto, auto) { return block.key < block.query; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, diagonal_tiles_alone,
                 "only the tile on the diagonal is computed. The queries see all keys before it, "
                 "too.",
                 computing([](auto& block, auto, auto) { return block.key == block.query; }));
MISCONCEPTION_IN(
    by_tiles, causal_streaming, diagonal_tile_and_the_one_before,
    "only the tile on the diagonal and the one before it are computed. The queries see "
    "all keys before them.",
    computing([](auto& block, auto, auto) {
        return block.key <= block.query && block.key + block.tile >= block.query;
    }));
MISCONCEPTION_IN(by_tiles, causal_streaming, upper_tiles,
                 "the tiles above the diagonal are computed, and not those below it.",
                 seeing(Causal{}.sees,
                        [](auto& block, auto, auto) { return block.key >= block.query; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, one_tile_less_at_the_end,
                 "the queries of the last, smaller block are left at 0.", [] {
                     Causal wrong;
                     wrong.last_block = false;
                     return wrong;
                 }());
MISCONCEPTION_IN(by_tiles, causal_streaming, last_keys_lost,
                 "where the tile does not divide n_keys, the keys of the last, smaller tile are "
                 "left out.",
                 [] {
                     Causal wrong = seeing(Causal{}.sees);
                     wrong.last_keys = false;
                     return wrong;
                 }());

// ---- Who sees what in a tile.

MISCONCEPTION_IN(by_tiles, causal_streaming, whole_tiles_seen,
                 "a tile on the diagonal is seen whole: its queries see keys that come after them. "
                 "In such tiles each query sees the keys up to its own position.",
                 seeing([](auto, auto, auto&) { return true; }));
MISCONCEPTION_IN(
    by_tiles, causal_streaming, not_itself,
    "a query does not see its own position. It sees the keys 0 … i, with i among them.",
    seeing([](auto i, auto j, auto&) { return j < i; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, one_ahead,
                 "a query sees the key after its own position. It sees the keys 0 … i.",
                 seeing([](auto i, auto j, auto&) { return j <= i + 1; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, later_keys_seen,
                 "a query sees the keys from its own position on in each tile, in place of those "
                 "up to it.",
                 seeing([](auto i, auto j, auto&) { return j >= i; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, positions_within_the_tile,
                 "positions are compared within the tile, j ≤ r, in tiles below the diagonal, too. "
                 "There every query sees every key: compare first_key + j with first_query + r.",
                 seeing([](auto i, auto j, auto& block) {
                     return j - block.key <= i - block.query;
                 }));
MISCONCEPTION_IN(by_tiles, causal_streaming, first_query_for_all,
                 "every query of a block sees what its first one sees.",
                 seeing([](auto, auto j, auto& block) { return j <= block.query; }));
MISCONCEPTION_IN(
    by_tiles, causal_streaming, aligned_at_the_end_of_more_keys,
    "where there are more keys than queries, the last query sees all of them: positions are "
    "counted from the ends, j ≤ i + n_keys − n_queries. Query i sees the keys 0 … i.",
    seeing([](auto i, auto j,
              auto& block) { return j <= i || j + block.n_queries <= i + block.n_keys; },
           [](auto& block, auto n_queries, auto n_keys) {
               return block.key + std::min(n_queries, n_keys) < block.query + block.rows + n_keys;
           }));
MISCONCEPTION_IN(
    by_tiles, causal_streaming, exponentials_below_minus_15_dropped,
    "a weight that is small is taken for 0. It may meet a value that is as large, and counts "
    "like any other.",
    [] {
        Causal wrong;
        wrong.raised = [](double x) { return x < -15 ? 0.0 : std::exp(x); };
        return wrong;
    }());
MISCONCEPTION_IN(
    by_tiles, causal_streaming, exponentials_below_minus_30_dropped,
    "a weight that is small is taken for 0. It may meet a value that is as large, and counts "
    "like any other.",
    [] {
        Causal wrong;
        wrong.raised = [](double x) { return x < -30 ? 0.0 : std::exp(x); };
        return wrong;
    }());
MISCONCEPTION_IN(by_tiles, causal_streaming, unseen_score_0,
                 "a key that the query does not see has the score 0, and still weighs something. "
                 "It is −∞, or left out.",
                 [] {
                     Causal wrong;
                     wrong.unseen = 0;
                     return wrong;
                 }());

// ---- Asking for scores.

MISCONCEPTION_IN(by_tiles, causal_streaming, keys_asked_for_as_queries,
                 "score_tile is asked for the keys as queries and for the queries as keys. Its "
                 "arguments are first_query, n_queries, first_key, n_keys.",
                 [] {
                     Causal wrong;
                     wrong.scores = [](auto& score_tile, auto& block) {
                         return score_tile(block.key, block.columns, block.query, block.rows);
                     };
                     return wrong;
                 }());
MISCONCEPTION_IN(by_tiles, causal_streaming, asked_for_every_query,
                 "the output is right, but the scores of a tile are computed anew for each of its "
                 "queries. Ask score_tile once a tile, outside of the loop over the queries.",
                 [] {
                     Causal wrong;
                     wrong.scores = [](auto& score_tile, auto& block) {
                         for (std::size_t r = 1; r < block.rows; ++r) {
                             score_tile(block.query, block.rows, block.key, block.columns);
                         }
                         return score_tile(block.query, block.rows, block.key, block.columns);
                     };
                     return wrong;
                 }());
MISCONCEPTION_IN(
    by_tiles, causal_streaming, asked_twice,
    "the output is right, but the scores of each tile are computed twice, once for the "
    "maximum and once for the sum. Keep the tile while you work on it.",
    [] {
        Causal wrong;
        wrong.scores = [](auto& score_tile, auto& block) {
            score_tile(block.query, block.rows, block.key, block.columns);
            return score_tile(block.query, block.rows, block.key, block.columns);
        };
        return wrong;
    }());

MISCONCEPTION_IN(
    by_tiles, causal_streaming, all_keys_where_a_tile_holds_the_queries,
    "where all queries fit into a tile, all keys are asked for at once, as if there "
    "were no more of them: keys past the last query nobody sees, and of more than a "
    "tile score_tile refuses the call. The keys are cut into tiles, too.",
    [](In Q, In K, In V, std::size_t tile) {
        return by_tiles::causal_streaming_by(
            [](const ScoreTile& score_tile, In values, std::size_t n_queries,
               std::size_t size) -> Matrix {
                if (size < n_queries) {
                    return Causal{}.streamed(score_tile, values, n_queries, size);
                }
                lesson::require_tile("causal_streaming", size);
                const Matrix scores = score_tile(0, n_queries, 0, values.shape(0));
                Matrix output = xt::zeros<double>({n_queries, values.shape(1)});
                for (std::size_t i = 0; i < n_queries; ++i) {
                    Partial row = no_keys_yet(values.shape(1));
                    for (std::size_t j = 0; j <= i && j < values.shape(0); ++j) {
                        row = right_merge(row, {scores(i, j), 1, xt::view(values, j, xt::all())});
                    }
                    xt::view(output, i, xt::all()) = row.output / row.sum;
                }
                return output;
            },
            Q, K, V, tile);
    });

// ---- What is kept from tile to tile.

auto merged_by(std::function<Partial(P so_far, P here)> merge) {
    Causal wrong;
    wrong.merge = merge;
    return wrong;
}

MISCONCEPTION_IN(by_tiles, causal_streaming, nothing_rescaled,
                 "when a tile has a larger maximum, what was summed before stays as it is: its "
                 "factor is left out, or computed when the old maximum was overwritten already, "
                 "and exp(0) is 1. merge of 10.1 does it.",
                 merged_by([](P a, P b) {
                     return merged(a, b, {std::max(a.maximum, b.maximum), 1, 1});
                 }));
MISCONCEPTION_IN(
    by_tiles, causal_streaming, output_not_rescaled,
    "when a tile has a larger maximum, the sum shrinks and the output does not. merge "
    "of 10.1 does both.",
    merged_by([](P a, P b) -> Partial {
        const Factors by = right_factors(a.maximum, b.maximum);
        return {by.maximum, by.of_a * a.sum + by.of_b * b.sum, a.output + by.of_b * b.output};
    }));
MISCONCEPTION_IN(by_tiles, causal_streaming, last_tile_alone,
                 "only the last tile that a query sees counts: what was known before is written "
                 "over, and not merged with.",
                 merged_by([](P a, P b) { return b.sum > 0 ? b : a; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, first_tile_alone,
                 "only the first tile of keys counts.",
                 merged_by([](P a, P b) { return a.sum > 0 ? a : b; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, values_of_the_first_tile,
                 "in every tile the values are those of the first one: `first_key +` is missing "
                 "where V is read.",
                 [] {
                     Causal wrong;
                     wrong.value = [](auto&, auto j) { return j; };
                     return wrong;
                 }());
MISCONCEPTION_IN(
    by_tiles, causal_streaming, values_at_the_queries,
    "the values are those at the positions of the queries: first_query + j in place of "
    "first_key + j.",
    [] {
        Causal wrong;
        wrong.value = [](auto& block, auto j) { return block.query + j; };
        return wrong;
    }());
MISCONCEPTION_IN(by_tiles, causal_streaming, output_not_divided,
                 "the output is not divided by the sum of the exponentials.", [] {
                     Causal wrong;
                     wrong.finish = [](auto& all) { return all.output; };
                     return wrong;
                 }());

constexpr const char* last_block_too_large =
    "the last block of queries is asked for as if it were whole: rows that are not there. It has "
    "the smaller of tile and n_queries − first_query.";
/// rows: of each block; whole_tiles: whether the keys of the last tile are not cut, either.
auto asking_for_rows(std::function<std::size_t(const Block&)> rows, bool whole_tiles = false) {
    Causal wrong;
    wrong.scores = [=](auto& score_tile, auto& block) {
        return score_tile(block.query, rows(block), block.key,
                          whole_tiles ? block.tile : block.columns);
    };
    return wrong;
}
MISCONCEPTION_IN(by_tiles, causal_streaming, last_block_of_several_not_cut, last_block_too_large,
                 asking_for_rows([](auto& block) {
                     return std::min(block.tile, std::max(block.n_queries, block.n_keys));
                 }));
MISCONCEPTION_IN(by_tiles, causal_streaming, last_block_cut_at_all_queries, last_block_too_large,
                 asking_for_rows([](auto& block) {
                     return std::min(block.tile, block.n_queries);
                 }));
MISCONCEPTION_IN(by_tiles, causal_streaming, last_block_not_cut, last_block_too_large,
                 asking_for_rows([](auto& block) { return block.tile; }));
MISCONCEPTION_IN(by_tiles, causal_streaming, neither_last_block_nor_last_tile_cut,
                 "every call asks for tile queries and tile keys. Where the tile does not divide "
                 "n_queries, or n_keys, fewer are left: the smaller of tile and what is left.",
                 asking_for_rows([](auto& block) { return block.tile; }, true));

} // namespace
