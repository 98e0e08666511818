// Wrong versions of 08.2 in which C itself comes in: the gradients of another loss.

#include "wrong_products.hpp"

using namespace wrong;

namespace {

constexpr const char* times_C =
    "d_C is multiplied by C, element by element, before the products. What the loss makes of C is "
    "in d_C already.";

MISCONCEPTION(matmul_backward, d_C_times_C, times_C,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix product = d_C * matmul(A, B);
                  return ProductGradients{right_A(B, product), right_B(A, product)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_d_C_times_C, times_C,
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix product = d_C * matmul_transposed(A, B);
                  return ProductGradients{right_A_t(B, product), right_B_t(A, product)};
              }));

constexpr const char* C_subtracted =
    "C is subtracted from d_C before the products. What the loss makes of C is in d_C already.";

MISCONCEPTION(matmul_backward, C_taken_from_d_C, C_subtracted,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix rest = d_C - matmul(A, B);
                  return ProductGradients{right_A(B, rest), right_B(A, rest)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_C_taken_from_d_C, C_subtracted,
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix rest = d_C - matmul_transposed(A, B);
                  return ProductGradients{right_A_t(B, rest), right_B_t(A, rest)};
              }));

constexpr const char* C_added =
    "C is added to d_C before the products. What the loss makes of C is in d_C already.";

MISCONCEPTION(matmul_backward, C_added_to_d_C, C_added,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix both = d_C + matmul(A, B);
                  return ProductGradients{right_A(B, both), right_B(A, both)};
              }));

MISCONCEPTION(matmul_transposed_backward, transposed_C_added_to_d_C, C_added,
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix both = d_C + matmul_transposed(A, B);
                  return ProductGradients{right_A_t(B, both), right_B_t(A, both)};
              }));

MISCONCEPTION(matmul_backward, d_C_squared,
              "d_C is squared. Each of its elements goes into the products once.",
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix square = d_C * d_C;
                  return ProductGradients{right_A(B, square), right_B(A, square)};
              }));

} // namespace
