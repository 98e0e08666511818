#pragma once

// BLAS under one name for both precisions.

#include "autograd/tape.hpp"

#include <cblas.h>
#include <type_traits>

namespace autograd {

/// A matrix as it lies in memory, row after row without gaps; is_transposed: its transpose is
/// meant.
template <class T>
struct Factor {
    const T* data;
    std::size_t rows, columns;
    bool is_transposed = false;
};

template <class T>
Factor<T> transposed(const Factor<T>& A) {
    return {A.data, A.rows, A.columns, !A.is_transposed};
}

/// C ← A B, or C ← C + A B.   A (m, k)   B (k, n)   C (m, n)
template <class T>
void gemm(const Factor<T>& A, const Factor<T>& B, const Destination<T>& C) {
    const auto op = [](const Factor<T>& X) { return X.is_transposed ? CblasTrans : CblasNoTrans; };
    const auto size = [](std::size_t n) { return static_cast<int>(n); };
    const std::size_t m = A.is_transposed ? A.columns : A.rows;
    const std::size_t k = A.is_transposed ? A.rows : A.columns;
    const std::size_t n = B.is_transposed ? B.rows : B.columns;
    const auto call = [&](const auto& function) {
        function(CblasRowMajor, op(A), op(B), size(m), size(n), size(k), T(1), A.data,
                 size(A.columns), B.data, size(B.columns), C.add ? T(1) : T(0), C.data, size(n));
    };
    if constexpr (std::is_same_v<T, float>) {
        call(cblas_sgemm);
    } else {
        call(cblas_dgemm);
    }
}

} // namespace autograd
