#pragma once

// Products under one name for both precisions: in float by our register tile, whose speed does not
// depend on which CPU BLAS detects; in double, and where there is too little to be worth packing,
// by BLAS.

#include "autograd/tape.hpp"
#include "machine/memory.hpp"
#include "machine/product_kernel.hpp"

#include <algorithm>
#include <cblas.h>
#include <type_traits>

namespace autograd {

/// A matrix in memory, row after row without gaps. is_transposed: its transpose is meant.
template <class T>
struct Factor {
    const T* data = nullptr;
    std::size_t rows = 0, columns = 0;
    bool is_transposed = false;
};

template <class T>
Factor<T> transposed(const Factor<T>& A) {
    return {A.data, A.rows, A.columns, !A.is_transposed};
}

/// C ← A B, or C ← C + A B, or with b (n) on every row C ← b + A B.
///   A (m, k)   B (k, n)   C (m, n)
template <class T>
void gemm(const Factor<T>& A, const Factor<T>& B, const Destination<T>& C, const T* b = nullptr) {
    const auto op = [](const Factor<T>& X) { return X.is_transposed ? CblasTrans : CblasNoTrans; };
    const auto size = [](std::size_t n) { return static_cast<int>(n); };
    const std::size_t m = A.is_transposed ? A.columns : A.rows;
    const std::size_t k = A.is_transposed ? A.rows : A.columns;
    const std::size_t n = B.is_transposed ? B.rows : B.columns;
    const auto call = [&](const auto& function) {
        for (std::size_t row = 0; row < m && b != nullptr; ++row) {
            std::copy_n(b, n, C.data + row * n);
        }
        const bool add = C.add || b != nullptr;
        function(CblasRowMajor, op(A), op(B), size(m), size(n), size(k), T(1), A.data,
                 size(A.columns), B.data, size(B.columns), add ? T(1) : T(0), C.data, size(n));
    };
    if constexpr (std::is_same_v<T, float>) {
        constexpr std::size_t worth_packing = 16;
        if (std::min({m, n, k}) < worth_packing) {
            call(cblas_sgemm);
            return;
        }
        const auto view = [](const Factor<T>& X) {
            return X.is_transposed ? attention::MatrixView{X.data, 1, X.columns}
                                   : attention::MatrixView{X.data, X.columns, 1};
        };
        static thread_local const attention::KernelBuffer<float> scratch =
            attention::kernel_buffer<float>(attention::product_scratch_size());
        attention::Start start{b};
        if (b == nullptr && C.add) {
            start = {C.data, n};
        }
        attention::multiply(view(A), view(B), {m, n, k}, start, scratch.get(), C.data);
    } else {
        call(cblas_dgemm);
    }
}

} // namespace autograd
