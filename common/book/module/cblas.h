#pragma once

// In place of a BLAS: its products as plain loops, for row-major arrays.

enum CBLAS_LAYOUT { CblasRowMajor };
enum CBLAS_TRANSPOSE { CblasNoTrans, CblasTrans };

/// C = alpha op(A) op(B) + beta C, where op(A) is (m, k) and op(B) is (k, n).
template <class T>
void plain_gemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE of_A, CBLAS_TRANSPOSE of_B, int m, int n, int k,
                T alpha, const T* A, int A_columns, const T* B, int B_columns, T beta, T* C,
                int C_columns) {
    const auto at = [](CBLAS_TRANSPOSE op, const T* X, int columns, int i, int j) {
        return op == CblasTrans ? X[j * columns + i] : X[i * columns + j];
    };
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            T sum = 0;
            for (int p = 0; p < k; ++p) {
                sum += at(of_A, A, A_columns, i, p) * at(of_B, B, B_columns, p, j);
            }
            T& c = C[i * C_columns + j];
            c = alpha * sum + (beta == 0 ? 0 : beta * c);
        }
    }
}

inline constexpr auto cblas_dgemm = plain_gemm<double>;
inline constexpr auto cblas_sgemm = plain_gemm<float>;
