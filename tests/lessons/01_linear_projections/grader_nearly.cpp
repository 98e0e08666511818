// 01.1 and 01.2 asked with what is special but for one element, with rows and columns of all sizes,
// and with the shapes that do not fit in whatever numbers; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/drawn.hpp"
#include "support/magnitudes.hpp"
#include "support/nearly_special.hpp"
#include "support/oracle.hpp"
#include "support/refusal.hpp"

namespace grader_nearly {

using drawn::nearly_special;
using drawn::nothing_special;
using drawn::standard_normal;
using judge::sizes;
using lesson::Matrix;
using lesson::QKV;
using support::expect_refusal;

namespace {

void expect_product(const Matrix& X, const Matrix& W,
                    judge::Tolerance tolerance = judge::normwise) {
    judge::expect_close(graded::project(X, W), oracle::project(X, W), tolerance);
}

void expect_views(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                  judge::Tolerance tolerance = judge::normwise) {
    judge::expect_close(
        graded::compute_qkv(X, W_q, W_k, W_v),
        QKV{oracle::project(X, W_q), oracle::project(X, W_k), oracle::project(X, W_v)}, tolerance);
}

/// Positive numbers, of which no sum cancels: row i is as large as sizes[i], or column j as
/// sizes[j].
Matrix rows_of(const std::vector<double>& sizes, std::size_t columns, std::uint64_t seed) {
    Matrix A = xt::abs(standard_normal(sizes.size(), columns, seed));
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            A(i, j) *= sizes[i];
        }
    }
    return A;
}
Matrix columns_of(const std::vector<double>& sizes, std::size_t rows, std::uint64_t seed) {
    return xt::transpose(rows_of(sizes, rows, seed));
}

/// What a look at the numbers may take for a case in which shapes do not matter.
std::vector<Matrix> of_shape(std::size_t rows, std::size_t columns) {
    return {standard_normal(rows, columns, 3), xt::zeros<double>({rows, columns}),
            xt::ones<double>({rows, columns}), xt::eye<double>({rows, columns})};
}

} // namespace

TEST_CASE("01.1 project: what is an identity, a diagonal, zero or the other argument but for one "
          "element is none of these") {
    drawn::suspect_an_incomplete_look();
    for (const Matrix& special : nearly_special()) {
        expect_product(nothing_special(), special);
        expect_product(special, nothing_special());
    }
    for (const auto& [X, W] : drawn::nearly_the_same()) {
        expect_product(X, W);
    }
}

TEST_CASE("01.1 project: tiny rows beside huge ones are rows like any other, and so are columns") {
    drawn::suspect_a_fixed_bound();
    for (const auto& [of_rows, of_columns] :
         {std::array<std::vector<double>, 2>{{{1, 1e-160, 1e100}, {1, 1e100}}},
          {{{1e100, 1, 1e-100}, {1e-160, 1, 1e-30, 1e100}}},
          {{{1e-160, 1e-160}, {1e100, 1e60}}},
          {{{1e100, 1e60}, {1e-160, 1e-160}}}}) {
        expect_product(rows_of(of_rows, 3, 61), columns_of(of_columns, 3, 62),
                       judge::componentwise);
    }
    // Sizes that can be halved, as fast products do.
    expect_product(rows_of({1e100, 1, 1e-100, 1}, 4, 63),
                   columns_of({1e-160, 1, 1e-30, 1e100}, 4, 64), judge::componentwise);
}

TEST_CASE("01.1 project: shapes that do not fit are refused whatever the numbers are") {
    for (const auto& [n, columns, rows, d_out] : {std::array<std::size_t, 4>{2, 3, 4, 5},
                                                  {2, 3, 2, 2},
                                                  {2, 3, 2, 3},
                                                  {3, 3, 2, 2},
                                                  {1, 3, 2, 1},
                                                  {1, 1, 2, 2},
                                                  {2, 2, 1, 1}}) {
        for (const Matrix& X : of_shape(n, columns)) {
            for (const Matrix& W : of_shape(rows, d_out)) {
                expect_refusal(graded::project.attempt(X, W), {sizes(X), sizes(W)});
            }
        }
    }
}

