// Wrong versions whose sums end too early, whose counts are too narrow, and whose texts are cut
// off; grader_tiny_between.cpp asks for them.

#include <cstdint>

#include "support/common_mistakes.hpp"
#include "wrong_backward.hpp"
#include "wrong_causal.hpp"
#include "wrong_faster.hpp"

namespace misconceptions_sums_ended {

using namespace wrong;
using mistakes::Ends;
using mistakes::require_in_a_buffer;
using mistakes::sum_ended;

namespace {

constexpr const char* sum_ends = mistakes::sum_ends_where_unchanged;
constexpr const char* cut_off = mistakes::text_cut_off;

// ---- 10.1

MISCONCEPTION(merge, text_cut_off, cut_off, [](P a, P b) {
    require_in_a_buffer(40, "merge", "a.output", a.output, 0, "b.output", b.output, 0);
    return right_merge(a, b);
});

// ---- 10.2

template <Ends ends>
double dot_ended(In A, std::size_t i, In B, std::size_t j) {
    return sum_ended(A.shape(1), ends, [&](std::size_t c) { return A(i, c) * B(j, c); });
}

/// Of a tile the sum, the output, or both end.
template <bool Sum, bool Output>
auto partial_ended(Ends ends) {
    return [=](const std::vector<double>& scores, const std::vector<bool>&, const Matrix& values) {
        Partial here = no_keys_yet(values.shape(1));
        here.maximum = *std::max_element(scores.begin(), scores.end());
        if (here.maximum == -infinity) {
            return here;
        }
        const auto weight = [&](std::size_t j) { return std::exp(scores[j] - here.maximum); };
        const auto sum = [&](bool ended, const auto& term) {
            double all = 0;
            for (std::size_t j = 0; j < scores.size(); ++j) {
                all += term(j);
            }
            return ended ? sum_ended(scores.size(), ends, term) : all;
        };
        here.sum = sum(Sum, weight);
        for (std::size_t c = 0; c < values.shape(1); ++c) {
            here.output(c) = sum(Output, [&](std::size_t j) { return weight(j) * values(j, c); });
        }
        return here;
    };
}

template <class Change>
Streaming streaming_with(Change change) {
    Streaming wrong;
    change(wrong);
    return wrong;
}

MISCONCEPTION(streaming_attention, scores_end_where_unchanged, sum_ends,
              streaming_with([](auto& s) { s.product = dot_ended<Ends::at_any>; }));
MISCONCEPTION(streaming_attention, scores_end_where_unchanged_but_not_at_0, sum_ends,
              streaming_with([](auto& s) { s.product = dot_ended<Ends::at_one_that_is_not_0>; }));
MISCONCEPTION(streaming_attention, outputs_end_where_unchanged, sum_ends,
              streaming_with([](auto& s) {
                  s.partial = partial_ended<false, true>(Ends::at_one_that_is_not_0);
              }));
MISCONCEPTION(streaming_attention, sums_end_where_unchanged, sum_ends, streaming_with([](auto& s) {
                  s.partial = partial_ended<true, false>(Ends::at_one_that_is_not_0);
              }));
MISCONCEPTION(streaming_attention, sums_and_outputs_end_where_unchanged, sum_ends,
              streaming_with([](auto& s) {
                  s.partial = partial_ended<true, true>(Ends::at_one_that_is_not_0);
              }));
MISCONCEPTION(streaming_attention, sums_and_outputs_end_where_unchanged_or_at_0, sum_ends,
              streaming_with([](auto& s) { s.partial = partial_ended<true, true>(Ends::at_any); }));

constexpr const char* keys_in_8_bits =
    "a query that sees 256 keys is taken for one that sees none: they are counted in 8 bits, which "
    "begin again at 0. Count in a std::size_t, or ask whether it sees any key.";
constexpr const char* queries_in_8_bits =
    "a key that 256 queries see is taken for one that no query sees: they are counted in 8 bits, "
    "which begin again at 0. Count in a std::size_t, or ask whether any query sees the key.";

bool none_in_8_bits(const Mask& some) {
    return static_cast<std::uint8_t>(std::count(some.begin(), some.end(), true)) == 0;
}
/// Rows, or columns, of which 8 bits count none are blocked.
OptionalMask blocked_by_8_bits(const OptionalMask& mask, In Q, In K, bool rows, bool columns) {
    const Mask all = xt::ones<bool>({Q.shape(0), K.shape(0)});
    const Mask before = mask.value_or(all);
    Mask after = before;
    for (std::size_t i = 0; rows && i < Q.shape(0); ++i) {
        if (none_in_8_bits(xt::view(before, xt::range(i, i + 1), xt::all()))) {
            xt::view(after, i, xt::all()) = false;
        }
    }
    for (std::size_t j = 0; columns && j < K.shape(0); ++j) {
        if (none_in_8_bits(xt::view(before, xt::all(), xt::range(j, j + 1)))) {
            xt::view(after, xt::all(), j) = false;
        }
    }
    return after;
}

MISCONCEPTION(streaming_attention, keys_counted_in_8_bits, keys_in_8_bits,
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  lesson::require_mask("streaming_attention", Q, K, mask);
                  return Streaming{}(Q, K, V, tile,
                                     mask ? blocked_by_8_bits(mask, Q, K, true, false) : mask);
              });
MISCONCEPTION(streaming_attention, queries_counted_in_8_bits, queries_in_8_bits,
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  lesson::require_mask("streaming_attention", Q, K, mask);
                  return Streaming{}(Q, K, V, tile,
                                     mask ? blocked_by_8_bits(mask, Q, K, false, true) : mask);
              });
