// What random numbers never are: states, keys, weights, gradients and masks of every kind, and
// sizes that vector code likes.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "float_arrays.hpp"
#include "problems.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"
#include "support/oracle_attention.hpp"

namespace grader_unusual {

using namespace problems;
using float_arrays::Array;
using float_arrays::in_float;
using lesson::Mask;
using lesson::Words;

namespace {

Vector as_vector(const Matrix& one_row) {
    return xt::row(one_row, 0);
}

/// n_queries, n_keys, d_s, d_h, d_a
const auto vector_sizes = drawn::and_wide(drawn::and_one_more<5>({{8, 16, 4, 2, 3},
                                                                  {16, 8, 3, 4, 8},
                                                                  {24, 3, 8, 16, 4},
                                                                  {3, 24, 16, 8, 16},
                                                                  {16, 16, 16, 16, 16},
                                                                  {72, 72, 72, 72, 72}}),
                                          2);

/// As a softmax makes them; a row in which nothing is allowed has all at its second key.
Matrix weights_within(const Mask& mask, std::uint64_t seed) {
    Matrix weights =
        oracle::masked_softmax(standard_normal(mask.shape(0), mask.shape(1), seed), mask);
    for (std::size_t i = 0; i < mask.shape(0); ++i) {
        weights(i, 1) = xt::sum(problems::row(weights, i))() == 0 ? 1 : weights(i, 1);
    }
    return weights;
}

void expect_comparison(const Matrix& A, const Matrix& B, const Mask& gold) {
    expect_close(graded::compare_attention(A, B, gold), plain::compare_attention(A, B, gold),
                 ten_digits);
}

// ---- 07.3

Array reshaped(const Matrix& X, const std::vector<std::size_t>& shape) {
    Array array = Array::from_shape(shape);
    std::transform(X.begin(), X.end(), array.begin(),
                   [](double x) { return static_cast<float>(x); });
    return array;
}

/// states, keys, v and d_scores of 2 sentences, 3 keys and 4 components, in rows of what is drawn.
template <class Ask>
void arrays_of_every_kind(const Ask& ask) {
    drawn::each_in_turn(
        std::array{standard_normal(2, 4, 601), standard_normal(6, 4, 602),
                   standard_normal(1, 4, 603), standard_normal(2, 3, 604)},
        [&](const Matrix& states, const Matrix& keys, const Matrix& v, const Matrix& d_scores) {
            ask(reshaped(states, {2, 4}), reshaped(keys, {2, 3, 4}), reshaped(v, {4}),
                reshaped(d_scores, {2, 3}));
        });
}

template <class Ask>
void arrays_of_vector_sizes(const Ask& ask) {
    for (const auto& [batch, n_keys, d_a] : {std::array<std::size_t, 3>{8, 3, 4},
                                             {3, 8, 16},
                                             {16, 24, 2},
                                             {24, 16, 8},
                                             {16, 16, 16}}) {
        using float_arrays::some;
        ask(some({batch, d_a}, 611), some({batch, n_keys, d_a}, 612), some({d_a}, 613),
            some({batch, n_keys}, 614));
    }
}

void expect_additive(const Array& states, const Array& keys, const Array& v,
                     const Array& d_scores) {
    expect_close(graded::additive(states, keys, v, d_scores),
                 plain::additive(states, keys, v, d_scores), in_float);
}

void expect_dot_product(const Array& states, const Array& keys, const Array&,
                        const Array& d_scores) {
    expect_close(graded::scaled_dot_product(states, keys, d_scores),
                 plain::scaled_dot_product(states, keys, d_scores), in_float);
}

} // namespace

TEST_CASE("07.1 additive_scores: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    drawn::each_in_turn(std::array{standard_normal(3, 4, 621), standard_normal(4, 3, 622),
                                   standard_normal(4, 5, 623), standard_normal(3, 5, 624),
                                   standard_normal(1, 5, 625)},
                        [](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                           const Matrix& v) {
                            expect_close(graded::additive_scores(S, H, W_s, W_h, as_vector(v)),
                                         plain::additive_scores(S, H, W_s, W_h, as_vector(v)),
                                         ten_digits);
                        });
    expect_close(graded::additive_scores({{0}}, {{0}}, {{0}}, {{0}}, {0}), Matrix{{0}}, ten_digits);
}

TEST_CASE("07.1 additive_scores: 8, 16, 17, 24, 33, 65, 72 and 129 states, keys and components") {
    for (const auto& size : vector_sizes) {
        const auto [S, H, W_s, W_h, v] =
            some_problem(size[0], size[1], size[2], size[3], size[4], 631);
        expect_close(graded::additive_scores(S, H, W_s, W_h, v),
                     plain::additive_scores(S, H, W_s, W_h, v), ten_digits);
    }
}

