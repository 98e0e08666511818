#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// The matrix product A B.
///   A (m, k)   B (k, n)
///   returns (m, n); all zeros if k = 0
/// Throws std::invalid_argument if A and B differ in k, or if m, n or k does not fit BLAS's int.
Matrix matmul(const Matrix& A, const Matrix& B);
MatrixF matmul(const MatrixF& A, const MatrixF& B);

/// The matrix product A Bᵀ: every row of A with every row of B. A and B may be the same array.
///   A (m, k)   B (n, k)
///   returns (m, n); all zeros if k = 0
/// Throws std::invalid_argument if A and B differ in k, or if m, n or k does not fit BLAS's int.
Matrix matmul_transposed(const Matrix& A, const Matrix& B);
MatrixF matmul_transposed(const MatrixF& A, const MatrixF& B);

} // namespace attention
