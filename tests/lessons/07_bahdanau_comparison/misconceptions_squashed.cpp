// Wrong versions of 07.1: other functions in the place of tanh, and other arguments of it.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "wrong.hpp"

namespace misconceptions_squashed {

using namespace wrong;

namespace {

/// Checks first, as the stub does, and projects both sides as it should be.
template <class Wrong>
auto from_both(Wrong wrong) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
        lesson::require_equal("a misconception", "d_a", "W_h", W_h, 1, "v", v, 0);
        return wrong(matmul(S, W_s), matmul(H, W_h), v);
    };
}

auto squashed_by(double (*function)(double)) {
    return from_both([=](const Matrix& queries, const Matrix& keys, const Vector& v) {
        return each_pair(queries, keys, v,
                         sum_of([=](double q, double k, double w) { return w * function(q + k); }));
    });
}

MISCONCEPTION(additive_scores, tanh_of_the_state_alone, says_tanh_of_the_state,
              from_both([](const Matrix& queries, const Matrix& keys, const Vector& v) {
                  return each_pair(queries, keys, v, tanh_of_the_state);
              }));
MISCONCEPTION(additive_scores, sine,
              "this takes the sine. It is the hyperbolic tangent, std::tanh.",
              squashed_by([](double x) { return std::sin(x); }));
MISCONCEPTION(additive_scores, arc_tangent,
              "this takes the arc tangent, std::atan, which squashes too, but to ±π/2 and at "
              "another pace. It is the hyperbolic tangent, std::tanh.",
              squashed_by([](double x) { return std::atan(x); }));
MISCONCEPTION(additive_scores, hyperbolic_sine,
              "this takes the hyperbolic sine, std::sinh, which grows without end. std::tanh "
              "squashes to between −1 and 1.",
              squashed_by([](double x) { return std::sinh(x); }));
MISCONCEPTION(additive_scores, soft_sign,
              "this takes x / (1 + |x|), which squashes too, but more slowly. It is std::tanh.",
              squashed_by([](double x) { return x / (1 + std::abs(x)); }));
MISCONCEPTION(additive_scores, cut_off_at_1,
              "sums beyond −1 and 1 are cut off there. tanh bends towards them, and is below x "
              "everywhere above 0.",
              squashed_by([](double x) { return std::clamp(x, -1.0, 1.0); }));
MISCONCEPTION(additive_scores, first_terms_of_tanh,
              "this takes x − x³/3, the first terms of the series of tanh. They are near it only "
              "around 0; std::tanh is right everywhere.",
              squashed_by([](double x) { return x - x * x * x / 3; }));
MISCONCEPTION(additive_scores, squares, "the sums are squared. The function is std::tanh.",
              squashed_by([](double x) { return x * x; }));
MISCONCEPTION(additive_scores, gaussian_error_unit,
              "this takes GELU, x Φ(x), as feed-forward layers do. The additive score takes tanh.",
              squashed_by([](double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); }));
MISCONCEPTION(additive_scores, swish,
              "this takes SiLU, x / (1 + exp(−x)). The additive score takes tanh.",
              squashed_by([](double x) { return x / (1 + std::exp(-x)); }));
MISCONCEPTION(additive_scores, positive_half_of_tanh,
              "what tanh leaves negative is cut off at 0: no component can speak against a key. "
              "The additive score keeps both signs.",
              squashed_by([](double x) { return std::max(0.0, std::tanh(x)); }));
MISCONCEPTION(additive_scores, tanh_twice,
              "tanh is taken of tanh. The sum of state and key is squashed once.",
              squashed_by([](double x) { return std::tanh(std::tanh(x)); }));
MISCONCEPTION(additive_scores, tanh_of_the_half,
              "tanh is taken of half the sum, as of a mean of state and key, or as 2 / (1 + "
              "exp(−x)) − 1 comes to. They are added: tanh(x) is 2 / (1 + exp(−2x)) − 1.",
              squashed_by([](double x) { return std::tanh(x / 2); }));
MISCONCEPTION(additive_scores, tanh_of_the_double,
              "tanh is taken of twice the sum. State and key are added, and that is all.",
              squashed_by([](double x) { return std::tanh(2 * x); }));

