// 10.2: scores and values that are seldom drawn. The rest of 10.2: grader_streaming.cpp.

#include <doctest/doctest.h>

#include "asked.hpp"

namespace grader_streaming_scores {

using namespace asked;

namespace {

constexpr judge::Tolerance of_large_scores{0, 0, 1e-9};

void expect_attention(const Inputs& in, std::size_t tile, const OptionalMask& mask = {},
                      judge::Tolerance tolerance = judge::normwise) {
    expect_close(graded::streaming_attention(in.Q, in.K, in.V, tile, mask),
                 plain::attention(in.Q, in.K, in.V, mask), tolerance);
}

/// What a suspicion is of is right here.
void expect_ordinary() {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 4);
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 2, random_mask(4, 6, 3));
}

} // namespace

TEST_CASE("10.2 streaming_attention: scores that creep upwards or downwards, by as little as 5e-11 "
          "a key") {
    expect_ordinary();
    judge::session().suspect(small_rises_not_rescaled);
    for (const double rise : small_rises) {
        for (const std::size_t tile : {1U, 3U, 16U}) {
            expect_attention(of_scores(creeping(rise, 40), 61), tile);
            expect_attention(of_scores(creeping(-rise, 40), 61), tile); // who goes from the end
        }
    }
}

TEST_CASE(
    "10.2 streaming_attention: scores that rise by 30, by 710, or by 1000 from tile to tile") {
    expect_ordinary();
    judge::session().suspect(rises_not_rescaled);
    for (const double rise :
         {30.0, 300.0, 600.0, 700.0, 709.0, 715.0, 740.0, 750.0, 800.0, 1000.0}) {
        for (const std::size_t tile : {1U, 4U}) {
            expect_attention(of_scores(in_steps(rise, 12, 4), 67, 2), tile, {}, of_large_scores);
        }
    }
}

TEST_CASE("10.2 streaming_attention: all scores far below 0, some keys blocked, and none") {
    expect_ordinary();
    judge::session().suspect(finite_in_place_of_minus_infinity);
    for (const double score : far_below) {
        // Of an ordinary score is what is blocked, first, in the middle and last. One that is seen
        // has all the weight: no digits of logsumexp are left for more.
        const Inputs in = of_scores({1, 2 * score, score, 0, 3 * score, 2 * score, -1}, 62);
        const Mask seen{{false, true, true, false, true, true, false}};
        const Inputs alone = of_scores({2 * score, score, 3 * score}, 63);
        for (const std::size_t tile : {1U, 2U, 4U, 9U}) {
            expect_attention(in, tile, seen, of_large_scores);
            expect_attention(alone, tile, {}, of_large_scores);
        }
    }
}

TEST_CASE("10.2 streaming_attention: values of 0, and such as cancel to 0, under rising scores") {
    expect_ordinary();
    judge::session().suspect(
        {"output_0_taken_for_nothing_seen",
         "right, but where an output, or a value, is 0: an output of zeros is taken for one of no "
         "keys. Values may be 0, and may cancel. Where nothing was seen the maximum is −∞."});
    for (const std::vector<double>& scores :
         {std::vector<double>{0, 1, 3, 2, 5, 4}, {2, 2, 1, 1, 3, 3}, {0, 0, 0, 0, 0, 0}}) {
        Inputs in = of_scores(scores, 64, 2);
        in.Q(1, 0) = 0.5;
        for (const Matrix& V : values_with_zeros(in.V)) {
            in.V = V;
            expect_attention(in, 2, {}, {0, 1e-12, 1e-12});
            expect_attention(
                in, 4,
                Mask{{true, true, true, false, true, true}, {false, true, true, true, true, false}},
                {0, 1e-12, 1e-12});
        }
    }
}

TEST_CASE("10.2 streaming_attention: zeros among queries and keys") {
    expect_ordinary();
    const Inputs in = drawn_inputs(5, 6, 4, 3, 65);
    const Mask mask = random_mask(5, 6, 66);
    for (const Matrix& Q : drawn::each_with_zeros(in.Q)) {
        expect_attention({Q, in.K, in.V}, 2);
        expect_attention({Q, drawn::with_zeros(in.K), in.V}, 4, mask);
    }
    for (const Matrix& K : drawn::each_with_zeros(in.K)) {
        expect_attention({in.Q, K, in.V}, 2, mask);
    }
}

} // namespace grader_streaming_scores
