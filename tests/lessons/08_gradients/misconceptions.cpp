// Wrong versions of 08.1 that people really write: each must fail and be named.

#include "wrong.hpp"

using namespace wrong;

namespace {

MISCONCEPTION(
    softmax_backward, own_weight_only,
    "this is p (1 − p) g, element by element: the diagonal of the Jacobian alone. A score "
    "moves the weights of all other keys too, and what they say counts: "
    "p ∘ (g − Σ p g), with one sum for the whole row.",
    in_rows([](const Vector& p, const Vector& g) -> Vector { return p * (1 - p) * g; }));

MISCONCEPTION(softmax_backward, sum_forgotten,
              "this is p ∘ g. The row's sum, Σ p g, has not been subtracted from g, so a gradient "
              "that pulls at all keys alike gets through, although raising all scores changes no "
              "weight.",
              in_rows([](const Vector& p, const Vector& g) -> Vector { return p * g; }));

MISCONCEPTION(softmax_backward, summed_over_columns,
              "the sum runs down the columns, over the queries. The softmax acts on rows: each "
              "query has a sum of its own, over its keys (axis 1).",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  demand_same(weights, d_weights);
                  const Matrix sums = xt::sum(weights * d_weights, {0}, xt::keep_dims);
                  return weights * (d_weights - sums);
              });

MISCONCEPTION(softmax_backward, of_the_log_softmax,
              "this is g − p Σ g, the way back through a log-softmax, as a cross-entropy loss has "
              "it. Here the gradient comes at the weights themselves: p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return g - p * sum_of(g);
              }));

MISCONCEPTION(softmax_backward, sum_added,
              "the row's sum is added, where diag(p) − p pᵀ subtracts it: p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g + dot(p, g));
              }));

MISCONCEPTION(softmax_backward, sum_of_g,
              "the plain sum of g is subtracted. Each g counts with its weight: Σ p g.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - sum_of(g));
              }));

MISCONCEPTION(softmax_backward, mean_of_g,
              "the plain mean of g is subtracted. It is the mean weighted with p, Σ p g.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - sum_of(g) / static_cast<double>(g.size()));
              }));

MISCONCEPTION(softmax_backward, sum_outside_the_parentheses,
              "the sum is subtracted after the product with p, the same from every key: p ∘ g − "
              "Σ p g. It stands inside the parentheses, and is multiplied with p as well.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * g - dot(p, g);
              }));

MISCONCEPTION(softmax_backward, one_sum_for_all_rows,
              "one sum over the whole matrix is subtracted in every row. Each query has its own: "
              "start the sum at 0 for each row, or sum over axis 1 only.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  demand_same(weights, d_weights);
                  const double sum = xt::sum(weights * d_weights)();
                  return weights * (d_weights - sum);
              });

MISCONCEPTION(softmax_backward, sum_of_the_first_row,
              "the sum of the first row is subtracted in every row. Each query has its own.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  demand_same(weights, d_weights);
                  const double sum = xt::sum(xt::view(weights, 0, xt::all()) *
                                             xt::view(d_weights, 0, xt::all()))();
                  return weights * (d_weights - sum);
              });

MISCONCEPTION(softmax_backward, sum_not_reset,
              "the sum is not set back to 0 when a row begins: each row also subtracts the sums of "
              "the rows above it. Declare it inside the loop over the rows.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  double sum = 0;
                  return rows_by(
                      [&](const Vector& p, const Vector& g) -> Vector {
                          sum += dot(p, g);
                          return p * (g - sum);
                      },
                      weights, d_weights);
              });

MISCONCEPTION(softmax_backward, sum_unfinished,
              "what is subtracted is the sum up to this key, not that of the whole row. Two loops "
              "over the keys are needed: the first completes the sum, the second uses it.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  Vector result = p;
                  double sum = 0;
                  for (std::size_t j = 0; j < p.size(); ++j) {
                      sum += p(j) * g(j);
                      result(j) = p(j) * (g(j) - sum);
                  }
                  return result;
              }));

