// 02.1 and 02.2 asked with numbers far from 1; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/magnitudes.hpp"
#include "support/oracle.hpp"

namespace grader_magnitudes {

using drawn::Pair;
using drawn::standard_normal;
using judge::expect_close;
using judge::normwise;
using lesson::Matrix;

namespace {

/// Asked of a function that is right on ordinary numbers, and all before the first is judged:
/// together the answers tell what is taken for something else.
template <class Graded, class Right>
void expect_right_far_from_1(Graded& graded, Right right) {
    const Matrix Q = standard_normal(3, 5, 41);
    const Matrix K = standard_normal(4, 5, 42);
    expect_close(graded(Q, K), right(Q, K), normwise);
    drawn::suspect_a_fixed_bound();
    std::vector<Pair> pairs = drawn::at_all_magnitudes(Q, K);
    for (const Pair& rows : drawn::with_one_far_from_1(43)) {
        pairs.push_back(rows);
    }
    // Scores of some hundreds, with which exp would end.
    pairs.push_back({100 * Q, K});
    pairs.push_back({1000 * Q, K});
    for (const auto& [queries, keys] : pairs) {
        static_cast<void>(graded.attempt(queries, keys));
    }
    for (const auto& [queries, keys] : pairs) {
        expect_close(graded(queries, keys), right(queries, keys), normwise);
    }
}

/// Of a component, at any place, whose product is so small beside the others that the sum is the
/// same without it.
template <class Graded, class Right>
void expect_sums_go_on(Graded& graded, Right right) {
    const Matrix small = drawn::with_some_too_small_to_change_a_sum();
    const Matrix Q{{1, 1, 1, 1, 1}, {2, 1, 3, 1, 2}};
    const Matrix K{{1, 1, 1, 1, 1}, {2, 3, 1, 4, 2}, {1, 2, 3, 4, 5}};
    expect_close(graded(Q, K), right(Q, K), normwise);
    drawn::suspect_a_fixed_bound();
    for (const auto& [queries, keys] : {Pair{small, K}, {Q, small}, {small, small}}) {
        expect_close(graded(queries, keys), right(queries, keys), normwise);
    }
}

} // namespace

TEST_CASE("02.1 raw_scores: tiny and huge components are numbers like any other, and so are scores "
          "made of them") {
    expect_right_far_from_1(graded::raw_scores, oracle::raw_scores<double>);
}

TEST_CASE("02.2 scaled_scores: tiny and huge components are numbers like any other, and so are "
          "scores made of them") {
    expect_right_far_from_1(graded::scaled_scores, oracle::scaled_scores<double>);
}

TEST_CASE("02.1 raw_scores: a product too small to change the sum, at any place, does not end it") {
    expect_sums_go_on(graded::raw_scores, oracle::raw_scores<double>);
}

TEST_CASE(
    "02.2 scaled_scores: a product too small to change the sum, at any place, does not end it") {
    expect_sums_go_on(graded::scaled_scores, oracle::scaled_scores<double>);
}

} // namespace grader_magnitudes
