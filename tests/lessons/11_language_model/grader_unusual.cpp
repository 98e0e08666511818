// 11.2 to 11.4 with what random numbers never are: arguments of every kind, scores and logits that
// tie, and sizes that vector code likes. The same of 11.1: grader_unusual_blocks.cpp.

#include <doctest/doctest.h>

#include <cmath>

#include "draws.hpp"
#include "support/far_above.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"
#include "texts.hpp"

namespace grader_unusual {

using namespace draws;
using namespace texts;
using drawn::each_in_turn;

// ---- 11.2

namespace {

/// tokens, d_k, d_v, queries
const auto vector_sizes = drawn::and_one_more<4>({{8, 4, 3, 16},
                                                  {16, 8, 4, 3},
                                                  {24, 2, 16, 8},
                                                  {3, 24, 8, 24},
                                                  {16, 16, 16, 16},
                                                  {72, 72, 72, 72}});

/// Several keys share the largest score of each query, and others lie far below.
Text that_tie(double size, std::uint64_t seed) {
    return {size * Matrix{{2}, {1}, {1}, {2}, {2}, {1}},
            standard_normal(6, 3, seed),
            {{1}, {-1}, {0}, {0.5}, {-0.5}, {1}}};
}

constexpr double huge_sizes[] = {1e5, 1e10, 1e16, 1e30, 1e100};

} // namespace

TEST_CASE(
    "11.2 append: keys, values and queries of every kind: all 0, one row again and again, the "
    "identity ...") {
    each_in_turn(std::array{standard_normal(4, 3, 801), standard_normal(4, 5, 802),
                            standard_normal(4, 3, 803)},
                 [](const Matrix& K, const Matrix& V, const Matrix& Q) {
                     expect_causal({K, V, Q});
                 });
    each_in_turn(std::array{standard_normal(4, 4, 804), standard_normal(4, 4, 805),
                            standard_normal(4, 4, 806)},
                 [](const Matrix& K, const Matrix& V, const Matrix& Q) {
                     expect_causal({K, V, Q});
                 });
    expect_causal({{{0}}, {{0}}, {{0}}});
}

TEST_CASE("11.2 append: caches that are asked in any order, each once, and the last alone") {
    const Text of = some_text(5, 3, 2, 271);
    for (const Indices& cache :
         {Indices{0, 1, 2, 3, 4}, Indices{4, 3, 2, 1, 0}, Indices{4, 4, 4, 4, 4},
          Indices{2, 2, 4, 4, 2}, Indices{0, 0, 3, 3, 3}, Indices{1, 3, 1, 3, 1}}) {
        expect_turns(of, cache);
    }
}

TEST_CASE("11.2 append: huge scores that tie for the maximum share, and others get nothing") {
    for (const double size : huge_sizes) {
        expect_causal(that_tie(size, 811));
        expect_turns(that_tie(size, 812), {0, 1, 0, 1, 0, 1});
    }
}

TEST_CASE("11.2 append: 8, 16, 17, 24, 33, 65, 72 and 129 tokens and components, and 520 tokens") {
    for (const auto& [n, d_k, d_v, n_queries] : vector_sizes) {
        expect_causal(some_text(n, d_k, d_v, 272));
    }
    expect_causal(some_text(520, 1, 1, 273));
}

TEST_CASE(
    "11.2 attend: keys, values and queries of every kind: all 0, one row again and again, the "
    "identity ...") {
    each_in_turn(std::array{standard_normal(4, 2, 821), standard_normal(4, 5, 822),
                            standard_normal(3, 2, 823)},
                 [](const Matrix& K, const Matrix& V, const Matrix& Q) {
                     expect_attention({K, V, Q});
                 });
    each_in_turn(std::array{standard_normal(4, 4, 824), standard_normal(4, 4, 825),
                            standard_normal(4, 4, 826)},
                 [](const Matrix& K, const Matrix& V, const Matrix& Q) {
                     expect_attention({K, V, Q});
                 });
    expect_attention({{{0}}, {{0}}, {{0}}});
}

TEST_CASE("11.2 attend: huge scores that tie for the maximum share, and others get nothing") {
    const Matrix V = standard_normal(5, 2, 831);
    for (const double size : huge_sizes) {
        expect_attention(that_tie(size, 832));
        expect_attention({size * xt::ones<double>({5, 1}), V, {{1}, {-1}, {2}}});
        expect_attention({-size * xt::ones<double>({5, 1}), V, {{1}, {-1}, {2}}});
    }
}

TEST_CASE("11.2 attend: 8, 16, 17, 24, 33, 65, 72 and 129 tokens, components and queries, and "
          "1100 queries") {
    for (const auto& [n, d_k, d_v, n_queries] : vector_sizes) {
        expect_attention(some_text(n, d_k, d_v, 274, n_queries));
    }
    expect_attention(some_text(3, 1, 1, 275, 1100));
}

TEST_CASE("11.2 attend: the last of 5 to 33 keys scores far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 833)) {
        const std::size_t n = scores.size();
        const Matrix keys = drawn::column(scores), values = standard_normal(n, 2, 834);
        expect_attention({keys, values, {{1}, {-1}}});
        expect_causal({keys, values, xt::ones<double>({n, std::size_t{1}})});
    }
}

