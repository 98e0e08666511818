// What random numbers never are: arguments and masks of every kind, huge scores that tie, and sizes
// that vector code likes.

#include <doctest/doctest.h>

#include <array>

#include "asked.hpp"
#include "support/far_above.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"

namespace grader_kinds {

using namespace asked;
using drawn::each_in_turn;
using drawn::masks_of_each_kind;

namespace {

// n_queries, n_keys, d_k, d_v
const auto vector_sizes = drawn::and_one_more<4>({{8, 3, 4, 2},
                                                  {3, 8, 2, 16},
                                                  {16, 24, 8, 3},
                                                  {24, 16, 3, 8},
                                                  {16, 16, 16, 16},
                                                  {72, 72, 72, 72}});
constexpr std::array<std::size_t, 2> lengths[] = {{3, 5}, {5, 3}, {4, 4}};
constexpr double huge_sizes[] = {1e5, 1e10, 1e16, 1e30, 1e100};

/// Scores of which several are the largest, beside each other and in other tiles: of the first
/// query the first, of the second all others. Each is a product of two powers of two and `size`.
Inputs that_tie(double size, std::uint64_t seed) {
    return {{{1}, {-1}, {0}, {0.5}, {-0.5}, {1}},
            size * Matrix{{2}, {1}, {1}, {2}, {2}, {1}},
            standard_normal(6, 3, seed)};
}

Inputs all_alike(double size, std::uint64_t seed) {
    return {{{1}, {-1}, {2}}, size * xt::ones<double>({5, 1}), standard_normal(5, 2, seed)};
}

Inputs of_sizes(const std::array<std::size_t, 4>& of, std::uint64_t seed) {
    return drawn_inputs(of[0], of[1], of[2], of[3], seed);
}

/// The inputs, and then with queries, keys, values and all of them 0.
std::vector<Inputs> beside_zeros(const Inputs& in) {
    return {in,
            {0 * in.Q, in.K, in.V},
            {in.Q, 0 * in.K, in.V},
            {in.Q, in.K, 0 * in.V},
            {0 * in.Q, 0 * in.K, 0 * in.V}};
}

} // namespace

// ---- 10.1

TEST_CASE("10.1 merge: outputs of every kind: all 0, all one number, all but one 0 ...") {
    for (const std::size_t d_v : {1U, 3U, 4U, 8U}) {
        const Vector other = standard_normal(d_v, 801);
        for (const Matrix& row : drawn::of_each_kind(1, d_v, 802)) {
            for (const double maximum : {-0.5, 0.0, 0.25}) {
                const Partial some{maximum, 1.5, xt::row(row, 0)}, more{0.0, 2.5, other};
                expect_close(graded::merge(some, more), plain::merge(some, more), judge::normwise);
                expect_close(graded::merge(more, some), plain::merge(more, some), judge::normwise);
                expect_close(graded::merge(some, some), plain::merge(some, some), judge::normwise);
            }
        }
    }
}

TEST_CASE("10.1 merge: sums of one key, of two, and of up to 1e10, maxima of 1e-300 and more") {
    for (const double sum : {1.0, 2.0, 10.5, 1000.25, 1e6, 1e10}) {
        for (const double maximum : {1e-300, 1e-30, 1e-9, 1e-3, -1e-30, -0.0, 1.0, 1e10}) {
            const Partial some{maximum, sum, {3, -2, 0, 4}}, more{1.0, 1.25, {0.5, 0, 0, 1}};
            expect_close(graded::merge(some, more), plain::merge(some, more), judge::normwise);
            expect_close(graded::merge(more, some), plain::merge(more, some), judge::normwise);
            expect_close(graded::merge(some, some), plain::merge(some, some), judge::normwise);
            expect_close(graded::merge(some, lesson::no_keys_yet(4)), some, judge::normwise);
        }
    }
}

// ---- 10.2

namespace {

void expect_attention(const Inputs& in, std::size_t tile, const OptionalMask& mask = {},
                      judge::Tolerance tolerance = judge::normwise) {
    expect_close(graded::streaming_attention(in.Q, in.K, in.V, tile, mask),
                 plain::attention(in.Q, in.K, in.V, mask), tolerance);
}

} // namespace

TEST_CASE("10.2 streaming_attention: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    const Inputs in = drawn_inputs(3, 4, 2, 5, 811), square = drawn_inputs(4, 4, 4, 4, 812);
    each_in_turn(std::array{in.Q, in.K, in.V},
                 [](const Matrix& Q, const Matrix& K, const Matrix& V) {
                     expect_attention({Q, K, V}, 3);
                     expect_attention({Q, K, V}, 2, masks_of_each_kind(3, 4)[1]);
                 });
    each_in_turn(std::array{square.Q, square.K, square.V},
                 [](const Matrix& Q, const Matrix& K, const Matrix& V) {
                     expect_attention({Q, K, V}, 2);
                 });
    expect_attention({{{0}}, {{0}}, {{0}}}, 1);
}

TEST_CASE("10.2 streaming_attention: masks of every kind, beside zeros, too, with fewer queries "
          "than keys, with more and with as many") {
    for (const auto& [n_queries, n_keys] : lengths) {
        std::vector<Mask> masks = masks_of_each_kind(n_queries, n_keys);
        masks.push_back(xt::ones<bool>({n_queries, n_keys}));
        for (const Mask& mask : masks) {
            for (const Inputs& in : beside_zeros(drawn_inputs(n_queries, n_keys, 2, 6, 813))) {
                for (const std::size_t tile : {1U, 2U, 4U}) {
                    expect_attention(in, tile, mask);
                }
            }
        }
    }
}

// Not of 1e10 as in 10.3: there a logsumexp has no digits left for the ln of a sum, and who keeps
// that in place of a maximum and a sum is right at ordinary scores.
TEST_CASE("10.2 streaming_attention: scores of 1000 and of 100,000 that tie for the maximum share, "
          "and others get nothing") {
    constexpr judge::Tolerance of_large_scores{0, 0, 1e-9};
    for (const double size : {1e3, 1e5}) {
        for (const std::size_t tile : {1U, 2U, 4U, 8U}) {
            expect_attention(that_tie(size, 814), tile, {}, of_large_scores);
            expect_attention(all_alike(size, 815), tile, {}, of_large_scores);
            expect_attention(all_alike(-size, 816), tile, {}, of_large_scores);
            for (const Mask& mask : masks_of_each_kind(6, 6)) {
                expect_attention(that_tie(size, 817), tile, mask, of_large_scores);
            }
        }
    }
}

TEST_CASE(
    "10.2 streaming_attention: sizes and tiles of 8, 16 and 24, 72 throughout, and 17, 33, 65 "
    "and 129") {
    for (const auto& of : vector_sizes) {
        for (const std::size_t tile : {8U, 16U, 24U}) {
            expect_attention(of_sizes(of, 818), tile);
        }
    }
    expect_attention(drawn_inputs(72, 72, 8, 4, 819), 72, masks_of_each_kind(72, 72)[1]);
    expect_attention(drawn_inputs(64, 72, 8, 4, 820), 64, masks_of_each_kind(64, 72)[1]);
}

TEST_CASE("10.2 streaming_attention: the last of 5 to 33 keys scores far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 851)) {
        const Inputs in{{{1}, {-1}}, drawn::column(scores), standard_normal(scores.size(), 2, 852)};
        expect_attention(in, 4);
        expect_attention(in, scores.size());
    }
}

