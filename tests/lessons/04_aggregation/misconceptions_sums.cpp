// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// sums end too early, and huge scores are held back.

#include "exports.hpp"
#include "support/common_mistakes.hpp"
#include "wrong.hpp"

namespace misconceptions_sums {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

constexpr auto not_0 = mistakes::Ends::at_one_that_is_not_0;

/// A matrix from its elements.
template <class Element>
Matrix matrix_of(S rows, S columns, Element element) {
    Matrix result = Matrix::from_shape({rows, columns});
    for (S i = 0; i < rows; ++i) {
        for (S j = 0; j < columns; ++j) {
            result(i, j) = element(i, j);
        }
    }
    return result;
}

// ---- Sums that end too early

WRONG_MIXTURE(mixture_ends_at_a_term_too_small,
              "a mixture ends at the first product that is too small to change it, as if those "
              "after it could only be smaller, too. Keys stand in any order, and one with a large "
              "weight may come last: add all of them.",
              [](M weights, M V) {
                  return matrix_of(weights.shape(0), V.shape(1), [&](S i, S c) {
                      return mistakes::sum_ended(V.shape(0), not_0,
                                                 [&](S j) { return weights(i, j) * V(j, c); });
                  });
              });

WRONG_WEIGHTS(score_ends_at_a_product_too_small,
              "a score ends at the first product that is too small to change it, as if those after "
              "it could only be smaller, too. Components may be of any size, and a large one may "
              "follow: add all of them.",
              [](M Q, M K) -> Matrix {
                  const Matrix raw = matrix_of(Q.shape(0), K.shape(0), [&](S i, S j) {
                      return mistakes::sum_ended(Q.shape(1), not_0,
                                                 [&](S c) { return Q(i, c) * K(j, c); });
                  });
                  return softmax(raw / root(Q.shape(1)));
              });

WRONG_WEIGHTS(sum_ends_at_an_exponential_too_small,
              "the sum of a row ends at the first exponential that is too small to change it, as "
              "if those after it could only be smaller, too. Keys stand in any order, and the "
              "largest score may come last: add all exponentials.",
              [](M Q, M K) {
                  const Matrix scores = oracle::scaled_scores(Q, K);
                  const auto term = [](M row, S i, S j) {
                      return std::exp(row(i, j) - largest(row, i));
                  };
                  return quotients(scores, term, [&](M row, S i) {
                      return mistakes::sum_ended(row.shape(1), not_0,
                                                 [&](S j) { return term(row, i, j); });
                  });
              });

// ---- Huge scores

constexpr const char* says_limited =
    "scores are kept between two huge limits, such as half of the largest double, so that no "
    "difference overflows. Scores beyond a limit become equal although they differ. A difference "
    "that overflows is −∞, and exp(−∞) is 0, as it should be: leave the limits out.";

WRONG_WEIGHTS(within_half_of_the_largest_double, says_limited, [](M Q, M K) -> Matrix {
    constexpr double limit = std::numeric_limits<double>::max() / 2;
    return softmax(xt::clip(oracle::scaled_scores(Q, K), -limit, limit));
});

} // namespace

} // namespace misconceptions_sums
