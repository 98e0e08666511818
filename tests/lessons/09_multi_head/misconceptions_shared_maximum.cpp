// Wrong versions of 09.2 to 09.4: a maximum for all rows, scales of seven digits, columns repeated
// for heads, and a softmax key by key that forgets to bring something down.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_shared_maximum {

using namespace wrong;
using plain::GroupedMechanism;

namespace {

using S = std::size_t;

// ---- one maximum for all rows

/// exp(s − the largest of all) / Σ, and what a row gets that has scores, but only exponentials of
/// 0.
Matrix by_the_largest_of_all(const Matrix& scores, double if_all_vanish) {
    const double most = xt::amax(scores)();
    Matrix weights = xt::exp(scores - (most > -infinity ? most : 0.0));
    for (S i = 0; i < scores.shape(0); ++i) {
        double sum = 0, largest = -infinity;
        for (S j = 0; j < scores.shape(1); ++j) {
            sum += weights(i, j);
            largest = std::max(largest, scores(i, j));
        }
        for (S j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = sum > 0 ? weights(i, j) / sum : largest > -infinity ? if_all_vanish : 0;
        }
    }
    return weights;
}

Matrix of_all_and_0(const Matrix& scores) {
    return by_the_largest_of_all(scores, 0);
}
Matrix of_all_and_nan(const Matrix& scores) {
    return by_the_largest_of_all(scores, std::nan(""));
}

constexpr const char* says_of_all =
    "what is subtracted before the exponentials is the largest score of the whole matrix, not of "
    "each row. Where all scores of a row are some hundreds below it, their exponentials are 0, and "
    "so is their sum. Each row has a largest score of its own: xt::amax(scores, {1}, …).";

IN_EVERY_ATTENTION(largest_of_all_rows_and_0, says_of_all, of_all_and_0);
IN_EVERY_ATTENTION(largest_of_all_rows_and_nan, says_of_all, of_all_and_nan);

// ---- scales

double in_float(S d_k) {
    return static_cast<double>(std::sqrt(static_cast<float>(d_k)));
}
double reciprocal_in_float(S d_k) {
    return 1.0 / (1.0F / std::sqrt(static_cast<float>(d_k)));
}

constexpr const char* says_root_in_float =
    "the root of d_k is a float, or its reciprocal is (1.0f / sqrtf(…)), and has seven digits. "
    "Every score is then off a little, and all that is made of it. Let it be a double: std::sqrt "
    "of a double is one.";

#define SCALED_BY(name, explanation, of_d_k)                                                       \
    MISCONCEPTION(multi_head_attention, name, explanation,                                         \
                  Mechanism{.divisor = [](auto& size) { return of_d_k(size.d_k); }});              \
    MISCONCEPTION(                                                                                 \
        rotary_attention, name, explanation,                                                       \
        [](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) -> Matrix { \
            lesson::require_fit(Q, K, V, positions);                                               \
            const Matrix scores =                                                                  \
                oracle::raw_scores(plain::rotate(Q, positions), plain::rotate(K, positions)) /     \
                of_d_k(Q.shape(1));                                                                \
            return oracle::matmul(oracle::softmax_rows(scores), V);                                \
        });                                                                                        \
    MISCONCEPTION(                                                                                 \
        grouped_query_attention, name, explanation,                                                \
        GroupedMechanism{.divisor = [](auto&, auto&, auto& size) { return of_d_k(size.d_k); }})

SCALED_BY(root_in_float, says_root_in_float, in_float);
SCALED_BY(reciprocal_root_in_float, says_root_in_float, reciprocal_in_float);
#undef SCALED_BY

MISCONCEPTION(grouped_query_attention, root_of_the_columns_of_a_group,
              "the scores are divided by the root of all columns that the queries of a group have "
              "together, Q's columns over n_kv_heads. A score is the product of one head's query "
              "with one key: d_k is Q's columns over n_heads.",
              GroupedMechanism{.divisor = [](auto& Q, auto& K, auto& size) {
                  return std::sqrt(real(Q.shape(1)) / (real(K.shape(1)) / real(size.d_k)));
              }});

// ---- columns in place of heads

Matrix repeated_columns(const Matrix& X, S times) {
    return matrix_of(X.shape(0), X.shape(1) * times,
                     [&](auto i, auto j) { return X(i, j / times); });
}

MISCONCEPTION(
    grouped_query_attention, columns_repeated_for_heads,
    "each column of K and V is repeated, and not each head, as np.repeat does along axis "
    "1: a head consists of copies of a few columns then. All d_k columns of a head belong "
    "together, and stand n_heads / n_kv_heads times one behind the other.",
    [](const Matrix& Q, const Matrix& K, const Matrix& V, S n_kv_heads) -> Matrix {
        const lesson::Grouped size = lesson::require_fit(Q, K, V, n_kv_heads);
        const S times = size.n_heads / n_kv_heads;
        return GroupedMechanism{}(Q, repeated_columns(K, times), repeated_columns(V, times),
                                  size.n_heads);
    });

// ---- a softmax that goes through the keys once

enum class Forgotten { output, sum, both };

/// Weights as they come out if, when a later tile has a larger maximum, `forgotten` is not brought
/// down to it.
Matrix online(const Matrix& scores, S tile, Forgotten forgotten) {
    Matrix weights = scores;
    for (S i = 0; i < scores.shape(0); ++i) {
        double most = -infinity, sum = 0;
        for (S first = 0; first < scores.shape(1); first += tile) {
            const S end = std::min(first + tile, scores.shape(1));
            const double before = most;
            for (S j = first; j < end; ++j) {
                most = std::max(most, scores(i, j));
            }
            const double down = std::exp(before - most);
            sum *= forgotten == Forgotten::output ? down : 1;
            for (S j = 0; j < first && forgotten == Forgotten::sum; ++j) {
                weights(i, j) *= down;
            }
            for (S j = first; j < end; ++j) {
                weights(i, j) = std::exp(scores(i, j) - most);
                sum += weights(i, j);
            }
        }
        xt::view(weights, i, xt::all()) /= sum;
    }
    return weights;
}

constexpr const char* says_not_brought_down =
    "the softmax goes through the keys once, some at a time, and where a later key has a larger "
    "score, what was added up before has to be brought down by exp(old maximum − new maximum). The "
    "sum or the output is not: both belong to the old one.";

#define NOT_BROUGHT_DOWN(tile)                                                                     \
    MISCONCEPTION(grouped_query_attention, output_not_brought_down_by_##tile,                      \
                  says_not_brought_down, GroupedMechanism{.weigh = [](auto& scores) {              \
                      return online(scores, tile, Forgotten::output);                              \
                  }});                                                                             \
    MISCONCEPTION(grouped_query_attention, sum_not_brought_down_by_##tile, says_not_brought_down,  \
                  GroupedMechanism{.weigh = [](auto& scores) {                                     \
                      return online(scores, tile, Forgotten::sum);                                 \
                  }});                                                                             \
    MISCONCEPTION(grouped_query_attention, nothing_brought_down_by_##tile, says_not_brought_down,  \
                  GroupedMechanism{.weigh = [](auto& scores) {                                     \
                      return online(scores, tile, Forgotten::both);                                \
                  }})
NOT_BROUGHT_DOWN(1);
NOT_BROUGHT_DOWN(16);
NOT_BROUGHT_DOWN(32);
NOT_BROUGHT_DOWN(64);
NOT_BROUGHT_DOWN(128);
#undef NOT_BROUGHT_DOWN

// ---- numbers that stand in for −∞

Matrix softmax_with(const Matrix& scores, const Mask& mask, double stand_in) {
    return zero_unless(oracle::softmax_rows(filled(scores, mask, stand_in)), [&](auto i, auto) {
        bool any = false;
        for (S k = 0; k < mask.shape(1); ++k) {
            any = any || mask(i, k);
        }
        return any;
    });
}

MISCONCEPTION(multi_head_attention, blocked_is_minus_1e4_but_in_empty_rows,
              "−1e4 or the like stands in place of a blocked score. Scores may lie as far below 0 "
              "themselves: then what is blocked gets weight, even all of it. It has to be −∞; "
              "attention::masked_softmax does that.",
              Mechanism{.weigh = [](auto& scores, auto& mask) {
                  return softmax_with(scores, mask, -1e4);
              }});

} // namespace

} // namespace misconceptions_shared_maximum
