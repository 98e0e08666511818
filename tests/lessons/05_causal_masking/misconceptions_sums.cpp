// Wrong versions of 05.3 and 05.5 whose sums end too early, as a series of falling terms may.

#include "exports.hpp"
#include "support/common_mistakes.hpp"
#include "wrong.hpp"

namespace misconceptions_sums {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

constexpr auto not_0 = mistakes::Ends::at_one_that_is_not_0;

WITHIN_ONE_SEQUENCE(
    sum_ends_at_an_exponential_too_small,
    "the sum of a row ends at the first exponential that is too small to change it, as if those "
    "after it could only be smaller, too. Keys stand in any order, and the largest score may come "
    "last: add all exponentials.",
    [](M scores, const Mask& mask) -> Matrix {
        Matrix weights = plain::masked_softmax(scores, mask);
        for (S i = 0; i < weights.shape(0); ++i) {
            const double largest = xt::amax(xt::row(weights, static_cast<std::ptrdiff_t>(i)))();
            const double sum = mistakes::sum_ended(weights.shape(1), not_0,
                                                   [&](S j) { return weights(i, j) / largest; });
            for (S j = 0; largest > 0 && j < weights.shape(1); ++j) {
                weights(i, j) /= largest * sum;
            }
        }
        return weights;
    });

MISCONCEPTION(scaled_dot_product_attention, score_ends_at_a_product_too_small,
              "a score ends at the first product that is too small to change it, as if those after "
              "it could only be smaller, too. Components may be of any size, and a large one may "
              "follow: add all of them.",
              Mechanism{.compare = [](M Q, M K) {
                  Matrix scores = Matrix::from_shape({Q.shape(0), K.shape(0)});
                  for (S i = 0; i < Q.shape(0); ++i) {
                      for (S j = 0; j < K.shape(0); ++j) {
                          scores(i, j) = mistakes::sum_ended(
                              Q.shape(1), not_0, [&](S c) { return Q(i, c) * K(j, c); });
                      }
                  }
                  return scores;
              }});

MISCONCEPTION(scaled_dot_product_attention, mixture_ends_at_a_term_too_small,
              "an output ends at the first product that is too small to change it, as if those "
              "after it could only be smaller, too. Keys stand in any order, and one with a large "
              "weight may come last: add all of them.",
              Mechanism{.mix = [](M weights, M V) {
                  Matrix output = Matrix::from_shape({weights.shape(0), V.shape(1)});
                  for (S i = 0; i < weights.shape(0); ++i) {
                      for (S c = 0; c < V.shape(1); ++c) {
                          output(i, c) = mistakes::sum_ended(
                              V.shape(0), not_0, [&](S j) { return weights(i, j) * V(j, c); });
                      }
                  }
                  return output;
              }});

} // namespace

} // namespace misconceptions_sums
