// 08.3: attention's way back.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/misfits.hpp"

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::AttentionGradients;
using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;

namespace {

struct Problem {
    Matrix Q, K, V;
    Mask mask;
    Matrix d_output;

    Matrix weights() const { return plain::attention_weights(Q, K, mask); }
};

/// causal: blocked above the diagonal; otherwise every pair is allowed.
Problem some_problem(std::size_t n_queries, std::size_t n_keys, std::size_t d_k, std::size_t d_v,
                     std::uint64_t seed, bool causal = false) {
    Problem in{standard_normal(n_queries, d_k, seed), standard_normal(n_keys, d_k, seed + 1),
               standard_normal(n_keys, d_v, seed + 2), xt::ones<bool>({n_queries, n_keys}),
               standard_normal(n_queries, d_v, seed + 3)};
    for (std::size_t i = 0; causal && i < n_queries; ++i) {
        for (std::size_t j = i + 1; j < n_keys; ++j) {
            in.mask(i, j) = false;
        }
    }
    return in;
}

AttentionGradients answer(const Problem& in) {
    return graded::attention_backward(in.Q, in.K, in.V, in.mask, in.weights(), in.d_output);
}

AttentionGradients expected(const Problem& in) {
    return plain::attention_backward(in.Q, in.K, in.V, in.mask, in.weights(), in.d_output);
}

/// One query and keys of one component, whose scores are these; values that make each count.
Problem of_scores(const std::vector<double>& scores, const std::vector<double>& values) {
    const std::size_t n = scores.size();
    Problem in{{{1}},
               Matrix::from_shape({n, 1}),
               Matrix::from_shape({n, 2}),
               xt::ones<bool>({std::size_t{1}, n}),
               {{1, 0.5}}};
    for (std::size_t j = 0; j < n; ++j) {
        in.K(j, 0) = scores[j];
        in.V(j, 0) = values[j];
        in.V(j, 1) = -2 * values[j];
    }
    in.d_output(0, 1) = 0.25;
    return in;
}

double largest(const Matrix& X) {
    return xt::amax(xt::abs(X))();
}

/// Where a gradient is 0, as with a single key, a right sum in another order may leave a rounding
/// of what came in.
void expect_gradients(const Problem& in) {
    const double rounding = 1e-14 * largest(in.d_output) * std::max(1.0, largest(in.Q));
    expect_close(answer(in), expected(in), {0, rounding, 1e-12});
}

void expect_row_of_zeros(const std::string& name, const Matrix& gradient, std::size_t row,
                         const std::string& why) {
    for (std::size_t c = 0; c < gradient.shape(1); ++c) {
        expect_that(gradient(row, c) == 0,
                    "row " + std::to_string(row) + " of " + name + " is exactly 0: " + why,
                    "element " + judge::index_text({row, c}) + " is " +
                        number_text(gradient(row, c)));
    }
}

/// The gradients of Σ output ∘ d_output by centred differences through the whole forward pass.
AttentionGradients measured(const Problem& in) {
    const auto by_steps = [&](Matrix Problem::*input) {
        Matrix result = in.*input;
        for (std::size_t at = 0; at < result.size(); ++at) {
            const auto loss = [&](double step) {
                Problem moved = in;
                (moved.*input).data()[at] += step;
                return xt::sum(oracle::matmul(moved.weights(), moved.V) * moved.d_output)();
            };
            result.data()[at] = (loss(1e-5) - loss(-1e-5)) / 2e-5;
        }
        return result;
    };
    return {by_steps(&Problem::Q), by_steps(&Problem::K), by_steps(&Problem::V)};
}

} // namespace

TEST_CASE("08.3 attention_backward: one query, two keys of four components, by hand") {
    // Equal weights; d_weights (2, 6), their mean 4, d_scores (-1, 1), and √4 = 2.
    expect_close(graded::attention_backward({{0, 0, 0, 0}}, {{1, 2, 3, 4}, {5, 2, 1, 0}},
                                            {{2}, {6}}, {{true, true}}, {{0.5, 0.5}}, {{1}}),
                 AttentionGradients{{{2, 0, -1, -2}}, {{0, 0, 0, 0}, {0, 0, 0, 0}}, {{0.5}, {0.5}}},
                 judge::normwise);
}

TEST_CASE("08.3 attention_backward: the same with a query of ones, whose keys now learn too") {
    expect_close(graded::attention_backward({{1, 1, 1, 1}}, {{1, 2, 0, 1}, {0, 2, 1, 1}},
                                            {{2}, {6}}, {{true, true}}, {{0.5, 0.5}}, {{1}}),
                 AttentionGradients{{{-0.5, 0, 0.5, 0}},
                                    {{-0.5, -0.5, -0.5, -0.5}, {0.5, 0.5, 0.5, 0.5}},
                                    {{0.5}, {0.5}}},
                 judge::normwise);
}

