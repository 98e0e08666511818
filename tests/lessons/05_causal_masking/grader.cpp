#include <doctest/doctest.h>

#include <cmath>

#include "batches.hpp"

using namespace batches;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::index_text;
using lesson::Mask;
using plain::infinity;

namespace {

// ---- 05.2 and 05.4: one finite stand-in for −∞ is as wrong as another, whichever a learner took.

bool alike_but_for_the_stand_in(const judge::Value& a, const judge::Value& b) {
    const auto levelled = [](const judge::Value& value) {
        Matrix matrix = judge::from_value<Matrix>(value);
        for (double& element : matrix) {
            element = std::isfinite(element) ? std::max(element, -15.0) : element;
        }
        return judge::to_value(matrix);
    };
    return !judge::compare(levelled(a), levelled(b));
}

const bool registered = [] {
    judge::session().compare_with("apply_mask", alike_but_for_the_stand_in);
    judge::session().compare_with("additive_mask", alike_but_for_the_stand_in);
    return true;
}();

const Matrix hand_scores{{0, std::log(2.0), std::log(3.0)}, {1, -2, 0.5}};
const Mask hand_mask{{true, true, false}, {false, true, false}};
const Mask all_allowed{{true, true, true}, {true, true, true}};
const Mask nothing_allowed{{false, false, false}, {false, false, false}};

constexpr std::size_t awkward_sizes[][2] = {{1, 1}, {1, 5}, {5, 1}, {2, 3}, {13, 11}, {3, 31}};

std::string place(std::size_t i, std::size_t j) {
    return "element " + index_text({i, j});
}

void expect_masked_softmax(const Matrix& scores, const Mask& mask) {
    expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask));
}

/// Extreme scores are asked only of a function that is right on ordinary ones, so that the way in
/// which a wrong formula overflows does not hide which formula it is.
void expect_right_far_out(const Matrix& scores, const Mask& mask) {
    expect_masked_softmax(hand_scores, hand_mask);
    expect_masked_softmax(hand_scores, nothing_allowed);
    expect_masked_softmax(scores, mask);
}

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

TEST_CASE("05.1 causal_mask: any length") {
    for (const std::size_t n : {2U, 3U, 5U, 31U}) {
        expect_close(graded::causal_mask(n), plain::causal_mask(n));
    }
}

// ---- 05.2 apply_mask

TEST_CASE("05.2 apply_mask: blocked scores become −∞, the others stay") {
    expect_close(graded::apply_mask({{1, 2, 3}, {4, -5, 6}}, hand_mask),
                 Matrix{{1, 2, -infinity}, {-infinity, -5, -infinity}});
}

TEST_CASE("05.2 apply_mask: all allowed changes nothing, nothing allowed leaves only −∞") {
    expect_close(graded::apply_mask(hand_scores, all_allowed), hand_scores);
    expect_close(graded::apply_mask(hand_scores, nothing_allowed),
                 plain::filled(hand_scores, nothing_allowed, -infinity));
}

TEST_CASE("05.2 apply_mask: a score of 0 or below 0 is blocked and kept like any other") {
    expect_close(graded::apply_mask({{0, 0, -3, -3}}, {{true, false, true, false}}),
                 Matrix{{0, -infinity, -3, -infinity}});
}

TEST_CASE("05.2 apply_mask: allowed scores stay, however large or small they are") {
    expect_close(
        graded::apply_mask({{1000, -1000, 1e30, -1e30, 7}}, {{true, true, true, true, false}}),
        Matrix{{1000, -1000, 1e30, -1e30, -infinity}});
}

TEST_CASE("05.2 apply_mask: the causal mask, and others, at awkward sizes") {
    expect_close(graded::apply_mask(standard_normal(5, 5, 3), plain::causal_mask(5)),
                 plain::filled(standard_normal(5, 5, 3), plain::causal_mask(5), -infinity));
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        const Matrix scores = standard_normal(n_queries, n_keys, n_keys);
        const Mask mask = random_mask({n_queries, n_keys}, n_queries);
        expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity));
    }
}

TEST_CASE("05.2 apply_mask: a mask of another shape is refused, and both shapes are named") {
    const Matrix scores = standard_normal(2, 3, 1);
    expect_invalid_argument(graded::apply_mask.attempt(scores, plain::causal_mask(4)),
                            {sizes(scores), {4, 4}});
}

// ---- 05.3 masked_softmax

TEST_CASE("05.3 masked_softmax: what is left after blocking is shared out, 1/3 and 2/3") {
    expect_close(graded::masked_softmax(hand_scores, hand_mask),
                 Matrix{{1.0 / 3, 2.0 / 3, 0}, {0, 1, 0}});
}

TEST_CASE("05.3 masked_softmax: a row in which everything is blocked is 0 throughout") {
    expect_close(graded::masked_softmax({{0, std::log(2.0)}, {1, -2}, {3, 3}},
                                        {{true, true}, {false, false}, {true, true}}),
                 Matrix{{1.0 / 3, 2.0 / 3}, {0, 0}, {0.5, 0.5}});
}

TEST_CASE("05.3 masked_softmax: a mask that allows everything makes it softmax") {
    expect_close(graded::masked_softmax(hand_scores, all_allowed),
                 oracle::softmax_rows(hand_scores));
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
                     Matrix{{0.25, 0, 0.75}});
    }
}

TEST_CASE("05.3 masked_softmax: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        expect_masked_softmax(2 * standard_normal(n_queries, n_keys, n_keys),
                              random_mask({n_queries, n_keys}, n_queries));
    }
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
}

TEST_CASE("05.3 masked_softmax: a mask of another shape is refused, and both shapes are named") {
    const Matrix scores = standard_normal(2, 3, 1);
    expect_invalid_argument(graded::masked_softmax.attempt(scores, plain::causal_mask(4)),
                            {sizes(scores), {4, 4}});
}

// ---- 05.4 additive_mask

TEST_CASE("05.4 additive_mask: 0 where allowed, −∞ where blocked") {
    expect_close(graded::additive_mask(hand_mask),
                 Matrix{{0, 0, -infinity}, {-infinity, 0, -infinity}});
}

TEST_CASE("05.4 additive_mask: the causal mask has −∞ above the diagonal") {
    expect_close(graded::additive_mask(plain::causal_mask(3)),
                 Matrix{{0, -infinity, -infinity}, {0, 0, -infinity}, {0, 0, 0}});
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
    expect_close<Matrix>(graded::additive_mask({{true, true}}), {{0, 0}});
    expect_close<Matrix>(graded::additive_mask({{false}, {false}}), {{-infinity}, {-infinity}});
}

TEST_CASE("05.4 additive_mask: an allowed score is not changed at all") {
    const Matrix additive = graded::additive_mask({{true, false, true}});
    expect_shape(sizes(additive), {1, 3});
    expect_that(additive(0, 0) == 0 && additive(0, 2) == 0, "what is added is exactly 0",
                "it is " + number_text(additive(0, 0)) + " and " + number_text(additive(0, 2)));
}

TEST_CASE("05.4 additive_mask: awkward sizes") {
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        const Mask mask = random_mask({n_queries, n_keys}, n_keys);
        expect_close(graded::additive_mask(mask),
                     plain::filled(xt::zeros<double>({n_queries, n_keys}), mask, -infinity));
    }
}