TEST_CASE("07.2 project_keys, additive_scores_from: arguments of every kind: all 0, one row again "
          "and again, the identity ...") {
    drawn::each_in_turn(std::array{standard_normal(4, 3, 641), standard_normal(3, 5, 642)},
                        [](const Matrix& H, const Matrix& W_h) {
                            expect_close(graded::project_keys(H, W_h), oracle::matmul(H, W_h),
                                         ten_digits);
                        });
    drawn::each_in_turn(
        std::array{standard_normal(3, 4, 643), standard_normal(4, 5, 644),
                   standard_normal(4, 5, 645), standard_normal(1, 5, 646)},
        [](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Matrix& v) {
            expect_close(graded::additive_scores_from(S, keys, W_s, as_vector(v)),
                         plain::scores_of_projected(oracle::matmul(S, W_s), keys, as_vector(v)),
                         ten_digits);
        });
    expect_close(graded::project_keys({{0}}, {{0}}), Matrix{{0}}, ten_digits);
    expect_close(graded::additive_scores_from({{0}}, {{0}}, {{0}}, {0}), Matrix{{0}}, ten_digits);
}

TEST_CASE("07.2 project_keys, additive_scores_from: 8, 16, 17, 24, 33, 65, 72 and 129 states, keys "
          "and components") {
    for (const auto& size : vector_sizes) {
        const auto [S, H, W_s, W_h, v] =
            some_problem(size[0], size[1], size[2], size[3], size[4], 651);
        const Matrix keys = oracle::matmul(H, W_h);
        expect_close(graded::project_keys(H, W_h), keys, ten_digits);
        expect_close(graded::additive_scores_from(S, keys, W_s, v),
                     plain::scores_of_projected(oracle::matmul(S, W_s), keys, v), ten_digits);
    }
}

TEST_CASE("07.3 additive: arguments of every kind: all 0, one row again and again, the identity "
          "...") {
    arrays_of_every_kind(expect_additive);
}

TEST_CASE("07.3 additive: 8, 16 and 24 sentences, keys and components") {
    arrays_of_vector_sizes(expect_additive);
}

TEST_CASE("07.3 scaled_dot_product: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    arrays_of_every_kind(expect_dot_product);
}

TEST_CASE("07.3 scaled_dot_product: 8, 16 and 24 sentences, keys and components") {
    arrays_of_vector_sizes(expect_dot_product);
}

TEST_CASE("07.4 bleu: 40 references of a sentence, the closest of which comes last or between") {
    const Words said{"a", "b", "a", "b", "c", "d", "a", "b"};
    for (const std::size_t closest : {17U, 39U}) {
        std::vector<Words> meant;
        for (std::size_t i = 0; i < 40; ++i) {
            meant.emplace_back(i == closest ? 9 : 12 + i % 5, i % 7 == 0 ? "b" : "x");
            meant.back()[i % 5] = "a";
            meant.back()[i % 3 + 5] = i % 4 == 0 ? "c" : "b";
        }
        expect_close(graded::bleu({said, said}, {meant, {said}}),
                     plain::bleu({said, said}, {meant, {said}}), ten_digits);
    }
}

TEST_CASE("07.5 compare_attention: weights and alignments of every kind: one row again and again, "
          "the diagonal, below it, its neighbours ...") {
    const Matrix A = weights_within(xt::ones<bool>({3, 4}), 661);
    const Matrix B = weights_within(xt::ones<bool>({3, 4}), 662);
    for (const Matrix& scores : drawn::of_each_kind(3, 4, 663)) {
        const Matrix weights = oracle::softmax_rows(scores);
        expect_comparison(weights, B, A > 0.25);
        expect_comparison(A, weights, A < 0.25);
    }
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{3, 4}, {4, 3}, {4, 4}}) {
        const Mask all = xt::ones<bool>({n_queries, n_keys});
        const Matrix some = weights_within(all, 664);
        for (const Mask& mask : drawn::masks_of_each_kind(n_queries, n_keys)) {
            expect_comparison(some, weights_within(all, 665), mask);
            expect_comparison(weights_within(mask, 666), some, mask);
            expect_comparison(some, weights_within(mask, 667), !mask);
        }
    }
}

TEST_CASE("07.5 compare_attention: 8, 16, 17, 24, 33, 65, 72 and 129 words and keys") {
    for (const auto& [n_queries, n_keys] :
         drawn::and_one_more<2>({{8, 3}, {16, 8}, {24, 16}, {3, 24}, {16, 16}, {72, 72}})) {
        const Mask all = xt::ones<bool>({n_queries, n_keys});
        expect_comparison(weights_within(all, 671), weights_within(all, 672),
                          standard_normal(n_queries, n_keys, 673) > 0.85);
    }
}

} // namespace grader_unusual
