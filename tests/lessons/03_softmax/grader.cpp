#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

using drawn::look_alikes;
using drawn::standard_normal;
using drawn::upside_down;
using drawn::with_zeros;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;
using lesson::Vector;

namespace {

constexpr double most = std::numeric_limits<double>::max();

const Vector hand_scores{0, std::log(2.0), std::log(3.0)};

/// Weights are positive sums and quotients of exponentials: all of them, the small ones too, are
/// right to what is left of 16 digits. Scores in float, or 1 minus the other weights, are not.
constexpr judge::Tolerance in_double{1e-10, 1e-300};

template <class Array>
void expect_close(const Array& actual, const Array& expected) {
    judge::expect_close(actual, expected, in_double);
}

/// The same where what is expected is written in seven digits.
template <class Array>
void expect_to_seven_digits(const Array& actual, const Array& expected) {
    judge::expect_close(actual, expected, {1e-5, 1e-7});
}

void expect_softmax(const Vector& scores) {
    expect_close(graded::softmax(scores), oracle::softmax(scores));
}

void expect_softmax_rows(const Matrix& scores) {
    expect_close(graded::softmax_rows(scores), oracle::softmax_rows(scores));
}

// Extreme scores are asked only of a function that is right on ordinary ones. Otherwise the way in
// which a wrong formula overflows would hide which formula it is.

void expect_right_far_out(const Vector& scores) {
    const Vector ordinary{0.5, -1, 2};
    judge::expect_close(graded::softmax(ordinary), oracle::softmax(ordinary));
    expect_softmax(scores);
}

void expect_right_far_out(const Matrix& scores) {
    const Matrix ordinary{{0.5, -1, 2}, {1, 3, -2}};
    judge::expect_close(graded::softmax_rows(ordinary), oracle::softmax_rows(ordinary));
    expect_softmax_rows(scores);
}

/// Five ordinary scores, and one that stands far from them at a place of its own.
Vector with_one_at(std::size_t place, double extreme) {
    Vector scores{0.5, -1, 0, 2, 1};
    scores(place) = extreme;
    return scores;
}

/// 715 among 40 of 690: too large for exp by itself, and not with 40 subtracted.
Vector with_715_at(std::size_t place) {
    Vector scores = 690 * xt::ones<double>({41});
    scores(place) = 715;
    return scores;
}

Matrix rows(const Vector& first, const Vector& second) {
    Matrix both = Matrix::from_shape({2, first.size()});
    xt::view(both, 0, xt::all()) = first;
    xt::view(both, 1, xt::all()) = second;
    return both;
}

/// A property speaks of elements, so the shape comes before it.
template <class Array>
void expect_shape(const Array& actual, const std::vector<std::size_t>& shape) {
    expect_that(sizes(actual) == shape, "the shape should be " + judge::index_text(shape),
                "it is " + judge::index_text(sizes(actual)));
}

template <class Array>
void expect_not_negative(const Array& weights) {
    for (const double weight : weights) {
        expect_that(weight >= 0, "no weight is negative", "there is one of " + number_text(weight));
    }
}

void expect_sum(const std::string& what, double sum, double expected) {
    expect_that(std::abs(sum - expected) <= 1e-9, what + " sums to " + number_text(expected),
                "it sums to " + number_text(sum));
}

const judge::Suspicion less_than_everything{
    "looks_like_something_added_to_the_sum",
    "a score that is alone gets a little less than 1: what its exponential is divided by is a "
    "little larger than it. Is a small number added to the sum? With the row's maximum subtracted "
    "the sum is at least 1, and there is nothing to guard against."};

/// Of one score, exp(0) / exp(0): only what is added to the sum takes it farther from 1 than a
/// division rounds.
template <class Array>
void expect_ones(const Array& weights, const Array& ones) {
    constexpr double small = 1e-9; // beyond it, the comparison tells more
    const bool all_nearly_one = std::all_of(weights.begin(), weights.end(), [](double weight) {
        return std::abs(weight - 1) <= small;
    });
    if (!all_nearly_one || sizes(weights) != sizes(ones)) {
        expect_close(weights, ones);
    }
    for (const double weight : weights) {
        expect_that(std::abs(weight - 1) <= 1e-15,
                    "a score that is alone gets 1, to the last digit",
                    "it gets 1 - " + number_text(1 - weight) + "; was something added to the sum?",
                    weight < 1 ? less_than_everything : judge::Suspicion{});
    }
    expect_close(weights, ones);
}

} // namespace

