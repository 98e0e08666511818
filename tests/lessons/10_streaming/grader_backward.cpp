// 10.5; what it refuses: grader_backward_shapes.cpp; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include "asked.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_backward {

using namespace asked;
using lesson::AttentionGradients;

namespace {

// A gradient may be 0 because all its terms cancel, as with a single key.
constexpr judge::Tolerance cancelling{0, 1e-12, 1e-12};
constexpr judge::Tolerance of_large_scores{0, 1e-9, 1e-9};

Matrix d_output_for(const Inputs& in, std::uint64_t seed) {
    return standard_normal(in.Q.shape(0), in.V.shape(1), 1000 + seed);
}

void expect_gradients(const Inputs& in, std::uint64_t seed, const OptionalMask& mask = {},
                      judge::Tolerance tolerance = cancelling) {
    const Matrix d_output = d_output_for(in, seed);
    const Streamed forward = plain::attention(in.Q, in.K, in.V, mask);
    expect_close(graded::streaming_backward(in.Q, in.K, in.V, forward, d_output, mask),
                 plain::backward(in.Q, in.K, in.V, d_output, mask), tolerance);
}

// ---- Small weights left out, below any bound.

struct Call {
    Matrix Q, K, V;
    Streamed forward;
    Matrix d_output;
    OptionalMask mask;
    judge::Value answer;
    judge::Tolerance tolerance;
};

/// in_d_V: there, too.
AttentionGradients left_out(const Call& of, double bound, bool in_d_V) {
    AttentionGradients d{xt::zeros_like(of.Q), xt::zeros_like(of.K), xt::zeros_like(of.V)};
    const double root = plain::root(of.Q.shape(1));
    for (std::size_t i = 0; i < of.Q.shape(0); ++i) {
        const double row_sum = plain::dot(of.d_output, i, of.forward.output, i);
        for (std::size_t j = 0; j < of.K.shape(0); ++j) {
            if (of.mask && !(*of.mask)(i, j)) {
                continue;
            }
            const double p =
                std::exp(plain::dot(of.Q, i, of.K, j) / root - of.forward.logsumexp(i));
            const bool is_left_out = p < bound;
            for (std::size_t c = 0; c < of.V.shape(1) && !(is_left_out && in_d_V); ++c) {
                d.d_V(j, c) += p * of.d_output(i, c);
            }
            if (is_left_out) {
                continue;
            }
            const double d_score = p * (plain::dot(of.d_output, i, of.V, j) - row_sum) / root;
            for (std::size_t c = 0; c < of.Q.shape(1); ++c) {
                d.d_Q(i, c) += d_score * of.K(j, c);
                d.d_K(j, c) += d_score * of.Q(i, c);
            }
        }
    }
    return d;
}

auto leaves_out_small_weights(bool in_d_V) {
    return [=](const std::vector<judge::Session::Answer>& answers) {
        const auto calls =
            answered_calls<Call>("streaming_backward", [](const judge::List& arguments) -> Call {
                return {judge::from_value<Matrix>(arguments[0]),
                        judge::from_value<Matrix>(arguments[1]),
                        judge::from_value<Matrix>(arguments[2]),
                        judge::from_value<Streamed>(arguments[3]),
                        judge::from_value<Matrix>(arguments[4]),
                        judge::from_value<OptionalMask>(arguments[5]),
                        {},
                        {}};
            });
        std::vector<std::function<judge::Value(const Call&)>> suspects;
        for (const double bound : usual_bounds()) {
            suspects.push_back([=](const Call& of) {
                return judge::to_value(left_out(of, std::exp(-bound), in_d_V));
            });
        }
        return one_explains(answers, calls, suspects);
    };
}

const bool registered = [] {
    judge::session().recognise("streaming_backward", "small_weights_dropped",
                               leaves_out_small_weights(true));
    judge::session().recognise("streaming_backward", "small_weights_dropped_from_d_Q_and_d_K",
                               leaves_out_small_weights(false));
    return true;
}();

} // namespace

TEST_CASE("10.5 streaming_backward: one query and two keys of equal score, by hand") {
    // Weights 1/2, output 3, d_weights 2 and 4, d_scores −1/2 and 1/2, d_k = 4.
    expect_close(graded::streaming_backward({{1, 0, 0, 0}}, {{0, 1, 0, 0}, {0, 0, 2, 0}},
                                            {{2}, {4}}, {{{3}}, {std::log(2.0)}}, {{1}}, {}),
                 AttentionGradients{
                     {{0, -0.25, 0.5, 0}}, {{-0.25, 0, 0, 0}, {0.25, 0, 0, 0}}, {{0.5}, {0.5}}},
                 judge::normwise);
}

