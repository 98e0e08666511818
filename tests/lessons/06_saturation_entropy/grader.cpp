#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

using drawn::look_alikes;
using drawn::standard_normal;
using drawn::upside_down;
using drawn::with_zeros;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_refused;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::EntropyCurve;
using lesson::Matrix;
using lesson::Vector;
using DKs = std::vector<std::size_t>;

namespace {

// Sums of terms of one sign in double; what comes before the softmax is rounded, too, in 06.3.
constexpr judge::Tolerance twelve_digits{1e-12, 1e-14};
constexpr judge::Tolerance ten_digits{1e-10, 1e-12};

const Matrix hand_weights{{1.0 / 2, 1.0 / 4, 1.0 / 4}, {1.0 / 3, 1.0 / 3, 1.0 / 3}};

/// Weights as a softmax makes them; the sharper, the closer to one-hot.
Matrix some_weights(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed,
                    double sharpness = 1) {
    const Matrix weights =
        oracle::softmax_rows(Matrix(sharpness * standard_normal(n_queries, n_keys, seed)));
    return xt::where(weights < 1e-300, 0.0, weights); // whose 1 / p a double can still hold
}

void expect_entropy(const Matrix& weights) {
    expect_close(graded::entropy(weights), oracle::entropy(weights), twelve_digits);
}

void expect_sweep(const Matrix& Q, const Matrix& K, const DKs& d_ks) {
    for (const bool scaled : {false, true}) {
        expect_close(graded::entropy_sweep(Q, K, d_ks, scaled), plain::sweep(Q, K, d_ks, scaled),
                     ten_digits);
    }
}

} // namespace

// ---- 06.1 entropy

TEST_CASE("06.1 entropy: weights of 1/2, 1/4, 1/4, and three of 1/3, small enough to do by hand") {
    expect_close(graded::entropy(hand_weights), Vector{1.5 * std::log(2.0), std::log(3.0)},
                 twelve_digits);
}

TEST_CASE("06.1 entropy: two equal weights have ln 2 = 0.6931 nats, eight have three times that") {
    expect_close(graded::entropy({{0.5, 0.5}}), Vector{std::log(2.0)});
    expect_close(graded::entropy(Matrix(xt::ones<double>({3, 8}) / 8.0)),
                 Vector{std::log(8.0), std::log(8.0), std::log(8.0)});
}

TEST_CASE("06.1 entropy: the weights of lesson 04's hand computation") {
    const double own = std::exp(std::sqrt(0.5)), half = std::exp(std::sqrt(0.125));
    const double sum = own + 1 + half;
    expect_close(
        graded::entropy({{own / sum, 1 / sum, half / sum}, {1 / sum, own / sum, half / sum}}),
        Vector{1.058210, 1.058210});
}

TEST_CASE("06.1 entropy: a weight of 0 adds nothing, beside a 1 and beside others") {
    expect_close(graded::entropy({{0, 1, 0}, {0.5, 0, 0.5}}), Vector{0, std::log(2.0)},
                 twelve_digits);
    expect_entropy({{0, 0.25, 0.75}, {0.25, 0.75, 0}, {0.5, 0, 0.5}}); // first, last, in the middle
}

TEST_CASE("06.1 entropy: several weights of 0 in a row, and a key that nobody attends to") {
    expect_entropy({{0.5, 0, 0, 0.25, 0, 0.25}, {0, 0, 0.125, 0, 0.875, 0}, {0, 0, 0, 0, 0, 1}});
    expect_entropy({{0.25, 0, 0.75}, {0.5, 0, 0.5}, {0.125, 0, 0.875}});
    expect_entropy({{0, 0.25, 0.25, 0.5}});
    expect_entropy({{1}});
}

TEST_CASE("06.1 entropy: where one weight is 1 the entropy is 0, and not a hair below") {
    const Vector nats = graded::entropy({{0, 0, 1, 0}, {1, 0, 0, 0}});
    expect_shape(sizes(nats), {2});
    for (const double h : nats) {
        expect_that(h >= 0, "no entropy is below 0", "there is one of " + number_text(h));
    }
    expect_close(nats, Vector{0, 0}, twelve_digits);
}