// ---- 03.1 softmax

TEST_CASE("03.1 softmax: scores of 0, ln 2 and ln 3 weigh as 1 to 2 to 3") {
    expect_close(graded::softmax(hand_scores), Vector{1.0 / 6, 1.0 / 3, 1.0 / 2});
}

TEST_CASE("03.1 softmax: one score of 10 beside two of 0 takes nearly everything") {
    expect_to_seven_digits(graded::softmax({10, 0, 0}), Vector{0.9999092, 0.0000454, 0.0000454});
}

TEST_CASE("03.1 softmax: equal scores share equally, negative ones too") {
    expect_close(graded::softmax({-3, -3, -3, -3}), Vector{0.25, 0.25, 0.25, 0.25});
}

TEST_CASE("03.1 softmax: a score that is alone gets everything") {
    for (const double score : {-3.0, 0.0, 2.0}) {
        expect_ones(graded::softmax({score}), Vector{1});
    }
}

TEST_CASE("03.1 softmax: weights are shares, none negative, together 1") {
    const Vector weights = graded::softmax({-2, 0.5, 3, -0.25, 1});
    expect_shape(weights, {5});
    expect_not_negative(weights);
    expect_sum("the row", xt::sum(weights)(), 1);
}

TEST_CASE("03.1 softmax: the higher the score, the higher the weight") {
    const Vector weights = graded::softmax({-4, -1, 0, 0.5, 2});
    expect_shape(weights, {5});
    for (std::size_t j = 1; j < weights.size(); ++j) {
        expect_that(weights(j - 1) < weights(j), "these scores rise, and so do their weights",
                    "weight " + std::to_string(j) + " is " + number_text(weights(j)) + " after " +
                        number_text(weights(j - 1)));
    }
}

TEST_CASE("03.1 softmax: a score one higher weighs e = 2.71828 times as much") {
    const Vector weights = graded::softmax({1, 2});
    expect_shape(weights, {2});
    const double ratio = weights(1) / weights(0);
    expect_that(std::abs(ratio - std::exp(1)) <= 1e-4, "weight 1 is 2.71828 times weight 0",
                "it is " + number_text(ratio) + " times");
}

TEST_CASE("03.1 softmax: adding a constant to all scores changes nothing") {
    const Vector weights = oracle::softmax(hand_scores);
    expect_close<Vector>(graded::softmax(hand_scores + 5), weights);
    expect_close<Vector>(graded::softmax(hand_scores - 5), weights);
}

TEST_CASE("03.1 softmax: reordering the scores reorders the weights") {
    const Vector scores = 2 * standard_normal(7, 31);
    const Vector weights = oracle::softmax(scores);
    expect_close(graded::softmax(scores), weights);
    expect_close<Vector>(graded::softmax(xt::view(scores, xt::range(6, xt::placeholders::_, -1))),
                         xt::view(weights, xt::range(6, xt::placeholders::_, -1)));
}

TEST_CASE("03.1 softmax: awkward lengths agree with plain loops in long double") {
    for (const std::size_t n_keys : {1U, 2U, 3U, 7U, 31U, 127U, 300U, 5003U}) {
        expect_softmax(2 * standard_normal(n_keys, n_keys));
    }
}

