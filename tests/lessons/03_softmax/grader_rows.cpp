// 03.2; the rest of the lesson: grader.cpp and grader_jacobian.cpp.

#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "parts.hpp"
#include "support/golden.hpp"

namespace grader_rows {

using namespace parts;

// ---- 03.2 softmax_rows

TEST_CASE("03.2 softmax_rows: two queries, three keys, small enough to do by hand") {
    expect_close(graded::softmax_rows(rows(hand_scores, {0, 0, 0})),
                 Matrix{{1.0 / 6, 1.0 / 3, 1.0 / 2}, {1.0 / 3, 1.0 / 3, 1.0 / 3}});
}

TEST_CASE("03.2 softmax_rows: one score of 10 beside two of 0 takes nearly everything") {
    expect_to_seven_digits(graded::softmax_rows({{10, 0, 0}}),
                           Matrix{{0.9999092, 0.0000454, 0.0000454}});
}

TEST_CASE("03.2 softmax_rows: a score that is alone in its row gets everything") {
    expect_ones(graded::softmax_rows({{-3.0}, {0.0}, {2.0}}), Matrix{{1.0}, {1.0}, {1.0}});
}

TEST_CASE("03.2 softmax_rows: each row holds shares, none negative, together 1") {
    const Matrix weights = graded::softmax_rows(2 * standard_normal(4, 6, 41));
    expect_shape(weights, {4, 6});
    expect_not_negative(weights);
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        expect_sum("row " + std::to_string(i), xt::sum(xt::view(weights, i, xt::all()))(), 1);
    }
}

TEST_CASE("03.2 softmax_rows: a row gets the same weights, whatever stands above or below it") {
    const Matrix scores = 2 * standard_normal(3, 5, 42);
    const Matrix weights = oracle::softmax_rows(scores);
    for (const std::size_t i : {0U, 2U}) {
        expect_close<Matrix>(graded::softmax_rows(xt::view(scores, xt::range(i, i + 1))),
                             xt::view(weights, xt::range(i, i + 1)));
    }
    expect_close(graded::softmax_rows(scores), weights);
}

TEST_CASE(
    "03.2 softmax_rows: adding a constant to each row, not the same to all, changes nothing") {
    const Matrix scores = standard_normal(3, 4, 43);
    expect_close<Matrix>(graded::softmax_rows(scores + Matrix{{4.0}, {-3.0}, {0.5}}),
                         oracle::softmax_rows(scores));
}

TEST_CASE("03.2 softmax_rows: reordering rows reorders rows, and keys likewise") {
    const Matrix scores = 2 * standard_normal(4, 3, 44);
    const Matrix weights = oracle::softmax_rows(scores);
    using xt::placeholders::_;
    expect_close<Matrix>(graded::softmax_rows(xt::view(scores, xt::range(3, _, -1))),
                         xt::view(weights, xt::range(3, _, -1)));
    expect_close<Matrix>(graded::softmax_rows(xt::view(scores, xt::all(), xt::range(2, _, -1))),
                         xt::view(weights, xt::all(), xt::range(2, _, -1)));
}

TEST_CASE("03.2 softmax_rows: a square matrix is shared out row by row too") {
    expect_softmax_rows({{1, 2, 0}, {0, -1, 3}, {2, 2, -4}});
}

TEST_CASE("03.2 softmax_rows: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{1, 1},
                                            {1, 7},
                                            {5, 1},
                                            {2, 3},
                                            {13, 11},
                                            {3, 127},
                                            {271, 3},
                                            {70, 300},
                                            {401, 2}, // a thread for each row is right, too
                                            {2, 2063}}) {
        expect_softmax_rows(2 * standard_normal(n_queries, n_keys, n_keys));
    }
}

TEST_CASE("03.2 softmax_rows: scores of 0, and rows and columns of them, are like any others") {
    for (const auto& [n_queries, n_keys] :
         {std::array<std::size_t, 2>{5, 7}, {6, 4}, {1, 4}, {4, 2}, {5, 5}}) {
        const Matrix scores = with_zeros(Matrix(2 * standard_normal(n_queries, n_keys, 50)));
        expect_softmax_rows(scores);
        expect_softmax_rows(upside_down(scores));
        expect_softmax_rows(xt::zeros<double>({n_queries, n_keys}));
    }
    expect_softmax_rows({{1, -3, 2}, {0, 2, -2}, {-1, -2, 0}}); // whose sums are 0, or maximum is
}

/// A matrix with an extreme score in each row, a column further on than in the row before.
Matrix with_a_diagonal_of(double extreme) {
    Matrix scores = standard_normal(6, 5, 45);
    for (std::size_t i = 0; i < 5; ++i) {
        scores(i, i) = extreme;
    }
    return scores;
}

TEST_CASE("03.2 softmax_rows: a small weight is as exact as a large one, wherever it stands") {
    expect_softmax_rows(with_a_diagonal_of(-25));
    expect_softmax_rows(with_a_diagonal_of(-300));
    for (const double low : {-480.0, -590.0, -680.0}) { // down to 1e-300
        expect_softmax_rows(with_a_diagonal_of(low));
    }
    expect_softmax_rows({{0, -25}, {-25, 0}, {30, -3}, {-300, 0}, {2, 1}});
}

