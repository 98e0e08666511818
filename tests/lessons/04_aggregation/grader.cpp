#include <doctest/doctest.h>

#include <cmath>

#include "judge/text.hpp"
#include "parts.hpp"

using namespace parts;
using judge::componentwise;
using judge::normwise;
using judge::number_text;

// ---- 04.1

TEST_CASE("04.1 aggregate: two queries and three values, small enough to do by hand") {
    expect_close(graded::aggregate({{0.5, 0.25, 0.25}, {0, 1, 0}},
                                   {{4, 0, 8, 1}, {0, 4, 0, 1}, {8, -4, 0, 1}}),
                 Matrix{{4, 0, 4, 1}, {0, 4, 0, 1}}, normwise);
}

TEST_CASE("04.1 aggregate: as many queries as keys as components") {
    expect_close(graded::aggregate({{0.5, 0.5, 0}, {0.25, 0.5, 0.25}, {0, 0, 1}},
                                   {{2, 4, 0}, {6, 0, -2}, {4, 8, 12}}),
                 Matrix{{4, 2, -1}, {4.5, 3, 2}, {4, 8, 12}}, normwise);
}

TEST_CASE("04.1 aggregate: a weight of 1 fetches a value as it is") {
    const Matrix V = standard_normal(3, 5, 11);
    expect_close(graded::aggregate({{0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}}, V),
                 rows(V, {2, 0, 2, 1}), normwise);
}

TEST_CASE("04.1 aggregate: equal weights give the mean of the values") {
    expect_close(graded::aggregate({{0.25, 0.25, 0.25, 0.25}}, {{1, 8}, {2, 0}, {3, 0}, {6, -4}}),
                 Matrix{{3, 1}}, normwise);
}

TEST_CASE("04.1 aggregate: a mixture stays between the smallest and the largest value") {
    const Matrix V = standard_normal(4, 3, 12);
    const Matrix output = graded::aggregate(some_weights(5, 4, 13), V);
    expect_shape(sizes(output), {5, 3});
    for (std::size_t c = 0; c < 3; ++c) {
        const double low = xt::amin(xt::view(V, xt::all(), c))();
        const double high = xt::amax(xt::view(V, xt::all(), c))();
        for (std::size_t i = 0; i < 5; ++i) {
            expect_that(output(i, c) >= low - 1e-9 && output(i, c) <= high + 1e-9,
                        "component " + std::to_string(c) + " of the values lies between " +
                            number_text(low) + " and " + number_text(high) +
                            ", and so does that of any mixture",
                        "for query " + std::to_string(i) + " it is " + number_text(output(i, c)));
        }
    }
}

TEST_CASE("04.1 aggregate: each query by itself, whatever the others ask for") {
    const Matrix weights = some_weights(3, 5, 14);
    const Matrix V = standard_normal(5, 2, 15);
    const Matrix together = graded::aggregate(weights, V);
    expect_close(together, oracle::matmul(weights, V), normwise);
    expect_close(graded::aggregate(rows(weights, {2}), V), rows(together, {2}), normwise);
}

TEST_CASE("04.1 aggregate: keys in another order, weights and values alike, change nothing") {
    const Matrix weights = some_weights(2, 4, 16);
    const Matrix V = standard_normal(4, 3, 17);
    const std::vector<std::size_t> order{2, 0, 3, 1};
    expect_close(graded::aggregate(columns(weights, order), rows(V, order)),
                 oracle::matmul(weights, V), normwise);
}

TEST_CASE("04.1 aggregate: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : awkward_sizes) {
        const Matrix weights = some_weights(n_queries, n_keys, d_k);
        const Matrix V = standard_normal(n_keys, d_v, 100 + d_k);
        expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V), normwise);
    }
}

TEST_CASE(
    "04.1 aggregate: a weight of 0 adds nothing, and a component of 0 is one like any other") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : sizes_with_zeros) {
        const Matrix weights = weights_with_zeros(n_queries, n_keys, d_k);
        const Matrix V = standard_normal(n_keys, d_v, 110 + d_k);
        for (const auto& [shares, mixed] : {std::pair{weights, V},
                                            {some_weights(n_queries, n_keys, d_k), with_zeros(V)},
                                            {weights, with_zeros(V)}}) {
            expect_close(graded::aggregate(shares, mixed), oracle::matmul(shares, mixed), normwise);
        }
    }
}

TEST_CASE("04.1 aggregate: rows that begin and end alike, and have one sum, are not the same") {
    const Matrix weights = oracle::softmax_rows(look_alikes(4, 6, 18));
    const Matrix V = look_alikes(6, 8, 19);
    for (const Matrix& shares : {weights, upside_down(weights)}) {
        for (const Matrix& mixed : {V, upside_down(V)}) {
            expect_close(graded::aggregate(shares, mixed), oracle::matmul(shares, mixed), normwise);
        }
    }
}

TEST_CASE("04.1 aggregate: right to twelve digits, which float has not") {
    const Matrix weights = some_weights(11, 7, 51);
    const Matrix V = standard_normal(7, 13, 52);
    expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V), normwise);
}

