// 08.1: the softmax's way back.

#include <doctest/doctest.h>

#include <cmath>

#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;
using lesson::Vector;

namespace {

Matrix some_weights(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed) {
    return oracle::softmax_rows(Matrix(1.5 * standard_normal(n_queries, n_keys, seed)));
}

void expect_backward(const Matrix& weights, const Matrix& d_weights) {
    expect_close(graded::softmax_backward(weights, d_weights),
                 plain::softmax_backward(weights, d_weights), judge::normwise);
}

} // namespace

TEST_CASE("08.1 softmax_backward: two queries and three keys, by hand") {
    // Σ p g is 3 in the first row and 4 in the second.
    expect_close(graded::softmax_backward({{1.0 / 2, 1.0 / 3, 1.0 / 6}, {0.25, 0.5, 0.25}},
                                          {{6, 0, 0}, {0, 4, 8}}),
                 Matrix{{1.5, -1, -0.5}, {-1, 0, 1}}, judge::normwise);
}

TEST_CASE("08.1 softmax_backward: as many queries as keys") {
    expect_backward(some_weights(3, 3, 1), standard_normal(3, 3, 2));
}

TEST_CASE("08.1 softmax_backward: five queries and three keys, two queries and six keys") {
    expect_backward(some_weights(5, 3, 3), standard_normal(5, 3, 4));
    expect_backward(some_weights(2, 6, 5), standard_normal(2, 6, 6));
}

TEST_CASE("08.1 softmax_backward: every row sums to 0, what one score gains the others lose") {
    const Matrix weights = some_weights(4, 5, 11), d_weights = standard_normal(4, 5, 12);
    const Matrix d_scores = graded::softmax_backward(weights, d_weights);
    expect_shape(sizes(d_scores), {4, 5});
    for (std::size_t i = 0; i < 4; ++i) {
        const double sum = xt::sum(xt::view(d_scores, i, xt::all()))();
        expect_that(std::abs(sum) <= 1e-12, "each row sums to 0",
                    "row " + std::to_string(i) + " sums to " + number_text(sum));
    }
    expect_close(d_scores, plain::softmax_backward(weights, d_weights), judge::normwise);
}

TEST_CASE("08.1 softmax_backward: a gradient that pulls at all keys alike does not get through") {
    const Matrix d_weights{{5, 5, 5, 5}, {-2, -2, -2, -2}, {1, 0, 0, 0}};
    expect_backward(some_weights(3, 4, 21), d_weights);
}

TEST_CASE("08.1 softmax_backward: is the Jacobian of lesson 03 times the gradient") {
    const Matrix weights = some_weights(3, 4, 31), d_weights = standard_normal(3, 4, 32);
    Matrix expected = Matrix::from_shape({3, 4});
    for (std::size_t i = 0; i < 3; ++i) {
        const Vector p = xt::view(weights, i, xt::all());
        const Matrix g = xt::view(d_weights, xt::range(i, i + 1), xt::all());
        xt::view(expected, xt::range(i, i + 1), xt::all()) =
            oracle::matmul(g, oracle::softmax_jacobian(p));
    }
    expect_close(graded::softmax_backward(weights, d_weights), expected, judge::normwise);
}

TEST_CASE("08.1 softmax_backward: is what a small step in each score does to the loss") {
    const Matrix scores = standard_normal(2, 5, 41), d_weights = standard_normal(2, 5, 42);
    const auto loss = [&](const Matrix& at) {
        return xt::sum(oracle::softmax_rows(at) * d_weights)();
    };
    Matrix measured = Matrix::from_shape({2, 5});
    for (std::size_t at = 0; at < scores.size(); ++at) {
        Matrix above = scores, below = scores;
        above.data()[at] += 1e-5;
        below.data()[at] -= 1e-5;
        measured.data()[at] = (loss(above) - loss(below)) / 2e-5;
    }
    expect_close(graded::softmax_backward(oracle::softmax_rows(scores), d_weights), measured,
                 {1e-6, 1e-8});
}

