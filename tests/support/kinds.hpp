#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "attention/masks.hpp"
#include "support/drawn.hpp"

/// What random numbers never are, and a shortcut may take for something else.
namespace drawn {

/// Matrices of these sizes: all 0; all one number; all below 0; all above 0; nearly one number; one
/// row again and again; one column again and again; both of these but for the eighth digit; ones on
/// the diagonal; the first row, the last row, the first column or the last column 0; zeros with a
/// sign in a row; rows that sum to 0, and columns.
inline std::vector<attention::Matrix> of_each_kind(std::size_t rows, std::size_t columns,
                                                   std::uint64_t seed) {
    using attention::Matrix;
    const Matrix X = standard_normal(rows, columns, seed);
    const Matrix eighth_digit = 1 + 1e-8 * standard_normal(rows, columns, seed + 50);
    const Matrix zeros = xt::zeros<double>({rows, columns});
    Matrix one_row = X, one_column = X, diagonal = zeros, rows_of_sum_0 = zeros,
           columns_of_sum_0 = zeros;
    Matrix first_row = X, last_row = X, first_column = X, last_column = X, signed_zeros = X;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            one_row(i, j) = X(0, j);
            one_column(i, j) = X(i, 0);
            diagonal(i, j) = i == j ? 1 : 0;
            if (j + 1 < columns || j % 2 == 1) { // each number beside its opposite
                rows_of_sum_0(i, j) = j % 2 == 0 ? X(i, j) : -X(i, j - 1);
            }
            if (i + 1 < rows || i % 2 == 1) {
                columns_of_sum_0(i, j) = i % 2 == 0 ? X(i, j) : -X(i - 1, j);
            }
        }
        first_column(i, 0) = last_column(i, columns - 1) = 0;
    }
    for (std::size_t j = 0; j < columns; ++j) {
        first_row(0, j) = last_row(rows - 1, j) = 0;
        signed_zeros(rows / 2, j) = -0.0;
    }
    return {zeros,
            Matrix(zeros + 0.75),
            Matrix(-0.1 - xt::abs(X)),
            Matrix(0.1 + xt::abs(X)),
            1 + X / 256,
            one_row,
            one_column,
            one_row * eighth_digit,
            one_column * eighth_digit,
            diagonal,
            first_row,
            last_row,
            first_column,
            last_column,
            signed_zeros,
            rows_of_sum_0,
            columns_of_sum_0};
}

/// Weights of four queries of which each looks at its second key: they lie within 1e-8 of each
/// other, and what is left for the other keys differs by a factor of ten or more from row to row.
inline attention::Matrix nearly_certain_rows() {
    return {{1e-10, 1 - 4e-10, 3e-10},
            {1e-9, 1 - 4e-9, 3e-9},
            {1e-12, 1 - 4e-12, 3e-12},
            {3e-11, 1 - 4e-11, 1e-11}};
}

/// All numbers are 1, but for the tenth digit.
inline attention::Matrix nearly_one(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    return 1 + 1e-10 * standard_normal(rows, columns, seed);
}

/// Fills each matrix, row by row, with the same numbers from the first on: the smaller is how the
/// larger begins.
template <std::size_t N>
void fill_from_one_sequence(std::array<attention::Matrix, N>& arguments) {
    std::size_t most = 0;
    for (const attention::Matrix& argument : arguments) {
        most = std::max(most, argument.size());
    }
    const attention::Vector sequence = standard_normal(most, 950);
    for (attention::Matrix& argument : arguments) {
        std::copy_n(sequence.begin(), argument.size(), argument.begin());
    }
}

/// Asks with each of these arguments in turn of each kind, the others as they are; then with all of
/// them 0, and with all of them filled from one sequence.
template <std::size_t N, class Ask>
void each_in_turn(const std::array<attention::Matrix, N>& arguments, const Ask& ask) {
    std::array<attention::Matrix, N> nothing = arguments;
    for (std::size_t k = 0; k < N; ++k) {
        std::array<attention::Matrix, N> some = arguments;
        for (auto& kind : of_each_kind(arguments[k].shape(0), arguments[k].shape(1), 900 + k)) {
            some[k] = std::move(kind);
            std::apply(ask, some);
        }
        nothing[k].fill(0);
    }
    std::apply(ask, nothing);
    std::array<attention::Matrix, N> alike = arguments;
    fill_from_one_sequence(alike);
    std::apply(ask, alike);
}

/// Masks of these sizes: causal, where query i is position i of the text, and where the last query
/// is its last position; as many keys as in the first of these, but the last ones; without the
/// query's own position; from the query's position on; its neighbours; without the last keys,
/// without the first; the first key alone, the last alone; with holes. In some of them a query sees
/// nothing.
inline std::vector<attention::Mask> masks_of_each_kind(std::size_t n_queries, std::size_t n_keys) {
    using attention::Mask;
    std::vector<Mask> masks(11, Mask::from_shape({n_queries, n_keys}));
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            masks[0](i, j) = j <= i;
            masks[1](i, j) = j + n_queries <= i + n_keys;
            masks[2](i, j) = j < i;
            masks[3](i, j) = j >= i;
            masks[4](i, j) = j <= i + 1 && i <= j + 1;
            masks[5](i, j) = j < (n_keys + 1) / 2;
            masks[6](i, j) = j >= n_keys / 2;
            masks[7](i, j) = j == 0;
            masks[8](i, j) = j == n_keys - 1;
            masks[9](i, j) = (i * 3 + j * 5) % 4 != 0;
            masks[10](i, j) = i + j + 1 >= n_keys;
        }
    }
    return masks;
}

} // namespace drawn