TEST_CASE(
    "03.1 softmax: a score of 0 is one like any other: first, between, last, and all of them") {
    for (const std::size_t n_keys : {4U, 5U, 6U}) {
        expect_softmax(with_zeros(Vector(2 * standard_normal(n_keys, 50 + n_keys))));
        expect_softmax(xt::zeros<double>({n_keys}));
    }
    expect_softmax({2, 0, -1});
    expect_softmax({-1, -2, 0});
    expect_softmax({1, -3, 2, 0}); // whose sum is 0, too
    expect_softmax({0, -2, -0.5});
    expect_softmax({-2, 0, 0, 3});
}

TEST_CASE("03.1 softmax: a small weight is as exact as a large one, wherever it stands") {
    for (std::size_t place = 0; place < 5; ++place) {
        expect_softmax(with_one_at(place, -25));
        expect_softmax(with_one_at(place, -300));
    }
    for (const Vector& two : {Vector{0, -25}, {-25, 0}, {30, -3}, {-300, 0}, {2, 1}}) {
        expect_softmax(two);
    }
}

TEST_CASE("03.1 softmax: scores that begin and end alike, and have one sum, are not the same") {
    const Matrix rows = look_alikes(4, 6, 46);
    for (std::size_t i = 0; i < 4; ++i) {
        expect_softmax(xt::view(rows, i, xt::all()));
    }
}

TEST_CASE("03.1 softmax: scores that differ by little have weights that differ by little") {
    for (const double d : {1e-4, 1e-6, 1e-8}) {
        expect_softmax({1, 1 + d, 1 - d});
    }
}

TEST_CASE("03.1 softmax: agrees with PyTorch") {
    expect_close(graded::softmax(support::golden_vector("softmax/vector_scores")),
                 support::golden_vector("softmax/vector"));
}

TEST_CASE("03.1 softmax: a score of 715 after 40 of 690") {
    expect_right_far_out(with_715_at(40));
}

TEST_CASE("03.1 softmax: a score of 715 before 40 of 690") {
    expect_right_far_out(with_715_at(0));
}

TEST_CASE("03.1 softmax: a row around 1000 has the weights of the same row around 0") {
    expect_right_far_out(Vector{1000, 999, 998});
}

TEST_CASE("03.1 softmax: a row around -1000 has the weights of the same row around 0") {
    expect_right_far_out(Vector{-1000, -1001, -1002});
}

TEST_CASE("03.1 softmax: a score far above the others takes everything") {
    expect_right_far_out(Vector{1000, 0, -1000});
}

TEST_CASE("03.1 softmax: the largest score may stand anywhere: first, last, or between") {
    for (std::size_t place = 0; place < 5; ++place) {
        expect_right_far_out(with_one_at(place, 1000));
        expect_softmax(with_one_at(place, 1e300));
    }
    expect_softmax({0, 1000});
    expect_softmax({-3000, -2000, -1000});
}

TEST_CASE("03.1 softmax: a score far below the others gets nothing") {
    expect_right_far_out(Vector{0, -1, -1000});
}

TEST_CASE("03.1 softmax: two equal scores share, even at 1e12") {
    expect_right_far_out(Vector{1e12, 1e12, 0});
}

TEST_CASE("03.1 softmax: 1e308 and -1e308 in one row stay finite") {
    expect_right_far_out(Vector{1e308, -1e308, 0, 1e308});
}

TEST_CASE("03.1 softmax: scores that all lie below −1e308 are scores like any other") {
    expect_right_far_out(Vector{-1.5e308, -1.6e308, -1.5e308});
}

// ---- 03.2 softmax_rows

TEST_CASE("03.2 softmax_rows: two queries, three keys, small enough to do by hand") {
    expect_close(graded::softmax_rows(rows(hand_scores, {0, 0, 0})),
                 Matrix{{1.0 / 6, 1.0 / 3, 1.0 / 2}, {1.0 / 3, 1.0 / 3, 1.0 / 3}});
}

