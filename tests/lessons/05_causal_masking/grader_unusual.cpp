// 05.1 to 05.5 asked with masks and numbers of every kind, with huge scores that tie, and with
// sizes that are alike; the rest of the lesson: grader.cpp, grader_blocked_softmax.cpp and
// grader_attention.cpp.

#include <doctest/doctest.h>

#include "examples.hpp"
#include "support/far_above.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"

namespace grader_unusual {

using namespace batches;
using namespace examples;
using judge::componentwise;
using judge::expect_close;
using lesson::Mask;
using plain::infinity;

namespace {

constexpr judge::Tolerance exact{0, 0};

void expect_blocked(const Matrix& scores, const Mask& mask) {
    expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity), exact);
}

void expect_softmax(const Matrix& scores, const Mask& mask) {
    expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask),
                 componentwise);
}

void expect_added(const Mask& mask) {
    expect_close(graded::additive_mask(mask),
                 plain::filled(xt::zeros<double>(mask.shape()), mask, -infinity), exact);
}

// As many queries as keys, fewer, and more.
constexpr std::size_t of_masks[][2] = {{4, 4}, {3, 5}, {5, 3}, {2, 7}, {8, 2}, {24, 8}, {72, 72}};

/// Each mask of each kind beside scores drawn at random; the small ones, too, beside scores of each
/// kind, one after the other, and each beside zeros.
template <class Expect>
void every_mask(const Expect& expect) {
    for (const auto& [n_queries, n_keys] : drawn::and_one_more<2>()) {
        expect(standard_normal(n_queries, n_keys, 82),
               drawn::masks_of_each_kind(n_queries, n_keys)[1]);
    }
    std::size_t next = 0;
    for (const auto& [n_queries, n_keys] : of_masks) {
        const std::vector<Matrix> kinds = drawn::of_each_kind(n_queries, n_keys, 81);
        for (const Mask& mask : drawn::masks_of_each_kind(n_queries, n_keys)) {
            expect(standard_normal(n_queries, n_keys, 82), mask);
            for (std::size_t k = 0; k < 4 && n_keys < 8; ++k) {
                expect(k == 0 ? kinds[0] : kinds[next++ % kinds.size()], mask);
            }
        }
    }
}

/// Scores of which those that may be seen tie for the maximum, so huge that the logarithm of a sum
/// is lost beside it: in part or, from 1e17 on, altogether. The last row sees all of them.
struct Tied {
    Matrix scores;
    Mask mask;
};
Tied huge_and_tied(double s) {
    return {{{s, s, 0, 2 * s},
             {0, s, s, s},
             {-s, -2 * s, -s, s},
             {s, s, s, s},
             {-s, -s, 0, s},
             {s, 0, s, -s}},
            {{true, true, true, false},
             {true, true, true, true},
             {true, true, true, false},
             {true, true, true, false},
             {true, true, false, false},
             {true, true, true, true}}};
}
constexpr double huge[] = {1e10, 1e13, 1e17, 1e30, 1e100, 1e300};

} // namespace

TEST_CASE("05.1 causal_mask: every length up to 24, 33, 65, 72 and 129") {
    for (std::size_t n = 1; n <= 24; ++n) {
        expect_close(graded::causal_mask(n), plain::causal_mask(n));
    }
    for (const std::size_t n : {33U, 65U, 72U, 129U}) {
        expect_close(graded::causal_mask(n), plain::causal_mask(n));
    }
}

TEST_CASE("05.2 apply_mask: masks of every kind, causal from either end, a band, padding on either "
          "side, and scores of every kind") {
    every_mask(expect_blocked);
    const Mask mask = drawn::masks_of_each_kind(3, 5)[1];
    for (const double size : {1e-12, 1e-100, 1e-300, 1e100}) {
        expect_blocked(size * standard_normal(3, 5, 83), mask);
    }
}

TEST_CASE("05.3 masked_softmax: masks of every kind, causal from either end, a band, padding on "
          "either side, and scores of every kind") {
    every_mask(expect_softmax);
}

TEST_CASE("05.3 masked_softmax: huge scores that tie share, beside others that are lower, or "
          "higher and blocked") {
    for (const double s : huge) {
        const auto [scores, mask] = huge_and_tied(s);
        expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask),
                     {1e-9, 1e-12});
        const Mask all = xt::ones<bool>(mask.shape());
        expect_close(graded::masked_softmax(scores, all), plain::masked_softmax(scores, all),
                     {1e-9, 1e-12});
    }
}

TEST_CASE("05.3 masked_softmax: the last of 5 to 33 scores lies far above the others, allowed and "
          "blocked") {
    for (const auto& scores : drawn::last_far_above(1000, 84)) {
        Matrix rows = standard_normal(2, scores.size(), 85);
        xt::row(rows, 0) = xt::row(rows, 1) = scores;
        Mask mask = xt::ones<bool>({std::size_t{2}, scores.size()});
        mask(1, scores.size() - 1) = false;
        expect_softmax(rows, mask);
    }
}

TEST_CASE("05.4 additive_mask: masks of every kind, causal from either end, a band, padding on "
          "either side") {
    for (const auto& [n_queries, n_keys] : of_masks) {
        for (const Mask& mask : drawn::masks_of_each_kind(n_queries, n_keys)) {
            expect_added(mask);
        }
    }
}

// ---- 05.5