TEST_CASE("06.1 entropy: small weights count, down to those that a double can hardly hold") {
    for (const double small : {2e-3, 2e-6, 2e-7, 5e-8, 2e-9, 2e-10, 3e-11, 5e-12, 5e-13}) {
        expect_entropy({{1 - small, small}, {0.5, 0.5}});
    }
    expect_entropy({{1e-300, 1e-200, 1e-17, 1}});
}

TEST_CASE("06.1 entropy: beside a weight of 1 the tiny ones are all there is, to twelve digits") {
    const auto expect_digits = [](const Matrix& weights) {
        expect_close(graded::entropy(weights), oracle::entropy(weights), judge::componentwise);
    };
    // So small that the other weight is 1 as a double: of one that is not quite, right ways to
    // compute, such as p ln(1/p), lose digits.
    for (const double small : {1e-17, 1e-20, 1e-30, 1e-50, 1e-100, 1e-200, 1e-280}) {
        expect_digits({{1, small}, {small, 1}});
        expect_digits({{small, 1, 0, small}});
    }
    expect_digits({{1, 1e-270}, {1e-150, 1}, {1, 0}});
}

TEST_CASE("06.1 entropy: one number a query, from 0 to ln n_keys") {
    const Vector nats = graded::entropy(some_weights(5, 7, 11));
    expect_shape(sizes(nats), {5});
    for (const double h : nats) {
        expect_that(h >= 0 && h <= std::log(7.0) + 1e-6, "no entropy is below 0 or above ln 7",
                    "there is one of " + number_text(h));
    }
}

TEST_CASE("06.1 entropy: the order of the keys does not matter") {
    const Matrix weights = some_weights(3, 6, 12);
    const Vector nats = oracle::entropy(weights);
    using xt::placeholders::_;
    expect_close(graded::entropy(xt::view(weights, xt::all(), xt::range(5, _, -1))), nats);
    expect_close(graded::entropy(weights), nats);
}

TEST_CASE("06.1 entropy: a query has its entropy, whoever stands above or below it") {
    const Matrix weights = some_weights(4, 3, 13);
    const Vector nats = oracle::entropy(weights);
    for (const std::size_t i : {0U, 3U}) {
        expect_close<Vector>(graded::entropy(xt::view(weights, xt::range(i, i + 1))),
                             xt::view(nats, xt::range(i, i + 1)));
    }
    expect_close(graded::entropy(weights), nats);
}

TEST_CASE("06.1 entropy: every key replaced by two of half its weight: ln 2 more") {
    const Matrix weights = some_weights(2, 5, 14);
    const Matrix half = weights / 2;
    const Matrix halves = xt::concatenate(xt::xtuple(half, half), 1);
    expect_close<Vector>(graded::entropy(halves), oracle::entropy(weights) + std::log(2.0));
}

TEST_CASE("06.1 entropy: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys] :
         {std::array<std::size_t, 2>{1, 7}, {5, 1}, {2, 3}, {13, 11}, {5, 5}, {3, 67}}) {
        expect_entropy(some_weights(n_queries, n_keys, n_keys, 2));
    }
}

TEST_CASE("06.1 entropy: saturated weights, most of which have become exactly 0") {
    expect_entropy(some_weights(7, 5, 15, 1000));
}

TEST_CASE("06.1 entropy: more than 64 and more than 256 queries, and as many keys") {
    expect_entropy(some_weights(259, 3, 16, 2));
    expect_entropy(some_weights(2, 257, 17, 3));
    expect_entropy(some_weights(401, 2, 18, 2));
    expect_entropy(some_weights(2, 2063, 19, 3));
}

TEST_CASE("06.1 entropy: rows that begin and end alike are not the same row") {
    // Their sum is always 1. Here the second and the third weight may have another share each.
    expect_entropy({{0.25, 0.25, 0.25, 0.25},
                    {0.25, 0.125, 0.375, 0.25},
                    {0.25, 0.4375, 0.0625, 0.25},
                    {0.25, 0, 0.5, 0.25}});
    expect_entropy({{0.25, 0.125, 0.375, 0.25},
                    {0.25, 0.25, 0.25, 0.25},
                    {0.25, 0, 0.5, 0.25},
                    {0.25, 0.4375, 0.0625, 0.25}});
}

// ---- 06.3 entropy_sweep

