// 11.1 with what random numbers never are: arrays of every kind, and sizes that vector code likes.

#include <doctest/doctest.h>

#include <array>

#include "blocks.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"

namespace grader_unusual_blocks {

using namespace blocks;
using lesson::Matrix;

namespace {

/// In multiples of 1/64: the mean of four of them is exact, in whatever order they are added.
Array in_sixty_fourths(const Matrix& X) {
    return plain::in_float(Matrix(xt::round(64 * X) / 64));
}

std::vector<Array> of_each_kind(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    std::vector<Array> all;
    for (const Matrix& X : drawn::of_each_kind(rows, columns, seed)) {
        all.push_back(in_sixty_fourths(X));
    }
    return all;
}

/// The only row, as a vector.
Array row_of(const Array& one) {
    return xt::view(one, 0, xt::all());
}

void expect_norm(const Array& X, const Array& gain, const Array& bias, const Array& d_output) {
    expect_close(graded::layer_norm(X, gain, bias, d_output),
                 plain::layer_norm(X, gain, bias, d_output), four_digits);
}

// ---- transformer_block

struct Problem {
    std::vector<Array> arrays; // X, d_output, and the weights in their order
    std::size_t n_texts, n_heads;

    Block weights() const {
        const auto& a = arrays;
        return {a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]};
    }
};

Transformed right(const Problem& of) {
    return plain::transformer_block(of.arrays[0], of.weights(), of.n_texts, of.n_heads,
                                    of.arrays[1]);
}

/// Whether what a float rounds is small in the answer. It is not where a row's components are
/// nearly equal: the norm divides by their spread.
bool is_steady(const Problem& of) {
    const double part = 0.25;
    Problem moved = of;
    std::uint64_t seed = 900;
    for (Array& array : moved.arrays) {
        const Array noise = some({array.size()}, ++seed, 1e-6, 1);
        std::transform(array.begin(), array.end(), noise.begin(), array.begin(),
                       std::multiplies<>());
    }
    return !judge::compare(
        judge::to_value(right(moved)), judge::to_value(right(of)),
        {part * four_digits.relative, part * four_digits.absolute, part * four_digits.of_largest});
}

/// Weights such that everything between is about as large as X, and gains and biases that show.
Problem drawn_problem(std::size_t n_texts, std::size_t n, std::size_t d, std::size_t n_heads,
                      std::uint64_t seed) {
    const double size = 1 / std::sqrt(static_cast<double>(d));
    std::uint64_t next = 100 * seed;
    const auto matrix = [&](std::size_t rows, std::size_t columns) {
        return some({rows, columns}, ++next, size);
    };
    const auto gain = [&] { return some({d}, ++next, 0.4, 1); };
    const auto bias = [&](std::size_t columns) { return some({columns}, ++next, 0.4); };
    return {{some({n_texts * n, d}, ++next, 1.5, 0.5), some({n_texts * n, d}, ++next), gain(),
             bias(d), matrix(d, d), matrix(d, d), matrix(d, d), matrix(d, d), gain(), bias(d),
             matrix(d, 4 * d), bias(4 * d), matrix(4 * d, d), bias(d)},
            n_texts,
            n_heads};
}

Problem some_problem(std::size_t n_texts, std::size_t n, std::size_t d, std::size_t n_heads,
                     std::uint64_t seed) {
    Problem of = drawn_problem(n_texts, n, d, n_heads, seed);
    for (std::uint64_t again = seed + 1000; !is_steady(of); again += 1000) {
        of = drawn_problem(n_texts, n, d, n_heads, again);
    }
    return of;
}

void expect_block(const Problem& of) {
    expect_close(
        graded::transformer_block(of.arrays[0], of.weights(), of.n_texts, of.n_heads, of.arrays[1]),
        right(of), four_digits);
}

} // namespace

TEST_CASE(
    "11.1 layer_norm: arrays of every kind: all 0, one row again and again, the identity ...") {
    const Array X = in_sixty_fourths(standard_normal(3, 4, 811)),
                d_output = in_sixty_fourths(standard_normal(3, 4, 812));
    const Array gain = some({4}, 813, 1, 0.5), bias = some({4}, 814);
    const Array no_rows = xt::zeros_like(X), nothing = xt::zeros_like(gain);
    for (const Array& kind : of_each_kind(3, 4, 815)) {
        expect_norm(kind, gain, bias, d_output);
        expect_norm(X, gain, bias, kind);
    }
    for (const Array& kind : of_each_kind(1, 4, 816)) {
        expect_norm(X, row_of(kind), bias, d_output);
        expect_norm(X, gain, row_of(kind), d_output);
    }
    expect_norm(no_rows, nothing, bias, d_output);
    expect_norm(no_rows, nothing, nothing, no_rows);
}

TEST_CASE("11.1 layer_norm: 8, 16, 17, 24, 33, 65, 72, 129 and 520 rows and components") {
    for (const auto& [n, d] : drawn::and_one_more<2>(
             {{8, 4}, {3, 8}, {16, 24}, {24, 16}, {72, 72}, {520, 4}, {3, 520}})) {
        expect_norm(some({n, d}, 821, 1.5, 0.5), some({d}, 822, 1, 0.5), some({d}, 823),
                    some({n, d}, 824));
    }
}

TEST_CASE("11.1 transformer_block: arrays of every kind: all 0, one row again and again, the "
          "identity ...") {
    const Problem of = some_problem(2, 3, 4, 2, 831);
    for (std::size_t k = 0; k < of.arrays.size(); ++k) {
        const Array& array = of.arrays[k];
        const bool is_vector = array.dimension() == 1;
        for (const Array& kind :
             of_each_kind(is_vector ? 1 : array.shape(0), array.shape().back(), 832 + k)) {
            Problem other = of;
            other.arrays[k] = is_vector ? row_of(kind) : kind;
            if (is_steady(other)) {
                expect_block(other);
            }
        }
    }
    Problem nothing = of;
    for (Array& array : nothing.arrays) {
        array.fill(0);
    }
    expect_block(nothing);
}

TEST_CASE("11.1 transformer_block: 8, 16, 17 and 33 texts, positions and heads, and 72 rows "
          "and components") {
    for (const auto& [n_texts, n, d, n_heads] : {std::array<std::size_t, 4>{8, 2, 16, 8},
                                                 {2, 8, 24, 4},
                                                 {1, 16, 16, 16},
                                                 {16, 1, 8, 2},
                                                 {8, 9, 72, 8},
                                                 {17, 2, 4, 2},
                                                 {2, 17, 6, 3},
                                                 {1, 33, 4, 2},
                                                 {1, 2, 34, 17},
                                                 {1, 65, 2, 1},
                                                 {33, 1, 2, 2}}) {
        expect_block(some_problem(n_texts, n, d, n_heads, 841 + n));
    }
}

} // namespace grader_unusual_blocks
