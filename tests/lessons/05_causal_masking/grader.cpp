#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "examples.hpp"

using namespace batches;
using namespace examples;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::index_text;
using lesson::Mask;
using plain::infinity;

namespace {

/// What is only copied is equal to the last bit.
constexpr judge::Tolerance exact{0, 0};

// ---- 05.2 and 05.4: one finite stand-in for −∞ is as wrong as another, whichever a learner took.

bool alike_but_for_the_stand_in(const judge::Value& a, const judge::Value& b) {
    const auto levelled = [](const judge::Value& value) {
        Matrix matrix = judge::from_value<Matrix>(value);
        for (double& element : matrix) {
            element = std::isfinite(element) ? std::max(element, -15.0) : element;
        }
        return judge::to_value(matrix);
    };
    return !judge::compare(levelled(a), levelled(b), exact);
}

const bool registered = [] {
    judge::session().compare_with("apply_mask", alike_but_for_the_stand_in, true);
    judge::session().compare_with("additive_mask", alike_but_for_the_stand_in, true);
    return true;
}();

} // namespace

// ---- 05.1 causal_mask

TEST_CASE("05.1 causal_mask: four positions, the first sees one, the last sees four") {
    expect_close(graded::causal_mask(4), Mask{{true, false, false, false},
                                              {true, true, false, false},
                                              {true, true, true, false},
                                              {true, true, true, true}});
}

TEST_CASE("05.1 causal_mask: a position that is alone sees itself") {
    expect_close(graded::causal_mask(1), Mask{{true}});
}

TEST_CASE("05.1 causal_mask: every position sees itself, and none a later one") {
    const Mask mask = graded::causal_mask(7);
    expect_shape(sizes(mask), {7, 7});
    for (std::size_t i = 0; i < 7; ++i) {
        expect_that(mask(i, i), "every position sees itself", place(i, i) + " is false");
        for (std::size_t j = i + 1; j < 7; ++j) {
            expect_that(!mask(i, j), "no position sees a later one", place(i, j) + " is true");
        }
    }
}

TEST_CASE("05.1 causal_mask: any length, beyond 256 and 1024 positions, too") {
    // 67 first: it tells tiles of 8, 16, 32 and 64 apart.
    for (const std::size_t n :
         {67U, 2U, 3U, 5U, 8U, 16U, 31U, 32U, 64U, 128U, 256U, 300U, 512U, 1024U, 1031U}) {
        expect_close(graded::causal_mask(n), plain::causal_mask(n));
    }
}

// ---- 05.2 apply_mask

TEST_CASE("05.2 apply_mask: blocked scores become −∞, the others stay") {
    expect_close(graded::apply_mask({{1, 2, 3}, {4, -5, 6}}, hand_mask),
                 Matrix{{1, 2, -infinity}, {-infinity, -5, -infinity}}, exact);
}

TEST_CASE("05.2 apply_mask: all allowed changes nothing, nothing allowed leaves only −∞") {
    expect_close(graded::apply_mask(hand_scores, all_allowed), hand_scores, exact);
    expect_close(graded::apply_mask(hand_scores, nothing_allowed),
                 plain::filled(hand_scores, nothing_allowed, -infinity), exact);
}

TEST_CASE("05.2 apply_mask: a score of 0 or below 0 is blocked and kept like any other") {
    expect_close(graded::apply_mask({{0, 0, -3, -3}}, {{true, false, true, false}}),
                 Matrix{{0, -infinity, -3, -infinity}}, exact);
}

TEST_CASE("05.2 apply_mask: allowed scores stay to the last bit, however large or small") {
    expect_close(
        graded::apply_mask({{1000, -1000, 1e30, -1e30, 7}}, {{true, true, true, true, false}}),
        Matrix{{1000, -1000, 1e30, -1e30, -infinity}}, exact);
}

TEST_CASE(
    "05.2 apply_mask: a 0 with and without a minus, and the largest and the smallest numbers, "
    "stay as well") {
    constexpr double most = std::numeric_limits<double>::max();
    constexpr double least = std::numeric_limits<double>::min();
    for (const Matrix& scores : {Matrix{{0.0, -0.0, 0.0, -0.0, 0.0}, {-0.0, 0.0, 1, 0.0, -0.0}},
                                 {{most, -most, 1, most, -most}, {-most, 0.0, most, 1e308, -1e300}},
                                 {{least, -least, 1, 0.1, -0.1}, {1e-300, -1e-200, 1e-17, 3, 0}},
                                 {{5e-324, -5e-324, 1, 1e-310, 0}, {-1e-320, 2, 1e-308, 3, 0}}}) {
        for (const Mask& mask :
             {Mask{{true, true, false, true, true}, {true, true, true, true, false}},
              {{false, true, true, false, true}, {true, false, true, true, true}}}) {
            const Matrix expected = plain::filled(scores, mask, -infinity);
            const Matrix blocked = graded::apply_mask(scores, mask);
            expect_close(blocked, expected, exact);
        }
    }
}

TEST_CASE("05.2 apply_mask: scores of 0 among others, one query, and one key") {
    for (const auto& [n_queries, n_keys] : sizes_with_zeros) {
        const Matrix scores = scores_with_zeros(n_queries, n_keys);
        const Mask mask = every_other(n_queries, n_keys);
        expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity),
                     exact);
    }
    for (const auto& [scores, mask] : smallest) {
        expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity),
                     exact);
    }
}

