#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"
#include "support/refusal.hpp"

using drawn::look_alikes;
using drawn::standard_normal;
using drawn::upside_down;
using drawn::with_zeros;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;
using support::expect_refusal;

namespace {

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

// n_queries, n_keys, d_k: pairwise different, and each of them 1 somewhere.
constexpr std::array<std::array<std::size_t, 3>, 17> awkward_sizes{
    {{2, 3, 1},
     {1, 4, 2},
     {4, 1, 3},
     {1, 2, 7},
     {6, 2, 5},
     {3, 8, 13},
     {11, 17, 30},
     // and beyond the sizes at which a buffer or a tile ends
     {3, 2, 270},
     {271, 3, 2},
     {2, 300, 3},
     // and two of them 1, or all
     {1, 1, 5},
     {1, 6, 1},
     {5, 1, 1},
     {1, 1, 1},
     // and two of them alike
     {3, 3, 2},
     {3, 2, 3},
     {2, 3, 3}}};

// The same, far beyond them, but for queries: a thread for each is right, too.
constexpr std::array<std::array<std::size_t, 3>, 3> large_sizes{
    {{401, 2, 1}, {1, 2063, 2}, {2, 1, 2069}}};

// n_queries, n_keys, and the two widths that differ. Some would fit with K, Q or both transposed,
// or in another shape.
constexpr std::array<std::array<std::size_t, 4>, 11> other_widths{{{2, 5, 4, 3},
                                                                   {2, 5, 1, 3},
                                                                   {2, 5, 3, 1},
                                                                   {3, 3, 2, 6},
                                                                   {2, 3, 3, 4},
                                                                   {4, 5, 3, 4},
                                                                   {4, 3, 3, 4},
                                                                   {2, 2, 3, 5},
                                                                   {2, 4, 6, 3},
                                                                   {12345, 10007, 3, 2},
                                                                   {2, 3, 12345, 10007}}};

/// Sums of at most some hundred products of numbers around 1, in double: rounding moves them by
/// 10⁻¹⁴, float by 10⁻⁷.
constexpr judge::Tolerance in_double{1e-12, 1e-12};

void expect_close(const Matrix& actual, const Matrix& expected) {
    judge::expect_close(actual, expected, in_double);
}

/// Queries and keys with zeros in one of them, and in both. The largest first: it tells the ways to
/// stumble over a 0 apart.
std::vector<std::array<Matrix, 2>> some_with_zeros() {
    std::vector<std::array<Matrix, 2>> pairs;
    for (const auto& [n_queries, n_keys, d_k] :
         {std::array<std::size_t, 3>{5, 6, 7}, {1, 4, 5}, {5, 1, 4}, {4, 3, 1}, {1, 1, 5}}) {
        const Matrix Q = standard_normal(n_queries, d_k, 60 + n_queries);
        const Matrix K = standard_normal(n_keys, d_k, 70 + n_keys);
        pairs.push_back({with_zeros(Q), K});
        pairs.push_back({Q, with_zeros(K)});
        pairs.push_back({with_zeros(Q), with_zeros(K)});
    }
    return pairs;
}

} // namespace

// ---- 02.1

TEST_CASE("02.1 raw_scores: two queries with three keys, small enough to do by hand") {
    const Matrix Q{{1, 2}, {0, 1}};
    const Matrix K{{3, 1}, {2, -1}, {-1, 0}};
    expect_close(graded::raw_scores(Q, K), Matrix{{5, 0, -1}, {1, -1, 0}});
}

TEST_CASE("02.1 raw_scores: as many queries as keys as components") {
    const Matrix Q{{1, 2}, {3, 4}};
    const Matrix K{{5, 6}, {7, 8}};
    expect_close(graded::raw_scores(Q, K), Matrix{{17, 23}, {39, 53}});
}