TEST_CASE("10.5 streaming_backward: all sizes different") {
    expect_gradients(drawn_inputs(4, 6, 3, 5, 1), 1);
    expect_gradients(drawn_inputs(6, 4, 5, 3, 2), 2);
}

TEST_CASE("10.5 streaming_backward: all sizes alike") {
    expect_gradients(drawn_inputs(4, 4, 4, 4, 3), 3);
    expect_gradients(drawn_inputs(3, 3, 3, 3, 4), 4, plain::causal_mask(3, 3));
}

TEST_CASE("10.5 streaming_backward: one matrix as queries, keys and values has three gradients") {
    Inputs in = drawn_inputs(5, 5, 3, 3, 17);
    in.K = in.V = in.Q;
    expect_gradients(in, 18);
}

TEST_CASE("10.5 streaming_backward: with a mask") {
    const Mask mask{{true, false, true, true, false},
                    {false, true, false, false, true},
                    {true, true, true, false, false}};
    expect_gradients(drawn_inputs(3, 5, 4, 2, 5), 5, mask);
    expect_gradients(drawn_inputs(5, 5, 3, 4, 6), 6, plain::causal_mask(5, 5));
}

TEST_CASE("10.5 streaming_backward: weights of 1e-11 and less, whose values are as large") {
    expect_gradients(small_weights(1), 15);
    expect_gradients(small_weights(3), 16);
}

TEST_CASE("10.5 streaming_backward: a key that no query sees gets exactly 0") {
    Mask mask = random_mask(4, 5, 7);
    for (std::size_t i = 0; i < 4; ++i) {
        mask(i, 2) = false;
        mask(i, 1) = true;
    }
    const Inputs in = drawn_inputs(4, 5, 2, 3, 8);
    expect_gradients(in, 8, mask);
    const AttentionGradients d = graded::streaming_backward(
        in.Q, in.K, in.V, plain::attention(in.Q, in.K, in.V, mask), d_output_for(in, 9), mask);
    expect_shape(sizes(d.d_K), {5, 2});
    expect_shape(sizes(d.d_V), {5, 3});
    expect_that(xt::sum(xt::abs(xt::view(d.d_K, 2, xt::all())))() == 0 &&
                    xt::sum(xt::abs(xt::view(d.d_V, 2, xt::all())))() == 0,
                "a key that no query sees gets exactly 0", "row 2 of d_K or of d_V is not 0");
}

TEST_CASE("10.5 streaming_backward: a query that sees no key gets exactly 0, and gives nothing") {
    Mask mask = random_mask(4, 5, 10);
    for (std::size_t i = 0; i < 4; ++i) {
        mask(i, 1) = true;
    }
    block_row(mask, 2);
    expect_gradients(drawn_inputs(4, 5, 2, 3, 11), 11, mask);
    expect_gradients(drawn_inputs(2, 3, 4, 5, 12), 12,
                     Mask{{false, false, false}, {false, false, false}});
}

TEST_CASE("10.5 streaming_backward: fifteen keys and a mask") {
    expect_gradients(drawn_inputs(5, 15, 3, 4, 13), 13, random_mask(5, 15, 13));
}

TEST_CASE("10.5 streaming_backward: awkward sizes agree with plain loops") {
    expect_gradients(drawn_inputs(1, 1, 1, 1, 13), 13);
    expect_gradients(drawn_inputs(1, 5, 3, 2, 14), 14);
    expect_gradients(drawn_inputs(5, 1, 2, 3, 15), 15);
    expect_gradients(drawn_inputs(67, 3, 2, 5, 16), 16, random_mask(67, 3, 16));
    expect_gradients(drawn_inputs(3, 261, 4, 2, 17), 17);
    expect_gradients(drawn_inputs(2, 5, 267, 3, 18), 18);
    expect_gradients(drawn_inputs(2, 5, 3, 263, 19), 19);
    expect_gradients(drawn_inputs(70, 70, 2, 3, 20), 20, plain::causal_mask(70, 70));
}

