// 10.4: scores and values that are seldom drawn. The rest of 10.4: grader_faster.cpp.

#include <doctest/doctest.h>

#include "asked.hpp"

namespace grader_faster_scores {

using namespace asked;

namespace {

// As in grader_faster.cpp.
constexpr judge::Tolerance digits_of_a_float{0, 1e-30, 2e-5};
constexpr judge::Tolerance of_large_scores{0, 1e-30, 1e-3};

void expect_attention(const Inputs& in, std::size_t threads,
                      judge::Tolerance tolerance = digits_of_a_float) {
    const MatrixF Q = xt::cast<float>(in.Q), K = xt::cast<float>(in.K), V = xt::cast<float>(in.V);
    const Matrix q = xt::cast<double>(Q), k = xt::cast<double>(K), v = xt::cast<double>(V);
    const MatrixF right = xt::cast<float>(plain::attention(q, k, v).output);
    expect_close(graded::faster_attention(Q, K, V, threads), right, tolerance);
}

} // namespace

TEST_CASE(
    "10.4 faster_attention: scores that creep upwards or downwards, by as little as 2e-5 a key") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    judge::session().suspect(small_rises_not_rescaled);
    for (const double rise : {1e-2, 1e-3, 2e-4, 2e-5}) {
        Inputs in = of_scores(creeping(rise, 300), 61, 2);
        in.Q(1, 0) = -1;
        in.V = xt::abs(in.V); // so that their mean is not next to 0
        expect_attention(in, 1, {0, 1e-30, 5e-5});
    }
}

TEST_CASE("10.4 faster_attention: scores that rise by 10, by 90, or by 300 from tile to tile") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    judge::session().suspect(rises_not_rescaled);
    for (const double rise :
         {10.0, 30.0, 60.0, 80.0, 86.0, 88.0, 90.0, 95.0, 100.0, 105.0, 130.0, 200.0, 300.0}) {
        // However long a tile is, the first rise is from one to a later one.
        expect_attention(of_scores(in_steps(rise, 560, 280), 67, 2), 1, of_large_scores);
    }
}

TEST_CASE("10.4 faster_attention: all scores far below 0, and no whole number of registers") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    judge::session().suspect(finite_in_place_of_minus_infinity);
    for (const double score : {-2e4, -3e9, -1e31}) {
        expect_attention(of_scores({2 * score, score, 3 * score, 2 * score, 2 * score}, 62, 3), 1,
                         of_large_scores);
    }
}

TEST_CASE("10.4 faster_attention: whole tiles of small weights, whose values are as large") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    for (const double lower : {20.0, 45.0}) {
        Inputs in = drawn_inputs(3, 700, 1, 2, 1);
        in.Q.fill(1);
        for (std::size_t j = 0; j < 700; ++j) {
            const double score = j < 5 ? lower : static_cast<double>(j % 3);
            in.K(j, 0) = score;
            xt::view(in.V, j, xt::all()) *= std::exp(lower - score);
        }
        expect_attention(in, 1, of_large_scores);
    }
}

TEST_CASE("10.4 faster_attention: zeros among queries, keys and values") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    const Inputs in = drawn_inputs(5, 9, 6, 7, 65);
    for (const Matrix& Q : drawn::each_with_zeros(in.Q)) {
        expect_attention({Q, in.K, in.V}, 1);
    }
    for (const Matrix& K : drawn::each_with_zeros(in.K)) {
        expect_attention({in.Q, K, drawn::with_zeros(in.V)}, 1);
    }
    for (const Matrix& V : values_with_zeros(in.V)) {
        expect_attention({in.Q, in.K, V}, 2, {0, 1e-6, 2e-5});
    }
}

TEST_CASE("10.4 faster_attention: sizes of 1 beside others, on one thread and on three") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : drawn::with_ones<4>({5, 19, 3, 18})) {
        for (const std::size_t threads : {1U, 3U}) {
            expect_attention(drawn_inputs(n_queries, n_keys, d_k, d_v, 43), threads);
        }
    }
}

} // namespace grader_faster_scores