TEST_CASE("03.2 softmax_rows: one score of 10 beside two of 0 takes nearly everything") {
    expect_to_seven_digits(graded::softmax_rows({{10, 0, 0}}),
                           Matrix{{0.9999092, 0.0000454, 0.0000454}});
}

TEST_CASE("03.2 softmax_rows: a score that is alone in its row gets everything") {
    expect_ones(graded::softmax_rows({{-3.0}, {0.0}, {2.0}}), Matrix{{1.0}, {1.0}, {1.0}});
}

TEST_CASE("03.2 softmax_rows: each row holds shares, none negative, together 1") {
    const Matrix weights = graded::softmax_rows(2 * standard_normal(4, 6, 41));
    expect_shape(weights, {4, 6});
    expect_not_negative(weights);
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        expect_sum("row " + std::to_string(i), xt::sum(xt::view(weights, i, xt::all()))(), 1);
    }
}

TEST_CASE("03.2 softmax_rows: a row gets the same weights, whatever stands above or below it") {
    const Matrix scores = 2 * standard_normal(3, 5, 42);
    const Matrix weights = oracle::softmax_rows(scores);
    for (const std::size_t i : {0U, 2U}) {
        expect_close<Matrix>(graded::softmax_rows(xt::view(scores, xt::range(i, i + 1))),
                             xt::view(weights, xt::range(i, i + 1)));
    }
    expect_close(graded::softmax_rows(scores), weights);
}

TEST_CASE(
    "03.2 softmax_rows: adding a constant to each row, not the same to all, changes nothing") {
    const Matrix scores = standard_normal(3, 4, 43);
    expect_close<Matrix>(graded::softmax_rows(scores + Matrix{{4.0}, {-3.0}, {0.5}}),
                         oracle::softmax_rows(scores));
}

TEST_CASE("03.2 softmax_rows: reordering rows reorders rows, and keys likewise") {
    const Matrix scores = 2 * standard_normal(4, 3, 44);
    const Matrix weights = oracle::softmax_rows(scores);
    using xt::placeholders::_;
    expect_close<Matrix>(graded::softmax_rows(xt::view(scores, xt::range(3, _, -1))),
                         xt::view(weights, xt::range(3, _, -1)));
    expect_close<Matrix>(graded::softmax_rows(xt::view(scores, xt::all(), xt::range(2, _, -1))),
                         xt::view(weights, xt::all(), xt::range(2, _, -1)));
}

TEST_CASE("03.2 softmax_rows: a square matrix is shared out row by row too") {
    expect_softmax_rows({{1, 2, 0}, {0, -1, 3}, {2, 2, -4}});
}

TEST_CASE("03.2 softmax_rows: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{1, 1},
                                            {1, 7},
                                            {5, 1},
                                            {2, 3},
                                            {13, 11},
                                            {3, 127},
                                            {271, 3},
                                            {70, 300},
                                            {401, 2}, // a thread for each row is right, too
                                            {2, 2063}}) {
        expect_softmax_rows(2 * standard_normal(n_queries, n_keys, n_keys));
    }
}

TEST_CASE("03.2 softmax_rows: scores of 0, and rows and columns of them, are like any others") {
    for (const auto& [n_queries, n_keys] :
         {std::array<std::size_t, 2>{5, 7}, {6, 4}, {1, 4}, {4, 2}, {5, 5}}) {
        const Matrix scores = with_zeros(Matrix(2 * standard_normal(n_queries, n_keys, 50)));
        expect_softmax_rows(scores);
        expect_softmax_rows(upside_down(scores));
        expect_softmax_rows(xt::zeros<double>({n_queries, n_keys}));
    }
    expect_softmax_rows({{1, -3, 2}, {0, 2, -2}, {-1, -2, 0}}); // whose sums are 0, or maximum is
}

/// A matrix with an extreme score in each row, a column further on than in the row before.
Matrix with_a_diagonal_of(double extreme) {
    Matrix scores = standard_normal(6, 5, 45);
    for (std::size_t i = 0; i < 5; ++i) {
        scores(i, i) = extreme;
    }
    return scores;
}