// ---- 10.3

namespace {

void expect_causal(const Inputs& in, std::size_t tile) {
    expect_close(
        graded::causal_streaming(in.Q, in.K, in.V, tile).output,
        plain::attention(in.Q, in.K, in.V, plain::causal_mask(in.Q.shape(0), in.K.shape(0))).output,
        judge::normwise);
}

} // namespace

TEST_CASE("10.3 causal_streaming: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    const Inputs in = drawn_inputs(4, 4, 4, 4, 821);
    each_in_turn(std::array{in.Q, in.K, in.V},
                 [](const Matrix& Q, const Matrix& K, const Matrix& V) {
                     expect_causal({Q, K, V}, 1);
                     expect_causal({Q, K, V}, 2);
                     expect_causal({Q, K, V}, 3);
                 });
    for (const auto& [n_queries, n_keys] : lengths) {
        const Inputs other = drawn_inputs(n_queries, n_keys, 2, 6, 822);
        each_in_turn(std::array{other.Q, other.K, other.V},
                     [](const Matrix& Q, const Matrix& K, const Matrix& V) {
                         expect_causal({Q, K, V}, 2);
                     });
    }
    expect_causal({{{0}}, {{0}}, {{0}}}, 1);
}

TEST_CASE("10.3 causal_streaming: huge scores that tie for the maximum share, and others get "
          "nothing") {
    for (const double size : huge_sizes) {
        for (const std::size_t tile : {1U, 2U, 4U, 8U}) {
            for (const double sign : {1.0, -1.0}) {
                Inputs in = that_tie(size, 823);
                in.Q.fill(sign);
                expect_causal(in, tile);
                expect_causal(all_alike(sign * size, 824), tile);
            }
            expect_causal(that_tie(size, 825), tile);
        }
    }
}

