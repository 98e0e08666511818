// Wrong versions of 09.2, 09.3 and 09.4 that add something small to the sum of each softmax.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_epsilon {

using namespace wrong;

namespace {

/// Weights whose sums had 1e-digits more. The largest of a row is exp(0) / sum, or 0 if nothing is
/// seen.
template <int digits>
Matrix of_larger_sums(const Matrix& weights) {
    const Matrix largest = xt::amax(weights, {1}, xt::keep_dims);
    return weights / (1 + std::pow(10.0, -digits) * largest);
}

constexpr const char* epsilon_added =
    "a small number, such as 1e-9, is added to the sum, and no row sums to 1. With the maximum "
    "subtracted the sum is at least exp(0) = 1, unless a position may see nothing: handle that row "
    "by itself.";

#define EPSILON(digits)                                                                            \
    MISCONCEPTION(multi_head_attention, epsilon_1e_##digits, epsilon_added,                        \
                  Mechanism{.weigh = [](auto& scores, auto& mask) {                                \
                      return of_larger_sums<digits>(oracle::masked_softmax(scores, mask));         \
                  }});                                                                             \
    MISCONCEPTION(                                                                                 \
        rotary_attention, epsilon_1e_##digits, epsilon_added,                                      \
        [](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) -> Matrix { \
            lesson::require_fit(Q, K, V, positions);                                               \
            const Matrix scores =                                                                  \
                oracle::scaled_scores(plain::rotate(Q, positions), plain::rotate(K, positions));   \
            return oracle::matmul(of_larger_sums<digits>(oracle::softmax_rows(scores)), V);        \
        });                                                                                        \
    MISCONCEPTION(grouped_query_attention, epsilon_1e_##digits, epsilon_added,                     \
                  plain::GroupedMechanism{.weigh = [](auto& scores) {                              \
                      return of_larger_sums<digits>(oracle::softmax_rows(scores));                 \
                  }})
EPSILON(5);
EPSILON(6);
EPSILON(7);
EPSILON(8);
EPSILON(9);
EPSILON(10);
#undef EPSILON

} // namespace

} // namespace misconceptions_epsilon