MISCONCEPTION(streaming_attention, keys_of_a_tile_counted_in_8_bits,
              "a tile of which a query sees 256 keys is left out, as if it saw none: they are "
              "counted in 8 bits, which begin again at 0. Count in a std::size_t, or ask whether "
              "it sees any key.",
              streaming_with([](auto& s) {
                  s.partial = [](const auto& scores, const auto& seen, const Matrix& values) {
                      const auto count = std::count(seen.begin(), seen.end(), true);
                      return static_cast<std::uint8_t>(count) == 0
                                 ? no_keys_yet(values.shape(1))
                                 : Streaming{}.partial_of(scores, seen, values);
                  };
              }));

MISCONCEPTION(streaming_attention, equal_maxima_counted_once,
              "the largest score of a tile counts once, and besides it only those that are below: "
              "where several keys have it, all but the first are lost. Add up every key's term.",
              streaming_with([](auto& s) {
                  s.partial = [](std::vector<double> scores, const auto& seen,
                                 const Matrix& values) {
                      const auto largest = std::max_element(scores.begin(), scores.end());
                      const double maximum = *largest;
                      std::replace(largest + 1, scores.end(), maximum, -infinity);
                      return Streaming{}.partial_of(scores, seen, values);
                  };
              }));

// ---- 10.3

template <bool Sum, bool Output>
Matrix causal_ended(const ScoreTile& score_tile, In V, std::size_t n_queries, std::size_t tile) {
    lesson::require_tile("causal_streaming", tile);
    Matrix output = Matrix::from_shape({n_queries, V.shape(1)});
    for (const auto& [first, rows] : right_tiles(n_queries, tile)) {
        std::vector<Partial> so_far(rows, no_keys_yet(V.shape(1)));
        for (const auto& [key, columns] : right_tiles(std::min(V.shape(0), first + rows), tile)) {
            const Matrix scores = score_tile(first, rows, key, columns);
            for (std::size_t r = 0; r < rows; ++r) {
                const std::size_t seen =
                    first + r < key ? 0 : std::min(columns, first + r + 1 - key);
                std::vector<double> row;
                for (std::size_t j = 0; j < seen; ++j) {
                    row.push_back(scores(r, j));
                }
                if (seen > 0) {
                    so_far[r] = right_merge(so_far[r],
                                            partial_ended<Sum, Output>(Ends::at_one_that_is_not_0)(
                                                row, {}, xt::view(V, xt::range(key, key + seen))));
                }
            }
        }
        for (std::size_t r = 0; r < rows; ++r) {
            xt::view(output, first + r, xt::all()) = so_far[r].output / so_far[r].sum;
        }
    }
    return output;
}
MISCONCEPTION_IN(by_tiles, causal_streaming, sums_end_where_unchanged, sum_ends,
                 by_hand(causal_ended<true, false>));