TEST_CASE("06.3 entropy_sweep: two queries, three keys, one component and then both, by hand") {
    // Query 0 has the weights 1/2, 1/4, 1/4, and then 2/6, 3/6, 1/6; query 1 always three of 1/3.
    const Matrix Q{{std::log(2.0), std::log(3.0)}, {0, 0}};
    const Matrix K{{1, 0}, {0, 1}, {0, 0}};
    expect_close(graded::entropy_sweep(Q, K, {1, 2}, false),
                 EntropyCurve{{1, 2}, {1.0691666, 1.0550083}});
}

TEST_CASE("06.3 entropy_sweep: scaled, a score of 4 ln 2 from four components is 2 ln 2") {
    // Unscaled the weights would be 16/18, 1/18, 1/18; scaled they are 4/6, 1/6, 1/6.
    const Matrix Q = std::log(2.0) * xt::ones<double>({1, 4});
    const Matrix K{{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    expect_close(graded::entropy_sweep(Q, K, {1, 4}, true),
                 EntropyCurve{{1, 4}, {1.0397208, 0.8675632}});
}

TEST_CASE("06.3 entropy_sweep: d_k = 1 is the same scaled and unscaled") {
    const Matrix Q = standard_normal(3, 4, 31);
    const Matrix K = standard_normal(5, 4, 32);
    expect_sweep(Q, K, {1});
}

TEST_CASE("06.3 entropy_sweep: components from d_k on have no influence, however large") {
    Matrix Q = standard_normal(3, 7, 33);
    Matrix K = standard_normal(4, 7, 34);
    xt::view(Q, xt::all(), xt::range(5, 7)) *= 100;
    xt::view(K, xt::all(), xt::range(5, 7)) *= 100;
    expect_sweep(Q, K, {2, 3, 5});
}

TEST_CASE("06.3 entropy_sweep: any order, gaps and repetitions of d_k") {
    expect_sweep(standard_normal(4, 6, 35), standard_normal(5, 6, 36), {6, 2, 5, 2, 1});
}

TEST_CASE("06.3 entropy_sweep: two queries that each want another key: the mean entropy") {
    // Their mean weights look undecided; neither query is, once it sees both components.
    expect_sweep({{4, 0}, {0, 4}}, {{1, 0}, {0, 1}, {-1, -1}}, {1, 2});
}

TEST_CASE("06.3 entropy_sweep: awkward sizes agree with plain loops in long double") {
    expect_sweep(standard_normal(1, 3, 41), standard_normal(2, 3, 42), {1, 2, 3});
    expect_sweep(standard_normal(7, 13, 43), standard_normal(5, 13, 44), {1, 3, 11, 13});
    expect_sweep(standard_normal(3, 31, 45), standard_normal(17, 31, 46), {2, 29, 31});
}

TEST_CASE("06.3 entropy_sweep: components, scores and entropies of 0 are like any others") {
    const Matrix Q = standard_normal(5, 7, 51), K = standard_normal(6, 7, 52);
    expect_sweep(with_zeros(Q), with_zeros(K), {1, 2, 3, 5, 7});
    expect_sweep(with_zeros(Q), K, {2, 4, 7});
    expect_sweep(Q, with_zeros(K), {2, 4, 7});
    expect_sweep(xt::zeros<double>({2, 3}), standard_normal(4, 3, 53), {1, 3});
    // A query that is certain, to the last bit, counts in the mean as one that is not.
    expect_sweep({{2000, 0}, {0, 1}, {1, -2000}}, {{1, 0}, {0, 1}, {-1, 0.5}}, {1, 2});
}

TEST_CASE("06.3 entropy_sweep: one query, one key, one component, and all of them") {
    expect_sweep(standard_normal(1, 1, 54), standard_normal(1, 1, 55), {1});
    expect_sweep(standard_normal(1, 1, 56), standard_normal(3, 1, 57), {1});
    expect_sweep(standard_normal(4, 1, 58), standard_normal(3, 1, 59), {1, 1});
    expect_sweep(standard_normal(3, 4, 60), standard_normal(1, 4, 61), {1, 4});
    expect_sweep(standard_normal(1, 4, 62), standard_normal(5, 4, 63), {4, 2});
    expect_sweep(standard_normal(2, 4, 64), standard_normal(2, 4, 65), {3});
}

TEST_CASE("06.3 entropy_sweep: more than 64 and more than 256 queries, keys, components and d_k") {
    expect_sweep(standard_normal(259, 3, 81), standard_normal(2, 3, 82), {1, 3});
    expect_sweep(standard_normal(2, 261, 83), standard_normal(263, 261, 84), {67, 261});
    DKs every(262);
    std::iota(every.begin(), every.end(), std::size_t{1});
    expect_sweep(standard_normal(2, 262, 85), standard_normal(3, 262, 86), every);
}

TEST_CASE("06.3 entropy_sweep: more than 400 queries, 2048 keys and components, and 300 d_k") {
    // Not more queries, nor d_k: a thread for each is right, too.
    expect_sweep(standard_normal(401, 2, 87), standard_normal(2, 2, 88), {2});
    expect_sweep(standard_normal(2, 2, 89), standard_normal(2063, 2, 90), {2});
    expect_sweep(standard_normal(2, 2069, 91) / 64, standard_normal(3, 2069, 92), {2069, 3});
    DKs many(300); // each may have its thread, and a stack of 2 MiB beside what the library takes
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i] = 1 + i % 3 % 2;
    }
    expect_sweep(standard_normal(1, 2, 93), standard_normal(2, 2, 94), many);
}

