// More wrong versions of 08.2: slips of shapes, loops and factors.

#include "wrong_products.hpp"

using namespace wrong;

namespace {

Matrix reshaped(Matrix X, std::size_t rows, std::size_t columns) {
    X.reshape({rows, columns});
    return X;
}

double size(const Matrix& X, std::size_t axis) {
    return static_cast<double>(X.shape(axis));
}

// ---- C = A · B

MISCONCEPTION(matmul_backward, rule_of_the_other_product,
              "these are the gradients of A · Bᵀ, d_C · B and d_Cᵀ · A. Here C = A · B, so d_A is "
              "d_C · Bᵀ and d_B is Aᵀ · d_C.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul(d_C, B), matmul(transposed(d_C), A)};
              }));

MISCONCEPTION(matmul_backward, d_C_transposed_in_d_A,
              "in d_A it is d_C that is transposed, and not B: d_Cᵀ · B. With d_C (m, n) and "
              "d_A (m, k), m has to stay in front: d_C · Bᵀ.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul(transposed(d_C), B), right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, d_C_transposed_in_d_B,
              "in d_B both factors are transposed, Aᵀ · d_Cᵀ. Only A is: Aᵀ · d_C.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), matmul_transposed(transposed(A), d_C)};
              }));

MISCONCEPTION(matmul_backward, both_on_their_sides,
              "both results are transposed. A gradient has the shape of what it belongs to.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{transposed(right_A(B, d_C)), transposed(right_B(A, d_C))};
              }));

MISCONCEPTION(matmul_backward, d_A_averaged,
              "d_A is divided by n, the number of columns. No mean is taken here.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C) / size(B, 1), right_B(A, d_C)};
              }));

MISCONCEPTION(
    matmul_backward, both_averaged,
    "both gradients are divided by m, the number of rows. No mean is taken here: if the "
    "loss is a mean, d_C has that factor already.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{right_A(B, d_C) / size(A, 0), right_B(A, d_C) / size(A, 0)};
    }));

MISCONCEPTION(
    matmul_backward, A_reshaped,
    "for Aᵀ the elements of A are kept in their order under the shape (k, m). That is a "
    "reshape. A transpose moves element (i, k) to (k, i): xt::transpose.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{right_A(B, d_C), matmul(reshaped(A, A.shape(1), A.shape(0)), d_C)};
    }));

MISCONCEPTION(
    matmul_backward, B_reshaped,
    "for Bᵀ the elements of B are kept in their order under the shape (n, k). That is a "
    "reshape. A transpose moves element (k, j) to (j, k): xt::transpose.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{matmul(d_C, reshaped(B, B.shape(1), B.shape(0))), right_B(A, d_C)};
    }));

MISCONCEPTION(matmul_backward, both_reshaped,
              "for Aᵀ and Bᵀ the elements are kept in their order under the other shape. That is a "
              "reshape. A transpose moves element (i, k) to (k, i): xt::transpose.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul(d_C, reshaped(B, B.shape(1), B.shape(0))),
                                          matmul(reshaped(A, A.shape(1), A.shape(0)), d_C)};
              }));

MISCONCEPTION(matmul_backward, both_stay_zero,
              "both gradients are all 0: what the loops compute never reaches the result.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix&) {
                  return ProductGradients{zeros_like(A), zeros_like(B)};
              }));

MISCONCEPTION(
    matmul_backward, d_C_handed_on,
    "d_C is handed on to both factors as it came, as a sum would do. A product multiplies "
    "it with the other factor.",
    product_by([](const Matrix&, const Matrix&, const Matrix& d_C) {
        return ProductGradients{d_C, d_C};
    }));

MISCONCEPTION(matmul_backward, d_B_added_twice,
              "d_B is twice what it should be: each term is added two times.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), 2 * right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, d_A_added_twice,
              "d_A is twice what it should be: each term is added two times.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{2 * right_A(B, d_C), right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, element_by_element,
              "d_C is multiplied with the factors element by element. In xtensor * is never the "
              "matrix product: attention::matmul is.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{Matrix(d_C * B), Matrix(A * d_C)};
              }));

MISCONCEPTION(matmul_backward, factors_returned,
              "A and B come back as they went in. Their gradients are asked for.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix&) {
                  return ProductGradients{A, B};
              }));

MISCONCEPTION(matmul_backward, bias_rule_for_d_B,
              "d_B holds the sums of d_C over the rows, which is the gradient of a bias that is "
              "added. B is multiplied with A: Aᵀ · d_C.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  static_cast<void>(A);
                  const Vector sums = xt::sum(d_C, {0});
                  return ProductGradients{right_A(B, d_C), Matrix(zeros_like(B) + sums)};
              }));

MISCONCEPTION(matmul_backward, d_B_negated,
              "d_B has the wrong sign. Both factors get what d_C says, as it is.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), -right_B(A, d_C)};
              }));

// ---- C = A · Bᵀ

MISCONCEPTION(
    matmul_transposed_backward, transposed_both_on_their_sides,
    "both results are transposed. A gradient has the shape of what it belongs to.",
    transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{transposed(right_A_t(B, d_C)), transposed(right_B_t(A, d_C))};
    }));

