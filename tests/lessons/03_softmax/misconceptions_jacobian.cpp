// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

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

} // namespace
