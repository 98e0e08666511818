#include "gradients.hpp"

#include "attention/product.hpp" // attention::matmul, attention::matmul_transposed

namespace lesson {

ProductGradients matmul_backward(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    require_equal("matmul_backward", "k", "A", A, 1, "B", B, 0);
    require_equal("matmul_backward", "m", "A", A, 0, "d_C", d_C, 0);
    require_equal("matmul_backward", "n", "B", B, 1, "d_C", d_C, 1);

    // solution 08.2 (A, B, d_C): {d_A, d_B} of C = A · B
    const Matrix A_transposed = xt::transpose(A);         // (k, m)
    return {.d_A = attention::matmul_transposed(d_C, B),  // d_C · Bᵀ   (m, n) (n, k)
            .d_B = attention::matmul(A_transposed, d_C)}; // Aᵀ · d_C   (k, m) (m, n)
    // end
}

ProductGradients matmul_transposed_backward(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    require_equal("matmul_transposed_backward", "k", "A", A, 1, "B", B, 1);
    require_equal("matmul_transposed_backward", "m", "A", A, 0, "d_C", d_C, 0);
    require_equal("matmul_transposed_backward", "n", "B", B, 0, "d_C", d_C, 1);

    // solution 08.2 (A, B, d_C): {d_A, d_B} of C = A · Bᵀ
    const Matrix d_C_transposed = xt::transpose(d_C);     // (n, m)
    return {.d_A = attention::matmul(d_C, B),             // d_C · B    (m, n) (n, k)
            .d_B = attention::matmul(d_C_transposed, A)}; // d_Cᵀ · A   (n, m) (m, k)
    // end
}

} // namespace lesson