TEST_CASE("08.1 softmax_backward: nothing gets through where one weight has everything") {
    expect_backward({{0, 1, 0}, {0.5, 0.5, 0}}, {{3, -1, 2}, {3, -1, 2}});
    expect_backward({{1}, {1}}, {{2}, {-3}}); // a key that is alone
}

TEST_CASE("08.1 softmax_backward: a weight of 0 gets exactly 0, and so does a row of zeros") {
    const Matrix weights{{0.25, 0, 0.75}, {0, 0, 0}}; // blocked keys, and a blocked query
    const Matrix d_weights{{1, 50, -2}, {3, 4, 5}};
    const Matrix d_scores = graded::softmax_backward(weights, d_weights);
    expect_shape(sizes(d_scores), {2, 3});
    for (const auto& [i, j] : {std::array<std::size_t, 2>{0, 1}, {1, 0}, {1, 1}, {1, 2}}) {
        expect_that(d_scores(i, j) == 0, "where the weight is 0 the gradient is exactly 0",
                    "at " + judge::index_text({i, j}) + " it is " + number_text(d_scores(i, j)));
    }
    expect_close(d_scores, plain::softmax_backward(weights, d_weights), judge::normwise);
}

TEST_CASE("08.1 softmax_backward: scores of 1000 saturate, and what is left is right") {
    expect_backward(oracle::softmax_rows(Matrix{{1000, 0, -1000}, {1000, 1000, 998}, {10, 0, 0}}),
                    {{1, 2, 3}, {3, -1, 2}, {0, 1, 4}});
}

TEST_CASE("08.1 softmax_backward: gradients far larger and far smaller than 1") {
    const Matrix weights = some_weights(2, 3, 51), d_weights = standard_normal(2, 3, 52);
    expect_backward(weights, 1e200 * d_weights);
    expect_close<Matrix>(graded::softmax_backward(weights, 1e-200 * d_weights),
                         plain::softmax_backward(weights, 1e-200 * d_weights), judge::normwise);
}

TEST_CASE("08.1 softmax_backward: a row has a sum of its own, whoever stands above or below it") {
    const Matrix weights = some_weights(4, 3, 61), d_weights = 3 * standard_normal(4, 3, 62);
    for (const std::size_t i : {0U, 3U}) {
        expect_backward(xt::view(weights, xt::range(i, i + 1)),
                        xt::view(d_weights, xt::range(i, i + 1)));
    }
    expect_backward(weights, d_weights);
}

TEST_CASE("08.1 softmax_backward: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{1, 7},
                                            {5, 1},
                                            {2, 3},
                                            {13, 11},
                                            {261, 3},
                                            {3, 263},
                                            {67, 65},
                                            {401, 2}}) {
        expect_backward(some_weights(n_queries, n_keys, n_keys),
                        standard_normal(n_queries, n_keys, n_queries));
    }
}

TEST_CASE("08.1 softmax_backward: 12,000 keys, which leave no room for a Jacobian") {
    judge::session().suspect(
        {"builds_the_jacobian",
         "something was asked for that has a number for each two keys of a row: a Jacobian, which "
         "for 12,000 keys has 144 million. Two loops over the keys do without it: one adds up "
         "Σ p g, the other writes p (g − that sum).",
         true});
    const Matrix weights = some_weights(1, 12000, 71);
    expect_backward(weights, standard_normal(1, 12000, 72));
}

TEST_CASE("08.1 softmax_backward: is what PyTorch finds") {
    expect_close(graded::softmax_backward(support::golden("gradients/weights"),
                                          support::golden("gradients/d_weights")),
                 support::golden("gradients/d_scores"), judge::normwise);
}

TEST_CASE("08.1 softmax_backward: weights and gradient of different shapes are refused") {
    const Matrix weights = some_weights(2, 3, 81);
    for (const Matrix& other :
         {standard_normal(3, 2, 1), standard_normal(2, 4, 1), standard_normal(1, 3, 1)}) {
        judge::expect_invalid_argument(graded::softmax_backward.attempt(weights, other),
                                       {sizes(weights), sizes(other)});
    }
}