MISCONCEPTION(
    additive_scores, scaled_inside_tanh,
    "the sum is divided by √d_a inside the tanh. That scaling belongs to the dot product, "
    "whose variance grows with d_a; here nothing is divided.",
    from_both([](const Matrix& queries, const Matrix& keys, const Vector& v) {
        const double root = std::sqrt(static_cast<double>(v.size()));
        return each_pair(queries, keys, v, sum_of([=](double q, double k, double w) {
                             return w * std::tanh((q + k) / root);
                         }));
    }));

MISCONCEPTION(additive_scores, state_added_to_itself,
              "the state is added to itself: the projected key is not used.",
              from_both([](const Matrix& queries, const Matrix& keys, const Vector& v) {
                  return each_pair(queries, keys, v, sum_of([](double q, double, double w) {
                                       return w * std::tanh(q + q);
                                   }));
              }));

MISCONCEPTION(additive_scores, sums_multiplied,
              "the sum of the tanh is multiplied with the sum of v. Each component is weighed by "
              "its own element of v first, and then they are added.",
              from_both([](const Matrix& queries, const Matrix& keys, const Vector& v) {
                  const double sum = std::accumulate(v.begin(), v.end(), 0.0);
                  return Matrix(sum *
                                each_pair(queries, keys, v, sum_of([](double q, double k, double) {
                                              return std::tanh(q + k);
                                          })));
              }));

MISCONCEPTION(additive_scores, softmax_over_the_states,
              "a softmax has been taken, over the states. Scores are asked for, before any "
              "softmax; and that shares out each row over its keys.",
              from_both([](const Matrix& queries, const Matrix& keys, const Vector& v) {
                  return transposed(softmax(transposed(each_pair(queries, keys, v, right_score))));
              }));

// ---- small numbers

template <class Array>
Array below_dropped(Array numbers, double least) {
    for (double& x : numbers) {
        x = std::abs(x) < least ? 0 : x;
    }
    return numbers;
}

constexpr const char* says_noise =
    "small numbers, such as those below 1e-9, are taken for rounding errors of 0. How large they "
    "are says nothing: what they are multiplied with may be large, and where v is small, small "
    "scores are all there is. Leave them as they are.";

/// What the checks of the stub let through, with small numbers dropped, and small scores.
auto additive_without_noise(double least, double least_score) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        return below_dropped(
            from_both([](const Matrix& queries, const Matrix& keys, const Vector& w) {
                return each_pair(queries, keys, w, right_score);
            })(below_dropped(S, least), below_dropped(H, least), below_dropped(W_s, least),
               below_dropped(W_h, least), below_dropped(v, least)),
            least_score);
    };
}
MISCONCEPTION(additive_scores, scores_below_1e_9_dropped, says_noise,
              additive_without_noise(0, 1e-9));
MISCONCEPTION(additive_scores, numbers_below_1e_10_dropped, says_noise,
              additive_without_noise(1e-10, 0));

auto projection_without_noise(double least, double least_key) {
    return [=](const Matrix& H, const Matrix& W_h) -> Matrix {
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        return below_dropped(matmul(below_dropped(H, least), below_dropped(W_h, least)), least_key);
    };
}
MISCONCEPTION(project_keys, keys_below_1e_9_dropped, says_noise, projection_without_noise(0, 1e-9));
MISCONCEPTION(project_keys, components_below_1e_10_dropped, says_noise,
              projection_without_noise(1e-10, 0));

auto scores_without_noise(double least, double least_score) {
    return [=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_a", "keys", keys, 1, "W_s", W_s, 1);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "v", v, 0);
        const Matrix queries = matmul(below_dropped(S, least), below_dropped(W_s, least));
        return below_dropped(
            each_pair(queries, below_dropped(keys, least), below_dropped(v, least), right_score),
            least_score);
    };
}
MISCONCEPTION(additive_scores_from, scores_below_1e_9_dropped_from, says_noise,
              scores_without_noise(0, 1e-9));
MISCONCEPTION(additive_scores_from, numbers_below_1e_10_dropped_from, says_noise,
              scores_without_noise(1e-10, 0));

} // namespace

} // namespace misconceptions_squashed