TEST_CASE(
    "02.1 raw_scores: a right angle scores 0, an opposite direction less, a longer key more") {
    const Matrix Q{{2, 0}};
    const Matrix K{{1, 0}, {0, 1}, {-1, 0}, {3, 3}, {0.5, 0.5}};
    expect_close(graded::raw_scores(Q, K), Matrix{{2, 0, -2, 6, 1}});
}

TEST_CASE("02.1 raw_scores: swapping queries and keys transposes the scores") {
    const Matrix Q = standard_normal(3, 5, 21);
    const Matrix K = standard_normal(4, 5, 22);
    const Matrix scores = graded::raw_scores(Q, K);
    expect_close(graded::raw_scores(K, Q), transposed(scores));
}

TEST_CASE("02.1 raw_scores: of keys of one length, a query scores highest with the one in its "
          "direction") {
    constexpr std::size_t n_keys = 12;
    Matrix K = xt::zeros<double>({n_keys, std::size_t{2}});
    for (std::size_t j = 0; j < n_keys; ++j) {
        const double angle = 2 * std::acos(-1.0) * static_cast<double>(j) / n_keys;
        K(j, 0) = std::cos(angle);
        K(j, 1) = std::sin(angle);
    }
    const Matrix Q{{3 * K(0, 0), 3 * K(0, 1)}, {5 * K(7, 0), 5 * K(7, 1)}};
    const Matrix scores = graded::raw_scores(Q, K);
    const std::vector<std::size_t> shape{2, n_keys};
    expect_that(sizes(scores) == shape, "2 queries and 12 keys have scores of shape (2, 12)",
                "yours are " + lesson::shape_text(scores));
    for (const auto& [query, key] : {std::array<std::size_t, 2>{0, 0}, {1, 7}}) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            expect_that(j == key || scores(query, j) < scores(query, key),
                        "query " + std::to_string(query) + " points where key " +
                            std::to_string(key) + " does, and should score highest with it",
                        "it scores " + number_text(scores(query, key)) + " with that, and " +
                            number_text(scores(query, j)) + " with key " + std::to_string(j));
        }
    }
}

TEST_CASE("02.1 raw_scores: a query three times as long scores three times as much, and no other "
          "query notices") {
    Matrix Q = standard_normal(3, 5, 23);
    const Matrix K = standard_normal(4, 5, 24);
    Matrix expected = graded::raw_scores(Q, K);
    xt::row(Q, 1) *= 3;
    const Matrix scores = graded::raw_scores(Q, K);
    expect_that(expected.dimension() == 2 && expected.shape(0) == 3,
                "3 queries have 3 rows of scores",
                "the scores are " + lesson::shape_text(expected));
    xt::row(expected, 1) *= 3;
    expect_close(scores, expected);
}

TEST_CASE("02.1 raw_scores: with itself, a sequence scores symmetrically, its squared lengths on "
          "the diagonal") {
    const Matrix X{{1, 2, 2}, {0, 3, 4}};
    expect_close(graded::raw_scores(X, X), Matrix{{9, 14}, {14, 25}});
}

TEST_CASE("02.1 raw_scores: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k] : awkward_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, n_queries);
        const Matrix K = standard_normal(n_keys, d_k, 100 + n_keys);
        expect_close(graded::raw_scores(Q, K), oracle::raw_scores(Q, K));
    }
}

TEST_CASE("02.1 raw_scores: a component of 0 is one like any other, in queries and in keys") {
    for (const auto& [Q, K] : some_with_zeros()) {
        expect_close(graded::raw_scores(Q, K), oracle::raw_scores(Q, K));
    }
}

TEST_CASE("02.1 raw_scores: one matrix as queries and as keys") {
    const Matrix X = standard_normal(4, 3, 25);
    expect_close(graded::raw_scores(X, X), oracle::raw_scores(X, X));
}

TEST_CASE("02.1 raw_scores: 401 queries, and more than 2048 keys and components") {
    for (const auto& [n_queries, n_keys, d_k] : large_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, n_queries) / 64;
        const Matrix K = standard_normal(n_keys, d_k, 100 + n_keys);
        expect_close(graded::raw_scores(Q, K), oracle::raw_scores(Q, K));
    }
}

