// 05.3; the rest of the lesson: grader.cpp and grader_attention.cpp.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "examples.hpp"

using namespace batches;
using namespace examples;
using judge::componentwise;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::index_text;
using lesson::Mask;
using plain::infinity;

namespace {

void expect_masked_softmax(const Matrix& scores, const Mask& mask) {
    expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask),
                 componentwise);
}

/// Extreme scores are asked only of a function that is right on ordinary ones, so that the way in
/// which a wrong formula overflows does not hide which formula it is.
void expect_right_far_out(const Matrix& scores, const Mask& mask) {
    expect_masked_softmax(hand_scores, hand_mask);
    expect_masked_softmax(hand_scores, nothing_allowed);
    // A score of 1e4 is right to about 1e-12, and its exponential to as much of itself.
    expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask),
                 {1e-9, 1e-12});
}

} // namespace

// ---- 05.3 masked_softmax

TEST_CASE("05.3 masked_softmax: what is left after blocking is shared out, 1/3 and 2/3") {
    expect_close(graded::masked_softmax(hand_scores, hand_mask),
                 Matrix{{1.0 / 3, 2.0 / 3, 0}, {0, 1, 0}}, componentwise);
}

TEST_CASE("05.3 masked_softmax: a row in which everything is blocked is 0 throughout") {
    expect_close(graded::masked_softmax({{0, std::log(2.0)}, {1, -2}, {3, 3}},
                                        {{true, true}, {false, false}, {true, true}}),
                 Matrix{{1.0 / 3, 2.0 / 3}, {0, 0}, {0.5, 0.5}}, componentwise);
}

TEST_CASE("05.3 masked_softmax: scores that are nearly equal, to three, five, seven or nine "
          "digits") {
    const Matrix scores = standard_normal(5, 5, 8);
    for (const double size : {1e-3, 1e-5, 1e-7, 1e-9}) {
        expect_masked_softmax(size * scores, plain::causal_mask(5));
        expect_masked_softmax(1 + size * scores, every_other(5, 5));
    }
}

TEST_CASE("05.3 masked_softmax: a mask that allows everything makes it softmax") {
    expect_close(graded::masked_softmax(hand_scores, all_allowed),
                 oracle::softmax_rows(hand_scores), componentwise);
}

TEST_CASE("05.3 masked_softmax: blocked weights are exactly 0, and each row sums to 1") {
    const Matrix scores = standard_normal(6, 6, 9);
    const Matrix weights = graded::masked_softmax(scores, plain::causal_mask(6));
    expect_shape(sizes(weights), {6, 6});
    expect_rows_that_sum_to_1(weights);
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = i + 1; j < 6; ++j) {
            expect_that(weights(i, j) == 0, "a blocked weight is exactly 0",
                        place(i, j) + " is " + number_text(weights(i, j)));
        }
    }
}

TEST_CASE("05.3 masked_softmax: in a row that is blocked throughout, too, a weight is exactly 0") {
    const Mask mask{{true, false, true}, {false, false, false}, {false, true, false}};
    const Matrix weights = graded::masked_softmax(standard_normal(3, 3, 10), mask);
    expect_shape(sizes(weights), {3, 3});
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            expect_that(mask(i, j) || weights(i, j) == 0, "a blocked weight is exactly 0",
                        place(i, j) + " is " + number_text(weights(i, j)));
        }
    }
}

TEST_CASE("05.3 masked_softmax: a blocked score may be anything, no weight moves") {
    for (const double blocked : {-7.0, 0.0, 3.0, 8.0}) {
        expect_close(graded::masked_softmax({{0, blocked, std::log(3.0)}}, {{true, false, true}}),
                     Matrix{{0.25, 0, 0.75}}, componentwise);
    }
}

TEST_CASE("05.3 masked_softmax: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        expect_masked_softmax(2 * standard_normal(n_queries, n_keys, n_keys),
                              random_mask({n_queries, n_keys}, n_queries));
    }
}

TEST_CASE("05.3 masked_softmax: a score of 0 is one like any other, allowed or blocked") {
    for (const auto& [n_queries, n_keys] : sizes_with_zeros) {
        expect_masked_softmax(scores_with_zeros(n_queries, n_keys), every_other(n_queries, n_keys));
        expect_masked_softmax(xt::zeros<double>({n_queries, n_keys}),
                              every_other(n_queries, n_keys));
    }
}

TEST_CASE("05.3 masked_softmax: one key, or one query, is masked like several") {
    for (const auto& [scores, mask] : smallest) {
        expect_masked_softmax(scores, mask);
    }
}

TEST_CASE("05.3 masked_softmax: right to twelve digits, which float has not") {
    expect_masked_softmax(2 * standard_normal(24, 9, 7), random_mask({24, 9}, 8));
}

TEST_CASE("05.3 masked_softmax: as many queries as keys, and any mask") {
    expect_masked_softmax(standard_normal(7, 7, 5), random_mask({7, 7}, 6));
}

TEST_CASE("05.3 masked_softmax: a key that is allowed alone gets everything, 1 and no less") {
    const Matrix weights =
        graded::masked_softmax(standard_normal(3, 3, 12),
                               {{true, false, false}, {false, true, false}, {false, false, true}});
    expect_shape(sizes(weights), {3, 3});
    for (std::size_t i = 0; i < 3; ++i) {
        expect_that(std::abs(weights(i, i) - 1) <= 1e-14, "the only key that is allowed gets 1",
                    "it gets 1 - " + number_text(1 - weights(i, i)));
    }
}