TEST_CASE("04.1 aggregate: a small weight counts, since a value may be large") {
    expect_close(graded::aggregate({{1 - 1e-7, 0, 1e-7}, {0, 1 - 1e-12, 1e-12}},
                                   {{0, 1}, {2, 3}, {1000, 4}}),
                 Matrix{{1e-4, 1 + 3e-7}, {2 + 9.98e-10, 3 + 1e-12}}, normwise);
}

TEST_CASE("04.1 aggregate: agrees with PyTorch") {
    expect_close(graded::aggregate(saved("none_weights"), saved("V")), saved("none_output"),
                 normwise);
}

TEST_CASE("04.1 aggregate: weights for another number of keys are refused, and both shapes named") {
    const Matrix weights = some_weights(2, 3, 1);
    const Matrix V = standard_normal(4, 5, 2);
    expect_invalid_argument(graded::aggregate.attempt(weights, V), {sizes(weights), sizes(V)});
}

TEST_CASE("04.1 aggregate: too few values are refused, a single one, and sizes of five digits") {
    for (const auto& [n_queries, n_weights, n_values, d_v] : do_not_fit) {
        const Matrix weights = Matrix(xt::ones<double>({n_queries, n_weights})) / n_weights;
        const Matrix V = xt::zeros<double>({n_values, d_v});
        expect_invalid_argument(graded::aggregate.attempt(weights, V), {sizes(weights), sizes(V)});
    }
}

// ---- 04.2

TEST_CASE("04.2 attention_weights: two queries and three keys, small enough to do by hand") {
    expect_close(graded::attention_weights(hand_Q, hand_K),
                 Matrix{{1.0 / 6, 1.0 / 3, 1.0 / 2}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}, componentwise);
}

TEST_CASE("04.2 attention_weights: first worked example, 0.669762 and 0.330238") {
    expect_close(graded::attention_weights(eye2, eye2),
                 Matrix{{0.669762, 0.330238}, {0.330238, 0.669762}}, six_decimals);
}

TEST_CASE("04.2 attention_weights: three queries, three keys, three components") {
    const Matrix Q{{1, 2, 0}, {0, -1, 1}, {2, 0, 3}};
    const Matrix K{{1, 0, 1}, {0, 2, -1}, {-1, 1, 0}};
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
}

TEST_CASE("04.2 attention_weights: every query shares out 1, and no key gets less than nothing") {
    const Matrix weights =
        graded::attention_weights(standard_normal(3, 5, 21), standard_normal(4, 5, 22));
    expect_shape(sizes(weights), {3, 4});
    for (std::size_t i = 0; i < 3; ++i) {
        const double sum = xt::sum(xt::view(weights, i, xt::all()))();
        expect_that(std::abs(sum - 1) <= 1e-5, "row " + std::to_string(i) + " sums to 1",
                    "it sums to " + number_text(sum));
    }
    for (const double weight : weights) {
        expect_that(weight >= 0, "no weight is negative", "there is one of " + number_text(weight));
    }
}

TEST_CASE("04.2 attention_weights: a query without a direction attends to all keys alike") {
    expect_close<Matrix>(
        graded::attention_weights(xt::zeros<double>({2, 3}), standard_normal(5, 3, 23)),
        xt::ones<double>({2, 5}) / 5, componentwise);
}

TEST_CASE("04.2 attention_weights: one vector added to every key changes nothing") {
    const Matrix Q = standard_normal(2, 3, 24);
    const Matrix K = standard_normal(4, 3, 25);
    expect_close(graded::attention_weights(Q, K + Matrix{{1, -2, 0.5}}), right_weights(Q, K),
                 componentwise);
}

TEST_CASE(
    "04.2 attention_weights: reordered queries reorder the rows, reordered keys the columns") {
    const Matrix Q = standard_normal(3, 2, 26);
    const Matrix K = standard_normal(4, 2, 27);
    const Matrix weights = right_weights(Q, K);
    expect_close(graded::attention_weights(rows(Q, {2, 0, 1}), K), rows(weights, {2, 0, 1}),
                 componentwise);
    expect_close(graded::attention_weights(Q, rows(K, {3, 1, 0, 2})),
                 columns(weights, {3, 1, 0, 2}), componentwise);
}

TEST_CASE("04.2 attention_weights: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : awkward_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, d_v);
        const Matrix K = standard_normal(n_keys, d_k, 100 + d_v);
        expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
    }
}

TEST_CASE("04.2 attention_weights: a component of 0 is one like any other, and so is a score") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : sizes_with_zeros) {
        const Matrix Q = standard_normal(n_queries, d_k, 120 + d_v);
        const Matrix K = standard_normal(n_keys, d_k, 130 + d_v);
        for (const auto& [queries, keys] :
             {std::pair{with_zeros(Q), K}, {Q, with_zeros(K)}, {with_zeros(Q), with_zeros(K)}}) {
            expect_close(graded::attention_weights(queries, keys), right_weights(queries, keys),
                         componentwise);
        }
    }
    // Scores of 0 and of 1, 2, … beside them.
    expect_close(graded::attention_weights(eye3, {{2, 0, 1}, {0, 3, 0}, {1, 0, 0}, {0, -1, 2}}),
                 right_weights(eye3, {{2, 0, 1}, {0, 3, 0}, {1, 0, 0}, {0, -1, 2}}), componentwise);
}