TEST_CASE("10.5 streaming_backward: 400 queries, 5000 of all else, each by itself") {
    expect_gradients(drawn_inputs(2, 5000, 1, 2, 31), 31, {}, of_long_sums);
    expect_gradients(drawn_inputs(401, 2, 1, 1, 32), 32, {}, of_long_sums);
    expect_gradients(drawn_inputs(2, 3, 5000, 1, 33), 33, {}, of_long_sums);
    expect_gradients(drawn_inputs(2, 3, 1, 5000, 34), 34, {}, of_long_sums);
}

TEST_CASE("10.5 streaming_backward: sizes of 1 beside others, and the first pair blocked") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : drawn::with_ones<4>({3, 4, 5, 6})) {
        const Inputs in = drawn_inputs(n_queries, n_keys, d_k, d_v, 41);
        expect_gradients(in, 41);
        Mask mask = xt::ones<bool>({n_queries, n_keys});
        mask(0, 0) = false;
        expect_gradients(in, 42, mask);
    }
}

// Where threads add to the same rows of d_K and d_V, not every call goes wrong, and of short ones
// few: a thread has to be at work while another is. No more queries than below: a thread for each
// is right.
TEST_CASE("10.5 streaming_backward: one large call several times") {
    const Inputs in = drawn_inputs(401, 300, 2, 2, 43);
    const Matrix d_output = d_output_for(in, 43);
    const Streamed forward = plain::attention(in.Q, in.K, in.V);
    const AttentionGradients right = plain::backward(in.Q, in.K, in.V, d_output, {});
    for (std::size_t again = 0; again < 6; ++again) {
        expect_close(graded::streaming_backward(in.Q, in.K, in.V, forward, d_output, {}), right,
                     of_long_sums);
    }
}