TEST_CASE("03.2 softmax_rows: rows that begin and end alike, and have one sum, are not the same") {
    const Matrix scores = look_alikes(4, 6, 46);
    expect_softmax_rows(scores);
    expect_softmax_rows(upside_down(scores));
}

TEST_CASE("03.2 softmax_rows: scores that differ by little have weights that differ by little") {
    for (const double d : {1e-4, 1e-6, 1e-8}) {
        expect_softmax_rows({{1, 1 + d, 1 - d}, {d, 0, 0}});
        expect_softmax_rows({{1000 + d, 1000, 1000 - d}, {0, d, 2}});
    }
    for (const double d : {1e-4, 1e-6, 5e-8, 5e-9, 9e-10, 4e-10}) {
        expect_softmax_rows({{d, 0, -d}, {0, 0, d}});
    }
    for (const double tiny : {1e-12, 1e-30, 1e-100}) {
        expect_softmax_rows(tiny * standard_normal(3, 4, 47));
    }
}

TEST_CASE("03.2 softmax_rows: agrees with PyTorch") {
    expect_close(graded::softmax_rows(support::golden("softmax/scores")),
                 support::golden("softmax/rows"));
}

TEST_CASE("03.2 softmax_rows: a row of 1e4 stays finite") {
    expect_right_far_out(Matrix{{1e4, 1e4 - 1, 1e4 - 2}});
}

TEST_CASE("03.2 softmax_rows: scores of 715 after 40 of 690") {
    expect_right_far_out(rows(with_715_at(40), with_715_at(39)));
}

TEST_CASE("03.2 softmax_rows: scores of 715 before 40 of 690") {
    expect_right_far_out(rows(with_715_at(0), with_715_at(1)));
}

TEST_CASE("03.2 softmax_rows: a row of -1e4 keeps its weights") {
    expect_right_far_out(Matrix{{-1e4, -1e4 - 1, -1e4 - 2}});
}

TEST_CASE("03.2 softmax_rows: a row 1e4 below the one before it keeps its weights") {
    expect_right_far_out(Matrix{{1e4, 1e4 - 1, 1e4 - 2}, {0, -1, -2}});
}

TEST_CASE("03.2 softmax_rows: a row 1e4 below the one after it keeps its weights") {
    expect_right_far_out(Matrix{{0, -1, -2}, {1e4, 1e4 - 1, 1e4 - 2}});
}

TEST_CASE("03.2 softmax_rows: 1e4 and -1e4 in one row: the one takes all, the other nothing") {
    expect_right_far_out(Matrix{{1e4, -1e4, 0}, {1e4 - 1, 1e4, -1e4}});
}

TEST_CASE(
    "03.2 softmax_rows: the largest score of a row may stand anywhere: first, last, between") {
    expect_right_far_out(with_a_diagonal_of(1000));
    expect_softmax_rows(with_a_diagonal_of(1e300));
    expect_softmax_rows({{0, 1000}, {-2000, -1000}, {1000, 0}});
}

TEST_CASE("03.2 softmax_rows: a score far below the others gets nothing") {
    expect_right_far_out(Matrix{{0, -1, -1000}, {5, 5, -2000}});
}

TEST_CASE("03.2 softmax_rows: 1e308 and -1e308 in one row stay finite") {
    expect_right_far_out(Matrix{{1e308, -1e308, 0, 1e308}, {-1e308, -1e308, -1e308, -1e308}});
    constexpr double most = std::numeric_limits<double>::max();
    expect_right_far_out(Matrix{{-most, -most}, {most, most}, {-most, most}});
}

TEST_CASE("03.2 softmax_rows: the largest numbers that a double can hold stay finite") {
    expect_right_far_out(Matrix{{most, -most, most}});
}

TEST_CASE("03.2 softmax_rows: scores that all lie beyond a billion are scores like any other") {
    for (const double size : {1e10, 1e30, 1e100}) {
        expect_right_far_out(Matrix{{-2 * size, -size, -size}, {2, 1, 0}});
        expect_right_far_out(Matrix{{2 * size, size, 2 * size}, {-size, -size, -size}});
    }
    expect_right_far_out(Matrix{{1.7e308, 1.7e308, 1.7e308}, {1, 2, 0}});
    expect_right_far_out(Matrix{{0, 1, 0}, {-1.7e308, -1.7e308, -1.7e308}});
}

TEST_CASE("03.2 softmax_rows: a largest score that comes more than once, or last, counts each "
          "time") {
    expect_softmax_rows({{1, 3, 3, 2, 3}, {2, 2, 1, 5, 0}, {-1, -2, -1, -2, -1}});
    expect_softmax_rows({{900, 0, 900, 900 - 690}, {-1, 0.5, 0.5, -3}});
}

TEST_CASE("03.2 softmax_rows: two rows that are alike, and one between them that is not") {
    expect_softmax_rows({{1, -2, 0.5}, {3, 1, 2}, {1, -2, 0.5}});
    expect_softmax_rows({{1, -2, 0.5}, {1, -2, 0.5}, {1, -2, 0.5}});
}

TEST_CASE("03.2 softmax_rows: agrees with PyTorch on large scores") {
    expect_softmax_rows({{0.5, -1, 2}, {1, 3, -2}});
    expect_to_seven_digits(graded::softmax_rows(support::golden("softmax/large_scores")),
                           support::golden("softmax/large_rows"));
}

} // namespace grader_rows