TEST_CASE(
    "02.1 raw_scores: long queries and short keys, or short ones and long, score as exactly as "
    "others") {
    for (const double length : {0x1p30, 0x1p-30}) {
        const Matrix Q = length * standard_normal(3, 4, 35);
        const Matrix K = standard_normal(5, 4, 36) / length;
        expect_close(graded::raw_scores(Q, K), oracle::raw_scores(Q, K));
    }
}

TEST_CASE(
    "02.1 raw_scores: rows that begin and end alike, and have one sum, are not the same row") {
    const Matrix X = look_alikes(4, 6, 37);
    for (const Matrix& Q : {X, upside_down(X)}) {
        for (const Matrix& K : {X, upside_down(X), look_alikes(4, 6, 38)}) {
            expect_close(graded::raw_scores(Q, K), oracle::raw_scores(Q, K));
        }
    }
}

TEST_CASE("02.1 raw_scores: agrees with PyTorch") {
    expect_close(graded::raw_scores(support::golden("scores/Q"), support::golden("scores/K")),
                 support::golden("scores/raw"));
}

TEST_CASE("02.1 raw_scores: queries and keys of different widths are refused, and both shapes are "
          "named") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 4, 2);
    expect_refusal(graded::raw_scores.attempt(Q, K), {sizes(Q), sizes(K)});
}

TEST_CASE(
    "02.1 raw_scores: wider queries than keys are refused, a single component, and sizes of five "
    "digits") {
    for (const auto& [n_queries, n_keys, of_Q, of_K] : other_widths) {
        const Matrix Q = xt::zeros<double>({n_queries, of_Q});
        const Matrix K = xt::zeros<double>({n_keys, of_K});
        expect_refusal(graded::raw_scores.attempt(Q, K), {sizes(Q), sizes(K)});
    }
}

TEST_CASE("02.1 raw_scores: keys already transposed are refused, too") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(3, 4, 2);
    expect_refusal(graded::raw_scores.attempt(Q, K), {sizes(Q), sizes(K)});
}

// ---- 02.2

TEST_CASE("02.2 scaled_scores: four components halve the scores, by hand") {
    const Matrix Q{{1, 2, 3, 4}, {0, 2, 0, 0}};
    const Matrix K{{1, 1, 1, 1}, {2, 0, 0, 0}, {-1, 0, -1, 0}};
    expect_close(graded::scaled_scores(Q, K), Matrix{{5, 1, -2}, {1, 0, 0}});
}

TEST_CASE("02.2 scaled_scores: two components divide by 1.41421…, which is not a whole number") {
    const Matrix Q{{1, 1}, {0, 2}, {3, 0}};
    const Matrix K{{1, 1}, {3, -1}, {0, 4}, {1, 0}, {-1, 1}};
    const double root = std::sqrt(2.0);
    expect_close(graded::scaled_scores(Q, K),
                 Matrix{{2, 2, 4, 1, 0}, {2, -2, 8, 0, 2}, {3, 9, 0, 3, -3}} / root);
}

TEST_CASE("02.2 scaled_scores: one component changes nothing") {
    const Matrix Q{{2}, {-3}};
    const Matrix K{{1}, {5}, {-4}};
    expect_close(graded::scaled_scores(Q, K), Matrix{{2, 10, -8}, {-3, -15, 12}});
}

TEST_CASE("02.2 scaled_scores: times √d_k they are the raw scores") {
    const Matrix Q = standard_normal(4, 7, 31);
    const Matrix K = standard_normal(6, 7, 32);
    const Matrix scores = graded::scaled_scores(Q, K);
    expect_close(scores * std::sqrt(7.0), oracle::raw_scores(Q, K));
}