TEST_CASE("05.3 masked_softmax: scores that differ by little have weights that do, too") {
    const Matrix scores{{1, 1 + 1e-4, 1 - 1e-7, 3}, {1e-6, 0, 2, 0}};
    const Mask mask{{true, true, true, false}, {true, true, false, true}};
    expect_masked_softmax(scores, mask);
    for (const double size : {1e-8, 1e-9, 1e-10}) { // as far as twelve digits tell
        expect_masked_softmax({{size, -size, 0, 5}, {0, -2 * size, 1, size}}, mask);
    }
}

TEST_CASE("05.3 masked_softmax: a weight may be small and is not 0") {
    const Mask mask{{true, true, false, true}, {true, false, true, false}};
    expect_masked_softmax({{0, -25, 3, -300}, {-60, 0, 0, 1}}, mask);
    expect_masked_softmax({{0, -36, 3, -500}, {-680, 0, 0, 1}}, mask);
}

TEST_CASE("05.3 masked_softmax: rows that are blocked throughout stand between others") {
    const Matrix scores = standard_normal(5, 3, 13);
    expect_masked_softmax(scores, {{false, true, true},
                                   {false, false, false},
                                   {true, true, false},
                                   {false, false, false},
                                   {true, true, true}});
}

TEST_CASE("05.3 masked_softmax: a blocked score of 1e4 leaves the others their weights") {
    expect_right_far_out({{0, -1, 1e4}, {1e4, 2, 2}}, {{true, true, false}, {false, true, true}});
}

TEST_CASE("05.3 masked_softmax: allowed scores of 1e4, and a row 2e4 below, keep their weights") {
    expect_right_far_out({{1e4, 9999, 0}, {-1e4, -9999, 5}},
                         {{true, true, true}, {true, true, false}});
}

TEST_CASE("05.3 masked_softmax: −∞ lies below any allowed score, one of -1e10 too") {
    expect_right_far_out({{-1e10, -1e10, 0}}, {{true, true, false}});
    expect_right_far_out({{-1e38, -1e38, 0}}, {{true, true, false}});
    expect_right_far_out({{-1e300, -1e300, 0}}, {{true, true, false}});
    // The lowest number of all is none that may stand for "nothing is allowed".
    constexpr double lowest = std::numeric_limits<double>::lowest();
    expect_right_far_out({{lowest, lowest, 0}, {lowest, 1, 0}},
                         {{true, true, false}, {true, false, false}});
}

TEST_CASE("05.3 masked_softmax: an allowed score of 1e300 takes everything") {
    expect_right_far_out({{1e300, 0, 5}, {1, 1e300, 1e301}},
                         {{true, true, false}, {true, true, false}});
}

TEST_CASE("05.3 masked_softmax: of scores that are huge the larger takes everything, above 0 as "
          "below it") {
    const Mask mask{{true, true, true}, {true, false, true}};
    for (const double size : {1e3, 1e6, 1e9, 1e12, 1e15, 1e30, 1e100, 1e307}) {
        expect_right_far_out({{2 * size, 3 * size, size}, {-3 * size, 0, -2 * size}}, mask);
    }
    expect_right_far_out({{-1.7e308, 1.7e308, 0}, {1.7e308, 0, -1.7e308}}, mask);
}

TEST_CASE("05.3 masked_softmax: scores that are large and differ by little") {
    const Mask mask{{true, true, true}, {true, false, true}};
    // Not larger: what multiplies scores before it subtracts is as right, and has fewer digits
    // left.
    for (const double size : {1e5, 1e6}) {
        expect_right_far_out({{size, size - 1, size + 1}, {2 - size, 7, 1 - size}}, mask);
    }
}

TEST_CASE("05.3 masked_softmax: all allowed scores lie 1e4 below 0") {
    expect_right_far_out({{-1e4, -9999, -9998}}, {{true, true, true}});
}

TEST_CASE("05.3 masked_softmax: a row at -1e4, and below it one at 1e4") {
    expect_right_far_out({{-1e4, -9999, 5}, {1e4, 9999, 0}},
                         {{true, true, false}, {true, true, true}});
}

TEST_CASE("05.3 masked_softmax: the first score is 2000, far above the others") {
    expect_right_far_out({{2000, 1, 0}}, {{true, true, true}});
}

TEST_CASE("05.3 masked_softmax: a score between others is 2000, far above them") {
    expect_right_far_out({{0, 2000, 1}}, {{true, true, true}});
}

TEST_CASE("05.3 masked_softmax: the last score is 2000, far above the others") {
    expect_right_far_out({{1, 0, 2000}}, {{true, true, true}});
}

TEST_CASE("05.3 masked_softmax: a mask of another shape is refused, and both shapes are named") {
    const Matrix scores = standard_normal(2, 3, 1);
    expect_invalid_argument(graded::masked_softmax.attempt(scores, plain::causal_mask(4)),
                            {sizes(scores), {4, 4}});
    for (const auto& [rows, columns, mask_rows, mask_columns] : other_shapes) {
        const Matrix others = xt::zeros<double>({rows, columns});
        const Mask mask = xt::ones<bool>({mask_rows, mask_columns});
        expect_invalid_argument(graded::masked_softmax.attempt(others, mask),
                                {sizes(others), sizes(mask)});
    }
}

TEST_CASE(
    "05.3 masked_softmax: rows that begin and end alike, and have one sum, are not the same") {
    const Matrix scores = drawn::look_alikes(4, 6, 14);
    const Mask mask = alike_mask();
    for (const Matrix& rows : {scores, drawn::upside_down(scores)}) {
        expect_masked_softmax(rows, mask);
        expect_masked_softmax(rows, Mask(xt::view(mask, xt::keep(3, 1, 0, 2), xt::all())));
    }
}