TEST_CASE("10.5 streaming_backward: a logsumexp of 0 is one like any other") {
    expect_gradients(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    // One key with a score of 0 has all the weight, and two of −ln 2 share it.
    expect_close(graded::streaming_backward({{0, 0}}, {{1, 2}}, {{3}}, {{{3}}, {0}}, {{5}}, {}),
                 AttentionGradients{{{0, 0}}, {{0, 0}}, {{5}}}, cancelling);
    const double ln2 = std::log(2.0);
    expect_close(
        graded::streaming_backward({{1}}, {{-ln2}, {-ln2}}, {{2}, {4}}, {{{3}}, {0}}, {{1}}, {}),
        AttentionGradients{{{0}}, {{-0.5}, {0.5}}, {{0.5}, {0.5}}}, cancelling);
    Inputs in = drawn_inputs(3, 4, 2, 3, 35);
    xt::view(in.Q, 1, xt::all()) = 0;
    Mask mask = xt::ones<bool>({3, 4});
    block_row(mask, 1);
    mask(1, 2) = true;
    expect_gradients(in, 35, mask);
}

TEST_CASE("10.5 streaming_backward: scores of several hundred, and of minus as many") {
    expect_gradients(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    expect_gradients(drawn_inputs(4, 6, 3, 2, 21, 500), 21, {}, of_large_scores);
    // A weight that is no 0 or 1, and scores of 1000 and −1000.
    for (const double score : {1000.0, -1000.0}) {
        Inputs in = drawn_inputs(2, 3, 1, 2, 22);
        in.Q = xt::ones<double>({2, 1});
        in.K = Matrix{{score}, {score + 0.5}, {score - 1}};
        expect_gradients(in, 22, {}, of_large_scores);
    }
}

TEST_CASE("10.5 streaming_backward: a blocked score of 2000 above all others, or below") {
    expect_gradients(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    for (const double score : {2000.0, 800.0, -2000.0}) {
        for (const std::size_t blocked : {0U, 1U, 3U}) {
            Inputs in = drawn_inputs(2, 4, 1, 3, 36);
            in.Q = Matrix{{1}, {0.5}};
            in.K(blocked, 0) = 2 * score;
            Mask mask = xt::ones<bool>({2, 4});
            xt::view(mask, xt::all(), blocked) = false;
            expect_gradients(in, 36, mask);
            block_row(mask, 1);
            expect_gradients(in, 37, mask);
        }
    }
}

TEST_CASE("10.5 streaming_backward: an output of 0 is one like any other") {
    expect_gradients(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    Inputs in = of_scores({1, 1, 0.5, 0.5, -2, -2}, 61, 3);
    in.Q(1, 0) = 0;
    in.Q(2, 0) = -0.5;
    for (const Matrix& V : values_with_zeros(in.V)) {
        in.V = V;
        expect_gradients(in, 61);
        expect_gradients(in, 62,
                         Mask{{true, true, false, false, true, true},
                              {true, false, true, true, true, true},
                              {false, false, true, true, false, false}});
    }
}

TEST_CASE("10.5 streaming_backward: zeros among queries, keys and what comes back") {
    expect_gradients(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    const Inputs in = drawn_inputs(5, 6, 4, 3, 63);
    const Mask mask = random_mask(5, 6, 64);
    for (const Matrix& Q : drawn::each_with_zeros(in.Q)) {
        expect_gradients({Q, drawn::with_zeros(in.K), in.V}, 63, mask);
    }
    for (const Matrix& K : drawn::each_with_zeros(in.K)) {
        expect_gradients({in.Q, K, in.V}, 64);
    }
    const Streamed forward = plain::attention(in.Q, in.K, in.V, mask);
    for (const Matrix& d_output : drawn::each_with_zeros(d_output_for(in, 65))) {
        expect_close(graded::streaming_backward(in.Q, in.K, in.V, forward, d_output, mask),
                     plain::backward(in.Q, in.K, in.V, d_output, mask), cancelling);
    }
}

TEST_CASE("10.5 streaming_backward: all scores far below 0, or far above, some keys blocked") {
    expect_gradients(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    expect_gradients(drawn_inputs(3, 5, 4, 2, 5), 5, random_mask(3, 5, 8));
    judge::session().suspect(finite_in_place_of_minus_infinity);
    const Mask seen{{false, true, true, false}, {true, true, true, false}};
    // One has all the weight, and logsumexp is its score to the last bit. Whole numbers: what
    // cancels is 0 in any order, also times such scores.
    const auto expect_whole = [](Inputs in, std::uint64_t seed, const OptionalMask& mask) {
        in.V = xt::round(4 * in.V);
        const Matrix d_output = xt::round(4 * d_output_for(in, seed));
        expect_close(graded::streaming_backward(in.Q, in.K, in.V,
                                                plain::attention(in.Q, in.K, in.V, mask), d_output,
                                                mask),
                     plain::backward(in.Q, in.K, in.V, d_output, mask), of_large_scores);
    };
    for (const double score : far_below) {
        expect_whole(of_scores({2 * score, score, 2 * score, 1}, 67, 2), 67, seen);
        expect_whole(of_scores({score}, 68, 2), 68, {});
        expect_whole(of_scores({-score, 0, score}, 69, 2), 69, {});
    }
}

TEST_CASE("10.5 streaming_backward: numbers of 1e-100, and of 1e100") {
    expect_gradients(drawn_inputs(4, 6, 3, 5, 1),
                     1); // asked only of what is right on ordinary ones
    constexpr judge::Tolerance of_any_size{0, 0, 1e-11};
    for (const double size : sizes_of_numbers) {
        Inputs in = drawn_inputs(3, 5, 2, 4, 51);
        in.V *= size;
        expect_gradients(in, 51, {}, of_any_size);
        in = drawn_inputs(3, 5, 2, 4, 51);
        in.Q *= size;
        in.K /= size;
        expect_gradients(in, 52, {}, of_any_size);
        in = drawn_inputs(3, 5, 2, 4, 51);
        const Matrix d_output = size * d_output_for(in, 53);
        expect_close(graded::streaming_backward(in.Q, in.K, in.V,
                                                plain::attention(in.Q, in.K, in.V), d_output, {}),
                     plain::backward(in.Q, in.K, in.V, d_output), of_any_size);
    }
}

TEST_CASE("10.5 streaming_backward: no n x n array is held, with a mask and without") {
    for (const bool masked : {false, true}) {
        expect_no_matrix(
            "memory_of_backward",
            [&](std::size_t n) { return graded::memory_of_backward(n, masked); },
            [&](std::size_t n) {
                const measured::Inputs in(n, masked);
                expect_close(graded::streaming_backward(in.Q, in.K, in.V,
                                                        plain::attention(in.Q, in.K, in.V, in.mask),
                                                        in.d_output, in.mask),
                             plain::backward(in.Q, in.K, in.V, in.d_output, in.mask), of_long_sums);
            });
    }
}

} // namespace grader_backward