TEST_CASE("10.3 causal_streaming: queries that are tiny or huge, and keys that are as large or "
          "small") {
    for (const double size : sizes_of_numbers) {
        const Inputs in = drawn_inputs(5, 5, 2, 4, 826);
        expect_causal({in.Q * size, in.K / size, in.V}, 2);
        expect_causal({in.Q / size, in.K * size, in.V}, 3);
    }
}

TEST_CASE("10.3 causal_streaming: sizes and tiles of 8, 16 and 24, 72 throughout, 17, 33, 65 and "
          "129, and 300 components") {
    for (const auto& of : vector_sizes) {
        for (const std::size_t tile : {8U, 16U, 24U}) {
            expect_causal(of_sizes(of, 827), tile);
        }
    }
    expect_causal(drawn_inputs(5, 5, 300, 2, 828), 2);
}

TEST_CASE("10.3 causal_streaming: the last of 5 to 33 keys scores far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 853)) {
        const std::size_t n = scores.size();
        const Inputs in{xt::ones<double>({n, std::size_t{1}}), drawn::column(scores),
                        standard_normal(n, 2, 854)};
        expect_causal(in, 4);
        expect_causal(in, n);
    }
}

// ---- 10.4

namespace {

void expect_faster(const Inputs& in, std::size_t threads) {
    const MatrixF Q = xt::cast<float>(in.Q), K = xt::cast<float>(in.K), V = xt::cast<float>(in.V);
    const Matrix q = xt::cast<double>(Q), k = xt::cast<double>(K), v = xt::cast<double>(V);
    const MatrixF right = xt::cast<float>(plain::attention(q, k, v).output);
    expect_close(graded::faster_attention(Q, K, V, threads), right,
                 judge::Tolerance{0, 1e-30, 2e-5});
}

} // namespace

TEST_CASE("10.4 faster_attention: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    const Inputs in = drawn_inputs(3, 4, 2, 5, 831);
    each_in_turn(std::array{in.Q, in.K, in.V},
                 [](const Matrix& Q, const Matrix& K, const Matrix& V) {
                     expect_faster({Q, K, V}, 1);
                 });
}

TEST_CASE("10.4 faster_attention: huge scores that tie for the maximum share, and others get "
          "nothing") {
    for (const double size : {1e5, 1e30}) {
        for (const double sign : {1.0, -1.0}) { // of one query at a time
            Inputs in = that_tie(size, 833);
            in.Q = {{sign}};
            expect_faster(in, 1);
        }
    }
}

