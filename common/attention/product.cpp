#include "attention/product.hpp"

#include "attention/shapes.hpp"

#include <algorithm>
#include <cblas.h>
#include <limits>

// Why cblas directly: xt::linalg::dot(A, transpose(B)) takes a symmetric shortcut whenever A and B
// start at the same address, and silently returns a wrong result if A is a part of B.

namespace attention {
namespace {

// The two precisions under one name, for row-major arrays without gaps: C = A op(B).
void gemm(CBLAS_TRANSPOSE op, int m, int n, int k, const double* A, const double* B, int B_columns,
          double* C) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, op, m, n, k, 1.0, A, k, B, B_columns, 0.0, C, n);
}
void gemm(CBLAS_TRANSPOSE op, int m, int n, int k, const float* A, const float* B, int B_columns,
          float* C) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, op, m, n, k, 1.0F, A, k, B, B_columns, 0.0F, C, n);
}

template <class T>
xt::xtensor<T, 2> product(const char* function, CBLAS_TRANSPOSE op, const xt::xtensor<T, 2>& A,
                          const xt::xtensor<T, 2>& B) {
    const std::size_t k_axis = op == CblasTrans ? 1 : 0;
    require_shared(function, "k", Axis{"A", A, 1}, Axis{"B", B, k_axis});

    const std::size_t m = A.shape(0);
    const std::size_t n = B.shape(1 - k_axis);
    const std::size_t k = A.shape(1);
    const std::size_t largest = std::max({m, n, k});
    if (largest > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw std::invalid_argument(std::string(function) + ": m, n and k must fit an int, got " +
                                    std::to_string(largest) + "; A is " + shape_text(A) +
                                    ", B is " + shape_text(B));
    }
    if (m == 0 || n == 0 || k == 0) { // BLAS requires leading dimensions of at least 1
        return xt::zeros<T>({m, n});
    }

    auto C = xt::xtensor<T, 2>::from_shape({m, n});
    gemm(op, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), A.data(), B.data(),
         static_cast<int>(B.shape(1)), C.data());
    return C;
}

} // namespace

Matrix matmul(const Matrix& A, const Matrix& B) {
    return product("matmul", CblasNoTrans, A, B);
}
MatrixF matmul(const MatrixF& A, const MatrixF& B) {
    return product("matmul", CblasNoTrans, A, B);
}

Matrix matmul_transposed(const Matrix& A, const Matrix& B) {
    return product("matmul_transposed", CblasTrans, A, B);
}
MatrixF matmul_transposed(const MatrixF& A, const MatrixF& B) {
    return product("matmul_transposed", CblasTrans, A, B);
}

} // namespace attention
