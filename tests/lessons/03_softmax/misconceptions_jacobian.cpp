// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <algorithm>
#include <cmath>

#include "exports.hpp"
#include "support/oracle.hpp"

using lesson::Matrix;
using lesson::Vector;

namespace {

// ---- 03.3 softmax_jacobian

/// The Jacobian with element(p_i, p_j, δ_ij) at (i, j).
template <class Element>
auto elements(Element element) {
    return [=](const Vector& p) -> Matrix {
        Matrix J = Matrix::from_shape({p.size(), p.size()});
        for (std::size_t i = 0; i < p.size(); ++i) {
            for (std::size_t j = 0; j < p.size(); ++j) {
                J(i, j) = element(p(i), p(j), i == j ? 1.0 : 0.0);
            }
        }
        return J;
    };
}

MISCONCEPTION(
    softmax_jacobian, diagonal_only,
    "only the diagonal is there. Raising score j moves every weight, not only its own: all "
    "divide by the same sum, so what weight j gains, the others lose.",
    elements([](double p_i, double, double delta) { return p_i * (1 - p_i) * delta; }));

constexpr const char* clipped_weights = "the weights are clipped, away from 0 and from 1. No "
                                        "logarithm is taken here: p_i may be 0 or 1, "
                                        "and what does not move has a derivative of exactly 0.";

auto of_clipped(double least) {
    return elements([=](double p_i, double p_j, double delta) {
        p_i = std::clamp(p_i, least, 1 - least);
        p_j = std::clamp(p_j, least, 1 - least);
        return p_i * (delta - p_j);
    });
}

MISCONCEPTION(softmax_jacobian, weights_clipped_at_1e_7, clipped_weights, of_clipped(1e-7));
MISCONCEPTION(softmax_jacobian, weights_clipped_at_1e_9, clipped_weights, of_clipped(1e-9));
MISCONCEPTION(softmax_jacobian, weights_clipped_at_1e_12, clipped_weights, of_clipped(1e-12));

MISCONCEPTION(
    softmax_jacobian, weights_on_the_diagonal,
    "this is diag(p) alone. The other half, p times its transpose, comes from the sum in the "
    "denominator, which grows with every score.",
    elements([](double p_i, double, double delta) { return p_i * delta; }));

MISCONCEPTION(
    softmax_jacobian, outer_product_only,
    "this is p times its transpose alone. Missing are diag(p), what a weight gains from its "
    "own score, and the minus between the two.",
    elements([](double p_i, double p_j, double) { return p_i * p_j; }));

MISCONCEPTION(
    softmax_jacobian, minus_outer_product_only,
    "diag(p) is missing: here every weight falls when any score rises, even its own. A rising "
    "score raises its own weight.",
    elements([](double p_i, double p_j, double) { return -p_i * p_j; }));

MISCONCEPTION(
    softmax_jacobian, plus_for_minus,
    "this adds p times its transpose to diag(p), where it has to be subtracted. When one "
    "score rises, the other weights fall: off the diagonal nothing is positive, and each row "
    "sums to 0.",
    elements([](double p_i, double p_j, double delta) { return p_i * delta + p_i * p_j; }));

MISCONCEPTION(
    softmax_jacobian, sign_flipped,
    "the sign is flipped, p times its transpose minus diag(p). A rising score raises its own "
    "weight, so the diagonal is not negative.",
    elements([](double p_i, double p_j, double delta) { return p_i * (p_j - delta); }));

MISCONCEPTION(
    softmax_jacobian, positive_off_the_diagonal,
    "the diagonal is right, but the rest has the wrong sign: when one score rises, the other "
    "weights fall, because all of them share one sum.",
    elements([](double p_i, double p_j, double delta) {
        return delta == 1 ? p_i * (1 - p_i) : p_i * p_j;
    }));

MISCONCEPTION(
    softmax_jacobian, weights_stay_on_the_diagonal,
    "off the diagonal this is right; on it stands p_i, where p_i (1 - p_i) belongs. The outer "
    "product has a diagonal too, and it is to be subtracted there as well: only then do rows "
    "sum to 0.",
    elements([](double p_i, double p_j, double delta) { return delta == 1 ? p_i : -p_i * p_j; }));

MISCONCEPTION(
    softmax_jacobian, sigmoid_in_rows,
    "every element of row i is p_i (1 - p_i), the derivative of a sigmoid. That is right on "
    "the diagonal only: off it, weight i moves with another score, and by -p_i p_j.",
    elements([](double p_i, double, double) { return p_i * (1 - p_i); }));

MISCONCEPTION(
    softmax_jacobian, sigmoid_in_columns,
    "every element of column j is p_j (1 - p_j), the derivative of a sigmoid. That is right "
    "on the diagonal only: off it, another weight moves with score j, and by -p_i p_j.",
    elements([](double, double p_j, double) { return p_j * (1 - p_j); }));

MISCONCEPTION(
    softmax_jacobian, one_minus_everywhere,
    "this is p_i (1 - p_j) everywhere. The 1 belongs on the diagonal only, where weight and "
    "score have one index; elsewhere it is 0, and -p_i p_j remains.",
    elements([](double p_i, double p_j, double) { return p_i * (1 - p_j); }));

MISCONCEPTION(
    softmax_jacobian, element_wise_product,
    "in place of p times its transpose, this subtracts p * p, element by element, from every "
    "row of diag(p). A Vector has no orientation: its transpose is itself, and * is no outer "
    "product. Element (i, j) of the outer product is p_i p_j.",
    elements([](double p_i, double p_j, double delta) { return p_i * delta - p_j * p_j; }));

MISCONCEPTION(
    softmax_jacobian, element_wise_product_in_columns,
    "in place of p times its transpose, this subtracts the square of p_i all along row i. "
    "Element (i, j) of the outer product is p_i p_j.",
    elements([](double p_i, double, double delta) { return p_i * delta - p_i * p_i; }));

MISCONCEPTION(
    softmax_jacobian, dot_product,
    "in place of p times its transpose, which is a matrix, this subtracts one number from "
    "every element: the dot product of p with itself. The outer product has p_i p_j at (i, j).",
    [](const Vector& p) -> Matrix {
        double square = 0;
        for (const double weight : p) {
            square += weight * weight;
        }
        return elements([=](double p_i, double, double delta) { return p_i * delta - square; })(p);
    });

MISCONCEPTION(
    softmax_jacobian, identity_minus_outer_product,
    "this is the identity minus p times its transpose. On the diagonal the first part is p_i, "
    "not 1: a weight can only grow in proportion to itself.",
    elements([](double p_i, double p_j, double delta) { return delta - p_i * p_j; }));

MISCONCEPTION(
    softmax_jacobian, of_the_logarithm,
    "this is 1 on the diagonal minus p_j: how the logarithm of weight i moves with score j. "
    "The weight itself moves p_i times as much.",
    elements([](double, double p_j, double delta) { return delta - p_j; }));

MISCONCEPTION(
    softmax_jacobian, of_the_logarithm_transposed,
    "this is 1 on the diagonal minus p_i. One factor is missing: element (i, j) is p_i (1 - "
    "p_i) on the diagonal and -p_i p_j off it.",
    elements([](double p_i, double, double delta) { return delta - p_i; }));

MISCONCEPTION(softmax_jacobian, softmax_applied_again,
              "the argument is taken for scores, and softmax applied to it first. It is p, the "
              "weights that a softmax has already returned: use them as they are.",
              [](const Vector& p) -> Matrix {
                  return oracle::softmax_jacobian(oracle::softmax(p));
              });

MISCONCEPTION(softmax_jacobian, equal_weights_for_one,
              "it asks whether two weights are equal, p_i == p_j, and not whether they are the "
              "same one, i == j. Where two weights are equal by chance, both cases get mixed up.",
              [](const Vector& p) -> Matrix {
                  Matrix J = Matrix::from_shape({p.size(), p.size()});
                  for (std::size_t i = 0; i < p.size(); ++i) {
                      for (std::size_t j = 0; j < p.size(); ++j) {
                          J(i, j) = p(i) == p(j) ? p(i) * (1 - p(i)) : -p(i) * p(j);
                      }
                  }
                  return J;
              });

constexpr const char* says_weights_equal =
    "weights that are nearly equal are taken for 1/n each. They differ, and about ten digits are "
    "asked for: leave the comparison out, since the formula is right for equal weights, too.";

/// Of equal weights where no two differ by more than that.
auto jacobian_of_equal_within(double bound) {
    return [=](const Vector& p) -> Matrix {
        const bool equal = xt::amax(p)() - xt::amin(p)() < bound;
        const Vector shares = xt::ones<double>({p.size()}) / static_cast<double>(p.size());
        return oracle::softmax_jacobian(equal ? shares : p);
    };
}

MISCONCEPTION(softmax_jacobian, weights_equal_within_1e_4, says_weights_equal,
              jacobian_of_equal_within(1e-4));
MISCONCEPTION(softmax_jacobian, weights_equal_within_1e_6, says_weights_equal,
              jacobian_of_equal_within(1e-6));
MISCONCEPTION(softmax_jacobian, weights_equal_within_1e_8, says_weights_equal,
              jacobian_of_equal_within(1e-8));

MISCONCEPTION(softmax_jacobian, cases_exchanged,
              "the two cases have changed places: p_i (1 - p_j) stands off the diagonal, and -p_i "
              "p_j on it. The 1 belongs where weight and score have one index.",
              elements([](double p_i, double p_j, double delta) {
                  return p_i * (1 - delta - p_j);
              }));

MISCONCEPTION(softmax_jacobian, zero_on_the_diagonal,
              "the diagonal is 0. A rising score raises its own weight: p_i (1 - p_i).",
              elements([](double p_i, double p_j, double delta) {
                  return -p_i * p_j * (1 - delta);
              }));

MISCONCEPTION(softmax_jacobian, halved, "every element is half of what it should be.",
              elements([](double p_i, double p_j, double delta) {
                  return 0.5 * p_i * (delta - p_j);
              }));

MISCONCEPTION(softmax_jacobian, all_zero,
              "every element is 0: what the loops compute never reaches the result.",
              elements([](double, double, double) { return 0.0; }));

MISCONCEPTION(
    softmax_jacobian, quotient_of_weights,
    "off the diagonal a weight is divided by the other, p_i / p_j, where they are multiplied.",
    elements([](double p_i, double p_j, double delta) { return p_i * delta - p_i / p_j; }));

MISCONCEPTION(softmax_jacobian, cube_on_the_diagonal,
              "the diagonal is p_i (1 - p_i²): one factor p_i too many. It is p_i (1 - p_i).",
              elements([](double p_i, double p_j, double delta) {
                  return delta == 1 ? p_i * (1 - p_i * p_i) : -p_i * p_j;
              }));

MISCONCEPTION(softmax_jacobian, upper_half_only,
              "below the diagonal all is 0: the inner loop starts at i, and nothing is mirrored. "
              "Element (j, i) is element (i, j).",
              [](const Vector& p) -> Matrix {
                  const std::size_t n = p.size();
                  Matrix J = oracle::softmax_jacobian(p);
                  for (std::size_t i = 0; i < n; ++i) {
                      for (std::size_t j = 0; j < n; ++j) {
                          if (!(j >= i)) {
                              J(i, j) = 0;
                          }
                      }
                  }
                  return J;
              });

MISCONCEPTION(softmax_jacobian, lower_half_only,
              "above the diagonal all is 0: the inner loop ends at i, and nothing is mirrored. "
              "Element (j, i) is element (i, j).",
              [](const Vector& p) -> Matrix {
                  const std::size_t n = p.size();
                  Matrix J = oracle::softmax_jacobian(p);
                  for (std::size_t i = 0; i < n; ++i) {
                      for (std::size_t j = 0; j < n; ++j) {
                          if (!(j <= i)) {
                              J(i, j) = 0;
                          }
                      }
                  }
                  return J;
              });

MISCONCEPTION(softmax_jacobian, last_left_out,
              "the last row and column are 0: the loops end one too early.",
              [](const Vector& p) -> Matrix {
                  const std::size_t n = p.size();
                  Matrix J = oracle::softmax_jacobian(p);
                  for (std::size_t i = 0; i < n; ++i) {
                      for (std::size_t j = 0; j < n; ++j) {
                          if (!(i + 1 < n && j + 1 < n)) {
                              J(i, j) = 0;
                          }
                      }
                  }
                  return J;
              });

MISCONCEPTION(
    softmax_jacobian, first_row_only,
    "only the first row is there, the others are 0. Does a return stand inside the loops?",
    [](const Vector& p) -> Matrix {
        const std::size_t n = p.size();
        Matrix J = oracle::softmax_jacobian(p);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                if (!(i == 0)) {
                    J(i, j) = 0;
                }
            }
        }
        return J;
    });

