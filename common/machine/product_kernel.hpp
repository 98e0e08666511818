#pragma once

// Matrix products in float on the calling thread, by the register tile that all kernels share:
// its speed does not depend on which CPU BLAS detects.

#include <cstddef>

namespace attention {

/// A matrix as it lies in memory, element (row, column) at row · row_step + column · column_step;
/// one of the steps is 1.
struct MatrixView {
    const float* data;
    std::size_t row_step, column_step;
};

/// The sizes of a product: A (m, k) times B (k, n).
struct ProductSizes {
    std::size_t m, n, k;
};

/// What a product is added to: rows of n numbers, `row_step` apart; 0 for one that every row starts
/// from; none: zeros.
struct Start {
    const float* data = nullptr;
    std::size_t row_step = 0;
};

/// C ← start + A B; k ≥ 1.   C (m, n), row after row; start may be C itself
///   scratch  product_scratch_size() numbers, aligned as all of a kernel's
/// Each sum is made in an order that depends on k alone: a row of C has the same bits whatever
/// other rows A has.
std::size_t product_scratch_size();
void multiply(const MatrixView& A, const MatrixView& B, const ProductSizes& sizes,
              const Start& start, float* scratch, float* C);

} // namespace attention
