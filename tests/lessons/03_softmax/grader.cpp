// 03.1; 03.2 is in grader_rows.cpp, and 03.3 in grader_jacobian.cpp.

#include <doctest/doctest.h>

#include "parts.hpp"
#include "support/golden.hpp"

using namespace parts;

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
    // Down to 1e-300.
    for (const double low : {-480.0, -590.0, -680.0}) {
        for (std::size_t place = 0; place < 5; ++place) {
            expect_softmax(with_one_at(place, low));
        }
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
        expect_softmax({1000 + d, 1000, 1000 - d});
    }
    for (const double d : {1e-4, 1e-6, 5e-8, 5e-9, 9e-10, 4e-10}) {
        expect_softmax({d, 0, -d});
    }
    for (const double tiny : {1e-12, 1e-30, 1e-100}) {
        expect_softmax(tiny * standard_normal(5, 47));
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

TEST_CASE("03.1 softmax: nor are scores that all lie beyond a billion anything else") {
    for (const double size : {1e10, 1e30, 1e100}) {
        expect_right_far_out(Vector{-2 * size, -size, -size});
        expect_right_far_out(Vector{2 * size, size, 2 * size});
    }
    expect_right_far_out(Vector{1.7e308, 1.7e308, 1.7e308});
}

TEST_CASE("03.1 softmax: a largest score that comes more than once, or last, counts each time") {
    expect_softmax({2, 2, 1, 5});
    expect_softmax({1, 3, 3, 2, 3});
    expect_softmax({-1, -2, -1, -2, 0.5, 0.5});
    expect_softmax({900, 0, 900, 900 - 690});
}
