// More wrong versions of 08.1: slips of indices, loops and shapes.

#include <numeric>

#include "wrong.hpp"

using namespace wrong;

namespace {

MISCONCEPTION(softmax_backward, sums_along_the_wrong_axis,
              "the sums are a Vector, and xtensor stretches a Vector over the rows: with as many "
              "keys as queries the sum of row j is subtracted in column j, with other sizes "
              "nothing fits. Keep the dimension, xt::keep_dims, so that they stand as a column.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  demand_same(weights, d_weights);
                  const Vector sums = xt::sum(weights * d_weights, {1});
                  return weights * (d_weights - sums);
              });

MISCONCEPTION(softmax_backward, softmax_backward_on_its_side,
              "the result is transposed. It has the shape of the scores, (n_queries, n_keys).",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  return transposed(right_softmax_backward(weights, d_weights));
              });

MISCONCEPTION(softmax_backward, gradient_of_the_first_key,
              "the gradient of the first key stands in every column, g(i, 0) where g(i, j) is "
              "meant.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g(0) - dot(p, g));
              }));

MISCONCEPTION(
    softmax_backward, sum_weighted_by_the_first_row,
    "every row's sum is weighted with the weights of the first row, p(0, j) where p(i, j) "
    "is meant.",
    [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
        demand_same(weights, d_weights);
        const Vector first = xt::view(weights, 0, xt::all());
        return rows_by(
            [&](const Vector& p, const Vector& g) -> Vector { return p * (g - dot(first, g)); },
            weights, d_weights);
    });

MISCONCEPTION(softmax_backward, sigmoid_in_front,
              "the factor in front is p (1 − p), the sigmoid's. Once the sum is subtracted it is p "
              "alone: p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (1 - p) * (g - dot(p, g));
              }));

MISCONCEPTION(softmax_backward, gradient_of_the_largest_weight,
              "what is subtracted is the gradient of the key with the largest weight. It is the "
              "mean over all keys, weighted with p.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - g(std::max_element(p.begin(), p.end()) - p.begin()));
              }));

MISCONCEPTION(softmax_backward, size_without_sign,
              "the absolute value is taken, so every score would rise. What lies below the mean "
              "comes out negative.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * xt::abs(g - dot(p, g));
              }));

MISCONCEPTION(
    softmax_backward, only_off_the_diagonal,
    "only the Jacobian's elements off the diagonal are used. A score moves its own weight "
    "most: p (1 − p) stands on the diagonal.",
    in_rows([](const Vector& p, const Vector& g) -> Vector { return p * (p * g - dot(p, g)); }));

MISCONCEPTION(
    softmax_backward, sum_in_whole_numbers,
    "the sum is kept in an int, so its fractions are lost. auto sum = 0 is an int, and "
    "std::accumulate and std::inner_product sum in the type of their start value: write 0.0.",
    in_rows([](const Vector& p, const Vector& g) -> Vector {
        double sum = 0;
        for (std::size_t j = 0; j < p.size(); ++j) {
            sum = std::trunc(std::clamp(sum + p(j) * g(j), -2e9, 2e9));
        }
        return p * (g - sum);
    }));

MISCONCEPTION(softmax_backward, last_row_left_out,
              "the last row is 0: the loop over the queries ends one too early.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  Matrix result = right_softmax_backward(weights, d_weights);
                  xt::view(result, result.shape(0) - 1, xt::all()) = 0;
                  return result;
              });

MISCONCEPTION(softmax_backward, last_column_left_out,
              "the last column is 0: the loop over the keys ends one too early.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  Matrix result = right_softmax_backward(weights, d_weights);
                  xt::view(result, xt::all(), result.shape(1) - 1) = 0;
                  return result;
              });

MISCONCEPTION(softmax_backward, first_column_left_out,
              "the first column is 0: the loop over the keys starts at 1.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  Matrix result = right_softmax_backward(weights, d_weights);
                  xt::view(result, xt::all(), 0) = 0;
                  return result;
              });

MISCONCEPTION(softmax_backward, mean_of_the_rows_sums,
              "the mean of all rows' sums is subtracted in every row. Each query has its own.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  demand_same(weights, d_weights);
                  const double sum = xt::sum(weights * d_weights)();
                  return weights * (d_weights - sum / static_cast<double>(weights.shape(0)));
              });

MISCONCEPTION(softmax_backward, square_times_the_plain_sum,
              "this is p g − p² Σ g. In the second term each key k counts with its own weight: "
              "p Σ p_k g_k.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * g - p * p * sum_of(g);
              }));

MISCONCEPTION(softmax_backward, weights_squared_in_the_sum,
              "in the sum the weight stands twice, Σ p² g. Once is right: Σ p g.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - xt::sum(p * p * g)());
              }));

MISCONCEPTION(softmax_backward, weight_of_the_key_summed_over,
              "this is p g − Σ p² g: in the second term the weight of the key that is summed over "
              "stands twice, where one of the two is the weight of the key that the result is for: "
              "p_j g_j − p_j Σ p_k g_k.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * g - xt::sum(p * p * g)();
              }));