// ---- 11.3

TEST_CASE("11.3 sample: logits that are all one number, of 8, 16 and 64 tokens") {
    for (const double logit : {0.0, -7.25, 1e6, -1e6}) {
        const auto all = [=](std::size_t n) { return Vector(logit * xt::ones<double>({n})); };
        expect_odds({all(8)}, std::vector<double>(8, 1), 301, 200);
        for (const std::size_t n : {16U, 64U}) {
            std::vector<double> first(n, 0);
            std::fill_n(first.begin(), 4, 1);
            expect_odds({all(n), 1, 4}, first, 302 + n, 200);
            expect_always({all(n), 0}, 0, 303 + n);
            expect_always({all(n), 2, 1, 0.5}, 0, 304 + n);
            expect_always({all(n), 2, 0, 1e-3}, 0, 305 + n);
        }
    }
}

TEST_CASE("11.3 sample: logits that rise, that fall, and that tie for the largest") {
    const std::vector<double> rising{1, 2, 4, 8, 16}, falling{16, 8, 4, 2, 1}, last_two{1, 2, 5, 5},
        first_two{5, 5, 2, 1}, around{5, 1, 2, 5};
    for (const double added : {0.0, -20.0}) {
        expect_odds({logits_of(rising, added), 1, 2}, {0, 0, 0, 8, 16}, 311, 300);
        expect_odds({logits_of(falling, added), 1, 2}, {16, 8, 0, 0, 0}, 312, 300);
        expect_odds({logits_of(rising, added), 1, 0, 0.7}, {0, 0, 0, 8, 16}, 313, 300);
        expect_odds({logits_of(falling, added), 1, 0, 0.7}, {16, 8, 0, 0, 0}, 314, 300);
        for (const auto& [odds, first] : {std::pair{last_two, 2U}, {first_two, 0U}, {around, 0U}}) {
            expect_always({logits_of(odds, added), 0}, first, 315);
            expect_always({logits_of(odds, added), 1, 1}, first, 316);
            expect_always({logits_of(odds, added), 1, 0, 0.25}, first, 317);
            std::vector<double> both = odds;
            for (double& each : both) {
                each = each == 5 ? 1 : 0;
            }
            expect_odds({logits_of(odds, added), 1, 2}, both, 318, 300);
        }
    }
}

TEST_CASE("11.3 sample: logits that are nearly one number: the larger is the larger, by however "
          "little") {
    const Vector nearly{-3, -3 + 1e-9, -3 - 1e-9, -3 + 2e-9};
    expect_always({nearly, 0}, 3, 321);
    expect_always({nearly, 1, 1}, 3, 322);
    expect_odds({nearly, 1, 2}, {0, 1, 0, 1}, 323, 300);
    expect_odds({nearly, 1, 0, 0.4}, {0, 1, 0, 1}, 324, 300);
    expect_always({nearly, 1e-12}, 3, 325);
}