TEST_CASE("05.2 apply_mask: the causal mask, and others, at awkward sizes") {
    expect_close(graded::apply_mask(standard_normal(5, 5, 3), plain::causal_mask(5)),
                 plain::filled(standard_normal(5, 5, 3), plain::causal_mask(5), -infinity), exact);
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        const Matrix scores = standard_normal(n_queries, n_keys, n_keys);
        const Mask mask = random_mask({n_queries, n_keys}, n_queries);
        expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity),
                     exact);
    }
}

TEST_CASE("05.2 apply_mask: a mask of another shape is refused, and both shapes are named") {
    const Matrix scores = standard_normal(2, 3, 1);
    expect_invalid_argument(graded::apply_mask.attempt(scores, plain::causal_mask(4)),
                            {sizes(scores), {4, 4}});
    for (const auto& [rows, columns, mask_rows, mask_columns] : other_shapes) {
        const Matrix others = xt::zeros<double>({rows, columns});
        const Mask mask = xt::ones<bool>({mask_rows, mask_columns});
        expect_invalid_argument(graded::apply_mask.attempt(others, mask),
                                {sizes(others), sizes(mask)});
    }
}

TEST_CASE("05.2 apply_mask: rows that begin and end alike, and have one sum, are not the same") {
    const Matrix scores = drawn::look_alikes(4, 6, 14);
    const Mask mask = alike_mask();
    for (const Matrix& rows : {scores, drawn::upside_down(scores)}) {
        expect_close(graded::apply_mask(rows, mask), plain::filled(rows, mask, -infinity), exact);
        const Mask other = xt::view(mask, xt::keep(3, 1, 0, 2), xt::all());
        expect_close(graded::apply_mask(rows, other), plain::filled(rows, other, -infinity), exact);
    }
}

// ---- 05.4 additive_mask

TEST_CASE("05.4 additive_mask: 0 where allowed, −∞ where blocked") {
    expect_close(graded::additive_mask(hand_mask),
                 Matrix{{0, 0, -infinity}, {-infinity, 0, -infinity}}, exact);
}

TEST_CASE("05.4 additive_mask: the causal mask has −∞ above the diagonal") {
    expect_close(graded::additive_mask(plain::causal_mask(3)),
                 Matrix{{0, -infinity, -infinity}, {0, 0, -infinity}, {0, 0, 0}}, exact);
}

TEST_CASE("05.4 additive_mask: added to the scores, it gives the weights of the mask itself") {
    const Matrix scores = standard_normal(5, 5, 4);
    const Mask mask = plain::causal_mask(5);
    const Matrix additive = graded::additive_mask(mask);
    expect_shape(sizes(additive), {5, 5});
    const Matrix weights = oracle::softmax_rows<double>(scores + additive);
    const Matrix expected = plain::masked_softmax(scores, mask);
    expect_that(!judge::compare(judge::to_value(weights), judge::to_value(expected)),
                "softmax(scores + mask) has the weights of the blocked softmax",
                "with yours it has others");
}

TEST_CASE("05.4 additive_mask: everything allowed is all 0, nothing allowed all −∞") {
    expect_close<Matrix>(graded::additive_mask({{true, true}}), {{0, 0}}, exact);
    expect_close<Matrix>(graded::additive_mask({{false}, {false}}), {{-infinity}, {-infinity}},
                         exact);
    expect_close<Matrix>(graded::additive_mask({{false}}), {{-infinity}}, exact);
    expect_close<Matrix>(graded::additive_mask({{true}}), {{0}}, exact);
}

TEST_CASE("05.4 additive_mask: an allowed score is not changed at all") {
    const Matrix additive = graded::additive_mask({{true, false, true}});
    expect_shape(sizes(additive), {1, 3});
    expect_that(additive(0, 0) == 0 && additive(0, 2) == 0, "what is added is exactly 0",
                "it is " + number_text(additive(0, 0)) + " and " + number_text(additive(0, 2)));
}

TEST_CASE("05.4 additive_mask: as many queries as keys, and blocked below the diagonal") {
    const Mask mask{{true, false, true}, {true, true, false}, {true, false, false}};
    expect_close(graded::additive_mask(mask),
                 plain::filled(xt::zeros<double>({3, 3}), mask, -infinity), exact);
}

TEST_CASE(
    "05.4 additive_mask: rows that begin and end alike, and allow as many, are not the same") {
    const Mask mask = alike_mask();
    const Mask other = xt::view(mask, xt::keep(3, 1, 0, 2), xt::all());
    for (const Mask& rows : {mask, other}) {
        expect_close(graded::additive_mask(rows),
                     plain::filled(xt::zeros<double>({4, 6}), rows, -infinity), exact);
    }
}

TEST_CASE("05.4 additive_mask: awkward sizes") {
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        const Mask mask = random_mask({n_queries, n_keys}, n_keys);
        expect_close(graded::additive_mask(mask),
                     plain::filled(xt::zeros<double>({n_queries, n_keys}), mask, -infinity), exact);
    }
}

TEST_CASE("05.4 additive_mask: one query, and one key, are masked like several") {
    for (const auto& [scores, mask] : smallest) {
        expect_close(graded::additive_mask(mask),
                     plain::filled(xt::zeros<double>(scores.shape()), mask, -infinity), exact);
    }
}
