#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "attention/random.hpp"
#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

using attention::standard_normal;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;
using lesson::Moments;

namespace {

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

// n_queries, n_keys, d_k: pairwise different, and each of them 1 somewhere.
constexpr std::array<std::array<std::size_t, 3>, 7> awkward_sizes{
    {{2, 3, 1}, {1, 4, 2}, {4, 1, 3}, {1, 2, 7}, {6, 2, 5}, {3, 8, 13}, {11, 17, 30}}};

// ---- The moments are random, so they are compared by how far they may stray.

/// Whether two estimates are of the same quantities, by the size of the numbers alone: at 40,000
/// samples an estimated variance strays by 1.4 % at most (d_k = 1), and a mean by far less than the
/// variance. The part of 0.3 leaves room for the mean where the variance is close to 0.
bool same_statistics(const judge::Value& a, const judge::Value& b) {
    const Moments x = judge::from_value<Moments>(a);
    const Moments y = judge::from_value<Moments>(b);
    if ((x.mean == 0) != (y.mean == 0)) {
        return false; // exactly 0 is never measured
    }
    constexpr double nothing = 1e-6;
    if (std::abs(x.variance) < nothing && std::abs(y.variance) < nothing) {
        return true; // each the mean of one number repeated, whichever that was
    }
    const double largest =
        std::max({std::abs(x.mean), std::abs(x.variance), std::abs(y.mean), std::abs(y.variance)});
    const double allowed = 0.1 * largest + 0.3;
    return std::abs(x.mean - y.mean) <= allowed && std::abs(x.variance - y.variance) <= allowed;
}

const bool registered = [] {
    judge::session().compare_with("dot_product_moments", same_statistics);
    return true;
}();

constexpr std::size_t samples = 40'000;

std::string between(double middle, double radius) {
    return "between " + number_text(middle - radius) + " and " + number_text(middle + radius);
}

/// Four standard errors either way, which a right answer exceeds once in about 16,000 times for
/// each of the two. The seeds are fixed: what passes once always passes.
void has_the_moments_of_a_dot_product(std::size_t d_k, std::uint64_t seed) {
    const Moments moments = graded::dot_product_moments(d_k, samples, seed);
    const double d = static_cast<double>(d_k);
    const double n = static_cast<double>(samples);
    const double mean_error = 4 * std::sqrt(d / n);
    expect_that(std::abs(moments.mean) <= mean_error,
                "the mean of q · k is 0, and its estimate from " + std::to_string(samples) +
                    " samples should lie " + between(0, mean_error),
                "yours is " + number_text(moments.mean) + " (with the variance " +
                    number_text(moments.variance) + ")");
    expect_that(moments.mean != 0,
                "the mean of " + std::to_string(samples) + " random numbers is never exactly 0",
                "yours is; was it computed in integers?");
    const double variance_error = 4 * std::sqrt((2 + 6 / d) / n) * d;
    expect_that(std::abs(moments.variance - d) <= variance_error,
                "the variance of q · k is d_k = " + std::to_string(d_k) +
                    ", and its estimate from " + std::to_string(samples) + " samples should lie " +
                    between(d, variance_error),
                "yours is " + number_text(moments.variance));
}

std::string text(const Moments& moments) {
    return "mean " + number_text(moments.mean) + " and variance " + number_text(moments.variance);
}

bool equal(const Moments& a, const Moments& b) {
    return a.mean == b.mean && a.variance == b.variance;
}

void refuses(std::size_t d_k, std::size_t n, const std::string& what) {
    judge::expect_refused(graded::dot_product_moments.attempt(d_k, n, 1), what);
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

TEST_CASE("02.1 raw_scores: agrees with PyTorch") {
    expect_close(graded::raw_scores(support::golden("scores/Q"), support::golden("scores/K")),
                 support::golden("scores/raw"));
}

TEST_CASE("02.1 raw_scores: queries and keys of different widths are refused, and both shapes are "
          "named") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 4, 2);
    expect_invalid_argument(graded::raw_scores.attempt(Q, K), {sizes(Q), sizes(K)});
}

TEST_CASE("02.1 raw_scores: keys already transposed are refused, too") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(3, 4, 2);
    expect_invalid_argument(graded::raw_scores.attempt(Q, K), {sizes(Q), sizes(K)});
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
    expect_close<Matrix>(graded::scaled_scores(Q, K),
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
    expect_close<Matrix>(scores * std::sqrt(7.0), oracle::raw_scores(Q, K));
}

