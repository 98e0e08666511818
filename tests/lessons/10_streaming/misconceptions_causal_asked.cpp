// More wrong versions of 10.3: what score_tile is asked for, and which tile is taken for the one on
// the diagonal.

#include "wrong_causal.hpp"

using namespace wrong;

namespace {

// ---- Asking for scores.

auto asking(decltype(Causal::scores) scores) {
    Causal wrong;
    wrong.scores = std::move(scores);
    return wrong;
}

MISCONCEPTION_IN(by_tiles, causal_streaming, queries_and_keys_exchanged,
                 "score_tile is asked for the keys as queries and for the queries as keys, and the "
                 "answer transposed. q_i · k_j is not q_j · k_i: its arguments are first_query, "
                 "n_queries, first_key, n_keys.",
                 asking([](auto& score_tile, auto& block) -> Matrix {
                     return xt::transpose(
                         score_tile(block.key, block.columns, block.query, block.rows));
                 }));

MISCONCEPTION_IN(by_tiles, causal_streaming, beginnings_before_counts,
                 "score_tile is given both beginnings and then both counts. Its arguments are "
                 "first_query, n_queries, first_key, n_keys: each beginning with its own count.",
                 asking([](auto& score_tile, auto& block) {
                     const std::size_t seen = block.query + block.rows - block.key;
                     return score_tile(block.query, block.key, block.rows,
                                       std::min(block.columns, seen));
                 }));

MISCONCEPTION_IN(by_tiles, causal_streaming, ends_for_counts,
                 "score_tile is given the tile's ends where it takes counts: n_queries and n_keys "
                 "are how many, rows and columns.",
                 asking([](auto& score_tile, auto& block) {
                     return score_tile(block.query, block.query + block.rows, block.key,
                                       block.key + block.columns);
                 }));

MISCONCEPTION_IN(by_tiles, causal_streaming, everything_at_once,
                 "all scores are asked for in one call. That is the matrix that this lesson does "
                 "without: a call may ask for at most tile · tile of them.",
                 by_hand([](const ScoreTile& score_tile, In V, std::size_t n_queries,
                            std::size_t tile) -> Matrix {
                     lesson::require_tile("causal_streaming", tile);
                     const Matrix all = score_tile(0, n_queries, 0, V.shape(0));
                     return Causal{}.streamed(
                         [&](auto q, auto rows, auto k, auto columns) -> Matrix {
                             return xt::view(all, xt::range(q, q + rows),
                                             xt::range(k, k + columns));
                         },
                         V, n_queries, tile);
                 }));

/// What score_tile is asked for in one call, where it should be a tile; what is missing of the
/// tile is 0.
auto asking_at_once(std::function<Block(const Block&)> of) {
    return asking([=](auto& score_tile, auto& block) -> Matrix {
        const Block at_once = of(block);
        const Matrix all = score_tile(at_once.query, at_once.rows, at_once.key, at_once.columns);
        Matrix part = xt::zeros<double>({block.rows, block.columns});
        for (std::size_t r = 0; r < block.rows; ++r) {
            const std::size_t i = block.query + r - at_once.query;
            for (std::size_t j = 0; j < block.columns; ++j) {
                const std::size_t k = block.key + j - at_once.key;
                part(r, j) = i < at_once.rows && k < at_once.columns ? all(i, k) : 0;
            }
        }
        return part;
    });
}

constexpr const char* more_than_a_tile =
    "all scores of a row of tiles are asked for in one call: those of a query, or of a block of "
    "queries, with all keys that it sees. A call may ask for at most tile queries and tile keys: "
    "go through the keys tile by tile, and merge.";
MISCONCEPTION_IN(by_tiles, causal_streaming, keys_of_a_block_at_once, more_than_a_tile,
                 asking_at_once([](const Block& block) {
                     Block all = block;
                     all.key = 0;
                     all.columns = std::min(block.n_keys, block.query + block.rows);
                     return all;
                 }));
MISCONCEPTION_IN(by_tiles, causal_streaming, queries_of_a_tile_at_once,
                 "a tile of keys is asked for with all queries that see it, in one call. A call "
                 "may ask for at most tile queries and tile keys: go through the queries block by "
                 "block.",
                 asking_at_once([](const Block& block) {
                     Block all = block;
                     all.query = block.key;
                     all.rows = block.n_queries - block.key;
                     return all;
                 }));

MISCONCEPTION_IN(by_tiles, causal_streaming, every_tile_whole,
                 "every call asks for tile keys. Where the tile does not divide n_keys the last "
                 "one has fewer: the smaller of tile and what is left.",
                 by_hand([](const ScoreTile& score_tile, In V, std::size_t n_queries,
                            std::size_t tile) {
                     return Causal{}.streamed(
                         [&](auto q, auto rows, auto k, auto columns) -> Matrix {
                             const Matrix all = score_tile(q, rows, k, tile);
                             return xt::view(all, xt::all(), xt::range(0, columns));
                         },
                         V, n_queries, tile);
                 }));

MISCONCEPTION_IN(
    by_tiles, causal_streaming, past_the_last_key,
    "where there are more queries than keys, keys are asked for that are not there: the loop over "
    "tiles ends at first_query + rows. It ends at the smaller of that and n_keys.",
    by_hand([](const ScoreTile& score_tile, In V, std::size_t n_queries, std::size_t tile) {
        const std::size_t n_keys = V.shape(0);
        return Causal{}.streamed(
            [&](auto q, auto rows, auto k, auto columns) -> Matrix {
                const std::size_t end = q + rows; // and what lies beyond the keys is asked for, too
                const std::size_t wanted = std::min(tile, end > k ? end - k : columns);
                if (end > n_keys && k + tile >= n_keys) {
                    score_tile(q, rows, k + wanted > n_keys ? k : n_keys, wanted);
                }
                return score_tile(q, rows, k, columns);
            },
            V, n_queries, tile);
    }));

MISCONCEPTION_IN(
    by_tiles, causal_streaming, as_many_tiles_as_blocks,
    "a block of queries goes through as many tiles as there are blocks up to it, where there are "
    "more queries than keys, too: keys are asked for that are not there. The loop over the tiles "
    "ends at n_keys, if that comes first.",
    by_hand([](const ScoreTile& score_tile, In V, std::size_t n_queries, std::size_t tile) {
        const std::size_t n_keys = V.shape(0);
        return Causal{}.streamed(
            [&](auto q, auto rows, auto k, auto columns) -> Matrix {
                for (std::size_t past = k + tile; k + tile >= n_keys && past <= q; past += tile) {
                    score_tile(q, rows, past, std::min(tile, n_keys - past)); // less than 0
                }
                return score_tile(q, rows, k, columns);
            },
            V, n_queries, tile);
    }));

MISCONCEPTION_IN(
    by_tiles, causal_streaming, last_tile_taken_for_the_diagonal,
    "the last tile of a block is taken for the one on the diagonal: its queries see it up to their "
    "own number in the block. Where there are more queries than keys it lies before the diagonal, "
    "and is seen whole: compare first_key + j with first_query + r.",
    seeing([](auto i, auto j, auto& block) {
        const std::size_t end = std::min(block.n_keys, block.query + block.rows);
        const bool last = block.key + block.tile >= end;
        return last ? j - block.key <= i - block.query : j <= i;
    }));

} // namespace
