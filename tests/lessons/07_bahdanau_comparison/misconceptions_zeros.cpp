// Wrong versions of 07.1 and 07.2 that take a 0 for nothing or for an end.

#include "support/at_zero.hpp"
#include "wrong.hpp"

namespace misconceptions_zeros {

using namespace wrong;

namespace {

/// From S and H, or from S and keys already projected: to projected states and keys, and on to
/// scores.
template <class Project>
auto at_once(Project project, PairScore score = right_score) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
        lesson::require_equal("a misconception", "d_a", "W_h", W_h, 1, "v", v, 0);
        return each_pair(project(S, W_s), project(H, W_h), v, score);
    };
}

template <class Project>
auto from_keys(Project project, PairScore score = right_score) {
    return [=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_a", "keys", keys, 1, "W_s", W_s, 1);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "v", v, 0);
        return each_pair(project(S, W_s), keys, v, score);
    };
}

template <class At>
auto product_at(At at) {
    return [at](const Matrix& X, const Matrix& W) { return at_zero::product(X, W, at); };
}

/// The score of a pair up to the first component at which ends(q, k, v).
template <class Ends>
PairScore until(Ends ends) {
    return [=](const Vector& q, const Vector& k, const Vector& v) {
        double sum = 0;
        for (std::size_t a = 0; a < v.size() && !ends(q(a), k(a), v(a)); ++a) {
            sum += v(a) * std::tanh(q(a) + k(a));
        }
        return sum;
    };
}

#define IN_BOTH(name, explanation, ...)                                                            \
    MISCONCEPTION(additive_scores, name, explanation, at_once(__VA_ARGS__));                       \
    MISCONCEPTION(additive_scores_from, name##_from, explanation, from_keys(__VA_ARGS__))

const auto right_projection = product_at(at_zero::everything);

constexpr const char* projection_ends_at_zero =
    "a projection ends at a component of 0: break where continue was meant. A 0 adds nothing, and "
    "what comes after it counts.";
constexpr const char* projection_ends_at_zero_weight =
    "a projection ends at a weight of 0: break where continue was meant. A 0 adds nothing, and "
    "what comes after it counts.";

IN_BOTH(projections_end_at_zero, projection_ends_at_zero, product_at(at_zero::end_at_zero_left));
IN_BOTH(projections_end_at_zero_weight, projection_ends_at_zero_weight,
        product_at(at_zero::end_at_zero_right));

MISCONCEPTION(project_keys, ends_at_zero, projection_ends_at_zero,
              [](const Matrix& H, const Matrix& W_h) -> Matrix {
                  lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
                  return at_zero::product(H, W_h, at_zero::end_at_zero_left);
              });
MISCONCEPTION(project_keys, ends_at_zero_weight, projection_ends_at_zero_weight,
              [](const Matrix& H, const Matrix& W_h) -> Matrix {
                  lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
                  return at_zero::product(H, W_h, at_zero::end_at_zero_right);
              });
MISCONCEPTION(project_keys, key_that_begins_with_zero_skipped,
              "a key whose first component is 0 is taken for padding, and its row stays 0. A 0 is "
              "a number like any other.",
              [](const Matrix& H, const Matrix& W_h) -> Matrix {
                  lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
                  return at_zero::product(H, W_h, at_zero::skip_row_that_begins_with_zero);
              });

MISCONCEPTION(project_keys, keys_end_at_one_of_zeros,
              "a row of H that is all 0 is taken for the beginning of the padding: its key and "
              "those of all rows after it stay 0. It is a state like any other, and the rows after "
              "it are projected, too.",
              [](const Matrix& H, const Matrix& W_h) -> Matrix {
                  lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
                  Matrix keys = matmul(H, W_h);
                  bool padding = false;
                  for (std::size_t j = 0; j < H.shape(0); ++j) {
                      padding = padding || xt::all(xt::equal(row(H, j), 0.0));
                      xt::view(keys, j, xt::all()) *= padding ? 0 : 1;
                  }
                  return keys;
              });

IN_BOTH(score_ends_where_v_is_zero,
        "a score ends at the first component at which v is 0: break where continue was meant. That "
        "component adds nothing, and those after it count.",
        right_projection, until([](double, double, double v) { return v == 0; }));
IN_BOTH(score_ends_where_the_key_is_zero,
        "a score ends at the first component at which the projected key is 0, as if the key ended "
        "there. The state is added to it, and counts.",
        right_projection, until([](double, double k, double) { return k == 0; }));
IN_BOTH(components_without_a_key_left_out,
        "components at which the projected key is 0 are left out. tanh(q + 0) is not 0: the state "
        "counts there by itself.",
        right_projection,
        sum_of([](double q, double k, double v) { return k == 0 ? 0 : v * std::tanh(q + k); }));
IN_BOTH(components_without_a_state_left_out,
        "components at which the projected state is 0 are left out. tanh(0 + k) is not 0: the key "
        "counts there by itself.",
        right_projection,
        sum_of([](double q, double k, double v) { return q == 0 ? 0 : v * std::tanh(q + k); }));
IN_BOTH(components_backwards,
        "component a of the sum is weighed by v(d_a - 1 - a). Each has its own: v(a).",
        right_projection, [](const Vector& q, const Vector& k, const Vector& v) {
            return right_score(q, k, Vector(xt::flip(v, 0)));
        });
IN_BOTH(v_without_its_signs,
        "v is taken without its signs. A component may count against a key as well as for it.",
        right_projection,
        sum_of([](double q, double k, double v) { return std::abs(v) * std::tanh(q + k); }));
IN_BOTH(v_squared, "each term is multiplied by v twice.", right_projection,
        sum_of([](double q, double k, double v) { return v * v * std::tanh(q + k); }));
IN_BOTH(negative_scores_cut_off, "scores below 0 have become 0. A score may be negative.",
        right_projection, [](const Vector& q, const Vector& k, const Vector& v) {
            return std::max(0.0, right_score(q, k, v));
        });
IN_BOTH(shares_of_v,
        "the weights in v are divided by their sum. v is no softmax: it weighs as it is.",
        right_projection, [](const Vector& q, const Vector& k, const Vector& v) {
            return right_score(q, k, v) / xt::sum(v)();
        });

} // namespace

} // namespace misconceptions_zeros
