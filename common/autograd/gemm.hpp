#pragma once

// BLAS under one name for both precisions, row-major.

#include <cblas.h>
#include <cstddef>

namespace autograd {

/// C ← op(A) op(B) + (add ? C : 0), op(A) (m, k), op(B) (k, n), C (m, n). A, B and C have no gaps.
inline void gemm(bool transpose_A, bool transpose_B, std::size_t m, std::size_t n, std::size_t k,
                 const float* A, const float* B, bool add, float* C) {
    const auto op = [](bool transpose) { return transpose ? CblasTrans : CblasNoTrans; };
    cblas_sgemm(CblasRowMajor, op(transpose_A), op(transpose_B), static_cast<int>(m),
                static_cast<int>(n), static_cast<int>(k), 1.0F, A,
                static_cast<int>(transpose_A ? m : k), B, static_cast<int>(transpose_B ? k : n),
                add ? 1.0F : 0.0F, C, static_cast<int>(n));
}
inline void gemm(bool transpose_A, bool transpose_B, std::size_t m, std::size_t n, std::size_t k,
                 const double* A, const double* B, bool add, double* C) {
    const auto op = [](bool transpose) { return transpose ? CblasTrans : CblasNoTrans; };
    cblas_dgemm(CblasRowMajor, op(transpose_A), op(transpose_B), static_cast<int>(m),
                static_cast<int>(n), static_cast<int>(k), 1.0, A,
                static_cast<int>(transpose_A ? m : k), B, static_cast<int>(transpose_B ? k : n),
                add ? 1.0 : 0.0, C, static_cast<int>(n));
}

} // namespace autograd
