// 03.1 to 03.3 asked with scores of every kind, with huge ones that tie, and with sizes that are
// alike or whole blocks; the rest of the lesson: grader.cpp, grader_rows.cpp and
// grader_jacobian.cpp.

#include <doctest/doctest.h>

#include "parts.hpp"
#include "support/far_above.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"

namespace grader_unusual {

using namespace parts;

namespace {

Vector row_of(const Matrix& A, std::size_t i) {
    return xt::view(A, i, xt::all());
}

/// Beside such a maximum the logarithm of a sum is lost, in part or, from 1e17 on, altogether.
constexpr double huge[] = {1e10, 1e13, 1e16, 1e17, 1e30, 1e100, 1e300};

} // namespace

// ---- 03.1

TEST_CASE("03.1 softmax: scores of every kind: all 0, all one number, all above 0 or below it, "
          "nearly one number") {
    for (const std::size_t n_keys : {3U, 4U, 5U}) {
        for (const Matrix& scores : drawn::of_each_kind(2, n_keys, 81)) {
            expect_softmax(row_of(scores, 0));
            expect_softmax(row_of(scores, 1));
        }
    }
    expect_softmax({0});
    expect_softmax({3, 3, 1, 1, 0, 0, -2}); // falling, most of them twice
}

TEST_CASE("03.1 softmax: 8, 16, 24 or 72 scores, and 17, 33, 65 and 129") {
    for (const std::size_t n_keys : {8U, 16U, 24U, 72U, 17U, 33U, 65U, 129U}) {
        expect_softmax(standard_normal(n_keys, 82));
    }
}

TEST_CASE("03.1 softmax: huge scores that tie share, beside others that are lower") {
    for (const double s : huge) {
        for (const Vector& scores : {Vector{s, s, 0},
                                     {0, s, s, s},
                                     {s, 0, s, -s, s},
                                     {-s, -2 * s, -s},
                                     {s, s, s, s},
                                     {-s, -s, -s}}) {
            expect_right_far_out(scores);
        }
    }
}

TEST_CASE("03.1 softmax: the last of 5 to 33 scores lies far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 87)) {
        expect_right_far_out(scores);
    }
}

// ---- 03.2

TEST_CASE("03.2 softmax_rows: scores of every kind: all 0, all one number, one row or one column "
          "again and again, a row or a column of zeros") {
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{3, 4}, {5, 3}, {4, 4}}) {
        for (const Matrix& scores : drawn::of_each_kind(n_queries, n_keys, 83)) {
            expect_softmax_rows(scores);
        }
    }
    expect_softmax_rows({{0}});
}

TEST_CASE("03.2 softmax_rows: sizes that are multiples of 8, both 72, or 17, 33, 65 and 129") {
    for (const auto& [n_queries, n_keys] :
         drawn::and_one_more<2>({{8, 16}, {16, 8}, {24, 24}, {3, 24}, {72, 72}})) {
        expect_softmax_rows(standard_normal(n_queries, n_keys, 84));
    }
}

TEST_CASE("03.2 softmax_rows: huge scores that tie share, beside others that are lower") {
    for (const double s : huge) {
        expect_softmax_rows({{s, s, 0}, {0, s, s}, {s, 0, s}});
        expect_softmax_rows({{2, 1, 0, 1}, {s, s, -s, s}, {-s, -2 * s, -s, -s}, {0, 1, 2, 1}});
        expect_softmax_rows({{s, s}, {-s, -s}, {0, 1}});
        expect_softmax_rows({{s, s, s}, {s, s, s}});
    }
}

TEST_CASE("03.2 softmax_rows: the last of 5 to 33 scores lies far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 88)) {
        Matrix rows = standard_normal(3, scores.size(), 89);
        xt::row(rows, 1) = scores;
        expect_softmax_rows(rows);
    }
}

// ---- 03.3

TEST_CASE("03.3 softmax_jacobian: weights of scores of every kind, and 8, 16, 17, 24, 33, 65, "
          "72, 129 or 520 of them") {
    const auto expect = [](const Vector& p) {
        judge::expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p), in_double);
    };
    for (const Matrix& scores : drawn::of_each_kind(2, 5, 85)) {
        expect(oracle::softmax(row_of(scores, 0)));
        expect(oracle::softmax(row_of(scores, 1)));
    }
    expect(oracle::softmax(Vector{3, 3, 1, 1, 0, 0, -2})); // falling, most of them twice
    for (const std::size_t n_keys : {8U, 16U, 24U, 72U, 520U, 17U, 33U, 65U, 129U}) {
        expect(oracle::softmax(standard_normal(n_keys, 86)));
    }
}

} // namespace grader_unusual
