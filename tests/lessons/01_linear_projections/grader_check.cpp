// 01.3; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/drawn.hpp"
#include "support/refusal.hpp"

namespace grader_check {

using drawn::standard_normal;
using judge::sizes;
using lesson::Matrix;
using support::expect_refusal;

// ---- 01.3

// A case for each pair of shapes: what a wrong check does with all of them tells which one it is.

namespace {

void refuses(const Matrix& left, const Matrix& right) {
    expect_refusal(graded::check_projection.attempt(left, right), {sizes(left), sizes(right)});
}

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

} // namespace

TEST_CASE("01.3 check_projection: says nothing when X has as many columns as W has rows") {
    graded::check_projection(standard_normal(2, 3, 1), standard_normal(3, 4, 2));
}

TEST_CASE("01.3 check_projection: throws std::invalid_argument and names both shapes") {
    refuses(standard_normal(2, 3, 1), standard_normal(4, 5, 2));
}

TEST_CASE("01.3 check_projection: two square matrices of one size fit") {
    graded::check_projection(Matrix{{1, 2}, {3, 4}}, Matrix{{5, 6}, {7, 8}});
}

TEST_CASE("01.3 check_projection: a single column fits a single row") {
    graded::check_projection(standard_normal(3, 1, 1), standard_normal(1, 3, 2));
}

TEST_CASE("01.3 check_projection: the same shape twice does not make a product") {
    refuses(standard_normal(3, 4, 1), standard_normal(3, 4, 2));
}

TEST_CASE("01.3 check_projection: equal numbers of rows are not enough") {
    refuses(standard_normal(2, 3, 1), standard_normal(2, 5, 2));
}

TEST_CASE("01.3 check_projection: W · X would exist, X · W does not") {
    refuses(standard_normal(2, 3, 1), standard_normal(5, 2, 2));
}

TEST_CASE("01.3 check_projection: equal numbers of columns are not enough") {
    refuses(standard_normal(4, 3, 1), standard_normal(5, 3, 2));
}

TEST_CASE("01.3 check_projection: a single row or column is not stretched to fit") {
    const Matrix one = standard_normal(1, 1, 1);
    const Matrix wide = standard_normal(3, 4, 2);
    refuses(one, wide);
    refuses(wide, one);
}

TEST_CASE("01.3 check_projection: a sequence of one token fits as any other") {
    graded::check_projection(standard_normal(1, 3, 1), standard_normal(3, 2, 2));
}

TEST_CASE("01.3 check_projection: a weight with a single column fits as any other") {
    graded::check_projection(standard_normal(2, 3, 1), standard_normal(3, 1, 2));
}

TEST_CASE("01.3 check_projection: more columns in X than rows in W, by a multiple") {
    refuses(standard_normal(3, 6, 1), standard_normal(2, 5, 2));
}

TEST_CASE("01.3 check_projection: hundreds of rows and columns fit as few do") {
    graded::check_projection(zeros(300, 259), zeros(259, 150));
    graded::check_projection(zeros(3, 70), zeros(70, 400));
}

TEST_CASE("01.3 check_projection: hundreds of columns, and as few as 3, do not fit") {
    refuses(zeros(2, 1), zeros(12, 5)); // of which one is in the other's text
    refuses(zeros(2, 12), zeros(1, 5));
    refuses(zeros(2, 2), zeros(12, 5));
    refuses(zeros(2, 12), zeros(2, 5));
    refuses(zeros(2, 259), zeros(3, 5));
    refuses(zeros(2, 3), zeros(259, 5));
}

TEST_CASE("01.3 check_projection: sizes of five digits are compared, and named, as others are") {
    graded::check_projection(zeros(12345, 3), zeros(3, 10007));
    graded::check_projection(zeros(2, 12345), zeros(12345, 3));
    refuses(zeros(12345, 3), zeros(10007, 2));
    refuses(zeros(2, 12345), zeros(3, 10007));
    refuses(zeros(2, 12345), zeros(12344, 3));
}

TEST_CASE(
    "01.3 check_projection: sizes of ten digits and more do not fit, and are named to the last "
    "digit") {
    // Without a single element, so that they take no memory.
    refuses(zeros(1234567890, 0), zeros(2046813579, 0));
    refuses(zeros(0, 1234567890), zeros(0, 2046813579));
    refuses(zeros(0, 1234567890), zeros(2046813579, 0));
    refuses(zeros(0, 1234567890123456789), zeros(987654321098765432, 0));
    refuses(zeros(1234567890123456789, 0), zeros(987654321098765432, 0));
    // And those that are equal in a type with fewer digits: a float, or an integer of 32 bits.
    refuses(zeros(0, 1234567890), zeros(1234567891, 0));
    refuses(zeros(0, 4294967299), zeros(3, 2));
    refuses(zeros(2, 3), zeros(4294967299, 0));
    graded::check_projection(zeros(0, 4294967299), zeros(4294967299, 0));
}

TEST_CASE("01.3 check_projection: 0 is a size like any other") {
    graded::check_projection(zeros(0, 3), zeros(3, 2));
    graded::check_projection(zeros(2, 0), zeros(0, 4));
    graded::check_projection(zeros(2, 3), zeros(3, 0));
    refuses(zeros(2, 3), zeros(0, 4));
    refuses(zeros(2, 0), zeros(3, 4));
    refuses(zeros(0, 3), zeros(4, 2));
    refuses(zeros(2, 3), zeros(4, 0));
}

TEST_CASE("01.3 check_projection: every pair of shapes from (1, 1) to (3, 3)") {
    std::vector<std::pair<Matrix, Matrix>> pairs;
    for (const std::size_t n : {1U, 2U, 3U}) {
        for (const std::size_t columns : {1U, 2U, 3U}) {
            for (const std::size_t rows : {1U, 2U, 3U}) {
                for (const std::size_t d_out : {1U, 2U, 3U}) {
                    pairs.emplace_back(zeros(n, columns), zeros(rows, d_out));
                }
            }
        }
    }
    // All are asked before the first is judged: together they tell which rule a check follows.
    for (const auto& [left, right] : pairs) {
        static_cast<void>(graded::check_projection.attempt(left, right));
    }
    for (const auto& [left, right] : pairs) {
        if (left.shape(1) == right.shape(0)) {
            graded::check_projection(left, right);
        } else {
            refuses(left, right);
        }
    }
}

} // namespace grader_check
