// Wrong versions of 08.2.

#include "wrong_products.hpp"

using namespace wrong;

namespace {

// ---- C = A · B

MISCONCEPTION(
    matmul_backward, B_not_transposed,
    "d_A is made as d_C · B. That exists on squares only: d_C (m, n) meets B (k, n) along "
    "n, so B has to be transposed, d_C · Bᵀ.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{matmul(d_C, B), right_B(A, d_C)};
    }));

MISCONCEPTION(
    matmul_backward, A_not_transposed,
    "d_B is made as A · d_C. That exists on squares only: d_B (k, n) sums over m, which is "
    "the first axis of both, so A has to be transposed, Aᵀ · d_C.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{right_A(B, d_C), matmul(A, d_C)};
    }));

MISCONCEPTION(
    matmul_backward, A_on_the_wrong_side,
    "d_B is made as d_C · A. That exists on squares only: what stood on the left of the product "
    "stays on the left, and is transposed, Aᵀ · d_C.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{right_A(B, d_C), matmul(d_C, A)};
    }));

MISCONCEPTION(
    matmul_backward, B_on_the_wrong_side,
    "d_A is made as B · d_C. That exists on squares only: what stood on the right of the product "
    "stays on the right, and is transposed, d_C · Bᵀ.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{matmul(B, d_C), right_B(A, d_C)};
    }));

MISCONCEPTION(matmul_backward, nothing_transposed,
              "neither factor is transposed: d_C · B and A · d_C exist on squares only. d_A is "
              "d_C · Bᵀ and d_B is Aᵀ · d_C.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul(d_C, B), matmul(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, transposes_interchanged,
              "Aᵀ and Bᵀ have changed places: d_C · Aᵀ and Bᵀ · d_C. What d_A needs is the other "
              "factor, B, and what d_B needs is A.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul_transposed(d_C, A), matmul(transposed(B), d_C)};
              }));

MISCONCEPTION(matmul_backward, results_interchanged,
              "the two results have changed places: what is returned first has the shape of B. d_A "
              "comes first.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_B(A, d_C), right_A(B, d_C)};
              }));

MISCONCEPTION(matmul_backward, factors_of_d_A_interchanged,
              "the factors of d_A have changed places, Bᵀ · d_C. What stood on the right of the "
              "product stays on the right: d_C · Bᵀ.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul(transposed(B), d_C), right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, factors_of_d_B_interchanged,
              "the factors of d_B have changed places, d_C · Aᵀ. What stood on the left of the "
              "product stays on the left: Aᵀ · d_C.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), matmul_transposed(d_C, A)};
              }));

MISCONCEPTION(matmul_backward, d_A_on_its_side,
              "d_A is transposed: B · d_Cᵀ has the right numbers in the shape (k, m). A gradient "
              "has the shape of what it belongs to, (m, k).",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{transposed(right_A(B, d_C)), right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, d_B_on_its_side,
              "d_B is transposed: d_Cᵀ · A has the right numbers in the shape (n, k). A gradient "
              "has the shape of what it belongs to, (k, n).",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), transposed(right_B(A, d_C))};
              }));

MISCONCEPTION(matmul_backward, d_C_not_used,
              "d_C is taken as all ones: these are the gradients of the sum of C. What comes back "
              "from the loss, d_C, says how much each element of C counts.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, ones_like(d_C)), right_B(A, ones_like(d_C))};
              }));

MISCONCEPTION(matmul_backward, C_for_d_C,
              "C = A · B is computed again and used in place of d_C. The gradient of the loss at C "
              "is the third argument.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix&) {
                  return ProductGradients{right_A(B, matmul(A, B)), right_B(A, matmul(A, B))};
              }));

MISCONCEPTION(
    matmul_backward, d_B_averaged,
    "d_B is divided by m, the number of rows. Every row of A adds its share to d_B, and "
    "no mean is taken: if the loss is a mean, d_C has that factor already.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{right_A(B, d_C), right_B(A, d_C) / static_cast<double>(A.shape(0))};
    }));

MISCONCEPTION(matmul_backward, d_A_assigned_not_added,
              "d_A holds the last term of each sum alone: = where += is meant. An element of A is "
              "used for every column of C, and each of them sends something back.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{last_term(d_C, transposed(B)), right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, d_B_assigned_not_added,
              "d_B holds the last term of each sum alone: = where += is meant. An element of B is "
              "used for every row of C, and each of them sends something back.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), last_term(transposed(A), d_C)};
              }));

MISCONCEPTION(
    matmul_backward, both_assigned_not_added,
    "both gradients hold the last term of each sum alone: = where += is meant. An element "
    "is used many times, and each use sends something back.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{last_term(d_C, transposed(B)), last_term(transposed(A), d_C)};
    }));

MISCONCEPTION(matmul_backward, d_A_stays_zero, "d_A is all 0. Both factors learn: d_A is d_C · Bᵀ.",
              product_by([](const Matrix& A, const Matrix&, const Matrix& d_C) {
                  return ProductGradients{zeros_like(A), right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, d_B_stays_zero, "d_B is all 0. Both factors learn: d_B is Aᵀ · d_C.",
              product_by([](const Matrix&, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), zeros_like(B)};
              }));

MISCONCEPTION(
    matmul_backward, the_factors_themselves,
    "the other factor is returned as the gradient, transposed or not, without d_C. That is "
    "the derivative of a product of two numbers; here it has still to be multiplied by "
    "d_C.",
    product_by([](const Matrix& A, const Matrix& B, const Matrix&) {
        return ProductGradients{transposed(B), transposed(A)};
    }));

MISCONCEPTION(matmul_backward, products_negated,
              "every sign is the wrong way round. A gradient says where the loss rises; the minus "
              "of descent comes later, in the step.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{-right_A(B, d_C), -right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, last_column_of_d_C_left_out,
              "the last column of d_C is missing from d_A: the sum over n ends one too early.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{last_left_out(d_C, transposed(B)), right_B(A, d_C)};
              }));