TEST_CASE("08.3 attention_backward: three of everything, on which every product exists") {
    expect_gradients(some_problem(3, 3, 3, 3, 1));
}

TEST_CASE("08.3 attention_backward: one matrix as queries, keys and values has three gradients") {
    Problem in = some_problem(4, 4, 3, 3, 91, true);
    in.K = in.V = in.Q;
    expect_gradients(in);
}

TEST_CASE("08.3 attention_backward: sizes all different, nothing blocked") {
    expect_gradients(some_problem(3, 4, 5, 2, 11));
    expect_gradients(some_problem(5, 2, 3, 7, 15));
}

TEST_CASE("08.3 attention_backward: sizes all different, under a causal mask") {
    expect_gradients(some_problem(4, 5, 3, 2, 21, true));
    expect_gradients(some_problem(5, 3, 4, 2, 25, true));
}

TEST_CASE("08.3 attention_backward: is what a small step in each number does to the loss") {
    const Problem in = some_problem(3, 4, 2, 5, 31, true);
    expect_close(answer(in), measured(in), {1e-6, 1e-8});
}

TEST_CASE("08.3 attention_backward: a key that no query sees gets exactly 0") {
    Problem in = some_problem(3, 5, 2, 4, 41);
    xt::view(in.mask, xt::all(), 1) = false;
    xt::view(in.mask, xt::all(), 4) = false;
    const AttentionGradients gradients = answer(in);
    expect_shape(sizes(gradients.d_K), sizes(in.K));
    expect_shape(sizes(gradients.d_V), sizes(in.V));
    for (const std::size_t j : {1U, 4U}) {
        expect_row_of_zeros("d_K", gradients.d_K, j, "no query sees that key");
        expect_row_of_zeros("d_V", gradients.d_V, j, "no query sees that key");
    }
    expect_close(gradients, expected(in), judge::normwise);
}

TEST_CASE("08.3 attention_backward: a query that sees no key gets exactly 0") {
    Problem in = some_problem(4, 3, 2, 5, 51);
    xt::view(in.mask, 2, xt::all()) = false;
    const AttentionGradients gradients = answer(in);
    expect_shape(sizes(gradients.d_Q), sizes(in.Q));
    expect_row_of_zeros("d_Q", gradients.d_Q, 2, "that query sees no key");
    expect_close(gradients, expected(in), judge::normwise);
}

/// With d_output of one sign for the first query, whose d_weights is ±∞ at infinite padding. For
/// the others it is ∞ − ∞.
void expect_gradients_beside(double junk) {
    Problem in = some_problem(3, 5, 2, 4, 61);
    xt::view(in.mask, xt::all(), xt::range(3, 5)) = false;
    xt::view(in.V, xt::range(3, 5), xt::all()) = junk;
    in.d_output *= 10;
    const Vector first = xt::view(in.d_output, 0, xt::all());
    xt::view(in.d_output, 0, xt::all()) = xt::abs(first);
    expect_gradients(in);
}

TEST_CASE("08.3 attention_backward: what stands in V at padding may be huge") {
    // The formula is asked first where nothing is blocked: how it fails here would hide it.
    expect_gradients(some_problem(4, 3, 2, 5, 55));
    // By hand: the blocked d_weight is 10 · 1e308, which is ∞; the one that is seen has no other.
    expect_close(graded::attention_backward({{1}}, {{1}, {2}}, {{3}, {1e308}}, {{true, false}},
                                            {{1, 0}}, {{10}}),
                 AttentionGradients{{{0}}, {{0}, {0}}, {{10}, {0}}}, judge::normwise);
    expect_gradients_beside(1e308);
}

TEST_CASE("08.3 attention_backward: among 140 keys, what stands in V at padding may be infinite") {
    Problem in = some_problem(3, 140, 2, 4, 63);
    for (const std::size_t j : {5U, 69U, 100U, 139U}) {
        xt::view(in.mask, xt::all(), j) = false;
        xt::view(in.V, j, xt::all()) = std::numeric_limits<double>::infinity();
    }
    expect_gradients(in);
}

TEST_CASE("08.3 attention_backward: what stands in V at padding may be infinite or NaN") {
    expect_gradients(some_problem(4, 3, 2, 5, 55));
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double junk : {infinity, -infinity, std::nan("")}) {
        expect_gradients_beside(junk);
    }
}

TEST_CASE("08.3 attention_backward: scores of 1000, with one weight that has everything") {
    Problem in = some_problem(3, 4, 2, 5, 71);
    in.Q *= 1000.0;
    expect_gradients(in);
    in.Q.fill(0); // and with equal ones
    expect_gradients(in);
}