TEST_CASE("04.2 attention_weights: rows that begin and end alike, and have one sum, are not the "
          "same row") {
    const Matrix X = look_alikes(4, 6, 30);
    for (const Matrix& Q : {X, upside_down(X)}) {
        for (const Matrix& K : {X, upside_down(X), look_alikes(4, 6, 31)}) {
            expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
        }
    }
}

TEST_CASE("04.2 attention_weights: long queries and short keys score as exactly as others") {
    const Matrix Q = 0x1p30 * standard_normal(3, 4, 32);
    const Matrix K = 0x1p-30 * standard_normal(5, 4, 33);
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
}

TEST_CASE("04.2 attention_weights: right to twelve digits, which float has not") {
    const Matrix Q = standard_normal(24, 5, 51);
    const Matrix K = standard_normal(9, 5, 52);
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
}

TEST_CASE("04.2 attention_weights: one matrix as queries and as keys") {
    const Matrix X = standard_normal(4, 3, 53);
    expect_close(graded::attention_weights(X, X), right_weights(X, X), componentwise);
}

TEST_CASE("04.2 attention_weights: agrees with PyTorch") {
    expect_close(graded::attention_weights(saved("Q"), saved("K")), saved("none_weights"),
                 componentwise);
}

namespace {

void expect_right_far_out(const Matrix& Q, const Matrix& K) {
    const Matrix ordinary_Q = standard_normal(3, 4, 28);
    const Matrix ordinary_K = standard_normal(2, 4, 29);
    expect_close(graded::attention_weights(ordinary_Q, ordinary_K),
                 right_weights(ordinary_Q, ordinary_K), componentwise);
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), far_out);
}

} // namespace

TEST_CASE("04.2 attention_weights: a weight may be small and is not 0") {
    const Matrix Q = queries({1});
    expect_close(graded::attention_weights(Q, keys(fading)), right_weights(Q, keys(fading)),
                 componentwise);
}

TEST_CASE("04.2 attention_weights: scores that differ by little have weights that do, too") {
    const Matrix Q = queries({1, 1e-2});
    const Matrix K = keys({1, 1 + 1e-4, 1 - 1e-7});
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
    for (const double d : {1e-6, 1e-8, 9e-10, 9e-12}) {
        expect_close(graded::attention_weights(queries({1}), keys({d, 0, -d})),
                     right_weights(queries({1}), keys({d, 0, -d})), componentwise);
    }
}

TEST_CASE("04.2 attention_weights: scores of thousands stay finite") {
    expect_right_far_out(queries({1}), keys(thousands));
    expect_right_far_out(queries({1, -1}), keys(thousands));
}

TEST_CASE("04.2 attention_weights: scores far below 0 have weights, too") {
    expect_right_far_out(queries({-1}), keys(thousands));
}

TEST_CASE("04.2 attention_weights: one query's scores lie at -5000, the next one's at 5000") {
    expect_right_far_out(queries({-1, 1}), keys(thousands));
}

TEST_CASE("04.2 attention_weights: the first key's score is 2000, far above the others") {
    expect_right_far_out(queries({1}), keys(largest_first));
}

TEST_CASE("04.2 attention_weights: a score between others is 2000, far above them") {
    expect_right_far_out(queries({1}), keys(largest_in_the_middle));
}

TEST_CASE("04.2 attention_weights: the last key's score is 2000, far above the others") {
    expect_right_far_out(queries({1}), keys(largest_last));
}

TEST_CASE("04.2 attention_weights: two scores of a thousand, and one of 0") {
    expect_right_far_out(queries({1}), keys(two_of_three));
}

TEST_CASE("04.2 attention_weights: other widths are refused, and both shapes named") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 4, 2);
    expect_invalid_argument(graded::attention_weights.attempt(Q, K), {sizes(Q), sizes(K)});
}

TEST_CASE("04.2 attention_weights: wider queries than keys are refused, a single component, and "
          "sizes of five digits") {
    for (const auto& [n_queries, of_Q, of_K, n_keys] : do_not_fit) {
        const Matrix Q = xt::zeros<double>({n_queries, of_Q});
        const Matrix K = xt::zeros<double>({n_keys, of_K});
        expect_invalid_argument(graded::attention_weights.attempt(Q, K), {sizes(Q), sizes(K)});
    }
}

TEST_CASE("04.2 attention_weights: vectors without components are refused") {
    const Matrix Q = xt::zeros<double>({2, 0});
    const Matrix K = xt::zeros<double>({3, 0});
    expect_invalid_argument(graded::attention_weights.attempt(Q, K), {sizes(Q), sizes(K)});
}