MISCONCEPTION(
    matmul_transposed_backward, d_C_reshaped,
    "for d_Cᵀ the elements of d_C are kept in their order under the shape (n, m). That is "
    "a reshape. A transpose moves element (i, j) to (j, i): xt::transpose.",
    transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{right_A_t(B, d_C),
                                matmul(reshaped(d_C, d_C.shape(1), d_C.shape(0)), A)};
    }));

MISCONCEPTION(matmul_transposed_backward, result_reshaped,
              "d_B is Aᵀ · d_C, brought to the shape (n, k) by a reshape, which keeps the elements "
              "in their order. Transpose it, or compute d_Cᵀ · A.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A_t(B, d_C), reshaped(transposed(right_B_t(A, d_C)),
                                                                      B.shape(0), B.shape(1))};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_d_A_averaged,
              "d_A is divided by n. No mean is taken here.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A_t(B, d_C) / size(B, 0), right_B_t(A, d_C)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_both_stay_zero,
              "both gradients are all 0: what the loops compute never reaches the result.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix&) {
                  return ProductGradients{zeros_like(A), zeros_like(B)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_doubled,
              "every number is twice what it should be. Each factor occurs once in the product.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{2 * right_A_t(B, d_C), 2 * right_B_t(A, d_C)};
              }));

MISCONCEPTION(
    matmul_transposed_backward, transposed_both_assigned_not_added,
    "both gradients hold the last term of each sum alone: = where += is meant. An element "
    "is used many times, and each use sends something back.",
    transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{last_term(d_C, B), last_term(transposed(d_C), A)};
    }));

MISCONCEPTION(matmul_transposed_backward, A_in_both,
              "both gradients are made with A. What d_A needs is the other factor, B: d_C · B.",
              transposed_by([](const Matrix& A, const Matrix&, const Matrix& d_C) {
                  return ProductGradients{matmul(d_C, A), right_B_t(A, d_C)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_factors_returned,
              "the other factor is returned as the gradient, without d_C. It has still to be "
              "multiplied by d_C.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix&) {
                  return ProductGradients{B, A};
              }));

MISCONCEPTION(
    matmul_backward, own_factor,
    "each gradient is made with the elements of its own factor, d_C(i, j) · A(i, k) in d_A. "
    "It is the other one: d_A is made with B and d_B with A.",
    product_of_terms([](double d_C, double, double own) { return d_C * own; }));

MISCONCEPTION(matmul_backward, factors_added,
              "d_C and the other factor are added in the sum, d_C + B. They are multiplied.",
              product_of_terms([](double d_C, double other, double) { return d_C + other; }));

MISCONCEPTION(matmul_backward, product_of_sums,
              "d_C and the other factor are summed by themselves, and then multiplied. It is the "
              "sum of the products: multiply inside the loop.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{product_of_sums(d_C, transposed(B)),
                                          product_of_sums(transposed(A), d_C)};
              }));

constexpr const char* d_A_summed_first =
    "in d_A a row of d_C and what it meets of B are summed by themselves, and then multiplied. It "
    "is the sum of the products: multiply inside the loop.";
constexpr const char* d_B_summed_first =
    "in d_B a column of d_C and one of A are summed by themselves, and then multiplied. It is the "
    "sum of the products: multiply inside the loop.";

MISCONCEPTION(matmul_backward, d_A_a_product_of_sums, d_A_summed_first,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{product_of_sums(d_C, transposed(B)), right_B(A, d_C)};
              }));
MISCONCEPTION(matmul_backward, d_B_a_product_of_sums, d_B_summed_first,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), product_of_sums(transposed(A), d_C)};
              }));
MISCONCEPTION(matmul_transposed_backward, transposed_d_A_a_product_of_sums, d_A_summed_first,
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{product_of_sums(d_C, B), right_B_t(A, d_C)};
              }));
MISCONCEPTION(matmul_transposed_backward, transposed_d_B_a_product_of_sums, d_B_summed_first,
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A_t(B, d_C), product_of_sums(transposed(d_C), A)};
              }));

MISCONCEPTION(
    matmul_transposed_backward, transposed_own_factor,
    "each gradient is made with the elements of its own factor, d_C(i, j) · A(i, k) in d_A. "
    "It is the other one: d_A is made with B and d_B with A.",
    transposed_of_terms([](double d_C, double, double own) { return d_C * own; }));

MISCONCEPTION(matmul_transposed_backward, transposed_factors_added,
              "d_C and the other factor are added in the sum, d_C + B. They are multiplied.",
              transposed_of_terms([](double d_C, double other, double) { return d_C + other; }));

MISCONCEPTION(
    matmul_transposed_backward, transposed_product_of_sums,
    "d_C and the other factor are summed by themselves, and then multiplied. It is the "
    "sum of the products: multiply inside the loop.",
    transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{product_of_sums(d_C, B), product_of_sums(transposed(d_C), A)};
    }));

} // namespace