TEST_CASE("01.2 compute_qkv: what is an identity, a diagonal or zero but for one element is none "
          "of these") {
    drawn::suspect_an_incomplete_look();
    const std::vector<Matrix> special = nearly_special();
    for (std::size_t i = 0; i < special.size(); ++i) {
        expect_views(nothing_special(), special[i], special[(i + 37) % special.size()],
                     special[(i + 71) % special.size()]);
        expect_views(special[i], nothing_special(), 2 * nothing_special(),
                     xt::transpose(nothing_special()));
    }
}

TEST_CASE("01.2 compute_qkv: weights that are one but for one element are two") {
    drawn::suspect_an_incomplete_look();
    const Matrix sequence{{1, -2, 0.5}, {3, 1, 2}};
    const Matrix other{{1, 2, -1}, {0.5, -3, 1}, {2, 1, 4}};
    for (const auto& [A, near] : drawn::nearly_the_same()) {
        expect_views(sequence, A, near, other);
        expect_views(sequence, A, other, near);
        expect_views(sequence, other, A, near);
        expect_views(sequence, A, near, near);
        expect_views(sequence, A, near, A);
        expect_views(sequence, A, A, near);
        expect_views(A, near, other, other);
        expect_views(A, other, near, other);
        expect_views(A, other, other, near);
    }
}

TEST_CASE("01.2 compute_qkv: tiny rows beside huge ones are rows like any other, and so are "
          "columns") {
    drawn::suspect_a_fixed_bound();
    const Matrix sequence = rows_of({1, 1e-160, 1e100}, 3, 61);
    const Matrix far = columns_of({1e100, 1, 1e30}, 3, 62);
    const Matrix near = columns_of({1, 2, 0.5}, 3, 63);
    expect_views(sequence, far, near, near, judge::componentwise);
    expect_views(sequence, near, far, near, judge::componentwise);
    expect_views(sequence, near, near, far, judge::componentwise);
    const Matrix tiny = columns_of({1e-160, 1e-150, 1}, 3, 64);
    const Matrix huge = rows_of({1e100, 1e90}, 3, 65);
    expect_views(huge, tiny, near, near, judge::componentwise);
    expect_views(huge, near, tiny, near, judge::componentwise);
    expect_views(huge, near, near, tiny, judge::componentwise);
}

TEST_CASE("01.2 compute_qkv: a weight that does not fit is refused whatever the numbers are") {
    for (const auto& [rows, columns] :
         {std::array<std::size_t, 2>{4, 5}, {2, 5}, {1, 5}, {2, 2}, {2, 3}, {5, 3}}) {
        for (const Matrix& wrong : of_shape(rows, columns)) {
            for (const Matrix& sequence : of_shape(2, 3)) {
                const Matrix fits = standard_normal(3, columns, 2);
                const auto shapes = {sizes(sequence), sizes(wrong)};
                expect_refusal(graded::compute_qkv.attempt(sequence, wrong, fits, fits), shapes);
                expect_refusal(graded::compute_qkv.attempt(sequence, fits, wrong, fits), shapes);
                expect_refusal(graded::compute_qkv.attempt(sequence, fits, fits, wrong), shapes);
                expect_refusal(graded::compute_qkv.attempt(sequence, wrong, wrong, wrong), shapes);
            }
        }
        // Nor does it matter what the others are.
        const Matrix sequence = standard_normal(2, 3, 1);
        const Matrix wrong = standard_normal(rows, columns, 3);
        for (const Matrix& fits : of_shape(3, columns)) {
            const auto shapes = {sizes(sequence), sizes(wrong)};
            expect_refusal(graded::compute_qkv.attempt(sequence, wrong, fits, fits), shapes);
            expect_refusal(graded::compute_qkv.attempt(sequence, fits, wrong, fits), shapes);
            expect_refusal(graded::compute_qkv.attempt(sequence, fits, fits, wrong), shapes);
        }
    }
}

} // namespace grader_nearly