TEST_CASE("08.3 attention_backward: twice the gradient that comes in, twice what goes out") {
    Problem in = some_problem(3, 4, 2, 5, 81, true);
    in.d_output *= 1e150;
    expect_gradients(in);
    in.d_output *= 1e-300;
    expect_gradients(in);
}

TEST_CASE("08.3 attention_backward: equal values teach queries and keys nothing") {
    Problem in = some_problem(3, 4, 2, 5, 91);
    for (std::size_t j = 1; j < 4; ++j) {
        xt::view(in.V, j, xt::all()) = Vector(xt::view(in.V, 0, xt::all()));
    }
    expect_close(answer(in), expected(in), {0, 1e-13, 1e-12});
}

TEST_CASE("08.3 attention_backward: awkward sizes agree with plain loops in long double") {
    constexpr std::size_t awkward[][4] = {
        {1, 1, 1, 1},   {1, 5, 3, 2},   {5, 1, 7, 3},   {2, 3, 1, 5},   {3, 7, 5, 1},
        {11, 7, 9, 13}, {267, 3, 2, 5}, {2, 261, 3, 5}, {3, 2, 263, 5}, {5, 3, 2, 269}};
    for (const auto& size : awkward) {
        expect_gradients(some_problem(size[0], size[1], size[2], size[3], size[1]));
        expect_gradients(some_problem(size[0], size[1], size[2], size[3], size[2], true));
    }
}

// Not as many keys: a Jacobian of each row is slow, and not wrong.
TEST_CASE("08.3 attention_backward: 400 queries, 1100 keys, 5000 components") {
    for (const Problem& in : {some_problem(401, 2, 1, 2, 101), some_problem(1, 1100, 1, 2, 105),
                              some_problem(2, 3, 5000, 1, 109), some_problem(2, 3, 1, 5000, 113)}) {
        expect_close(answer(in), expected(in), {0, 1e-10, 1e-10});
    }
}

TEST_CASE("08.3 attention_backward: is what PyTorch finds") {
    expect_close(
        graded::attention_backward(
            support::golden("gradients/Q"), support::golden("gradients/K"),
            support::golden("gradients/V"), Mask(support::golden_bools("gradients/mask")),
            support::golden("gradients/attention_weights"), support::golden("gradients/d_output")),
        AttentionGradients{support::golden("gradients/d_Q"), support::golden("gradients/d_K"),
                           support::golden("gradients/d_V")},
        judge::normwise);
}

TEST_CASE("08.3 attention_backward: weights of 1e-11 and less, whose values are as large") {
    for (const Problem& in :
         {of_scores({0, -25, 0.5}, {1, 1e12, 3}), of_scores({-50, 0, 0.5}, {1e22, 1, 3}),
          of_scores({0, 0.5, -600}, {1, 3, 1e262})}) {
        judge::expect_close(answer(in), expected(in), judge::Tolerance{0, 0, 1e-10});
    }
}

TEST_CASE("08.3 attention_backward: shapes that do not fit are refused") {
    const Problem in = some_problem(3, 4, 2, 5, 95);
    const Matrix weights = in.weights();
    const auto ask = [&](const Problem& p, const Matrix& w) {
        return graded::attention_backward.attempt(p.Q, p.K, p.V, p.mask, w, p.d_output);
    };
    // Beside which of the others it is named is the learner's choice.
    const auto misfit = [](const judge::Outcome& outcome, const support::Shape& shape) {
        support::expect_misfit(outcome, shape, {{3, 2}, {4, 2}, {4, 5}, {3, 4}, {3, 5}});
    };
    Problem other = in;
    other.K = standard_normal(4, 3, 1);
    judge::expect_invalid_argument(ask(other, weights), {sizes(in.Q), sizes(other.K)});
    other = in;
    other.V = standard_normal(6, 5, 1);
    misfit(ask(other, weights), sizes(other.V));
    other = in;
    other.mask = xt::ones<bool>({2, 4});
    misfit(ask(other, weights), sizes(other.mask));
    other.mask = xt::ones<bool>({3, 1});
    misfit(ask(other, weights), sizes(other.mask));
    other.mask = xt::ones<bool>({1, 4}); // one row for all queries would be another contract
    misfit(ask(other, weights), sizes(other.mask));
    const Matrix one_row = standard_normal(1, 4, 1);
    misfit(ask(in, one_row), sizes(one_row));
    const Matrix narrow = standard_normal(3, 2, 1);
    misfit(ask(in, narrow), sizes(narrow));
    other = in;
    other.d_output = standard_normal(3, 6, 1);
    misfit(ask(other, weights), sizes(other.d_output));
    other.d_output = standard_normal(4, 5, 1);
    misfit(ask(other, weights), sizes(other.d_output));
}