MISCONCEPTION(matmul_backward, last_row_of_d_C_left_out,
              "the last row of d_C is missing from d_B: the sum over m ends one too early.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A(B, d_C), last_left_out(transposed(A), d_C)};
              }));

MISCONCEPTION(matmul_backward, doubled,
              "every number is twice what it should be, as if C were a square. Each factor occurs "
              "once in the product.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{2 * right_A(B, d_C), 2 * right_B(A, d_C)};
              }));

// ---- C = A · Bᵀ

MISCONCEPTION(matmul_transposed_backward, as_without_transpose,
              "these are the gradients of A · B: d_C · Bᵀ and Aᵀ · d_C exist here on squares only. "
              "With C = A · Bᵀ, d_A is d_C · B, and d_B is d_Cᵀ · A.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul_transposed(d_C, B), matmul(transposed(A), d_C)};
              }));

MISCONCEPTION(matmul_transposed_backward, B_transposed_in_d_A,
              "d_A is made as d_C · Bᵀ, which exists on squares only. B stands transposed in the "
              "product, and its transpose again is B: d_C · B.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul_transposed(d_C, B), right_B_t(A, d_C)};
              }));

MISCONCEPTION(matmul_transposed_backward, d_C_not_transposed,
              "d_B is made as d_C · A, which exists on squares only. d_B (n, k) sums over m, the "
              "first axis of d_C and of A: d_Cᵀ · A.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A_t(B, d_C), matmul(d_C, A)};
              }));

MISCONCEPTION(matmul_transposed_backward, gradient_of_the_transpose,
              "d_B is Aᵀ · d_C, of the shape (k, n): the gradient of Bᵀ, not of B. Transpose it: "
              "d_Cᵀ · A.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A_t(B, d_C), transposed(right_B_t(A, d_C))};
              }));

MISCONCEPTION(matmul_transposed_backward, d_A_of_the_transpose,
              "d_A is transposed, of the shape (k, m). A gradient has the shape of what it belongs "
              "to: d_C · B, (m, k).",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{transposed(right_A_t(B, d_C)), right_B_t(A, d_C)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_results_interchanged,
              "the two results have changed places: what is returned first has the shape of B. d_A "
              "comes first.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_B_t(A, d_C), right_A_t(B, d_C)};
              }));

MISCONCEPTION(matmul_transposed_backward, A_and_B_interchanged,
              "A and B have changed places: d_C · A and d_Cᵀ · B. What d_A needs is the other "
              "factor, B, and what d_B needs is A.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{matmul(d_C, A), matmul(transposed(d_C), B)};
              }));

MISCONCEPTION(
    matmul_transposed_backward, transposed_d_C_not_used,
    "d_C is taken as all ones: these are the gradients of the sum of C. What comes back "
    "from the loss, d_C, says how much each element of C counts.",
    transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{right_A_t(B, ones_like(d_C)), right_B_t(A, ones_like(d_C))};
    }));

MISCONCEPTION(
    matmul_transposed_backward, transposed_C_for_d_C,
    "C = A · Bᵀ is computed again and used in place of d_C. The gradient of the loss at C "
    "is the third argument.",
    transposed_by([](const Matrix& A, const Matrix& B, const Matrix&) {
        const Matrix C = matmul_transposed(A, B);
        return ProductGradients{right_A_t(B, C), right_B_t(A, C)};
    }));

MISCONCEPTION(matmul_transposed_backward, transposed_d_A_assigned_not_added,
              "d_A holds the last term of each sum alone: = where += is meant. An element of A is "
              "used for every column of C, and each of them sends something back.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{last_term(d_C, B), right_B_t(A, d_C)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_d_B_assigned_not_added,
              "d_B holds the last term of each sum alone: = where += is meant. An element of B is "
              "used for every row of C, and each of them sends something back.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A_t(B, d_C), last_term(transposed(d_C), A)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_d_A_stays_zero,
              "d_A is all 0. Both factors learn: d_A is d_C · B.",
              transposed_by([](const Matrix& A, const Matrix&, const Matrix& d_C) {
                  return ProductGradients{zeros_like(A), right_B_t(A, d_C)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_d_B_stays_zero,
              "d_B is all 0. Both factors learn: d_B is d_Cᵀ · A.",
              transposed_by([](const Matrix&, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A_t(B, d_C), zeros_like(B)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_d_B_averaged,
              "d_B is divided by m, the number of rows. Every row of A adds its share to d_B, and "
              "no mean is taken: if the loss is a mean, d_C has that factor already.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{right_A_t(B, d_C),
                                          right_B_t(A, d_C) / static_cast<double>(A.shape(0))};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_products_negated,
              "every sign is the wrong way round. A gradient says where the loss rises; the minus "
              "of descent comes later, in the step.",
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{-right_A_t(B, d_C), -right_B_t(A, d_C)};
              }));

} // namespace