TEST_CASE("02.2 scaled_scores: the number of queries and of keys does not change a score") {
    const Matrix Q = standard_normal(7, 3, 33);
    const Matrix K = standard_normal(5, 3, 34);
    const Matrix all = graded::scaled_scores(Q, K);
    expect_close(all, oracle::scaled_scores(Q, K));
    const Matrix first_query = xt::view(Q, xt::range(0, 1), xt::all());
    const Matrix first_keys = xt::view(K, xt::range(0, 2), xt::all());
    expect_close<Matrix>(graded::scaled_scores(first_query, first_keys),
                         xt::view(all, xt::range(0, 1), xt::range(0, 2)));
}

TEST_CASE("02.2 scaled_scores: a sequence with itself") {
    const Matrix X{{1, 2, 2}, {0, 3, 4}};
    expect_close<Matrix>(graded::scaled_scores(X, X), Matrix{{9, 14}, {14, 25}} / std::sqrt(3.0));
}

TEST_CASE("02.2 scaled_scores: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k] : awkward_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, n_queries);
        const Matrix K = standard_normal(n_keys, d_k, 100 + n_keys);
        expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K));
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
    expect_invalid_argument(graded::scaled_scores.attempt(Q, K), {sizes(Q), sizes(K)});
}

TEST_CASE("02.2 scaled_scores: vectors without components are refused: 0 / √0 is no score") {
    const Matrix Q = xt::zeros<double>({2, 0});
    const Matrix K = xt::zeros<double>({3, 0});
    expect_invalid_argument(graded::scaled_scores.attempt(Q, K), {sizes(Q), sizes(K)});
}

// ---- 02.3

TEST_CASE("02.3 dot_product_moments: with 4 components the mean is 0 and the variance 4") {
    has_the_moments_of_a_dot_product(4, 1);
}

TEST_CASE("02.3 dot_product_moments: with 64 components the variance is 64") {
    has_the_moments_of_a_dot_product(64, 2);
}

TEST_CASE("02.3 dot_product_moments: a single product of two standard normal numbers has variance "
          "1") {
    has_the_moments_of_a_dot_product(1, 3);
}

TEST_CASE("02.3 dot_product_moments: the same seed gives the same numbers") {
    const Moments first = graded::dot_product_moments(3, samples, 5);
    const Moments second = graded::dot_product_moments(3, samples, 5);
    expect_that(equal(first, second), "the same seed should give the same result",
                "one call gave " + text(first) + ", the next " + text(second));
}

TEST_CASE("02.3 dot_product_moments: another seed gives other numbers") {
    const Moments first = graded::dot_product_moments(3, samples, 6);
    const Moments second = graded::dot_product_moments(3, samples, 7);
    expect_that(!equal(first, second), "another seed should give other numbers",
                "seeds 6 and 7 both gave " + text(first));
}

TEST_CASE("02.3 dot_product_moments: another number of samples gives another estimate") {
    const Moments first = graded::dot_product_moments(3, samples, 8);
    const Moments second = graded::dot_product_moments(3, samples + 1000, 8);
    expect_that(!equal(first, second), "more samples should change the estimate",
                "40000 and 41000 samples both gave " + text(first));
}

TEST_CASE("02.3 dot_product_moments: from seed to seed the estimates stray as chance has it") {
    // For one product of two standard normal numbers: the mean by 1/√N, the variance by √(8/N).
    // That of six none strays by a tenth of this is one in four million.
    const auto n = static_cast<double>(samples);
    double mean = 0;
    double variance = 0;
    for (std::uint64_t seed = 11; seed <= 16; ++seed) {
        const Moments moments = graded::dot_product_moments(1, samples, seed);
        mean = std::max(mean, std::abs(moments.mean));
        variance = std::max(variance, std::abs(moments.variance - 1));
    }
    expect_that(mean >= 0.1 / std::sqrt(n),
                "a mean of " + std::to_string(samples) + " products strays from 0 by about " +
                    number_text(1 / std::sqrt(n)),
                "of six, yours strays by " + number_text(mean) + " at most");
    expect_that(variance >= 0.1 * std::sqrt(8 / n),
                "the variance of a product of normal numbers strays from 1 by about " +
                    number_text(std::sqrt(8 / n)),
                "of six, yours strays by " + number_text(variance) +
                    " at most: are the components normal?");
}

TEST_CASE("02.3 dot_product_moments: one seed gives other numbers for another d_k") {
    const Moments two = graded::dot_product_moments(2, samples, 17);
    const Moments three = graded::dot_product_moments(3, samples, 17);
    expect_that(!equal(two, three), "2 and 3 components should give other estimates",
                "both gave " + text(two));
}

TEST_CASE("02.3 dot_product_moments: vectors without components are refused") {
    refuses(0, 10, "d_k = 0");
}

TEST_CASE("02.3 dot_product_moments: fewer than two samples are refused") {
    refuses(4, 0, "samples = 0");
    refuses(4, 1, "samples = 1 (one number has no variance)");
}