MISCONCEPTION(softmax_backward, last_key_left_out_of_the_sum,
              "the last key is missing from the sum: the loop ends one too early.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  const std::size_t last = p.size() - 1;
                  return p * (g - (dot(p, g) - p(last) * g(last)));
              }));

MISCONCEPTION(softmax_backward, first_key_left_out_of_the_sum,
              "the first key is missing from the sum: the loop starts at 1.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - (dot(p, g) - p(0) * g(0)));
              }));

MISCONCEPTION(softmax_backward, own_term_left_out_of_the_sum,
              "from the sum a key's own term is left out. The diagonal of diag(p) − p pᵀ has its "
              "−p² too: the sum goes over all keys, this one included.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - (dot(p, g) - p * g));
              }));

MISCONCEPTION(softmax_backward, weight_forgotten,
              "this is g − Σ p g, and the weight in front is missing. A key without weight passes "
              "nothing on: p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) -> Vector { return g - dot(p, g); }));

MISCONCEPTION(softmax_backward, weight_twice,
              "the weight in front stands there twice: p² ∘ (g − Σ p g). Once is right.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * p * (g - dot(p, g));
              }));

MISCONCEPTION(softmax_backward, softmax_backward_negated,
              "every sign is the wrong way round: p ∘ (Σ p g − g). The own score of a key raises "
              "its weight.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (dot(p, g) - g);
              }));

MISCONCEPTION(
    softmax_backward, weights_and_gradient_exchanged,
    "weights and gradient have changed places: g ∘ (p − Σ p g). The weights are the first "
    "argument, and stand in front.",
    in_rows([](const Vector& p, const Vector& g) -> Vector { return g * (p - dot(p, g)); }));

MISCONCEPTION(softmax_backward, sum_of_squared_weights,
              "the sum that is subtracted is that of p², without g. It is Σ p g: each gradient "
              "counts with its weight.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - dot(p, p));
              }));

MISCONCEPTION(softmax_backward, softmax_taken_again,
              "the argument is taken for scores, and softmax applied to it first. It holds the "
              "weights that a softmax has already returned: use them as they are.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  return right_softmax_backward(oracle::softmax_rows(weights), d_weights);
              });

MISCONCEPTION(softmax_backward, mean_of_the_products,
              "the mean of the products p g is subtracted, the sum divided by the number of keys. "
              "The weights sum to 1 already: Σ p g is the weighted mean.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - dot(p, g) / static_cast<double>(p.size()));
              }));

MISCONCEPTION(softmax_backward, divided_by_the_number_of_queries,
              "everything is divided by the number of queries. No mean is taken here: each query's "
              "gradient goes back as it came.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  return right_softmax_backward(weights, d_weights) /
                         static_cast<double>(weights.shape(0));
              });

MISCONCEPTION(softmax_backward, first_row_alone,
              "only the first row is computed, the others are 0. Does a return stand inside the "
              "loop?",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  Matrix result = right_softmax_backward(weights, d_weights);
                  xt::view(result, xt::range(1, result.shape(0)), xt::all()) = 0;
                  return result;
              });

MISCONCEPTION(softmax_backward, largest_g_subtracted,
              "the largest gradient of the row is subtracted, as the forward pass subtracts the "
              "largest score. On the way back it is the weighted mean, Σ p g.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - xt::amax(g)());
              }));

MISCONCEPTION(softmax_backward, without_the_incoming_gradient,
              "this is p (1 − p), without g: what comes in is not used. Each d_scores says how the "
              "loss moves, and that is known from d_weights alone.",
              in_rows([](const Vector& p, const Vector&) -> Vector { return p * (1 - p); }));

MISCONCEPTION(softmax_backward, weights_minus_gradient,
              "this is p − g, what softmax and cross-entropy together hand back when g holds the "
              "targets. Here g is a gradient at the weights: p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) -> Vector { return p - g; }));

MISCONCEPTION(softmax_backward, passed_through,
              "d_weights comes back as it went in. The softmax is on the way: p ∘ (g − Σ p g).",
              in_rows([](const Vector&, const Vector& g) -> Vector { return g; }));

} // namespace
