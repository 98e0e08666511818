// 04.1 to 04.3 asked for sums in which a term changes nothing and others follow, and with huge
// scores that differ; the rest of the lesson: grader.cpp, grader_attention.cpp,
// grader_magnitudes.cpp and grader_cost.cpp.

#include <doctest/doctest.h>

#include <algorithm>

#include "parts.hpp"
#include "support/magnitudes.hpp"

namespace grader_sums {

using namespace parts;
using judge::componentwise;
using judge::normwise;

namespace {

void expect_mixture(const Matrix& weights, const Matrix& V) {
    expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V), normwise);
}

void expect_weights(const Matrix& Q, const Matrix& K,
                    const judge::Tolerance& tolerance = componentwise) {
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), tolerance);
}

void expect_output(const Matrix& Q, const Matrix& K, const Matrix& V,
                   const judge::Tolerance& tolerance = normwise) {
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), tolerance);
}

/// Numbers of which some are too small to change a sum, whether along a row or down a column.
const Matrix small = drawn::with_some_too_small_to_change_a_sum();
const Matrix small_columns = xt::transpose(small);

const Matrix ordinary_Q{{1, 1, 1, 1, 1}, {0.5, 0.25, 1, -0.5, 0}};
const Matrix ordinary_K{{0.25, 0.5, -0.5, 1, 0.5}, {0, 0.5, 1, -1, 0.25}, {1, 1, 0.5, 0, -1}};
const Matrix ordinary_V{{1, 3}, {2, 1}, {4, 5}, {3, 2}, {5, 4}};

/// Scores of which one, at each place, or two have exponentials that change no sum.
const std::vector<std::vector<double>> too_small_to_change_a_sum{
    {-50, 0, 1, -0.5, 0.5}, {0, -50, 1, -0.5, 0.5}, {0, 1, -50, 0.5, -0.5}, {1, 0, -0.5, -50, 0.5},
    {0.5, 0, 1, 0, -50},    {0, -50, 0, -60, 1},    {0, -60, -50, 1, 2}};

/// Huge scores that differ, in any order, as keys of one component: of two the difference
/// overflows.
std::vector<Matrix> huge_and_different() {
    std::vector<Matrix> all;
    std::vector<double> order{-1.2e308, 1e308, 1.2e308};
    do {
        all.push_back({{order[0]}, {order[1]}, {order[2]}});
    } while (std::next_permutation(order.begin(), order.end()));
    return all;
}

} // namespace

TEST_CASE("04.1 aggregate: a term too small to change the sum, at any place, does not end it") {
    const Matrix weights{{0.25, 0.25, 0.125, 0.25, 0.125}, {0.125, 0.5, 0.125, 0.125, 0.125}};
    expect_mixture(weights, ordinary_V);
    drawn::suspect_a_fixed_bound();
    expect_mixture(small / 8, ordinary_V);
    expect_mixture(weights, small_columns);
    expect_mixture(small / 8, small_columns);
}

TEST_CASE("04.2 attention_weights: a term too small to change a score, or the sum of a row, does "
          "not end it") {
    expect_weights(ordinary_Q, ordinary_K);
    drawn::suspect_a_fixed_bound();
    expect_weights(small, ordinary_K);
    expect_weights(ordinary_Q, small);
    for (const std::vector<double>& scores : too_small_to_change_a_sum) {
        expect_weights(queries({1, 0.5}), keys(scores));
    }
}

TEST_CASE("04.2 attention_weights: of huge scores that differ the largest takes everything, in any "
          "order") {
    expect_weights(ordinary_Q, ordinary_K);
    for (const Matrix& K : huge_and_different()) {
        expect_weights({{1}}, K, far_out);
        expect_weights({{1}, {-1}, {0}}, K, far_out);
    }
}

TEST_CASE("04.3 self_attention: a term too small to change a score, the sum of a row or a mixture "
          "does not end it") {
    const Matrix V = rows(ordinary_V, {0, 1, 2});
    expect_output(ordinary_Q, ordinary_K, V);
    drawn::suspect_a_fixed_bound();
    expect_output(small, ordinary_K, V);
    expect_output(ordinary_Q, rows(small, {0, 1, 2, 3, 4}), ordinary_V);
    for (const std::vector<double>& scores : too_small_to_change_a_sum) {
        expect_output(queries({1, 0.5}), keys(scores), ordinary_V);
    }
    expect_output(queries({1, 0}), keys({0, 0.5, -0.5, 1, -1}), small_columns);
}

TEST_CASE("04.3 self_attention: of huge scores that differ the largest takes everything, in any "
          "order") {
    expect_output(ordinary_Q, ordinary_K, rows(ordinary_V, {0, 1, 2}));
    for (const Matrix& K : huge_and_different()) {
        expect_output({{1}}, K, values, far_out);
        expect_output({{1}, {-1}, {0}}, K, values, far_out);
    }
}

} // namespace grader_sums
