// 07.5

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/nearly.hpp"
#include "support/oracle_attention.hpp"

namespace grader_comparison {

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Comparison;
using lesson::Mask;
using lesson::Matrix;

namespace {

constexpr judge::Tolerance ten_digits{1e-10, 1e-11};
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
const double ln_2 = std::log(2.0);

/// Weights as a softmax makes them; the sharper, the closer to one-hot.
Matrix some_weights(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed,
                    double sharpness = 1) {
    const Matrix weights =
        oracle::softmax_rows(Matrix(sharpness * standard_normal(n_queries, n_keys, seed)));
    return xt::where(weights < 1e-100, 0.0, weights); // no halves and quotients of denormal numbers
}

/// About one in five is true: some rows have several, and some none.
Mask some_gold(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed) {
    return standard_normal(n_queries, n_keys, seed) > 0.85;
}

void expect_comparison(const Matrix& A, const Matrix& B, const Mask& gold) {
    expect_close(graded::compare_attention(A, B, gold), plain::compare_attention(A, B, gold),
                 ten_digits);
}

} // namespace

TEST_CASE("07.5 compare_attention: two words on two keys, small enough to do by hand") {
    // Row 0: alike. Row 1: (1, 0) and (1/2, 1/2), with (3/4, 1/4) in the middle.
    const double row_1 = std::log(4.0 / 3) / 2 + (std::log(2.0 / 3) / 2 + std::log(2.0) / 2) / 2;
    expect_close(graded::compare_attention({{0.25, 0.75}, {1, 0}}, {{0.25, 0.75}, {0.5, 0.5}},
                                           {{true, false}, {true, false}}),
                 Comparison{1, row_1 / 2, 0.5});
}

TEST_CASE("07.5 compare_attention: weights of 0 add nothing, in A, in B and in both") {
    expect_close(graded::compare_attention({{0, 1, 0}}, {{0, 0.5, 0.5}}, {{false, true, false}}),
                 Comparison{1, std::log(4.0 / 3) / 2 + (std::log(2.0 / 3) + ln_2) / 4, 1});
}

TEST_CASE("07.5 compare_attention: what looks at itself agrees throughout, and diverges by 0") {
    const Matrix A = some_weights(5, 4, 1, 2);
    const Comparison same = graded::compare_attention(A, A, some_gold(5, 4, 2));
    expect_that(same.argmax_agreement == 1, "weights agree with themselves in every row",
                "the share is " + number_text(same.argmax_agreement));
    expect_that(std::abs(same.js_divergence) < 1e-9, "weights diverge from themselves by 0",
                "it is " + number_text(same.js_divergence));
    expect_comparison(A, A, some_gold(5, 4, 2));
}

TEST_CASE("07.5 compare_attention: one word each, never the same: ln 2, the most there can be") {
    expect_close(graded::compare_attention({{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, 1}},
                                           {{true, true, false}, {false, false, true}}),
                 Comparison{0, ln_2, 0.5});
}

TEST_CASE("07.5 compare_attention: A against B diverges as B against A") {
    const Matrix A = some_weights(3, 5, 3), B = some_weights(3, 5, 4);
    const Mask gold = some_gold(3, 5, 5);
    const double there = graded::compare_attention(A, B, gold).js_divergence;
    const double back = graded::compare_attention(B, A, gold).js_divergence;
    expect_that(std::abs(there - back) < 1e-9, "both ways the divergence is the same",
                "there it is " + number_text(there) + " and back " + number_text(back));
    expect_that(there >= 0 && there <= ln_2, "it is from 0 to ln 2", "it is " + number_text(there));
    expect_comparison(A, B, gold);
    expect_comparison(B, A, gold);
}

TEST_CASE("07.5 compare_attention: of several largest weights in a row the first counts") {
    expect_comparison({{0.4, 0.4, 0.2}, {0.2, 0.4, 0.4}, {0.5, 0, 0.5}},
                      {{0.6, 0.4, 0}, {0, 0.4, 0.6}, {0.5, 0, 0.5}},
                      {{false, true, false}, {false, true, false}, {true, false, false}});
    const Matrix even{{0.25, 0.25, 0.25, 0.25}};
    expect_close(graded::compare_attention(even, even, {{true, false, false, false}}),
                 Comparison{1, 0, 1});
    expect_comparison({{0.7, 0.3}, {0.3, 0.7}}, {{0.5, 0.5}, {0.5, 0.5}},
                      {{true, false}, {true, false}});
}

TEST_CASE("07.5 compare_attention: of two largest weights the first counts, wherever they stand") {
    constexpr std::size_t keys = 20;
    constexpr std::size_t pairs = keys * (keys - 1) / 2;
    Matrix A = 0.5 / (keys - 2) * xt::ones<double>({pairs, keys});
    Matrix B = 0.75 / (keys - 1) * xt::ones<double>({pairs, keys});
    Mask gold = xt::zeros<bool>({pairs, keys});
    std::size_t row = 0;
    for (std::size_t i = 0; i < keys; ++i) {
        for (std::size_t j = i + 1; j < keys; ++j, ++row) {
            A(row, i) = A(row, j) = B(row, i) = 0.25;
            gold(row, i) = true;
        }
    }
    expect_comparison(A, B, gold);
    expect_comparison(B, A, gold);
}

TEST_CASE("07.5 compare_attention: of two weights the larger counts, by however little") {
    expect_comparison({{0.375, 0.375 + 0x1p-40, 0.25 - 0x1p-40}, {0.125, 0.75, 0.125}},
                      {{0.125, 0.75, 0.125}, {0.375, 0.375 + 0x1p-40, 0.25 - 0x1p-40}},
                      {{false, true, false}, {false, true, false}});
    expect_comparison({{0.375, 0.375 + 0x1p-54, 0.25 - 0x1p-54}, {0.125, 0.75, 0.125}},
                      {{0.125, 0.75, 0.125}, {0.375, 0.375 + 0x1p-54, 0.25 - 0x1p-54}},
                      {{false, true, false}, {false, true, false}});
}

TEST_CASE("07.5 compare_attention: a weight may be small and diverges from 0, and from others") {
    for (const double small : {1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 3e-10}) {
        expect_comparison({{1 - small, small}}, {{1, 0}}, {{true, false}});
        expect_comparison({{0, 1}}, {{small, 1 - small}}, {{true, false}});
        expect_comparison({{1 - small, small}}, {{1 - 3 * small, 3 * small}}, {{true, false}});
    }
    expect_comparison({{1e-100, 1, 0}}, {{0, 1, 1e-300}}, {{true, true, false}});
}

TEST_CASE("07.5 compare_attention: a word that translates nothing is left out of the accuracy") {
    const Matrix A{{0.9, 0.1}, {0.9, 0.1}, {0.1, 0.9}, {0.9, 0.1}};
    const Matrix B{{0.9, 0.1}, {0.1, 0.9}, {0.1, 0.9}, {0.1, 0.9}};
    const Mask gold{{true, false}, {false, false}, {true, false}, {false, false}};
    const double apart = 0.9 * std::log(0.9 / 0.5) + 0.1 * std::log(0.1 / 0.5);
    expect_close(graded::compare_attention(A, B, gold), Comparison{0.5, apart / 2, 0.5});
}

TEST_CASE("07.5 compare_attention: no word translates any: the accuracy is NaN, the rest is not") {
    const Matrix A{{1, 0}, {0.5, 0.5}};
    expect_close(graded::compare_attention(A, A, {{false, false}, {false, false}}),
                 Comparison{1, 0, not_a_number});
    const Mask none = xt::zeros<bool>({3, 4});
    expect_comparison(some_weights(3, 4, 6), some_weights(3, 4, 7), none);
}

TEST_CASE("07.5 compare_attention: a word of two source words is right on either") {
    expect_close(graded::compare_attention({{0.1, 0.2, 0.7}, {0.6, 0.3, 0.1}},
                                           {{0.1, 0.2, 0.7}, {0.6, 0.3, 0.1}},
                                           {{false, true, true}, {false, true, true}}),
                 Comparison{1, 0, 0.5});
}

TEST_CASE("07.5 compare_attention: the accuracy is that of A, whatever B looks at") {
    const Matrix A = some_weights(7, 3, 8, 3);
    const Mask gold = some_gold(7, 3, 9);
    for (const std::uint64_t seed : {10U, 11U}) {
        expect_comparison(A, some_weights(7, 3, seed, 3), gold);
    }
}

TEST_CASE("07.5 compare_attention: as many words as keys") {
    expect_comparison(some_weights(5, 5, 12, 2), some_weights(5, 5, 13, 2), some_gold(5, 5, 14));
}

TEST_CASE("07.5 compare_attention: a key that is alone has all the weight of every row") {
    expect_close(
        graded::compare_attention({{1}, {1}, {1}}, {{1}, {1}, {1}}, {{true}, {false}, {true}}),
        Comparison{1, 0, 1});
}

TEST_CASE("07.5 compare_attention: zeros first, between and last in a row, and keys of nobody") {
    const Matrix A{{0, 0.25, 0, 0.75}, {0.5, 0, 0.375, 0.125}, {0.25, 0, 0.75, 0}, {0, 0, 0, 1}};
    const Matrix B{
        {0.5, 0.125, 0, 0.375}, {0.125, 0, 0.25, 0.625}, {0, 0, 0.25, 0.75}, {0, 0, 0.5, 0.5}};
    const Mask gold{{false, true, false, false},
                    {true, false, false, false},
                    {false, false, false, false},
                    {false, true, false, true}};
    expect_comparison(A, B, gold);
    expect_comparison(B, A, gold);
    expect_comparison(drawn::upside_down(A), B, gold);
    expect_comparison(xt::flip(A, 1), xt::flip(B, 1), gold);
}

TEST_CASE("07.5 compare_attention: one word, or one key, is compared like several") {
    expect_comparison({{0.25, 0.75}}, {{0.75, 0.25}}, {{false, true}});
    expect_comparison({{0.25, 0.75}}, {{0.125, 0.875}}, {{true, false}});
    expect_comparison({{0.25, 0.125, 0.625}}, {{0.125, 0.25, 0.625}}, {{false, false, false}});
    expect_comparison({{1}}, {{1}}, {{true}});
    expect_comparison({{1}}, {{1}}, {{false}});
    expect_comparison({{1}, {1}}, {{1}, {1}}, {{false}, {true}});
}

TEST_CASE("07.5 compare_attention: awkward sizes agree with plain loops in long double") {
    for (const std::array<std::size_t, 2>& size :
         {std::array<std::size_t, 2>{1, 7}, {5, 1}, {2, 3}, {13, 11}, {31, 4}}) {
        for (const double sharpness : {1.0, 4.0, 1000.0}) { // the last leaves weights exactly 0
            expect_comparison(some_weights(size[0], size[1], size[0], sharpness),
                              some_weights(size[0], size[1], size[0] + 1, sharpness),
                              some_gold(size[0], size[1], size[1]));
        }
    }
}

TEST_CASE("07.5 compare_attention: more than 64 and more than 256 words, and as many keys") {
    expect_comparison(some_weights(259, 3, 31, 2), some_weights(259, 3, 32, 2),
                      some_gold(259, 3, 33));
    expect_comparison(some_weights(2, 263, 34, 2), some_weights(2, 263, 35, 2),
                      some_gold(2, 263, 36));
}

TEST_CASE("07.5 compare_attention: more than 400 words, and 2048 keys") {
    expect_comparison(some_weights(401, 2, 37, 2), some_weights(401, 2, 38, 2),
                      some_gold(401, 2, 39));
    expect_comparison(some_weights(2, 2063, 40, 2), some_weights(2, 2063, 41, 2),
                      some_gold(2, 2063, 42));
}

TEST_CASE("07.5 compare_attention: rows that begin and end alike, and have one sum, are not the "
          "same") {
    const Matrix A = oracle::softmax_rows(drawn::look_alikes(4, 6, 43));
    const Matrix B = oracle::softmax_rows(drawn::look_alikes(4, 6, 44));
    const Mask gold = some_gold(4, 6, 45);
    for (const Matrix& one : {A, drawn::upside_down(A)}) {
        for (const Matrix& other : {A, B, drawn::upside_down(B)}) {
            expect_comparison(one, other, gold);
        }
    }
}

TEST_CASE("07.5 compare_attention: what looks furthest may be the last key") {
    // After a row that looks at the last key comes one that looks at the first, and vice versa.
    expect_comparison({{0.1, 0.2, 0.7}, {0.5, 0.3, 0.2}, {0.2, 0.2, 0.6}},
                      {{0.5, 0.3, 0.2}, {0.6, 0.2, 0.2}, {0.1, 0.1, 0.8}},
                      {{false, false, true}, {true, false, false}, {false, false, false}});
}

TEST_CASE("07.5 compare_attention: A and B are equal, or look at one key each, but for one pair") {
    const Mask gold{{true, false, false}, {false, true, false}, {false, false, true}};
    for (const Matrix& A :
         {some_weights(3, 3, 51), Matrix(xt::eye<double>(3)),
          Matrix{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, Matrix(xt::ones<double>({3, 3}) / 3)}) {
        expect_comparison(A, A, gold);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 9; ++j) { // from key j / 3 to key j % 3
                Matrix B = A;
                const double moved = B(i, j / 3) / 2;
                B(i, j / 3) -= moved;
                B(i, j % 3) += moved;
                if (moved > 0 && j / 3 != j % 3) {
                    expect_comparison(A, B, gold);
                    expect_comparison(B, A, gold);
                }
            }
        }
    }
}