namespace {

/// Matrices, or masks, as a batch.
template <class Batch, class Each>
Batch together(const std::vector<Each>& sequences) {
    Batch all = xt::zeros<typename Each::value_type>(
        {sequences.size(), sequences[0].shape(0), sequences[0].shape(1)});
    for (std::size_t b = 0; b < sequences.size(); ++b) {
        xt::view(all, b) = sequences[b];
    }
    return all;
}

Tensor3 alone(const Matrix& sequence) {
    return together<Tensor3, Matrix>({sequence});
}

/// Quick where there are thousands of weights.
void expect_right(const Batch& in, const OptionalMask& mask) {
    expect_close(graded::scaled_dot_product_attention(in.Q, in.K, in.V, mask),
                 plain::Mechanism{}(in.Q, in.K, in.V, mask), judge::normwise);
}

Tensor3 nothing_of(const Tensor3& tensor) {
    return xt::zeros<double>(tensor.shape());
}

} // namespace

TEST_CASE("05.5 scaled_dot_product_attention: masks of every kind, causal from either end, a band, "
          "padding on either side, and beside queries, keys or values of 0") {
    for (const auto& [n_queries, n_keys] : of_masks) {
        const std::vector<Mask> masks = drawn::masks_of_each_kind(n_queries, n_keys);
        const Batch side_by_side = random_batch(masks.size(), n_queries, n_keys, 2, 3, 84);
        expect_right(side_by_side, together<xt::xarray<bool>>(masks));
        if (n_queries > 8) {
            continue;
        }
        const auto [Q, K, V] = random_batch(2, n_queries, n_keys, 4, 3, 85);
        for (const Mask& mask : masks) {
            expect_attention({Q, K, V}, mask);
            expect_attention({nothing_of(Q), K, V}, mask);
            expect_attention({Q, nothing_of(K), V}, mask);
            expect_attention({Q, K, nothing_of(V)}, mask);
        }
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: queries, keys and values of every kind: all 0, all "
          "one number, one row again and again, an identity") {
    const std::vector<Mask> masks = drawn::masks_of_each_kind(3, 5);
    for (const OptionalMask& mask : {OptionalMask{}, OptionalMask{masks[1]}}) {
        drawn::each_in_turn<3>(
            {standard_normal(3, 4, 86), standard_normal(5, 4, 87), standard_normal(5, 2, 88)},
            [&](const Matrix& Q, const Matrix& K, const Matrix& V) {
                expect_attention({alone(Q), alone(K), alone(V)}, mask);
            });
        // The same in one batch, each beside others.
        const Tensor3 Q = together<Tensor3>(drawn::of_each_kind(3, 4, 89));
        const Tensor3 K = together<Tensor3>(drawn::of_each_kind(5, 4, 90));
        const Tensor3 V = together<Tensor3>(drawn::of_each_kind(5, 2, 91));
        const auto [some_Q, some_K, some_V] = random_batch(Q.shape(0), 3, 5, 4, 2, 92);
        expect_attention({Q, some_K, some_V}, mask);
        expect_attention({some_Q, K, some_V}, mask);
        expect_attention({some_Q, some_K, V}, mask);
        expect_attention({Q, K, V}, mask);
        expect_attention({nothing_of(Q), nothing_of(K), some_V}, mask);
        expect_attention({nothing_of(Q), some_K, nothing_of(V)}, mask);
        expect_attention({some_Q, nothing_of(K), nothing_of(V)}, mask);
    }
    for (const auto& [q, k, v] :
         {std::array<double, 3>{0, 2, 3}, {2, 0, 3}, {2, 3, 0}, {0, 0, 0}}) {
        const Batch one{alone({{q}}), alone({{k}}), alone({{v}})};
        expect_attention(one, {});
        expect_attention(one, Mask{{false}});
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: all sizes 8, or all 72 in one sequence, as many "
          "sequences as queries or keys, and 17, 33, 65 and 129 of each") {
    expect_right(random_batch(8, 8, 8, 8, 8, 93), plain::causal_mask(8));
    expect_right(random_batch(1, 72, 72, 72, 72, 94), plain::causal_mask(72));
    expect_right(random_batch(72, 72, 2, 1, 1, 95), {});
    expect_right(random_batch(72, 2, 72, 1, 2, 96), random_mask({72, 1, 72}, 97));
    for (const auto& [batch, n_queries, n_keys, d_k, d_v] : drawn::and_one_more<5>()) {
        expect_right(random_batch(batch, n_queries, n_keys, d_k, d_v, 99),
                     random_mask({n_queries, n_keys}, 97));
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: keys with huge scores that tie share, beside others "
          "that are lower, or higher and blocked") {
    expect_attention(by_hand, xt::xarray<bool>{{true, false}});
    expect_attention(by_hand, xt::xarray<bool>{{false, false}});
    for (const double s : huge) {
        // One query a sequence, and one component: its scores are the keys themselves.
        const auto [scores, mask] = huge_and_tied(s);
        Batch in = random_batch(scores.shape(0), 1, scores.shape(1), 1, 2, 98);
        in.Q.fill(1);
        std::copy(scores.begin(), scores.end(), in.K.begin());
        xt::xarray<bool> seen = mask;
        seen.reshape({mask.shape(0), std::size_t{1}, mask.shape(1)});
        expect_attention(in, seen, {1e-9, 1e-12});
        expect_attention(in, {}, {1e-9, 1e-12});
    }
}

TEST_CASE(
    "05.5 scaled_dot_product_attention: the last of 5 to 33 keys scores far above the others, "
    "allowed and blocked") {
    for (const auto& scores : drawn::last_far_above(1000, 98)) {
        Batch in = random_batch(1, 2, scores.size(), 1, 2, 99);
        in.Q.fill(1);
        std::copy(scores.begin(), scores.end(), in.K.begin());
        xt::xarray<bool> mask = xt::ones<bool>({std::size_t{2}, scores.size()});
        mask(1, scores.size() - 1) = false;
        expect_attention(in, mask, {1e-9, 1e-12});
        expect_attention(in, {}, {1e-9, 1e-12});
    }
}

} // namespace grader_unusual
