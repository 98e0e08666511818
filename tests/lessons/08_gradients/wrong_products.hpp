#pragma once

// What the misconceptions of 08.2 are made of.

#include "wrong.hpp"

namespace wrong {

using ProductWay =
    std::function<ProductGradients(const Matrix& A, const Matrix& B, const Matrix& d_C)>;

inline auto product_by(ProductWay way) {
    return [=](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
        lesson::require_equal("matmul_backward", "k", "A", A, 1, "B", B, 0);
        lesson::require_equal("matmul_backward", "m", "A", A, 0, "d_C", d_C, 0);
        lesson::require_equal("matmul_backward", "n", "B", B, 1, "d_C", d_C, 1);
        return way(A, B, d_C);
    };
}

inline auto transposed_by(ProductWay way) {
    return [=](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
        lesson::require_equal("matmul_transposed_backward", "k", "A", A, 1, "B", B, 1);
        lesson::require_equal("matmul_transposed_backward", "m", "A", A, 0, "d_C", d_C, 0);
        lesson::require_equal("matmul_transposed_backward", "n", "B", B, 0, "d_C", d_C, 1);
        return way(A, B, d_C);
    };
}

inline Matrix right_A(const Matrix& B, const Matrix& d_C) {
    return matmul_transposed(d_C, B);
}
inline Matrix right_B(const Matrix& A, const Matrix& d_C) {
    return matmul(transposed(A), d_C);
}
inline Matrix right_A_t(const Matrix& B, const Matrix& d_C) {
    return matmul(d_C, B);
}
inline Matrix right_B_t(const Matrix& A, const Matrix& d_C) {
    return matmul(transposed(d_C), A);
}

inline Matrix ones_like(const Matrix& X) {
    return xt::ones<double>({X.shape(0), X.shape(1)});
}

/// The sum's last term alone, where the loop assigns instead of adding: of X · Y.
inline Matrix last_term(const Matrix& X, const Matrix& Y) {
    const std::size_t last = Y.shape(0) - 1;
    const Matrix column = xt::view(X, xt::all(), xt::range(last, last + 1));
    const Matrix row = xt::view(Y, xt::range(last, last + 1), xt::all());
    return matmul(column, row);
}

/// All terms but the last: the loop ends one too early.
inline Matrix last_left_out(const Matrix& X, const Matrix& Y) {
    return matmul(X, Y) - last_term(X, Y);
}

/// What stands in the sums in place of d_C(i, j) times the element of the other factor.
using Term = std::function<double(double d_C, double other, double own)>;

/// Both gradients of A · B, from sums over all i, k and j.
inline ProductGradients summed(const Matrix& A, const Matrix& B, const Matrix& d_C,
                               const Term& term) {
    ProductGradients result{zeros_like(A), zeros_like(B)};
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t k = 0; k < A.shape(1); ++k) {
            for (std::size_t j = 0; j < B.shape(1); ++j) {
                result.d_A(i, k) += term(d_C(i, j), B(k, j), A(i, k));
                result.d_B(k, j) += term(d_C(i, j), A(i, k), B(k, j));
            }
        }
    }
    return result;
}

inline auto product_of_terms(Term term) {
    return product_by([=](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return summed(A, B, d_C, term);
    });
}

inline auto transposed_of_terms(Term term) {
    return transposed_by([=](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        ProductGradients result = summed(A, transposed(B), d_C, term);
        return ProductGradients{result.d_A, transposed(result.d_B)};
    });
}

/// The sum over d_C times the sum over the other factor, of X · Y.
inline Matrix product_of_sums(const Matrix& X, const Matrix& Y) {
    return matmul(Matrix(xt::sum(X, {1}, xt::keep_dims)), Matrix(xt::sum(Y, {0}, xt::keep_dims)));
}

} // namespace wrong
