#include "gradients.hpp"

#include "attention/product.hpp" // attention::matmul, attention::matmul_transposed

namespace lesson {

ProductGradients matmul_backward(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    require_equal("matmul_backward", "k", "A", A, 1, "B", B, 0);
    require_equal("matmul_backward", "m", "A", A, 0, "d_C", d_C, 0);
    require_equal("matmul_backward", "n", "B", B, 1, "d_C", d_C, 1);

    // TODO 08.2: {d_A, d_B} of C = A · B
    todo("08.2", A, B, d_C);
}

ProductGradients matmul_transposed_backward(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    require_equal("matmul_transposed_backward", "k", "A", A, 1, "B", B, 1);
    require_equal("matmul_transposed_backward", "m", "A", A, 0, "d_C", d_C, 0);
    require_equal("matmul_transposed_backward", "n", "B", B, 0, "d_C", d_C, 1);

    // TODO 08.2: {d_A, d_B} of C = A · Bᵀ
    todo("08.2", A, B, d_C);
}

} // namespace lesson