TEST_CASE("11.3 sample: huge quotients that tie for the largest share, and others never come") {
    for (const double temperature : {1.0, 1e-3}) {
        expect_odds({{1e6, -1e6, 1e6, 0}, temperature}, {1, 0, 1, 0}, 331, 300);
        expect_odds({{-1e6, -1e6, -9e5, -9e5}, temperature}, {0, 0, 1, 1}, 332, 300);
    }
    for (const double temperature : {1e-9, 1e-100, 1e-290}) {
        expect_odds({{-5, -infinity, -5, -infinity}, temperature}, {1, 0, 1, 0}, 333, 300);
        expect_odds({{-infinity, 1e6, 1e6, 1e6}, temperature, 2}, {0, 1, 1, 0}, 334, 300);
    }
}

TEST_CASE("11.3 sample: a seed that comes again draws the same token again, and so at once") {
    const Question of{Vector(xt::zeros<double>({64}))};
    const Seeds once = scattered(20, 341);
    Seeds twice;
    for (const std::uint64_t seed : once) {
        twice.insert(twice.end(), 2, seed);
    }
    const Indices first = draw(of, once), again = draw(of, twice),
                  one = draw(of, Seeds(3, once[3])); // a few, which no engine makes unlike
    for (std::size_t i = 0; i < once.size(); ++i) {
        expect_that(first[i] == again[2 * i] && first[i] == again[2 * i + 1] &&
                        one[i % one.size()] == first[3],
                    "a seed should draw the same token at every call",
                    "seed " + std::to_string(once[i]) + " drew " + std::to_string(first[i]) +
                        ", then " + std::to_string(again[2 * i]) + " and " +
                        std::to_string(again[2 * i + 1]));
    }
}

// ---- 11.4

namespace {

/// log-probabilities of 8, 16, 24, 64 and 1000 characters, and such as are seldom drawn.
std::vector<Vector> texts_of_each_kind() {
    std::vector<Vector> texts{
        {0},           {-0.0},          {-0.0, -0.0},        {0, -0.0, -1, -0.0},
        {-0.25, -0.5}, {-1, -2, -3},    {-3, -2, -1},        {-0.5, -0.5, -2, -0.5},
        {-2, -2, -3},  {-3, -2, -2},    {-1, -1 - 1e-9, -1}, {-1e-3, -1e-3, -1e-3},
        {-4, -4},      {-700, -700, 0}, {-1e-12, -3, -500},  {-0.75, -0.75, -0.75, -0.75}};
    for (const std::size_t n : {8U, 16U, 24U, 64U, 1000U}) {
        Vector text = -0.01 - xt::abs(standard_normal(n, 841 + n));
        texts.push_back(text);
        std::sort(text.begin(), text.end());
        texts.push_back(text);
        std::reverse(text.begin(), text.end());
        texts.push_back(text);
        texts.emplace_back(-0.125 * xt::ones<double>({n}));
        text.fill(0);
        text(n / 2) = -1.5;
        texts.push_back(text);
    }
    return texts;
}

constexpr judge::Tolerance ten_digits{1e-10, 1e-13};

} // namespace

TEST_CASE("11.4 perplexity: texts of every kind: all certain, all alike, sorted, all but one "
          "certain ...") {
    for (const Vector& logs : texts_of_each_kind()) {
        expect_close(graded::perplexity(logs), plain::perplexity(logs), ten_digits);
    }
}

TEST_CASE("11.4 bits_per_character: texts of every kind: all certain, all alike, sorted, all but "
          "one certain ...") {
    for (const Vector& logs : texts_of_each_kind()) {
        expect_close(graded::bits_per_character(logs), plain::bits(logs), ten_digits);
    }
    for (const double size : {1e12, 1e100, 1e300}) {
        expect_close(graded::bits_per_character({-size, -size, -size / 2, -size}),
                     plain::bits({-size, -size, -size / 2, -size}), ten_digits);
    }
}

} // namespace grader_unusual
