// Wrong versions of 08.1, 08.3 and 08.4 that go wrong where something is 0, small, or undefined.

#include "wrong_check.hpp"

using namespace wrong;

namespace {

MISCONCEPTION(softmax_backward, divided_by_the_sum_of_weights,
              "Σ p g is divided by the sum of the weights. That is 1, except in a row that sees "
              "nothing: there it is 0, and 0 / 0 is NaN. Leave the division out.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - dot(p, g) / sum_of(p));
              }));

MISCONCEPTION(attention_backward, d_V_from_scaled_d_scores,
              "d_V is made with d_scores, the gradient behind the softmax. The values are mixed "
              "with the weights: d_V is weightsᵀ · d_output.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_V = matmul(transposed(at.d_scores()), at.d_output) / at.root();
                  return result;
              }));

MISCONCEPTION(attention_backward, mask_transposed_where_it_fits,
              "the mask is read with its indices exchanged, (j, i). A row of it is a query.",
              by_parts([](const Parts& at) {
                  Mask mask = at.mask;
                  for (std::size_t i = 0; i < mask.shape(0); ++i) {
                      for (std::size_t j = 0; j < mask.shape(1); ++j) {
                          if (j < mask.shape(0) && i < mask.shape(1)) {
                              mask(i, j) = at.mask(j, i);
                          }
                      }
                  }
                  const Matrix seen = xt::where(mask, at.d_weights(), 0.0);
                  return at.from(right_softmax_backward(at.weights, seen) / at.root());
              }));

constexpr const char* small_for_blocked =
    "a key of a small weight is left out, as if it were blocked. What is blocked the mask says; a "
    "small weight may meet a value that is as large.";

auto bounded(double bound) {
    return by_parts([=](const Parts& at) {
        const Matrix kept = xt::where(at.weights < bound, 0.0, at.weights);
        const Matrix seen = xt::where(at.weights < bound, 0.0, at.seen(at.d_weights()));
        return at.from(right_softmax_backward(kept, seen) / at.root());
    });
}

MISCONCEPTION(attention_backward, weights_below_1e_8_left_out, small_for_blocked, bounded(1e-8));
MISCONCEPTION(attention_backward, weights_below_1e_15_left_out, small_for_blocked, bounded(1e-15));

MISCONCEPTION_IN(by_name, gradient_check, zero_by_zero_and_nan_lost,
                 "where gradient and differences are all 0 this divides 0 by 0; and a NaN among "
                 "them is lost on the way, because every comparison with NaN is false. Return 0 in "
                 "the one case, and NaN in the other: ask std::isnan of each component.",
                 by_measure([](const Vector& d, const Vector& g) {
                     double error = 0, largest = 0;
                     for (std::size_t i = 0; i < g.size(); ++i) {
                         error = std::max(error, std::abs(g(i) - d(i)));
                         largest = std::max({largest, std::abs(g(i)), std::abs(d(i))});
                     }
                     return error / largest;
                 }));

} // namespace
