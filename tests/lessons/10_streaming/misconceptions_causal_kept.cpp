// More wrong versions of 10.3: what is kept of a tile, and who sees what where sizes differ.

#include "wrong_causal.hpp"

using namespace wrong;

namespace {

// ---- The maximum.

MISCONCEPTION_IN(by_tiles, causal_streaming, maximum_starts_at_0,
                 "the maximum starts at 0, so where all scores are far below 0 every exponential "
                 "is 0, and 0 / 0 is NaN. Start at −infinity, as no_keys_yet does.",
                 [] {
                     Causal wrong;
                     wrong.lowest = 0;
                     return wrong;
                 }());

MISCONCEPTION_IN(by_tiles, causal_streaming, no_maximum,
                 "no maximum is subtracted before exp, so large scores overflow, and where all are "
                 "far below 0 the sum is 0. Subtract the largest score of the tile, and merge.",
                 by_hand([](const ScoreTile& score_tile, In V, std::size_t n_queries,
                            std::size_t tile) -> Matrix {
                     lesson::require_tile("causal_streaming", tile);
                     Matrix output = xt::zeros<double>({n_queries, V.shape(1)});
                     Vector sums = xt::zeros<double>({n_queries});
                     for (std::size_t q = 0; q < n_queries; q += tile) {
                         const std::size_t rows = std::min(tile, n_queries - q);
                         const std::size_t end = std::min(V.shape(0), q + rows);
                         for (std::size_t k = 0; k < end; k += tile) {
                             const std::size_t columns = std::min(tile, end - k);
                             const Matrix scores = score_tile(q, rows, k, columns);
                             for (std::size_t r = 0; r < rows; ++r) {
                                 for (std::size_t c = 0; c < columns && k + c <= q + r; ++c) {
                                     const double p = std::exp(scores(r, c));
                                     sums(q + r) += p;
                                     for (std::size_t v = 0; v < V.shape(1); ++v) {
                                         output(q + r, v) += p * V(k + c, v);
                                     }
                                 }
                             }
                         }
                     }
                     for (std::size_t i = 0; i < n_queries; ++i) {
                         for (std::size_t v = 0; v < V.shape(1); ++v) {
                             output(i, v) /= sums(i);
                         }
                     }
                     return output;
                 }));

// ---- What is kept.

MISCONCEPTION_IN(
    by_tiles, causal_streaming, new_tile_not_rescaled,
    "when a tile has a smaller maximum than was seen before, it is added as it is. "
    "Its exponentials belong to its own maximum and have to shrink.",
    [] {
        Causal wrong;
        wrong.merge = [](P a, P b) {
            const Factors by = right_factors(a.maximum, b.maximum);
            return merged(a, b, {by.maximum, by.of_a, b.maximum == -infinity ? 0.0 : 1.0});
        };
        return wrong;
    }());

Partial divided(P here) {
    return here.sum > 0 ? Partial{here.maximum, here.sum, here.output / here.sum} : here;
}

MISCONCEPTION_IN(by_tiles, causal_streaming, divided_before_the_merge,
                 "each tile's output is divided by its sum before it is merged, and the whole by "
                 "the sum again. A partial result is not divided; that is done once, at the end.",
                 [] {
                     Causal wrong;
                     wrong.known = divided;
                     return wrong;
                 }());

MISCONCEPTION_IN(
    by_tiles, causal_streaming, divided_before_the_merge_alone,
    "each tile's output is divided by its own sum before it is merged, and nothing after that: "
    "tiles count without regard to what they weigh. Divide once, at the end.",
    [] {
        Causal wrong;
        wrong.known = divided;
        wrong.finish = [](auto& all) { return all.output; };
        return wrong;
    }());

MISCONCEPTION_IN(
    by_tiles, causal_streaming, mean_of_the_tiles,
    "the output is the mean of the tiles' outputs. A tile counts by what its exponentials sum to.",
    [] {
        Causal wrong;
        wrong.known = [](P here) {
            return here.sum > 0 ? Partial{0, 1, here.output / here.sum} : here;
        };
        wrong.merge = [](P a, P b) -> Partial { return {0, a.sum + b.sum, a.output + b.output}; };
        return wrong;
    }());

MISCONCEPTION_IN(by_tiles, causal_streaming, kept_from_block_to_block,
                 "the partial results are not begun anew: a block of queries goes on from what the "
                 "block before it knew. Each starts with no_keys_yet.",
                 by_hand([](const ScoreTile& score_tile, In V, std::size_t n_queries,
                            std::size_t tile) {
                     std::vector<Partial> known(std::min(tile, n_queries), no_keys_yet(V.shape(1)));
                     Causal wrong;
                     // The merge knows its row by counting: a tile's rows come in order.
                     std::size_t row = 0, rows = 0;
                     wrong.scores = [&](const ScoreTile& scores, const Block& at) {
                         row = 0;
                         rows = at.rows;
                         return scores(at.query, at.rows, at.key, at.columns);
                     };
                     wrong.merge = [&](P, P here) {
                         Partial& mine = known[row];
                         row = row + 1 < rows ? row + 1 : 0;
                         return mine = right_merge(mine, here);
                     };
                     return wrong.streamed(score_tile, V, n_queries, tile);
                 }));

// ---- Who sees what.

MISCONCEPTION_IN(by_tiles, causal_streaming, aligned_at_the_end,
                 "the last query is taken to stand at the last key: query i sees the keys up to "
                 "i + n_keys − n_queries. Here query i sees the keys 0 … i, whatever the sizes.",
                 seeing([](auto i, auto j,
                           auto& block) { return j + block.n_queries <= i + block.n_keys; },
                        [](auto& block, auto n_queries, auto n_keys) {
                            return block.key + n_queries < block.query + block.rows + n_keys;
                        }));

MISCONCEPTION_IN(by_tiles, causal_streaming, aligned_at_the_end_in_tiles_that_are_seen,
                 "in a tile, query i sees the keys up to i + n_keys − n_queries, as if the last "
                 "query stood at the last key. Here it sees the keys 0 … i, whatever the sizes.",
                 seeing([](auto i, auto j, auto& block) {
                     return j + block.n_queries <= i + block.n_keys;
                 }));

/// Of more keys than queries, how many: so far the last query is moved to stand at the last key.
std::size_t more_keys(const Block& block) {
    return block.n_keys > block.n_queries ? block.n_keys - block.n_queries : 0;
}

/// Right scores of a tile that is cut short at `end`: what is past it is not asked for.
Matrix scores_up_to(std::size_t end, const ScoreTile& score_tile, const Block& block) {
    const std::size_t columns = std::min(block.columns, end - block.key);
    Matrix scores = xt::zeros<double>({block.rows, block.columns});
    xt::view(scores, xt::all(), xt::range(std::size_t{0}, columns)) =
        score_tile(block.query, block.rows, block.key, columns);
    return scores;
}

MISCONCEPTION_IN(
    by_tiles, causal_streaming, aligned_at_the_end_of_more_keys_and_cut_there,
    "where there are more keys than queries, the last query sees all of them: positions are "
    "counted from the ends, j ≤ i + n_keys − n_queries. Query i sees the keys 0 … i.",
    [] {
        Causal wrong = seeing([](auto i, auto j, auto& block) { return j <= i + more_keys(block); },
                              [](auto& block, auto, auto) {
                                  return block.key < block.query + block.rows + more_keys(block);
                              });
        wrong.scores = [](auto& score_tile, auto& block) {
            return scores_up_to(block.query + block.rows + more_keys(block), score_tile, block);
        };
        return wrong;
    }());

MISCONCEPTION_IN(
    by_tiles, causal_streaming, aligned_at_the_end_of_more_keys_in_all_tiles,
    "where there are more keys than queries, the last query sees all of them: positions are "
    "counted from the ends, j ≤ i + n_keys − n_queries. Query i sees the keys 0 … i. And all tiles "
    "are computed, those above the diagonal, too.",
    seeing([](auto i, auto j, auto& block) { return j <= i + more_keys(block); },
           [](auto&, auto, auto) { return true; }));

MISCONCEPTION_IN(
    by_tiles, causal_streaming, aligned_at_the_end_of_more_keys_within_the_block,
    "where there are more keys than queries, a query sees keys that come after it: those up to "
    "i + n_keys − n_queries, as far as the last query of its block goes. Query i sees the keys "
    "0 … i.",
    [] {
        Causal wrong = seeing([](auto i, auto j, auto& block) {
            return j <= i + more_keys(block) && j < block.query + block.rows;
        });
        wrong.scores = [](auto& score_tile, auto& block) {
            return scores_up_to(block.query + block.rows, score_tile, block);
        };
        return wrong;
    }());

MISCONCEPTION_IN(by_tiles, causal_streaming, only_the_first_sees_itself,
                 "a query does not see its own position, but for the first, which sees nothing "
                 "else. Each sees the keys 0 … i, with i among them.",
                 seeing([](auto i, auto j, auto&) { return j < std::max(i, std::size_t{1}); }));

MISCONCEPTION_IN(by_tiles, causal_streaming, blocks_past_the_last_key_lost,
                 "where there are more queries than keys, blocks of queries that begin past the "
                 "last key are left at 0. They see all keys: the loop over queries ends at "
                 "n_queries.",
                 seeing(Causal{}.sees, [](auto& block, auto, auto n_keys) {
                     return block.query < n_keys && block.key < block.query + block.rows;
                 }));

MISCONCEPTION_IN(by_tiles, causal_streaming, queries_past_the_last_key_lost,
                 "where there are more queries than keys, those past the last key are left at 0. "
                 "They see all keys: the loop over queries ends at n_queries.",
                 seeing([](auto i, auto j, auto& block) { return i < block.n_keys && j <= i; },
                        [](auto& block, auto, auto n_keys) {
                            return block.query < n_keys && block.key < block.query + block.rows;
                        }));

MISCONCEPTION_IN(
    by_tiles, causal_streaming, diagonal_tiles_lost_but_for_the_first_key,
    "tiles on the diagonal are left out, but for the first key. Their queries see a "
    "part of them, each up to its own position.",
    seeing([](auto i, auto j,
              auto& block) { return j <= i && j < std::max(block.query, std::size_t{1}); },
           [](auto& block, auto, auto) {
               return block.key < std::max(block.query, std::size_t{1});
           }));

MISCONCEPTION_IN(by_tiles, causal_streaming, first_query_forgotten,
                 "a query's position is counted within its block: r, where first_query + r is "
                 "meant. Queries of later blocks see too few keys.",
                 seeing([](auto i, auto j, auto& block) { return j <= i - block.query; }));

MISCONCEPTION_IN(by_tiles, causal_streaming, first_key_forgotten,
                 "a key's position is counted within its tile: c, where first_key + c is meant. In "
                 "tiles on the diagonal queries see keys that come after them.",
                 seeing([](auto i, auto j, auto& block) { return j - block.key <= i; }));

MISCONCEPTION_IN(by_tiles, causal_streaming, every_block_in_the_first_rows,
                 "every block of queries is written to the first rows of the output: row r, where "
                 "first_query + r is meant.",
                 [] {
                     Causal wrong;
                     wrong.row_of = [](auto, auto r) { return r; };
                     return wrong;
                 }());

MISCONCEPTION_IN(by_tiles, causal_streaming, maximum_over_unseen_keys,
                 "the maximum is taken over the whole tile, keys that the query does not see among "
                 "them. Where one of those is far larger, all that it sees becomes 0, and 0 / 0 is "
                 "NaN.",
                 [] {
                     Causal wrong;
                     wrong.unseen_in_maximum = true;
                     return wrong;
                 }());

// ---- Exponentials.

MISCONCEPTION_IN(by_tiles, causal_streaming, powers_of_two,
                 "the weights are powers of 2. merge and the softmax have exp.", [] {
                     Causal wrong;
                     wrong.raised = [](double score) { return std::exp2(score); };
                     wrong.merge = [](P a, P b) {
                         const double most = std::max(a.maximum, b.maximum);
                         return merged(a, b,
                                       {most, a.sum > 0 ? std::exp2(a.maximum - most) : 0,
                                        b.sum > 0 ? std::exp2(b.maximum - most) : 0});
                     };
                     return wrong;
                 }());

MISCONCEPTION_IN(by_tiles, causal_streaming, powers_of_two_merged_by_exp,
                 "within a tile the weights are powers of 2, std::exp2, while merge has exp. It is "
                 "std::exp in both.",
                 [] {
                     Causal wrong;
                     wrong.raised = [](double score) { return std::exp2(score); };
                     return wrong;
                 }());

MISCONCEPTION_IN(by_tiles, causal_streaming, factors_inverted,
                 "what was summed before grows where it has to shrink: the factor is exp(own "
                 "maximum − larger maximum), and not the other way round. merge of 10.1 has it.",
                 [] {
                     Causal wrong;
                     wrong.merge = [](P a, P b) {
                         const double most = std::max(a.maximum, b.maximum);
                         return merged(a, b,
                                       {most, a.sum > 0 ? std::exp(most - a.maximum) : 0,
                                        b.sum > 0 ? std::exp(most - b.maximum) : 0});
                     };
                     return wrong;
                 }());

MISCONCEPTION_IN(by_tiles, causal_streaming, scaled_by_d_v,
                 "the scores are divided by √d_v once they have come. score_tile has divided them "
                 "by √d_k already: nothing is left to scale.",
                 [] {
                     Causal wrong;
                     wrong.scaled_by_values = true;
                     return wrong;
                 }());

} // namespace