TEST_CASE("06.3 entropy_sweep: no d_k at all makes an empty curve") {
    expect_sweep(standard_normal(3, 2, 95), standard_normal(2, 2, 96), {});
}

TEST_CASE("06.3 entropy_sweep: rows that begin and end alike, and have one sum, are not the same") {
    const Matrix X = look_alikes(4, 6, 97);
    const Matrix Y = look_alikes(4, 6, 98);
    for (const Matrix& Q : {X, upside_down(X)}) {
        for (const Matrix& K : {X, Y, upside_down(Y)}) {
            expect_sweep(Q, K, {2, 3, 4, 6});
        }
    }
}

TEST_CASE("06.3 entropy_sweep: queries that are the keys themselves") {
    const Matrix X = standard_normal(6, 5, 47);
    expect_sweep(X, X, {1, 4, 5});
}

TEST_CASE("06.3 entropy_sweep: without scaling the entropy collapses, with it not") {
    const Matrix Q = standard_normal(8, 256, 48);
    const Matrix K = standard_normal(16, 256, 49);
    for (const bool scaled : {false, true}) {
        const std::vector<std::size_t> d_ks{1, 2, 4, 8, 16, 32, 64, 128, 256};
        const EntropyCurve curve = graded::entropy_sweep(Q, K, d_ks, scaled);
        const EntropyCurve expected = plain::sweep(Q, K, d_ks, scaled);
        if (!scaled) {
            judge::draw(curve, expected);
        }
        expect_shape(sizes(curve.entropies), {d_ks.size()});
        const double last = curve.entropies(d_ks.size() - 1);
        expect_that(scaled ? last > 2 : last < 1,
                    scaled ? "scaled, 16 keys keep more than 2 nats at d_k = 256"
                           : "unscaled, 16 keys keep less than 1 nat at d_k = 256",
                    "there are " + number_text(last));
        expect_close(curve, expected, ten_digits);
    }
}

TEST_CASE("06.3 entropy_sweep: scores in the thousands stay finite") {
    expect_sweep({{1, -1, 0.5}}, {{0.5, 1, 0}, {-1, 0.25, 2}}, {1, 3}); // ordinary ones first
    expect_sweep({{3000, 1000, 0}, {0, -2000, 1}}, {{1, 2, 3}, {-1, 1, 1}, {-1, 1, 1}}, {1, 2, 3});
}

TEST_CASE("06.3 entropy_sweep: queries or keys may be tiny, or huge, and so may scores") {
    const Matrix Q = standard_normal(4, 5, 71), K = standard_normal(3, 5, 72);
    for (const double size : {1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100}) {
        expect_sweep(Q * size, K / size, {1, 3, 5}); // scores of ordinary size
    }
    for (const double size : {1e-4, 1e-9, 1e-30}) { // nearly alike
        expect_sweep(Q * size, K, {1, 3, 5});
    }
    for (const double size : {1e4, 1e6, 1e9, 1e12, 1e30, 1e100}) { // the largest takes everything
        expect_sweep({{size}}, {{2}, {3}, {1}}, {1});
        expect_sweep({{1, 0}, {-1, 1}}, {{3 * size, 0}, {2 * size, size}, {size, -size}}, {1, 2});
    }
}

