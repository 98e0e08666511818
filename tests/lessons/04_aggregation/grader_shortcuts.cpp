// 04.1 to 04.3 asked where a shortcut ends: one that looks at some numbers in place of all, that
// leaves out what only large scores need, or that counts in 16 bits. The rest of the lesson:
// grader.cpp, grader_attention.cpp, grader_magnitudes.cpp and grader_cost.cpp.

#include <doctest/doctest.h>

#include <cmath>

#include "parts.hpp"
#include "support/in_part.hpp"

namespace grader_shortcuts {

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

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

/// Weights that sum to 1 to the last bit, two of which are exchanged from row to row.
Matrix exchanged_weights() {
    return drawn::two_exchanged(
        {1.0 / 64, 3.0 / 64, 5.0 / 64, 7.0 / 64, 11.0 / 64, 17.0 / 64, 20.0 / 64});
}

/// A score of some hundreds is right to 1e-13, and a weight to as much of itself.
constexpr judge::Tolerance far_out_but_small{1e-11, 1e-300};

/// Columns of numbers above 0, each at a magnitude of its own: nothing cancels in a mixture of
/// them.
Matrix columns_of_all_magnitudes(std::size_t n, std::uint64_t seed) {
    const Matrix sizes{{1, 1e-100, 1e100, 1e-30, 1e30, 1e-12, 1e12}};
    return xt::exp(standard_normal(n, sizes.shape(1), seed)) * sizes;
}

Matrix exchanged_components() {
    return drawn::two_exchanged({0.5, -1.25, 0.25, 1.5, -0.75, 0.125});
}

// Scores from which exp is neither infinite nor 0, though it is so far from 1 that a product with a
// value is, or a sum of a few.
const std::vector<std::vector<double>> not_far_out{
    {490, 489, 491},       {-490, -489, -491},  {490, -490, 0},
    {-1, 490, 490},        {650, 651, 649},     {-650, -651, -649},
    {700, 650, -700},      {708.5, 709, 709.2}, {-735, -734, -733},
    {708.9, 708.9, 708.9}, {-708, -740, -720},  std::vector<double>(2000, 702.5)};

// n_queries, n_keys and the third size of matrices that have more than 65,536 numbers, or such a
// size. (Of keys there are never so many: who compares each with each is right, too.)
const std::vector<std::array<std::size_t, 3>> beyond_16_bits{
    {396, 166, 2}, {2, 166, 396}, {396, 2, 166}, {2, 3, 65'603}};

/// So many terms that the order in which they are added counts in the last digits.
constexpr judge::Tolerance of_many{1e-10, 1e-300};

} // namespace

// ---- 04.1

TEST_CASE("04.1 aggregate: rows of weights, or of values, that differ in two numbers only") {
    const Matrix weights = exchanged_weights();
    expect_mixture(weights, standard_normal(weights.shape(1), 3, 81));
    expect_mixture(some_weights(3, weights.shape(0), 82), weights);
    expect_mixture(some_weights(3, weights.shape(1), 83), transposed(weights));
    const Matrix V = drawn::one_changed(7, 84);
    expect_mixture(some_weights(3, 8, 85), V);
    expect_mixture(some_weights(3, 7, 86), transposed(V));
}

TEST_CASE("04.1 aggregate: weights that are nearly equal, or nearly look-ups, and are not") {
    constexpr std::size_t n = 6;
    const Matrix V = standard_normal(n, 3, 141);
    Matrix nearly_equal = xt::ones<double>({n * n, n}) / n;
    for (std::size_t i = 0; i < n * n; ++i) { // one has more of it, and one less
        nearly_equal(i, i / n) += 1.0 / 16;
        nearly_equal(i, i % n) -= 1.0 / 16;
    }
    expect_mixture(nearly_equal, V);
    expect_mixture(xt::view(nearly_equal, xt::range(1, n), xt::all()), V);
    for (std::size_t i = 0; i < n; ++i) {
        Matrix of_its_own = xt::eye<double>(n);
        expect_mixture(of_its_own, V);
        xt::row(of_its_own, static_cast<std::ptrdiff_t>(i)) = 1.0 / n;
        expect_mixture(of_its_own, V);
        xt::row(of_its_own, static_cast<std::ptrdiff_t>(i)) = 0.0625;
        of_its_own(i, i) = 0.6875;
        expect_mixture(of_its_own, V);
        Matrix all_equal = xt::ones<double>({n, n}) / n;
        all_equal(i, (i + 1) % n) += 0.125;
        all_equal(i, (i + 3) % n) -= 0.125;
        expect_mixture(all_equal, V);
    }
}

TEST_CASE("04.1 aggregate: values that sum to 0, and are not 0") {
    const Matrix V = drawn::rows_nearly_zero();
    expect_mixture(some_weights(3, V.shape(0), 87), V);
    expect_mixture(some_weights(3, V.shape(1), 88), transposed(V));
}

TEST_CASE("04.1 aggregate: a matrix may have more than 65,536 numbers") {
    for (const auto& [n_queries, n_keys, d_v] :
         {std::array<std::size_t, 3>{300, 290, 2}, {2, 300, 290}, {300, 2, 290}}) {
        expect_mixture(some_weights(n_queries, n_keys, 89), standard_normal(n_keys, d_v, 90));
    }
    // So many keys that the order of the terms counts in the last digits.
    const Matrix weights = some_weights(1, 65'601, 91);
    const Matrix V = standard_normal(65'601, 1, 92);
    expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V), {0, 1e-12});
    expect_mixture({{0.25, 0.75}}, standard_normal(2, 65'603, 93));
}

TEST_CASE("04.1 aggregate: columns of values of all magnitudes, side by side") {
    const Matrix weights = some_weights(3, 5, 131);
    const Matrix V = columns_of_all_magnitudes(5, 132);
    expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V), componentwise);
    // Sizes that can be halved, as fast products do.
    const Matrix four = some_weights(4, 4, 133);
    const Matrix of_four = xt::view(columns_of_all_magnitudes(4, 134), xt::all(), xt::range(0, 4));
    expect_close(graded::aggregate(four, of_four), oracle::matmul(four, of_four), componentwise);
}

// ---- 04.2

TEST_CASE("04.2 attention_weights: of two keys, too, a weight may be small and is not 0") {
    for (const std::vector<double>& scores :
         {std::vector<double>{0, -30}, {-30, 0}, {300, 0}, {0, 680}, {1, 1 + 1e-7}}) {
        expect_weights(queries({1, 0.5}), keys(scores), far_out_but_small);
    }
    expect_weights(queries({1}), keys({2000, 0}), far_out);
    expect_weights(queries({1}), keys({0, 2000}), far_out);
}

TEST_CASE("04.2 attention_weights: components of all magnitudes, side by side") {
    const Matrix sizes{{1, 1e-100, 1e100, 1e-30, 1e30}};
    const Matrix Q = standard_normal(3, 5, 133), K = standard_normal(4, 5, 134);
    expect_weights(Q * sizes, K / sizes);
    expect_weights(Q / sizes, K * sizes);
}

TEST_CASE("04.2 attention_weights: queries, or keys, that differ in one number only, or in two") {
    for (const Matrix& alike : {exchanged_components(), drawn::one_changed(6, 94)}) {
        expect_weights(alike, standard_normal(4, 6, 95));
        expect_weights(standard_normal(4, 6, 96), alike);
    }
    const Matrix Q = standard_normal(3, 4, 142), K = standard_normal(4, 4, 143);
    expect_weights(rows(Q, {0, 1, 0}), K); // the first and the last are alike, and others are not
    expect_weights(Q, rows(K, {0, 1, 2, 0}));
    const Matrix X = standard_normal(3, 4, 97);
    for (std::size_t k = 0; k < X.size(); ++k) { // nearly the same matrix twice
        Matrix Y = X;
        Y.flat(k) += 0.5;
        expect_weights(X, Y);
    }
}

TEST_CASE("04.2 attention_weights: queries, or keys, that sum to 0, and are not 0") {
    const Matrix X = drawn::rows_nearly_zero();
    const Matrix Y = standard_normal(4, X.shape(1), 98);
    expect_weights(X, Y);
    expect_weights(Y, X);
    // Scores that sum to 0 in a row.
    expect_weights(queries({1, 2}), keys({1, -1, 0}));
    expect_weights(queries({1, 2}), keys({2, -1, 0.5, -1.5}));
}

TEST_CASE("04.2 attention_weights: scores of some hundreds, where exp is nearly infinite, or 0") {
    expect_weights(standard_normal(2, 4, 28), standard_normal(3, 4, 29));
    for (const std::vector<double>& scores : not_far_out) {
        expect_weights(queries({1}), keys(scores), far_out_but_small);
        expect_weights(queries({1, -1}), keys(scores), far_out_but_small);
    }
}

TEST_CASE("04.2 attention_weights: a matrix may have more than 65,536 numbers") {
    for (const auto& [n_queries, n_keys, d_k] : beyond_16_bits) {
        expect_weights(0.1 * standard_normal(n_queries, d_k, 99), standard_normal(n_keys, d_k, 100),
                       of_many);
    }
}

// ---- 04.3

TEST_CASE("04.3 self_attention: components of all magnitudes, side by side") {
    const Matrix sizes{{1, 1e-100, 1e100, 1e-30, 1e30}};
    const Matrix Q = standard_normal(3, 5, 135) * sizes, K = standard_normal(4, 5, 136) / sizes;
    expect_output(Q, K, standard_normal(4, 2, 137));
    expect_output(K, Q, standard_normal(3, 2, 138));
    expect_output(Q, K, columns_of_all_magnitudes(4, 139), componentwise);
    // Of two keys, too, a large value counts that has a small weight.
    expect_output(queries({1}), keys({0, -60}), {{1, 2}, {std::exp(60), 3}});
    expect_output(queries({1}), keys({-60, 0}), {{std::exp(60), 3}, {1, 2}});
}

TEST_CASE(
    "04.3 self_attention: queries, keys or values that differ in one number only, or in two") {
    for (const Matrix& alike : {exchanged_components(), drawn::one_changed(6, 105)}) {
        const Matrix six = standard_normal(4, 6, 106);
        const std::size_t n = alike.shape(0);
        expect_output(alike, six, standard_normal(4, 2, 107));
        expect_output(six, alike, standard_normal(n, 2, 108));
        expect_output(standard_normal(3, 2, 109), standard_normal(n, 2, 110), alike);
    }
    const Matrix Q = standard_normal(3, 4, 144), K = standard_normal(4, 4, 145);
    const Matrix V = standard_normal(4, 2, 146);
    expect_output(rows(Q, {0, 1, 0}), K, V); // the first and the last are alike, and others are not
    expect_output(Q, rows(K, {0, 1, 2, 0}), V);
    expect_output(Q, K, rows(V, {0, 1, 2, 0}));
    const Matrix X = standard_normal(3, 4, 111);
    for (std::size_t k = 0; k < X.size(); ++k) { // nearly the same matrix twice
        Matrix Y = X;
        Y.flat(k) += 0.5;
        expect_output(X, Y, X);
        expect_output(X, X, Y);
    }
}

TEST_CASE("04.3 self_attention: queries, keys or values that sum to 0, and are not 0") {
    const Matrix X = drawn::rows_nearly_zero();
    const std::size_t n = X.shape(0);
    const Matrix Y = standard_normal(4, X.shape(1), 112);
    expect_output(X, Y, standard_normal(4, 3, 113));
    expect_output(Y, X, standard_normal(n, 3, 114));
    expect_output(standard_normal(3, 2, 115), standard_normal(n, 2, 116), X);
    expect_output(X, X, X);
    expect_output(queries({1, 2}), keys({1, -1, 0}), values); // scores that sum to 0
}

TEST_CASE("04.3 self_attention: scores of some hundreds, and values as large as exp of them, or as "
          "small") {
    expect_output(standard_normal(2, 4, 28), standard_normal(3, 4, 29), values);
    for (const std::vector<double>& scores : not_far_out) {
        for (const double size : {1.0, 1e100, 1e-100}) {
            constexpr judge::Tolerance of_large{0, 0, 1e-11};
            Matrix V = size * values;
            if (scores.size() != V.shape(0)) {
                V = size * standard_normal(scores.size(), 2, 140);
                V += 2 * size;
            }
            expect_output(queries({1}), keys(scores), V, of_large);
            expect_output(queries({1, -1}), keys(scores), V, of_large);
        }
    }
    // One query's scores lie at 300, the next one's at -300.
    expect_output(queries({1, -1}), keys({300, 299, 301}), 1e-100 * values, {0, 0, 1e-11});
}

TEST_CASE("04.3 self_attention: a matrix may have more than 65,536 numbers") {
    for (const auto& [n_queries, n_keys, d] : beyond_16_bits) {
        for (const std::size_t d_v : {std::size_t{1}, d}) {
            const std::size_t d_k = d_v == 1 ? d : 2;
            expect_output(0.1 * standard_normal(n_queries, d_k, 117),
                          standard_normal(n_keys, d_k, 118), standard_normal(n_keys, d_v, 119),
                          {1e-10, 0, 1e-11});
        }
    }
}

} // namespace grader_shortcuts