TEST_CASE("07.5 compare_attention: gold is all true, all false or the diagonal, but for one pair") {
    const Matrix A{{0.5, 0.25, 0.25}, {0.125, 0.25, 0.625}, {0.25, 0.5, 0.25}};
    const Matrix B = some_weights(3, 3, 52);
    const Mask none = xt::zeros<bool>({3, 3}), all = xt::ones<bool>({3, 3});
    const Mask diagonal{{true, false, false}, {false, true, false}, {false, false, true}};
    for (const Mask& special : {none, all, diagonal}) {
        for (const Mask& gold : drawn::nearly_mask(special)) {
            expect_comparison(A, B, gold);
            expect_comparison(drawn::upside_down(A), A, gold);
        }
    }
}

TEST_CASE("07.5 compare_attention: of B alone two weights may be the largest") {
    const Matrix A{{0.25, 0.125, 0.625}, {0.125, 0.75, 0.125}, {0.5, 0.25, 0.25}};
    const Matrix B{{0.375, 0.25, 0.375}, {0.25, 0.375, 0.375}, {0.375, 0.375, 0.25}};
    const Mask gold{{true, false, false}, {false, true, false}, {false, false, true}};
    expect_comparison(A, B, gold);
    expect_comparison(B, A, gold);
}

TEST_CASE("07.5 compare_attention: refuses a B or a gold of another shape, and names both") {
    const Matrix A = some_weights(3, 4, 15);
    const Mask gold = some_gold(3, 4, 16);
    for (const std::array<std::size_t, 2>& size : {std::array<std::size_t, 2>{2, 4},
                                                   {4, 4},
                                                   {1, 4},
                                                   {3, 5},
                                                   {3, 3},
                                                   {3, 1},
                                                   {4, 3},
                                                   {1, 1},
                                                   {6, 4},
                                                   {3, 8},
                                                   {2, 6}}) {
        const Matrix B = some_weights(size[0], size[1], 17);
        expect_invalid_argument(graded::compare_attention.attempt(A, B, gold),
                                {sizes(A), sizes(B)});
        const Mask other = some_gold(size[0], size[1], 18);
        expect_invalid_argument(graded::compare_attention.attempt(A, A, other),
                                {sizes(A), sizes(other)});
    }
}

} // namespace grader_comparison
