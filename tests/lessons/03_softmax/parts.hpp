#pragma once

// What the graders of 03.1 and 03.2 share.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "support/drawn.hpp"
#include "support/oracle.hpp"

namespace parts {

using drawn::look_alikes;
using drawn::standard_normal;
using drawn::upside_down;
using drawn::with_zeros;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;
using lesson::Vector;

inline constexpr double most = std::numeric_limits<double>::max();

inline const Vector hand_scores{0, std::log(2.0), std::log(3.0)};

/// Weights are positive sums and quotients of exponentials: all of them, the small ones too, are
/// right to what is left of 16 digits. Scores in float, or 1 minus the other weights, are not.
inline constexpr judge::Tolerance in_double{1e-10, 1e-300};

template <class Array>
void expect_close(const Array& actual, const Array& expected) {
    judge::expect_close(actual, expected, in_double);
}

/// The same where what is expected is written in seven digits.
template <class Array>
void expect_to_seven_digits(const Array& actual, const Array& expected) {
    judge::expect_close(actual, expected, {1e-5, 1e-7});
}

inline void expect_softmax(const Vector& scores) {
    expect_close(graded::softmax(scores), oracle::softmax(scores));
}

inline void expect_softmax_rows(const Matrix& scores) {
    expect_close(graded::softmax_rows(scores), oracle::softmax_rows(scores));
}

// Extreme scores are asked only of a function that is right on ordinary ones. Otherwise the way in
// which a wrong formula overflows would hide which formula it is.

inline void expect_right_far_out(const Vector& scores) {
    const Vector ordinary{0.5, -1, 2};
    judge::expect_close(graded::softmax(ordinary), oracle::softmax(ordinary));
    expect_softmax(scores);
}

inline void expect_right_far_out(const Matrix& scores) {
    const Matrix ordinary{{0.5, -1, 2}, {1, 3, -2}};
    judge::expect_close(graded::softmax_rows(ordinary), oracle::softmax_rows(ordinary));
    expect_softmax_rows(scores);
}

/// Five ordinary scores, and one that stands far from them at a place of its own.
inline Vector with_one_at(std::size_t place, double extreme) {
    Vector scores{0.5, -1, 0, 2, 1};
    scores(place) = extreme;
    return scores;
}

/// Where exp of a score by itself ends: it overflows beyond 709.78, loses digits below -708.4, and
/// is 0 below -745.1. Of several, the sum overflows before.
inline constexpr std::array<double, 27> near_the_ends_of_exp{
    30,   100,  350,  500,  600,  650,  690,  700,  705,  708,  709,  709.7,  710, 745,
    1500, -350, -600, -690, -700, -705, -708, -709, -710, -720, -740, -744.5, -750};

/// 715 among 40 of 690: too large for exp by itself, and not with 40 subtracted.
inline Vector with_715_at(std::size_t place) {
    Vector scores = 690 * xt::ones<double>({41});
    scores(place) = 715;
    return scores;
}

inline Matrix rows(const Vector& first, const Vector& second) {
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

inline void expect_sum(const std::string& what, double sum, double expected) {
    expect_that(std::abs(sum - expected) <= 1e-9, what + " sums to " + number_text(expected),
                "it sums to " + number_text(sum));
}

inline const judge::Suspicion less_than_everything{
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

} // namespace parts