MISCONCEPTION(softmax_jacobian, first_weight_in_every_row,
              "row 0's weight stands in every row, p(0) where p(i) is meant.",
              [](const Vector& p) -> Matrix {
                  Matrix J = Matrix::from_shape({p.size(), p.size()});
                  for (std::size_t i = 0; i < p.size(); ++i) {
                      for (std::size_t j = 0; j < p.size(); ++j) {
                          J(i, j) = (i == j ? p(i) : 0) - p(0) * p(j);
                      }
                  }
                  return J;
              });

MISCONCEPTION(softmax_jacobian, diagonal_without_its_weight,
              "the diagonal is 1 - p_i, where it should be p_i (1 - p_i): weight i moves in "
              "proportion to itself.",
              [](const Vector& p) -> Matrix {
                  Matrix J = oracle::softmax_jacobian(p);
                  for (std::size_t i = 0; i < p.size(); ++i) {
                      J(i, i) = 1 - p(i);
                  }
                  return J;
              });

MISCONCEPTION(softmax_jacobian, one_column,
              "this is a single column, p_i (1 - p_i): how each weight moves with its own score. "
              "The Jacobian has an element for every pair of a weight and a score.",
              [](const Vector& p) -> Matrix {
                  Matrix J = Matrix::from_shape({p.size(), 1});
                  for (std::size_t i = 0; i < p.size(); ++i) {
                      J(i, 0) = p(i) * (1 - p(i));
                  }
                  return J;
              });

MISCONCEPTION(softmax_jacobian, exponentials_of_the_weights,
              "exp is taken of p. p holds weights already, what a softmax returned: use them as "
              "they are.",
              [](const Vector& p) -> Matrix {
                  const Vector terms = xt::exp(p);
                  return oracle::softmax_jacobian(terms);
              });

// Known by how its answers err: the grader says how.
MISCONCEPTION(
    softmax_jacobian, finite_differences,
    "this is nearly the Jacobian, as a difference quotient (f(s + h) − f(s)) / h is: that "
    "has six to eleven digits, fewer where an element is small. p is at hand, and "
    "diag(p) − p pᵀ is exact.",
    [](const Vector& p) -> Matrix {
        constexpr double h = 1e-6;
        const std::size_t n = p.size();
        Matrix J = Matrix::from_shape({n, n});
        for (std::size_t j = 0; j < n; ++j) {
            Vector after = p, before = p; // of score j ± h
            after(j) *= std::exp(h);
            before(j) *= std::exp(-h);
            after /= xt::sum(after)();
            before /= xt::sum(before)();
            xt::view(J, xt::all(), j) = (after - before) / (2 * h);
        }
        return J;
    });

} // namespace
