// Wrong versions of 08.3, 08.4 and 08.5: a scale of seven digits, which points a check looks at,
// and which elements a step moves.

#include "wrong_check.hpp"

namespace misconceptions_points_and_steps {

using namespace wrong;

namespace {

using S = std::size_t;

// ---- 08.3 attention_backward

constexpr const char* says_root_in_float =
    "the root of d_k is a float, or its reciprocal is, and has seven digits; d_Q and d_K have no "
    "more then. Let it be a double: std::sqrt of a double is one.";

MISCONCEPTION(attention_backward, root_in_float, says_root_in_float,
              by_divisor([](const Parts& at) {
                  return static_cast<double>(static_cast<float>(at.root()));
              }));
MISCONCEPTION(attention_backward, reciprocal_root_in_float, says_root_in_float,
              by_divisor([](const Parts& at) {
                  const float root = std::sqrt(static_cast<float>(at.Q.shape(1)));
                  return 1.0 / (1.0F / root);
              }));

constexpr const char* says_small_left_out =
    "a key of a small weight is left out, as if it were blocked. What is blocked the mask says; a "
    "small weight may meet a value that is as large.";

auto without_weights_below(double bound) {
    return by_parts([=](const Parts& at) {
        Parts other = at;
        other.weights = xt::where(at.weights < bound, 0.0, at.weights);
        other.mask = at.mask && at.weights >= bound;
        return other.right();
    });
}

MISCONCEPTION(attention_backward, keys_of_weights_below_1e_6_left_out, says_small_left_out,
              without_weights_below(1e-6));
MISCONCEPTION(attention_backward, keys_of_weights_below_1e_10_left_out, says_small_left_out,
              without_weights_below(1e-10));
MISCONCEPTION(attention_backward, keys_of_weights_below_1e_12_left_out, says_small_left_out,
              without_weights_below(1e-12));
MISCONCEPTION(attention_backward, keys_of_weights_below_1e_13_left_out, says_small_left_out,
              without_weights_below(1e-13));

MISCONCEPTION(attention_backward, mask_only_at_the_ends,
              "from the first key that a query sees to its last, the mask is not asked any more. A "
              "key between them may be blocked, and what it holds be infinite or NaN, of which 0 "
              "times makes NaN: ask for each key.",
              by_d_scores([](const Parts& at) {
                  Mask window = at.mask;
                  for (S i = 0; i < window.shape(0); ++i) {
                      for (S j = 0; j < window.shape(1); ++j) {
                          bool before = false, after = false;
                          for (S k = 0; k < window.shape(1); ++k) {
                              before = before || (k <= j && at.mask(i, k));
                              after = after || (k >= j && at.mask(i, k));
                          }
                          window(i, j) = before && after;
                      }
                  }
                  const Matrix d_weights = xt::where(window, at.d_weights(), 0.0);
                  return Matrix(
                      xt::where(window, right_softmax_backward(at.weights, d_weights), 0.0));
              }));

// ---- 08.4 gradient_check

MISCONCEPTION_IN(
    by_name, gradient_check, points_in_the_columns,
    "the points are the columns of a matrix, and its rows are taken: point i holds x_i "
    "in all its components. x has to be spread along the rows, (1, n), so that each row "
    "is x, with one component moved.",
    by_difference([](const ScalarFunction& f, const Vector& x, S i, double h) {
        const Vector point = x(i) * xt::ones<double>({x.size()});
        return centred(f, point, i, h);
    }));

/// The differences at a point whose component i is put_back(x_i), once it has been moved.
auto put_back_as(std::function<double(double x)> put_back) {
    return checked([=](const ScalarFunction& f, const Vector& x, const Vector& gradient, double h) {
        Vector point = x, differences = x;
        for (S i = 0; i < x.size(); ++i) {
            differences(i) = centred(f, point, i, h);
            point(i) = put_back(x(i));
        }
        return right_measure(differences, gradient);
    });
}

MISCONCEPTION_IN(
    by_name, gradient_check, put_back_from_a_float,
    "a component that has been moved is put back from a float, which has seven digits: "
    "all components after it are measured at another point. Keep what is put back in a "
    "double.",
    put_back_as([](double x) { return static_cast<double>(static_cast<float>(x)); }));

MISCONCEPTION_IN(
    by_name, gradient_check, relative_to_the_mean_of_both,
    "the error is divided by the mean of the largest |gradient| and the largest "
    "|difference|. It is divided by the larger of them: a gradient of 0 where there is a "
    "slope has the error 1, not 2.",
    by_measure_of_numbers([](const Vector& differences, const Vector& gradient) {
        return over(largest_of(gradient - differences),
                    (largest_of(gradient) + largest_of(differences)) / 2);
    }));

MISCONCEPTION_IN(
    by_name, gradient_check, components_that_do_not_move_skipped,
    "a component that is so large that x + h and x − h are the same number is left out. "
    "Its difference is 0, and a gradient that is not 0 there is wrong: compare it as the "
    "others.",
    checked([](const ScalarFunction& f, const Vector& x, const Vector& gradient, double h) {
        if (any_nan(gradient)) {
            return std::nan("");
        }
        Vector differences = x, claimed = gradient;
        for (S i = 0; i < x.size(); ++i) {
            const bool moves = x(i) + h != x(i) - h;
            differences(i) = moves ? centred(f, x, i, h) : 0;
            claimed(i) = moves ? gradient(i) : 0;
        }
        return right_measure(differences, claimed);
    }));

// ---- 08.5 learn_lookup

MISCONCEPTION(learn_lookup, loss_of_the_first_query,
              "the squares are summed along one axis, which leaves a number for each query, and () "
              "takes the first of them: a loss is that of query 0 alone. xt::sum without an axis "
              "adds up everything.",
              losses_by([](const Pass& p) {
                  const Vector of_queries = xt::sum(xt::square(p.error), {1});
                  return of_queries(0) / (2 * p.n_queries);
              }));
MISCONCEPTION(learn_lookup, loss_of_the_first_component,
              "the squares are summed along axis 0, which leaves a number for each component, and "
              "() takes the first of them: a loss is that of component 0 alone. xt::sum without an "
              "axis adds up everything.",
              losses_by([](const Pass& p) {
                  const Vector of_components = xt::sum(xt::square(p.error), {0});
                  return of_components(0) / (2 * p.n_queries);
              }));

/// X with `change` in the first n columns, where there are so many.
void move_columns(Matrix& X, const Matrix& change, S n) {
    for (S i = 0; i < X.shape(0); ++i) {
        for (S j = 0; j < std::min(n, X.shape(1)); ++j) {
            X(i, j) -= change(i, j);
        }
    }
}

constexpr const char* says_one_loop =
    "one loop over the columns moves all three matrices. W_v has d_v columns, W_q and W_k have "
    "d_k: where these differ, columns are left that never move. Move each matrix by itself, W_v -= "
    "rate * d_W_v.";

MISCONCEPTION(learn_lookup, columns_of_W_v_beyond_d_k_stay, says_one_loop,
              moved_by([](const Step& step, const Pass& p) {
                  const S d_k = p.Q.shape(1);
                  move_columns(step.W.W_q, step.rate * p.d_W_q, d_k);
                  move_columns(step.W.W_k, step.rate * p.d_W_k, d_k);
                  move_columns(step.W.W_v, step.rate * p.d_W_v, d_k);
              }));
MISCONCEPTION(learn_lookup, columns_beyond_d_v_stay, says_one_loop,
              moved_by([](const Step& step, const Pass& p) {
                  const S d_v = p.V.shape(1);
                  move_columns(step.W.W_q, step.rate * p.d_W_q, d_v);
                  move_columns(step.W.W_k, step.rate * p.d_W_k, d_v);
                  move_columns(step.W.W_v, step.rate * p.d_W_v, d_v);
              }));

MISCONCEPTION(learn_lookup, loss_multiplied_out,
              "the square is multiplied out, Σ o² − 2 Σ o w + Σ w². Where outputs are large and "
              "close to what is wanted, three large sums leave nothing but rounding errors. "
              "Subtract first, and square what is left.",
              losses_by([](const Pass& p) {
                  const Matrix output = matmul(p.weights, p.V);
                  return (xt::sum(output * output)() - 2 * xt::sum(output * p.table.wanted)() +
                          xt::sum(p.table.wanted * p.table.wanted)()) /
                         (2 * p.n_queries);
              }));

} // namespace

} // namespace misconceptions_points_and_steps