TEST_CASE("03.2 softmax_rows: a small weight is as exact as a large one, wherever it stands") {
    expect_softmax_rows(with_a_diagonal_of(-25));
    expect_softmax_rows(with_a_diagonal_of(-300));
    expect_softmax_rows({{0, -25}, {-25, 0}, {30, -3}, {-300, 0}, {2, 1}});
}

TEST_CASE("03.2 softmax_rows: rows that begin and end alike, and have one sum, are not the same") {
    const Matrix scores = look_alikes(4, 6, 46);
    expect_softmax_rows(scores);
    expect_softmax_rows(upside_down(scores));
}

TEST_CASE("03.2 softmax_rows: scores that differ by little have weights that differ by little") {
    for (const double d : {1e-4, 1e-6, 1e-8}) {
        expect_softmax_rows({{1, 1 + d, 1 - d}, {d, 0, 0}});
    }
}

TEST_CASE("03.2 softmax_rows: agrees with PyTorch") {
    expect_close(graded::softmax_rows(support::golden("softmax/scores")),
                 support::golden("softmax/rows"));
}

TEST_CASE("03.2 softmax_rows: a row of 1e4 stays finite") {
    expect_right_far_out(Matrix{{1e4, 1e4 - 1, 1e4 - 2}});
}

TEST_CASE("03.2 softmax_rows: scores of 715 after 40 of 690") {
    expect_right_far_out(rows(with_715_at(40), with_715_at(39)));
}

TEST_CASE("03.2 softmax_rows: scores of 715 before 40 of 690") {
    expect_right_far_out(rows(with_715_at(0), with_715_at(1)));
}

TEST_CASE("03.2 softmax_rows: a row of -1e4 keeps its weights") {
    expect_right_far_out(Matrix{{-1e4, -1e4 - 1, -1e4 - 2}});
}

TEST_CASE("03.2 softmax_rows: a row 1e4 below the one before it keeps its weights") {
    expect_right_far_out(Matrix{{1e4, 1e4 - 1, 1e4 - 2}, {0, -1, -2}});
}

TEST_CASE("03.2 softmax_rows: a row 1e4 below the one after it keeps its weights") {
    expect_right_far_out(Matrix{{0, -1, -2}, {1e4, 1e4 - 1, 1e4 - 2}});
}

TEST_CASE("03.2 softmax_rows: 1e4 and -1e4 in one row: the one takes all, the other nothing") {
    expect_right_far_out(Matrix{{1e4, -1e4, 0}, {1e4 - 1, 1e4, -1e4}});
}

TEST_CASE(
    "03.2 softmax_rows: the largest score of a row may stand anywhere: first, last, between") {
    expect_right_far_out(with_a_diagonal_of(1000));
    expect_softmax_rows(with_a_diagonal_of(1e300));
    expect_softmax_rows({{0, 1000}, {-2000, -1000}, {1000, 0}});
}

TEST_CASE("03.2 softmax_rows: a score far below the others gets nothing") {
    expect_right_far_out(Matrix{{0, -1, -1000}, {5, 5, -2000}});
}

TEST_CASE("03.2 softmax_rows: 1e308 and -1e308 in one row stay finite") {
    expect_right_far_out(Matrix{{1e308, -1e308, 0, 1e308}, {-1e308, -1e308, -1e308, -1e308}});
}

TEST_CASE("03.2 softmax_rows: the largest numbers that a double can hold stay finite") {
    expect_right_far_out(Matrix{{most, -most, most}});
}

TEST_CASE("03.2 softmax_rows: agrees with PyTorch on large scores") {
    expect_softmax_rows({{0.5, -1, 2}, {1, 3, -2}});
    expect_to_seven_digits(graded::softmax_rows(support::golden("softmax/large_scores")),
                           support::golden("softmax/large_rows"));
}