TEST_CASE("06.3 entropy_sweep: of queries, keys and components two are as many, or all") {
    for (const auto& [n_queries, n_keys, components] :
         {std::array<std::size_t, 3>{4, 3, 4}, {3, 4, 4}, {4, 4, 3}, {4, 4, 4}}) {
        expect_sweep(standard_normal(n_queries, components, 73),
                     standard_normal(n_keys, components, 74), {1, 2, components});
    }
}

TEST_CASE("06.3 entropy_sweep: scores 300 and 800 below the best: some weights are exactly 0") {
    expect_sweep({{20, 20}}, {{15, 0}, {0, 15}, {-25, 0}}, {1, 2});
}

TEST_CASE("06.3 entropy_sweep: refuses Q and K of different components, and names both shapes") {
    const Matrix Q = standard_normal(2, 3, 53);
    const Matrix K = standard_normal(5, 4, 54);
    expect_invalid_argument(graded::entropy_sweep.attempt(Q, K, {1}, true), {sizes(Q), sizes(K)});
    for (const auto& [of_Q, of_K] :
         {std::array<std::size_t, 2>{4, 3}, {4, 1}, {1, 4}, {3, 5}, {2, 3}, {3, 12345}}) {
        const Matrix wide = xt::zeros<double>({std::size_t{2}, of_Q});
        const Matrix other = xt::zeros<double>({std::size_t{5}, of_K});
        for (const DKs& d_ks : {DKs{1}, DKs{}}) { // even where nothing is to be computed
            expect_invalid_argument(graded::entropy_sweep.attempt(wide, other, d_ks, false),
                                    {sizes(wide), sizes(other)});
        }
    }
    // One of which, turned around, would fit the other.
    const Matrix turned_K = standard_normal(3, 5, 55), turned_Q = standard_normal(4, 2, 56);
    expect_invalid_argument(graded::entropy_sweep.attempt(Q, turned_K, {1, 2}, true),
                            {sizes(Q), sizes(turned_K)});
    expect_invalid_argument(graded::entropy_sweep.attempt(turned_Q, K, {1, 2}, true),
                            {sizes(turned_Q), sizes(K)});
}

TEST_CASE("06.3 entropy_sweep: refuses a d_k of 0 and one larger than there are components") {
    const Matrix Q = standard_normal(2, 3, 55);
    const Matrix K = standard_normal(5, 3, 56);
    expect_refused(graded::entropy_sweep.attempt(Q, K, {1, 0}, false), "d_k = 0");
    expect_refused(graded::entropy_sweep.attempt(Q, K, {1, 4}, false), "d_k = 4");
    for (const DKs& d_ks : {DKs{0}, DKs{0, 1}, DKs{3, 0, 2}}) {
        expect_refused(graded::entropy_sweep.attempt(Q, K, d_ks, true), "d_k = 0");
    }
    for (const DKs& d_ks : {DKs{4}, DKs{4, 1}, DKs{2, 4, 3}}) {
        expect_refused(graded::entropy_sweep.attempt(Q, K, d_ks, true), "d_k = 4");
    }
    constexpr std::size_t cut_to_1 = (std::size_t{1} << 32U) + 1; // in 32 bits
    expect_refused(graded::entropy_sweep.attempt(Q, K, {1, cut_to_1}, false),
                   "a d_k of more than 32 bits");
    expect_refused(graded::entropy_sweep.attempt(Q, K, {~std::size_t{0}}, false),
                   "the largest d_k there is");
}

TEST_CASE("06.3 entropy_sweep: refuses to average over no queries or no keys") {
    const Matrix some = standard_normal(2, 3, 57);
    const Matrix none = Matrix::from_shape({0, 3});
    expect_refused(graded::entropy_sweep.attempt(none, some, {1}, false), "a Q without queries");
    expect_refused(graded::entropy_sweep.attempt(some, none, {1}, false), "a K without keys");
    expect_refused(graded::entropy_sweep.attempt(none, none, {2}, true), "two without rows");
    expect_refused(graded::entropy_sweep.attempt(none, some, {}, true), "a Q without queries");
    expect_refused(graded::entropy_sweep.attempt(some, none, {}, true), "a K without keys");
}
