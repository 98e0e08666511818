// 10.1 to 10.5: terms that do not change a sum before its end, as many keys and queries as 8 bits
// count to 0, and sizes of six digits in what is refused.

#include <doctest/doctest.h>

#include "asked.hpp"
#include "support/cut_texts.hpp"
#include "support/misfits.hpp"
#include "support/tiny_between.hpp"

namespace grader_tiny_between {

using namespace asked;
using drawn::with_tiny_columns;
using drawn::with_tiny_rows;
using support::expect_misfit;

namespace {

/// Tiny terms in the scores, which are sums over components, and in the outputs, over keys; and in
/// the sums of weights.
std::vector<Inputs> with_tiny_terms(std::size_t n) {
    const Inputs in = drawn_inputs(n, 7, 5, 3, 61);
    Inputs tiny_weights = of_scores({0, -50, 1, -60, 0.5, -45, 2}, 62, n);
    return {{with_tiny_columns(in.Q), in.K, with_tiny_rows(in.V)},
            {with_tiny_columns(in.Q), in.K, in.V},
            {in.Q, with_tiny_columns(in.K), in.V},
            {in.Q, in.K, with_tiny_rows(in.V)},
            tiny_weights};
}

void expect_attention(const Inputs& in, std::size_t tile, const OptionalMask& mask = {}) {
    expect_close(graded::streaming_attention(in.Q, in.K, in.V, tile, mask),
                 plain::attention(in.Q, in.K, in.V, mask), judge::normwise);
}

void expect_causal(const Inputs& in, std::size_t tile) {
    const Mask seen = plain::causal_mask(in.Q.shape(0), in.K.shape(0));
    expect_close(graded::causal_streaming(in.Q, in.K, in.V, tile).output,
                 plain::attention(in.Q, in.K, in.V, seen).output, judge::normwise);
}

void expect_gradients(const Inputs& in, const Matrix& d_output, const OptionalMask& mask = {}) {
    const Streamed forward = plain::attention(in.Q, in.K, in.V, mask);
    expect_close(graded::streaming_backward(in.Q, in.K, in.V, forward, d_output, mask),
                 plain::backward(in.Q, in.K, in.V, d_output, mask),
                 judge::Tolerance{0, 1e-12, 1e-12});
}

/// All that are there, 256 in a row or a column; and 256 of 300.
std::vector<Mask> masks_of_256() {
    Mask some = xt::ones<bool>({3, 300});
    xt::view(some, 1, xt::range(256, 300)) = false;
    const std::vector<Mask> of_keys{xt::ones<bool>({3, 256}), some};
    std::vector<Mask> all = of_keys;
    for (const Mask& mask : of_keys) {
        all.push_back(xt::transpose(mask));
    }
    return all;
}

constexpr std::size_t many = 123456, more = 123457;

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

const bool registered = [] {
    // In 10.2 and 10.5 right versions that take too much memory are candidates, too.
    support::know_cut_texts("merge", "text_cut_off");
    support::know_cut_texts("faster_attention", "text_cut_off");
    return true;
}();

} // namespace

TEST_CASE("10.1 merge: outputs of six digits are refused, and named to the last one") {
    const Partial a = lesson::no_keys_yet(many), b = lesson::no_keys_yet(more);
    expect_invalid_argument(graded::merge.attempt(a, b), {{many}, {more}});
}

TEST_CASE("10.2 streaming_attention: terms of 1e-20 between others, which do not end a sum") {
    for (const Inputs& in : with_tiny_terms(3)) {
        for (const std::size_t tile : {8U, 3U, 1U}) {
            expect_attention(in, tile);
        }
    }
}

TEST_CASE("10.2 streaming_attention: 256 keys that a query sees, and 256 queries that see a key") {
    for (const Mask& mask : masks_of_256()) {
        const Inputs in = drawn_inputs(mask.shape(0), mask.shape(1), 2, 3, 63);
        for (const std::size_t tile : {64U, 256U, 300U}) {
            expect_attention(in, tile, mask);
        }
    }
}

TEST_CASE("10.2 streaming_attention: shapes of six digits are refused, and named to the last one") {
    const Matrix Q = zeros(1, many), K = zeros(1, more), one = zeros(1, 1), tall = zeros(many, 1);
    const auto attempt = graded::streaming_attention;
    expect_invalid_argument(attempt.attempt(Q, K, one, 2, {}), {sizes(Q), sizes(K)});
    const Matrix V = zeros(more, 1);
    expect_invalid_argument(attempt.attempt(one, tall, V, 2, {}), {sizes(tall), sizes(V)});
}

TEST_CASE("10.3 causal_streaming: terms of 1e-20 between others, which do not end a sum") {
    for (const Inputs& in : with_tiny_terms(7)) {
        for (const std::size_t tile : {8U, 3U, 1U}) {
            expect_causal(in, tile);
        }
    }
}

TEST_CASE("10.3 causal_streaming: 256 keys, which 45 queries see all") {
    for (const std::size_t tile : {64U, 256U, 300U}) {
        expect_causal(drawn_inputs(300, 256, 2, 3, 64), tile);
    }
}

TEST_CASE("10.4 faster_attention: shapes of six digits are refused, and named to the last one") {
    const MatrixF Q = zeros(1, many), K = zeros(1, more), one = zeros(1, 1), tall = zeros(many, 1),
                  V = zeros(more, 1);
    const auto attempt = graded::faster_attention;
    expect_invalid_argument(attempt.attempt(Q, K, one, 1), {sizes(Q), sizes(K)});
    expect_invalid_argument(attempt.attempt(one, tall, V, 1), {sizes(tall), sizes(V)});
}

TEST_CASE("10.5 streaming_backward: terms of 1e-20 between others, which do not end a sum") {
    const Inputs in = drawn_inputs(5, 7, 9, 11, 65);
    const Matrix d_output = standard_normal(5, 11, 66);
    expect_gradients({with_tiny_rows(in.Q), with_tiny_rows(in.K), in.V},
                     with_tiny_rows(d_output));                        // in all gradients
    expect_gradients({with_tiny_columns(in.Q), in.K, in.V}, d_output); // in the scores
    expect_gradients(in, with_tiny_columns(d_output)); // in the gradients at the weights
    expect_gradients({in.Q, in.K, with_tiny_columns(in.V)}, d_output);
    expect_gradients({in.Q, with_tiny_rows(in.K), in.V}, d_output); // in d_Q
    expect_gradients({with_tiny_rows(in.Q), in.K, in.V}, d_output); // in d_K
    expect_gradients(in, with_tiny_rows(d_output));                 // in d_V and d_K
    expect_gradients(of_scores({0, -50, 1, -60, 0.5, -45, 2}, 67), {{1, -2}});
}

TEST_CASE("10.5 streaming_backward: 256 keys that a query sees, and 256 queries that see a key") {
    for (const Mask& mask : masks_of_256()) {
        const Inputs in = drawn_inputs(mask.shape(0), mask.shape(1), 2, 3, 68);
        const Matrix d_output = standard_normal(mask.shape(0), 3, 69);
        expect_gradients(in, d_output, mask);
        expect_gradients(in, d_output);
    }
}

TEST_CASE("10.5 streaming_backward: shapes of six digits are refused, and named to the last one") {
    const Matrix Q = zeros(1, many), K = zeros(1, more), one = zeros(1, 1);
    expect_misfit(graded::streaming_backward.attempt(Q, K, one, {one, {0}}, one, {}), sizes(Q),
                  {sizes(K)});
}

} // namespace grader_tiny_between