TEST_CASE("10.4 faster_attention: sizes of 8, 16, 17, 24, 33, 65 and 129, and of 72 throughout") {
    for (const auto& of : vector_sizes) {
        for (const std::size_t threads : {1U, 2U, 3U}) {
            expect_faster(of_sizes(of, 836), threads);
        }
    }
}

TEST_CASE("10.4 faster_attention: the last of 5 to 33 keys scores far above the others") {
    for (const auto& scores : drawn::last_far_above(300, 855)) {
        const Matrix values = standard_normal(scores.size(), 2, 856);
        for (const double sign : {1.0, -1.0}) { // of one query at a time
            expect_faster({{{sign}}, drawn::column(scores), values}, 1);
        }
    }
}

// ---- 10.5

namespace {

void expect_gradients(const Inputs& in, const Matrix& d_output, const OptionalMask& mask = {},
                      double tolerance = 1e-12) {
    const Streamed forward = plain::attention(in.Q, in.K, in.V, mask);
    expect_close(graded::streaming_backward(in.Q, in.K, in.V, forward, d_output, mask),
                 plain::backward(in.Q, in.K, in.V, d_output, mask),
                 judge::Tolerance{0, tolerance, tolerance});
}

Matrix d_output_for(const Inputs& in) {
    return standard_normal(in.Q.shape(0), in.V.shape(1), 841);
}

} // namespace

TEST_CASE("10.5 streaming_backward: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    for (const auto& size : {std::array<std::size_t, 4>{3, 4, 2, 5}, {4, 4, 4, 4}}) {
        const Inputs in = of_sizes(size, 842);
        const Mask mask = masks_of_each_kind(size[0], size[1])[1];
        each_in_turn(
            std::array{in.Q, in.K, in.V, d_output_for(in)},
            [&](const Matrix& Q, const Matrix& K, const Matrix& V, const Matrix& d_output) {
                expect_gradients({Q, K, V}, d_output);
                expect_gradients({Q, K, V}, d_output, mask);
            });
    }
    expect_gradients({{{0}}, {{0}}, {{0}}}, {{0}});
}

TEST_CASE("10.5 streaming_backward: masks of every kind, beside zeros, too, with fewer queries "
          "than keys, with more and with as many") {
    for (const auto& [n_queries, n_keys] : lengths) {
        std::vector<Mask> masks = masks_of_each_kind(n_queries, n_keys);
        masks.push_back(xt::ones<bool>({n_queries, n_keys}));
        for (const Mask& mask : masks) {
            for (const Inputs& in : beside_zeros(drawn_inputs(n_queries, n_keys, 2, 6, 843))) {
                expect_gradients(in, d_output_for(in), mask);
            }
        }
    }
}

TEST_CASE("10.5 streaming_backward: logsumexp is 0 throughout, and scores of 1000 tie") {
    Inputs in = drawn_inputs(3, 1, 2, 4, 844); // one key, whose scores are 0
    in.Q.fill(0);
    expect_gradients(in, d_output_for(in));
    in = {{{1}, {1}, {1}}, {{-std::log(2.0)}, {-std::log(2.0)}}, standard_normal(2, 3, 845)};
    expect_gradients(in, d_output_for(in));
    for (const double size : {100.0, 500.0, -500.0}) { // of more, logsumexp lacks digits
        in = that_tie(size, 846);
        expect_gradients(in, d_output_for(in), {}, 1e-9);
        in = all_alike(size, 847);
        expect_gradients(in, d_output_for(in), {}, 1e-9);
    }
}

TEST_CASE("10.5 streaming_backward: sizes of 8, 16, 17, 24, 33, 65 and 129, and of 72 throughout") {
    for (const auto& of : vector_sizes) {
        const Inputs in = of_sizes(of, 848);
        expect_gradients(in, d_output_for(in));
        expect_gradients(in, d_output_for(in), masks_of_each_kind(of[0], of[1])[1]);
    }
}

} // namespace grader_kinds