MISCONCEPTION(softmax_backward, second_term_alone,
              "this is p Σ p g: the second term alone, without p g before it.",
              in_rows([](const Vector& p, const Vector& g) -> Vector { return p * dot(p, g); }));

MISCONCEPTION(softmax_backward, one_minus_p,
              "this is (1 − p) g. What stands in front is the weight itself, and the sum is "
              "subtracted from g: p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) -> Vector { return (1 - p) * g; }));

MISCONCEPTION(
    softmax_backward, gradient_twice,
    "g stands twice: p g (g − Σ p g). A way back is linear in the gradient that comes in.",
    in_rows([](const Vector& p, const Vector& g) -> Vector { return p * g * (g - dot(p, g)); }));

MISCONCEPTION(
    softmax_backward, mean_made_zero_afterwards,
    "the plain mean of p g is subtracted from p g, so that the row sums to 0. It does, and "
    "yet it is not p ∘ (g − Σ p g): what is subtracted has to be weighted with p too.",
    in_rows([](const Vector& p, const Vector& g) -> Vector {
        return p * g - dot(p, g) / static_cast<double>(p.size());
    }));

MISCONCEPTION(softmax_backward, divided_by_the_number_of_keys,
              "everything is divided by the number of keys. No mean is taken here.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return right_row(p, g) / static_cast<double>(p.size());
              }));

MISCONCEPTION(softmax_backward, nothing_stored,
              "every element is 0: what the loops compute never reaches the result.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  demand_same(weights, d_weights);
                  return zeros_like(weights);
              });

MISCONCEPTION(softmax_backward, backward_doubled, "every element is twice what it should be.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return 2 * right_row(p, g);
              }));

MISCONCEPTION(softmax_backward, backward_halved, "every element is half of what it should be.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return 0.5 * right_row(p, g);
              }));

MISCONCEPTION(softmax_backward, smallest_g_subtracted,
              "the smallest gradient of the row is subtracted. It is the mean, weighted with p.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - xt::amin(g)());
              }));

MISCONCEPTION(softmax_backward, mean_alone_returned,
              "what is returned is Σ p g in every place of the row: the mean alone. It is "
              "subtracted from g, and the difference is multiplied with p.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return xt::zeros_like(p) + dot(p, g);
              }));

MISCONCEPTION(softmax_backward, gradient_divided_by_the_weights,
              "the gradient is divided by the weights, as the derivative of a logarithm would be. "
              "Here it is multiplied with them: p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return (g - dot(p, g)) / p;
              }));

MISCONCEPTION(
    softmax_backward, softmax_of_the_gradient,
    "softmax is applied to d_weights. That is a gradient, of any size and sign, and goes in "
    "as it is: p ∘ (g − Σ p g).",
    [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
        demand_same(weights, d_weights);
        return right_softmax_backward(weights, oracle::softmax_rows(d_weights));
    });

MISCONCEPTION(softmax_backward, last_product_for_the_sum,
              "what is subtracted is the product of the last key alone: = where += is meant. "
              "It is the sum over all keys.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  const std::size_t last = p.size() - 1;
                  return p * (g - p(last) * g(last));
              }));

/// The sum of whole blocks of keys alone; where there is none, of all keys or of no key.
RowFunction in_blocks_of(std::ptrdiff_t block, bool or_a_rest = false) {
    return [=](const Vector& p, const Vector& g) -> Vector {
        const auto keys = static_cast<std::ptrdiff_t>(p.size());
        const auto count = or_a_rest && keys < block ? keys : keys / block * block;
        return p * (g - std::inner_product(p.begin(), p.begin() + count, g.begin(), 0.0));
    };
}
constexpr const char* rest_of_the_keys =
    "the sum Σ p g leaves out the last keys where their number is no multiple of a block's size. "
    "Add a loop for the rest.";
MISCONCEPTION(softmax_backward, sum_in_blocks_of_4, rest_of_the_keys, in_rows(in_blocks_of(4)));
MISCONCEPTION(softmax_backward, sum_in_blocks_of_8, rest_of_the_keys, in_rows(in_blocks_of(8)));
MISCONCEPTION(softmax_backward, sum_beyond_4_in_blocks_of_4, rest_of_the_keys,
              in_rows(in_blocks_of(4, true)));
MISCONCEPTION(softmax_backward, sum_beyond_8_in_blocks_of_8, rest_of_the_keys,
              in_rows(in_blocks_of(8, true)));

RowFunction weights_dropped_below(double bound) {
    return [=](const Vector& p, const Vector& g) {
        return right_row(xt::where(p < bound, 0.0, p), g);
    };
}
constexpr const char* dropped_weights =
    "a weight that is small is taken for 0. There may be many of them, and they count like any "
    "other.";
MISCONCEPTION(softmax_backward, weights_below_1e_3_dropped, dropped_weights,
              in_rows(weights_dropped_below(1e-3)));
MISCONCEPTION(softmax_backward, weights_below_1e_4_dropped, dropped_weights,
              in_rows(weights_dropped_below(1e-4)));
MISCONCEPTION(softmax_backward, weights_below_1e_6_dropped, dropped_weights,
              in_rows(weights_dropped_below(1e-6)));

} // namespace
