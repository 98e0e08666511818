#pragma once

// Sums of products in which a 0 is taken for more than a number: for the end, or for nothing there.
// Wrong versions of several lessons are made of them.

#include "attention/tensor.hpp"

namespace at_zero {

using attention::Matrix;

/// What a learner does at a pair of factors, before their product is added to the sum.
enum class Then { add, end_sum, end_row, end_result };

/// result(i, j) = Σ_k left(i, k) · right(j, k), in three loops that ask at(left, right, k) what to
/// do.
template <class Left, class Right, class At>
Matrix sums(std::size_t n_rows, std::size_t n_columns, std::size_t n_terms, Left left, Right right,
            At at) {
    Matrix result = xt::zeros<double>({n_rows, n_columns});
    Then then = Then::add;
    for (std::size_t i = 0; i < n_rows && then != Then::end_result; ++i) {
        then = Then::add;
        for (std::size_t j = 0; j < n_columns && then < Then::end_row; ++j) {
            then = Then::add;
            for (std::size_t k = 0; k < n_terms && then < Then::end_sum; ++k) {
                then = at(left(i, k), right(j, k), k);
                result(i, j) += then == Then::add ? left(i, k) * right(j, k) : 0;
            }
        }
    }
    return result;
}

/// A · B, and A · Bᵀ.
template <class At>
Matrix product(const Matrix& A, const Matrix& B, At at) {
    return sums(
        A.shape(0), B.shape(1), A.shape(1), [&](auto i, auto k) { return A(i, k); },
        [&](auto j, auto k) { return B(k, j); }, at);
}

template <class At>
Matrix product_transposed(const Matrix& A, const Matrix& B, At at) {
    return sums(
        A.shape(0), B.shape(0), A.shape(1), [&](auto i, auto k) { return A(i, k); },
        [&](auto j, auto k) { return B(j, k); }, at);
}

constexpr auto end_at_zero_left = [](double left, double, std::size_t) {
    return left == 0 ? Then::end_sum : Then::add;
};
constexpr auto end_at_zero_right = [](double, double right, std::size_t) {
    return right == 0 ? Then::end_sum : Then::add;
};
constexpr auto end_at_zero_product = [](double left, double right, std::size_t) {
    return left == 0 || right == 0 ? Then::end_sum : Then::add;
};
constexpr auto end_row_at_zero = [](double left, double, std::size_t) {
    return left == 0 ? Then::end_row : Then::add;
};
constexpr auto skip_row_that_begins_with_zero = [](double left, double, std::size_t k) {
    return k == 0 && left == 0 ? Then::end_row : Then::add;
};
constexpr auto skip_column_that_begins_with_zero = [](double, double right, std::size_t k) {
    return k == 0 && right == 0 ? Then::end_sum : Then::add;
};
constexpr auto end_at_row_that_begins_with_zero = [](double left, double, std::size_t k) {
    return k == 0 && left == 0 ? Then::end_result : Then::add;
};
constexpr auto everything = [](double, double, std::size_t) { return Then::add; };

} // namespace at_zero