MISCONCEPTION_IN(by_tiles, causal_streaming, outputs_end_where_unchanged, sum_ends,
                 by_hand(causal_ended<false, true>));
MISCONCEPTION_IN(by_tiles, causal_streaming, sums_and_outputs_end_where_unchanged, sum_ends,
                 by_hand(causal_ended<true, true>));

MISCONCEPTION_IN(by_tiles, causal_streaming, seen_in_8_bits,
                 "how many keys of a tile a query sees is counted in 8 bits, which begin again at "
                 "0 after 255. Count in a std::size_t.",
                 seeing([](auto i, auto j, const Block& block) {
                     const std::size_t seen =
                         i < block.key ? 0 : std::min(block.columns, i + 1 - block.key);
                     return j - block.key < static_cast<std::uint8_t>(seen);
                 }));

// ---- 10.4

MISCONCEPTION(faster_attention, text_cut_off, cut_off,
              [](InF Q, InF K, InF V, std::size_t threads) {
                  require_in_a_buffer(40, "faster_attention", "Q", Q, 1, "K", K, 1);
                  require_in_a_buffer(40, "faster_attention", "K", K, 0, "V", V, 0);
                  return Faster{}(Q, K, V, threads);
              });

// ---- 10.5

MISCONCEPTION(streaming_backward, products_end_where_unchanged, sum_ends,
              backward_with([](auto& b) { b.product = dot_ended<Ends::at_any>; }));
MISCONCEPTION(streaming_backward, products_end_where_unchanged_but_not_at_0, sum_ends,
              backward_with([](auto& b) { b.product = dot_ended<Ends::at_one_that_is_not_0>; }));

/// The gradients of matrices, each sum of which ends.
auto gradients_ended(bool of_d_Q, bool of_d_K, bool of_d_V) {
    return [=](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
        AttentionGradients d = Backward{}(Q, K, V, forward, d_output, mask); // which checks
        const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
        Matrix p = xt::zeros<double>({n_queries, n_keys}), d_scores = p;
        for (std::size_t i = 0; i < n_queries; ++i) {
            const double row_sum = dot(d_output, i, forward.output, i);
            for (std::size_t j = 0; j < n_keys; ++j) {
                if (!mask || (*mask)(i, j)) {
                    p(i, j) = std::exp(dot(Q, i, K, j) / root(K.shape(1)) - forward.logsumexp(i));
                    d_scores(i, j) =
                        p(i, j) * (dot(d_output, i, V, j) - row_sum) / root(K.shape(1));
                }
            }
        }
        const auto product = [](const Matrix& X, const Matrix& Y) {
            return mistakes::product_ended(X, Y, Ends::at_one_that_is_not_0);
        };
        d.d_Q = of_d_Q ? product(d_scores, K) : d.d_Q;
        d.d_K = of_d_K ? product(xt::transpose(d_scores), Q) : d.d_K;
        d.d_V = of_d_V ? product(xt::transpose(p), d_output) : d.d_V;
        return d;
    };
}
MISCONCEPTION(streaming_backward, d_Q_ends_where_unchanged, sum_ends,
              gradients_ended(true, false, false));
MISCONCEPTION(streaming_backward, d_K_ends_where_unchanged, sum_ends,
              gradients_ended(false, true, false));
MISCONCEPTION(streaming_backward, d_V_ends_where_unchanged, sum_ends,
              gradients_ended(false, false, true));
MISCONCEPTION(streaming_backward, gradients_end_where_unchanged, sum_ends,
              gradients_ended(true, true, true));

MISCONCEPTION(streaming_backward, keys_counted_in_8_bits, keys_in_8_bits,
              [](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
                  lesson::require_mask("streaming_backward", Q, K, mask);
                  return Backward{}(Q, K, V, forward, d_output,
                                    blocked_by_8_bits(mask, Q, K, true, false));
              });
MISCONCEPTION(streaming_backward, queries_counted_in_8_bits, queries_in_8_bits,
              [](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
                  lesson::require_mask("streaming_backward", Q, K, mask);
                  return Backward{}(Q, K, V, forward, d_output,
                                    mask ? blocked_by_8_bits(mask, Q, K, false, true) : mask);
              });

} // namespace

} // namespace misconceptions_sums_ended