TEST_CASE("02.2 scaled_scores: the number of queries and of keys does not change a score") {
    const Matrix Q = standard_normal(7, 3, 33);
    const Matrix K = standard_normal(5, 3, 34);
    const Matrix all = graded::scaled_scores(Q, K);
    expect_close(all, oracle::scaled_scores(Q, K));
    const Matrix first_query = xt::view(Q, xt::range(0, 1), xt::all());
    const Matrix first_keys = xt::view(K, xt::range(0, 2), xt::all());
    expect_close(graded::scaled_scores(first_query, first_keys),
                 xt::view(all, xt::range(0, 1), xt::range(0, 2)));
}

TEST_CASE("02.2 scaled_scores: a sequence with itself") {
    const Matrix X{{1, 2, 2}, {0, 3, 4}};
    expect_close(graded::scaled_scores(X, X), Matrix{{9, 14}, {14, 25}} / std::sqrt(3.0));
}

TEST_CASE("02.2 scaled_scores: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k] : awkward_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, n_queries);
        const Matrix K = standard_normal(n_keys, d_k, 100 + n_keys);
        expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K));
    }
}

TEST_CASE("02.2 scaled_scores: a component of 0 is one like any other, in queries and in keys") {
    for (const auto& [Q, K] : some_with_zeros()) {
        expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K));
    }
}

TEST_CASE("02.2 scaled_scores: one matrix as queries and as keys") {
    const Matrix X = standard_normal(4, 3, 26);
    expect_close(graded::scaled_scores(X, X), oracle::scaled_scores(X, X));
}

TEST_CASE(
    "02.2 scaled_scores: 401 queries, more than 2048 keys and components, and 100,003 of these") {
    for (const auto& [n_queries, n_keys, d_k] : large_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, n_queries) / 64;
        const Matrix K = standard_normal(n_keys, d_k, 100 + n_keys);
        expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K));
    }
    const Matrix Q = standard_normal(1, 100'003, 71) / 64;
    const Matrix K = standard_normal(2, 100'003, 72);
    expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K));
}

TEST_CASE(
    "02.2 scaled_scores: long queries and short keys, or short ones and long, score as exactly as "
    "others") {
    for (const double length : {0x1p30, 0x1p-30}) {
        const Matrix Q = length * standard_normal(3, 4, 35);
        const Matrix K = standard_normal(5, 4, 36) / length;
        expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K));
    }
}

TEST_CASE(
    "02.2 scaled_scores: rows that begin and end alike, and have one sum, are not the same row") {
    const Matrix X = look_alikes(4, 6, 37);
    for (const Matrix& Q : {X, upside_down(X)}) {
        for (const Matrix& K : {X, upside_down(X), look_alikes(4, 6, 38)}) {
            expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K));
        }
    }
}

TEST_CASE("02.2 scaled_scores: agrees with PyTorch") {
    expect_close(graded::scaled_scores(support::golden("scores/Q"), support::golden("scores/K")),
                 support::golden("scores/scaled"));
}

TEST_CASE("02.2 scaled_scores: queries and keys of different widths are refused, and both shapes "
          "are named") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 4, 2);
    expect_refusal(graded::scaled_scores.attempt(Q, K), {sizes(Q), sizes(K)});
}

TEST_CASE("02.2 scaled_scores: wider queries than keys are refused, a single component, and sizes "
          "of five "
          "digits") {
    for (const auto& [n_queries, n_keys, of_Q, of_K] : other_widths) {
        const Matrix Q = xt::zeros<double>({n_queries, of_Q});
        const Matrix K = xt::zeros<double>({n_keys, of_K});
        expect_refusal(graded::scaled_scores.attempt(Q, K), {sizes(Q), sizes(K)});
    }
}

TEST_CASE("02.2 scaled_scores: vectors without components are refused: 0 / √0 is no score") {
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{2, 3}, {4, 4}, {1, 1}}) {
        const Matrix Q = xt::zeros<double>({n_queries, std::size_t{0}});
        const Matrix K = xt::zeros<double>({n_keys, std::size_t{0}});
        expect_refusal(graded::scaled_scores.attempt(Q, K), {sizes(Q), sizes(K)});
    }
}
