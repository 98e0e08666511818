// Wrong versions of 10.2 that people really write: what is kept from tile to tile, what is made of
// it at the end, and what memory is taken on the way.

#include "wrong.hpp"

namespace misconceptions_running {

using namespace wrong;

namespace {

auto merged_by(std::function<Partial(P so_far, P here)> merge) {
    Streaming wrong;
    wrong.merge = merge;
    return wrong;
}

MISCONCEPTION(streaming_attention, nothing_rescaled,
              "when a tile has a larger maximum, what was summed before stays as it is. It has to "
              "shrink by exp(old maximum − new maximum): is that left out, or computed when the "
              "old one was overwritten already? exp(0) is 1.",
              merged_by([](P a, P b) {
                  return merged(a, b, {std::max(a.maximum, b.maximum), 1, 1});
              }));
MISCONCEPTION(
    streaming_attention, output_not_rescaled,
    "when a tile has a larger maximum, the sum shrinks and the output does not.",
    merged_by([](P a, P b) -> Partial {
        const Factors by = right_factors(a.maximum, b.maximum);
        return {by.maximum, by.of_a * a.sum + by.of_b * b.sum, a.output + by.of_b * b.output};
    }));
MISCONCEPTION(
    streaming_attention, sum_not_rescaled,
    "when a tile has a larger maximum, the output shrinks and the sum does not.",
    merged_by([](P a, P b) -> Partial {
        const Factors by = right_factors(a.maximum, b.maximum);
        return {by.maximum, a.sum + by.of_b * b.sum, by.of_a * a.output + by.of_b * b.output};
    }));
MISCONCEPTION(streaming_attention, new_tile_not_rescaled,
              "when a tile has a smaller maximum than was seen before, it is added as it is. Its "
              "exponentials belong to its own maximum and have to shrink.",
              merged_by([](P a, P b) {
                  const Factors by = right_factors(a.maximum, b.maximum);
                  return merged(a, b, {by.maximum, by.of_a, b.maximum == -infinity ? 0.0 : 1.0});
              }));
MISCONCEPTION(streaming_attention, factor_inverted,
              "when a tile has a larger maximum, what was summed before is multiplied by exp(new − "
              "old), and grows. It has to shrink: exp(old − new).",
              merged_by([](P a, P b) {
                  Factors by = right_factors(a.maximum, b.maximum);
                  by.of_a = by.of_a > 0 ? 1 / by.of_a : 0;
                  return merged(a, b, by);
              }));
MISCONCEPTION(streaming_attention, larger_tile_alone,
              "when a tile has a larger maximum, what was summed before is dropped; a tile with a "
              "smaller one is. Both count, by their factors.",
              merged_by([](P a, P b) { return a.maximum >= b.maximum ? a : b; }));
MISCONCEPTION(streaming_attention, maximum_of_the_first_tile,
              "the first tile's maximum is kept for all. Where a later score is much larger, exp "
              "overflows.",
              merged_by([](P a, P b) {
                  if (a.maximum == -infinity || b.maximum == -infinity) {
                      return right_merge(a, b);
                  }
                  return merged(a, b, {a.maximum, 1, std::exp(b.maximum - a.maximum)});
              }));
MISCONCEPTION(streaming_attention, maximum_of_the_last_tile,
              "the maximum is always that of the newest tile, also where it is smaller. What was "
              "summed before then grows, and overflows.",
              merged_by([](P a, P b) {
                  if (a.maximum == -infinity || b.maximum == -infinity) {
                      return right_merge(a, b);
                  }
                  return merged(a, b, {b.maximum, std::exp(a.maximum - b.maximum), 1});
              }));

MISCONCEPTION(streaming_attention, maximum_starts_at_0,
              "the running maximum starts at 0. Where all scores lie far below, every exponential "
              "is 0, and 0 / 0 is left. It starts at −∞.",
              [] {
                  Streaming wrong;
                  wrong.start = [](std::size_t d_v) {
                      return Partial{0, 0, xt::zeros<double>({d_v})};
                  };
                  wrong.finish = [](auto& all, auto, auto) -> Vector {
                      return all.sum > 0 ? Vector(all.output / all.sum) : Vector(0.0 * all.output);
                  };
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, no_maximum,
              "no maximum is subtracted: exp of a score of 1000 is infinite, and of one of −1000 "
              "it is 0.",
              [] {
                  Streaming wrong;
                  wrong.partial = [](auto& scores, auto&, auto& values) {
                      Partial here{0, 0, xt::zeros<double>({values.shape(1)})};
                      for (std::size_t j = 0; j < scores.size(); ++j) {
                          here.sum += std::exp(scores[j]);
                          for (std::size_t c = 0; c < values.shape(1); ++c) {
                              here.output(c) += std::exp(scores[j]) * values(j, c);
                          }
                      }
                      return here;
                  };
                  wrong.merge = [](P a, P b) { return merged(a, b, {0, 1, 1}); };
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, maximum_over_blocked_keys,
              "the maximum is taken over blocked keys, too. Where one of those has a score far "
              "above, all others come out as 0. Nothing of a blocked key may be seen.",
              [] {
                  Streaming wrong;
                  wrong.allowed = [](auto&, auto, auto, auto) { return true; };
                  return [wrong](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                      Streamed result = wrong(Q, K, V, tile, mask);
                      const double divided_by = root(Q.shape(1));
                      for (std::size_t i = 0; i < Q.shape(0) && mask; ++i) {
                          double maximum = -infinity, sum = 0;
                          for (std::size_t j = 0; j < K.shape(0); ++j) {
                              maximum = std::max(maximum, dot(Q, i, K, j) / divided_by);
                          }
                          Vector output = xt::zeros<double>({V.shape(1)});
                          for (std::size_t j = 0; j < K.shape(0); ++j) {
                              const double p = std::exp(dot(Q, i, K, j) / divided_by - maximum) *
                                               ((*mask)(i, j) ? 1 : 0);
                              sum += p;
                              for (std::size_t c = 0; c < V.shape(1); ++c) {
                                  output(c) += p * V(j, c);
                              }
                          }
                          xt::view(result.output, i, xt::all()) =
                              sum > 0 ? Vector(output / sum) : Vector(0.0 * output);
                          result.logsumexp(i) = sum > 0 ? maximum + std::log(sum) : -infinity;
                      }
                      return result;
                  };
              }());

// ---- The end.

auto finished_by(std::function<Vector(P all, std::size_t n_keys, std::size_t tile)> finish) {
    Streaming wrong;
    wrong.finish = finish;
    return wrong;
}
auto with_logsumexp(std::function<double(P all)> logsumexp) {
    Streaming wrong;
    wrong.logsumexp = [=](P all) { return all.sum > 0 ? logsumexp(all) : -infinity; };
    return wrong;
}

MISCONCEPTION(streaming_attention, output_not_divided,
              "the output is not divided by the sum of the exponentials.",
              finished_by([](auto& all, auto, auto) { return all.output; }));
MISCONCEPTION(
    streaming_attention, divided_by_n_keys,
    "the output is divided by the number of keys, and not by the sum of the exponentials.",
    finished_by([](auto& all, auto n_keys, auto) -> Vector { return all.output / real(n_keys); }));
/// Each tile's own softmax; count: of the tiles so far, kept in the sum.
auto of_tiles(bool mean) {
    Streaming wrong;
    wrong.merge = [](P a, P b) -> Partial {
        Partial all = right_merge(a, b);
        all.output = b.sum > 0 ? Vector(a.output + b.output / b.sum) : a.output;
        return all;
    };
    wrong.finish = [mean](auto& all, auto n_keys, auto tile) -> Vector {
        return mean ? Vector(all.output / real((n_keys + tile - 1) / tile)) : all.output;
    };
    return wrong;
}
MISCONCEPTION(streaming_attention, mean_of_the_tiles_by_their_keys,
              "each tile has its own softmax, and the result is their mean, in which a tile counts "
              "by how many of its keys are seen. It counts by the sum of its exponentials, brought "
              "to one maximum with the others.",
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  Streaming right;
                  Streamed result = right(Q, K, V, tile, mask);
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      double seen = 0;
                      Vector mean = xt::zeros<double>({V.shape(1)});
                      for (const auto& [first, count] : right_tiles(K.shape(0), tile)) {
                          std::vector<double> scores;
                          double largest = -infinity;
                          for (std::size_t j = first; j < first + count; ++j) {
                              const bool allowed = !mask || (*mask)(i, j);
                              scores.push_back(allowed ? dot(Q, i, K, j) / root(Q.shape(1))
                                                       : -infinity);
                              largest = std::max(largest, scores.back());
                          }
                          double sum = 0, keys = 0;
                          Vector output = xt::zeros<double>({V.shape(1)});
                          for (std::size_t j = 0; j < count && largest > -infinity; ++j) {
                              const double p = std::exp(scores[j] - largest);
                              sum += p;
                              keys += scores[j] > -infinity ? 1 : 0;
                              output += p * xt::view(V, first + j, xt::all());
                          }
                          if (keys > 0) {
                              mean += keys / sum * output;
                              seen += keys;
                          }
                      }
                      if (seen > 0) {
                          xt::view(result.output, i, xt::all()) = mean / seen;
                      }
                  }
                  return result;
              });
MISCONCEPTION(streaming_attention, mean_of_the_tiles,
              "each tile has its own softmax, and the result is the mean of the tiles. A tile of "
              "large scores then weighs no more than one of small ones.",
              of_tiles(true));
MISCONCEPTION(streaming_attention, sum_of_the_tiles,
              "each tile has its own softmax, and their outputs are added. The weights of all "
              "tiles together have to sum to 1.",
              of_tiles(false));
MISCONCEPTION(streaming_attention, divided_after_every_tile,
              "the output is divided by the sum after every tile, and the next tile is added to "
              "that. Divide once, at the end, or multiply by the old sum before you add.",
              [] {
                  Streaming wrong;
                  wrong.merge = [](P a, P b) -> Partial {
                      Partial all = right_merge(a, b);
                      if (all.sum > 0) {
                          all.output /= all.sum;
                      }
                      return all;
                  };
                  wrong.finish = [](auto& all, auto, auto) { return all.output; };
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, divided_twice,
              "the output is divided by the sum twice, the second time after the last tile.",
              finished_by([](auto& all, auto, auto) -> Vector {
                  return all.sum > 0 ? Vector(all.output / all.sum / all.sum)
                                     : Vector(0.0 * all.output);
              }));

MISCONCEPTION(streaming_attention, logsumexp_without_the_maximum,
              "logsumexp is ln of the sum alone. Its exponentials had the maximum subtracted: add "
              "it again.",
              with_logsumexp([](auto& all) { return std::log(all.sum); }));
MISCONCEPTION(streaming_attention, logsumexp_is_the_maximum,
              "logsumexp is the maximum alone. ln of the sum is to be added.",
              with_logsumexp([](auto& all) { return all.maximum; }));
MISCONCEPTION(streaming_attention, logsumexp_is_the_sum,
              "logsumexp is the sum: of it the logarithm is to be taken, and the maximum added.",
              with_logsumexp([](auto& all) { return all.sum; }));
MISCONCEPTION(streaming_attention, logsumexp_without_the_logarithm,
              "logsumexp is the maximum plus the sum: the logarithm of the sum is missing.",
              with_logsumexp([](auto& all) { return all.maximum + all.sum; }));
MISCONCEPTION(streaming_attention, logsumexp_minus_the_maximum,
              "in logsumexp the maximum is subtracted. ln Σ exp(s) = maximum + ln Σ exp(s − "
              "maximum).",
              with_logsumexp([](auto& all) { return std::log(all.sum) - all.maximum; }));
MISCONCEPTION(streaming_attention, logsumexp_to_base_2,
              "the logarithm in logsumexp is that to base 2.",
              with_logsumexp([](auto& all) { return all.maximum + std::log2(all.sum); }));
MISCONCEPTION(streaming_attention, logsumexp_to_base_10,
              "the logarithm in logsumexp is that to base 10.",
              with_logsumexp([](auto& all) { return all.maximum + std::log10(all.sum); }));
MISCONCEPTION(streaming_attention, exponential_of_logsumexp,
              "logsumexp is the sum of the exponentials itself, which overflows for scores of "
              "1000: its logarithm is asked for.",
              with_logsumexp([](auto& all) { return std::exp(all.maximum) * all.sum; }));
MISCONCEPTION(streaming_attention, logsumexp_not_set, "logsumexp is 0 throughout: it is never set.",
              [] {
                  Streaming wrong;
                  wrong.logsumexp = [](auto&) { return 0.0; };
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, logsumexp_0_where_nothing_is_seen,
              "the logsumexp of a query that sees no key is 0. The sum is empty, and ln 0 is −∞.",
              [] {
                  Streaming wrong;
                  wrong.logsumexp = [](auto& all) {
                      return all.sum > 0 ? all.maximum + std::log(all.sum) : 0.0;
                  };
                  return wrong;
              }());

// ---- Memory.

Streamed right(In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
    return lesson::streaming_attention(Q, K, V, tile, mask);
}

/// An array of n_queries × n_keys for as long as the call takes.
template <class T>
auto holding(std::size_t arrays, bool if_masked_only = false) {
    return [=](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
        const std::size_t count = if_masked_only && !mask ? 0 : arrays;
        std::vector<xt::xtensor<T, 2>> held;
        for (std::size_t k = 0; k < count; ++k) {
            held.push_back(xt::ones<T>({Q.shape(0), K.shape(0)}));
        }
        return right(Q, K, V, tile, mask);
    };
}

HUNGRY_FORWARD(holds_all_scores,
               "the answers are right, but an array of n_queries x n_keys doubles was held: all "
               "scores, or all weights. A tile of scores can be forgotten when it is merged.",
               holding<double>(1));
HUNGRY_FORWARD(holds_scores_and_weights,
               "the answers are right, but two arrays of n_queries x n_keys doubles were held: "
               "scores and weights, or scores and a mask of numbers. A tile of scores can be "
               "forgotten when it is merged.",
               holding<double>(2));
HUNGRY_FORWARD(holds_three_matrices,
               "the answers are right, but three arrays of n_queries x n_keys doubles were held: "
               "scores, exponentials and weights. A tile of scores can be forgotten when it is "
               "merged.",
               holding<double>(3));
HUNGRY_FORWARD(holds_four_bytes_a_pair,
               "the answers are right, but 4 bytes for each pair of a query and a key were held: "
               "all scores in floats, say, or half of them in doubles. A tile of scores can be "
               "forgotten when it is merged.",
               holding<float>(1));
HUNGRY_FORWARD(mask_of_ones,
               "the answers are right, but an array of n_queries x n_keys bools was held: a mask "
               "that blocks nothing, or a copy of the one that was given. Ask the mask where it is "
               "needed: !mask || (*mask)(i, j).",
               holding<bool>(1));
HUNGRY_FORWARD(copies_the_mask,
               "the answers are right, but where there is a mask an array of n_queries x n_keys "
               "bools was held: a copy of it. Read it where it is, by reference.",
               holding<bool>(1, true));
HUNGRY_FORWARD(mask_of_numbers,
               "the answers are right, but where there is a mask an array of n_queries x n_keys "
               "doubles was held: the mask as numbers, 0 and −∞. Ask the mask where it is needed: "
               "!mask || (*mask)(i, j).",
               holding<double>(1, true));

MISCONCEPTION(streaming_attention, mean_of_the_tiles_seen,
              "each tile of which the query sees something has its own softmax, and the result is "
              "the mean of these tiles. A tile counts by what its exponentials sum to.",
              [] {
                  Streaming wrong; // behind the output stands how many tiles are in it
                  wrong.start = [](std::size_t d_v) { return no_keys_yet(d_v + 1); };
                  wrong.merge = [](P so_far, P here) -> Partial {
                      const Factors by = right_factors(so_far.maximum, here.maximum);
                      Partial all = so_far;
                      all.maximum = by.maximum;
                      all.sum = by.of_a * so_far.sum + by.of_b * here.sum;
                      for (std::size_t c = 0; here.sum > 0 && c < here.output.size(); ++c) {
                          all.output(c) += here.output(c) / here.sum;
                      }
                      all.output(here.output.size()) += here.sum > 0 ? 1 : 0;
                      return all;
                  };
                  wrong.finish = [](auto& all, auto, auto) -> Vector {
                      const std::size_t d_v = all.output.size() - 1;
                      return xt::view(all.output, xt::range(std::size_t{0}, d_v)) /
                             std::max(all.output(d_v), 1.0);
                  };
                  return wrong;
              }());

MISCONCEPTION(
    streaming_attention, maximum_not_reset,
    "the maximum that is subtracted is not the query's own: it stays from one query to the next, "
    "or those of a block share one. Where a query's scores are all far below it, every exponential "
    "is 0. Start each query at −∞.",
    [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
        lesson::require_fit("streaming_attention", Q, K, V);
        lesson::require_mask("streaming_attention", Q, K, mask);
        lesson::require_tile("streaming_attention", tile);
        Streamed all{xt::zeros<double>({Q.shape(0), V.shape(1)}), xt::zeros<double>({Q.shape(0)})};
        double maximum = -infinity;
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            Streaming wrong;
            wrong.start = [=](std::size_t d_v) {
                Partial partial = no_keys_yet(d_v);
                partial.maximum = maximum;
                return partial;
            };
            const Matrix query = xt::view(Q, xt::range(i, i + 1), xt::all());
            const OptionalMask seen =
                mask ? OptionalMask(xt::view(*mask, xt::range(i, i + 1), xt::all()))
                     : OptionalMask();
            const Streamed one = wrong(query, K, V, tile, seen);
            xt::view(all.output, i, xt::all()) = xt::view(one.output, 0, xt::all());
            all.logsumexp(i) = one.logsumexp(0);
            for (std::size_t j = 0; j < K.shape(0); ++j) {
                if (!mask || (*mask)(i, j)) {
                    maximum = std::max(maximum, dot(Q, i, K, j) / root(K.shape(1)));
                }
            }
        }
        return all;
    });

} // namespace

} // namespace misconceptions_running
