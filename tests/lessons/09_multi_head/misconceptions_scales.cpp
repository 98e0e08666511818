// Wrong versions that take what is tiny for 0, or cut what is large, and bytes of which a part is
// counted in integers.

#include "attention/product.hpp"
#include "exports.hpp"
#include "support/bounds.hpp"
#include "wrong_positions.hpp"

namespace misconceptions_scales {

using namespace wrong;
using plain::GroupedMechanism;

namespace {

#define BOUNDED(name, text, bounded)                                                               \
    MISCONCEPTION(split_heads, name, text, [](const Matrix& X, std::size_t n_heads) -> Tensor3 {   \
        lesson::columns_of_a_head("split_heads", "X", X, n_heads);                                 \
        return plain::stacked(plain::split(bounded(X), n_heads));                                  \
    });                                                                                            \
    MISCONCEPTION(merge_heads, name, text, [](const Tensor3& heads) -> Matrix {                    \
        return bounded(plain::merge(plain::unstacked(heads)));                                     \
    });                                                                                            \
    MISCONCEPTION(multi_head_attention, name, text,                                                \
                  [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,     \
                     const Matrix& W_o, std::size_t n_heads,                                       \
                     const OptionalMask& mask) -> lesson::MultiHead {                              \
                      const lesson::MultiHead right =                                              \
                          Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, mask);                       \
                      return {bounded(right.output), right.weights};                               \
                  });                                                                              \
    MISCONCEPTION(rotate, name, text,                                                              \
                  checked_rotation([](const Matrix& X, const Vector& positions) {                  \
                      return bounded(plain::rotate(X, positions));                                 \
                  }));                                                                             \
    MISCONCEPTION(                                                                                 \
        rotary_attention, name, text,                                                              \
        [](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) -> Matrix { \
            lesson::require_fit(Q, K, V, positions);                                               \
            return bounded(plain::rotary_attention(Q, K, V, positions));                           \
        });                                                                                        \
    MISCONCEPTION(                                                                                 \
        grouped_query_attention, name, text,                                                       \
        [](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) -> Matrix {  \
            return bounded(GroupedMechanism{}(Q, K, V, n_kv_heads));                               \
        })
BOUNDED(small_is_0, bounds::small_text, bounds::small_lost);
BOUNDED(large_is_cut, bounds::large_text, bounds::large_cut);
#undef BOUNDED

// ---- 09.2, 09.3, 09.4: weights

/// The softmax, in which weights below a bound are 0.
template <int digits>
Matrix small_weights_lost(const Matrix& scores) {
    const Matrix weights = oracle::softmax_rows(scores);
    return xt::where(weights < power(10, -digits), 0.0, weights);
}
template <int digits>
Matrix small_weights_lost_masked(const Matrix& scores, const Mask& mask) {
    const Matrix weights = oracle::masked_softmax(scores, mask);
    return xt::where(weights < power(10, -digits), 0.0, weights);
}

constexpr const char* small_weights =
    "a weight that is small is taken for 0, as if it was rounding. The value it is for may be as "
    "large as the weight is small: leave the bound out.";

#define SMALL_WEIGHTS(digits)                                                                      \
    MISCONCEPTION(multi_head_attention, weights_below_1e_##digits##_are_0, small_weights,          \
                  Mechanism{.weigh = small_weights_lost_masked<digits>});                          \
    MISCONCEPTION(grouped_query_attention, weights_below_1e_##digits##_are_0, small_weights,       \
                  GroupedMechanism{.weigh = small_weights_lost<digits>});                          \
    MISCONCEPTION(                                                                                 \
        rotary_attention, weights_below_1e_##digits##_are_0, small_weights,                        \
        [](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) -> Matrix { \
            lesson::require_fit(Q, K, V, positions);                                               \
            return oracle::matmul(small_weights_lost<digits>(oracle::scaled_scores(                \
                                      plain::rotate(Q, positions), plain::rotate(K, positions))),  \
                                  V);                                                              \
        })
SMALL_WEIGHTS(7);
SMALL_WEIGHTS(12);
SMALL_WEIGHTS(17);
SMALL_WEIGHTS(30);
#undef SMALL_WEIGHTS

/// Right where everything is blocked.
Matrix empty_rows_0(Matrix weights, const Mask& mask) {
    for (std::size_t i = 0; i < mask.shape(0); ++i) {
        xt::view(weights, i, xt::all()) *= xt::any(xt::view(mask, i, xt::all())) ? 1.0 : 0.0;
    }
    return weights;
}

#define STAND_IN(name, number)                                                                     \
    MISCONCEPTION(                                                                                 \
        multi_head_attention, blocked_is_##name,                                                   \
        "a blocked score is replaced by a number that is only meant to be far below all "          \
        "others. Scores may be further below 0 still: leave the blocked ones out of the "          \
        "softmax, or take minus infinity.",                                                        \
        Mechanism{.weigh = [](auto& scores, auto& mask) {                                          \
            return empty_rows_0(oracle::softmax_rows(filled(scores, mask, -number)), mask);        \
        }})
STAND_IN(minus_1e9_but_in_empty_rows, 1e9);
STAND_IN(a_finite_number_but_in_empty_rows, 3.4028234e38);
#undef STAND_IN

Matrix lowered(const Matrix& scores, const Mask& mask, double by) {
    return matrix_of(scores.shape(0), scores.shape(1),
                     [&](auto i, auto j) { return scores(i, j) - (mask(i, j) ? 0 : by); });
}

#define SUBTRACTED(name, number)                                                                    \
    MISCONCEPTION(                                                                                  \
        multi_head_attention, name##_added_but_in_empty_rows,                                       \
        "a number such as −1e9 is added to a blocked score, so that it should lie far below all " \
        "others. Scores may lie further apart than that: leave the blocked ones out of the "        \
        "softmax, or take minus infinity.",                                                         \
        Mechanism{.weigh = [](auto& scores, auto& mask) {                                           \
            return empty_rows_0(oracle::softmax_rows(lowered(scores, mask, number)), mask);         \
        }})
SUBTRACTED(minus_1e4, 1e4);
SUBTRACTED(minus_1e9, 1e9);
SUBTRACTED(a_finite_number, 3.4028234e38);
#undef SUBTRACTED

MISCONCEPTION(multi_head_attention, minus_1e9_added,
              "−1e9 is added to a blocked score. Where a position may see nothing that is added to "
              "all its scores, and changes no weight but by rounding. There all weights are 0.",
              Mechanism{.weigh = [](auto& scores, auto& mask) {
                  return oracle::softmax_rows(lowered(scores, mask, 1e9));
              }});

// ---- 09.3

MISCONCEPTION(rotate, small_positions_are_0,
              "a position near 0 is taken for 0, as if it was rounding. Positions are any numbers, "
              "and a small one turns a little.",
              by_angle([](double position, std::size_t k, std::size_t d) {
                  return std::abs(position) < 1e-8 ? 0 : right_angle(position, k, d);
              }));

MISCONCEPTION(rotate, ends_at_position_0_from_below,
              "rows are turned from the last one up, and the loop ends at the first position that "
              "is 0: break where continue is meant, or nothing. Rows above it are turned as well.",
              checked_rotation([](const Matrix& X, const Vector& positions) -> Matrix {
                  Vector kept = positions;
                  bool ended = false;
                  for (std::size_t i = positions.size(); i-- > 0;) {
                      ended = ended || positions(i) == 0;
                      kept(i) = ended ? 0 : positions(i);
                  }
                  return plain::rotate(X, kept);
              }));

#define ROUNDED_PI(name, pi)                                                                       \
    MISCONCEPTION(rotate, name,                                                                    \
                  "angles are brought into one turn with a π that is rounded, so that each turn " \
                  "adds to the error. std::sin and std::cos take any angle: leave that out.",      \
                  by_angle([](double position, std::size_t k, std::size_t d) {                     \
                      return std::fmod(right_angle(position, k, d), 2 * pi);                       \
                  }))
ROUNDED_PI(pi_of_3_digits, 3.14);
ROUNDED_PI(pi_of_5_digits, 3.1416);
ROUNDED_PI(pi_of_6_digits, 3.14159);
ROUNDED_PI(pi_of_8_digits, 3.1415927);
ROUNDED_PI(pi_of_9_digits, 3.14159265);
ROUNDED_PI(pi_of_10_digits, 3.141592654);
#undef ROUNDED_PI

// ---- 09.4

MISCONCEPTION(kv_cache_bytes, a_part_in_integers,
              "right until there are more bytes than 64 bits count: a part of the product is taken "
              "in integers before it becomes a double, and these start again at 0 without a word. "
              "Make each factor a double first.",
              [](std::size_t n_tokens, std::size_t n_layers, std::size_t n_kv_heads,
                 std::size_t d_k, std::size_t d_v, std::size_t bytes_each) -> double {
                  return real(n_tokens * n_layers * n_kv_heads) * real(d_k + d_v) *
                         real(bytes_each);
              });

} // namespace

} // namespace misconceptions_scales
