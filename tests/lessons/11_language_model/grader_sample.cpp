// 11.3; arguments that are special: grader_sample_special.cpp; the rest of the lesson: grader.cpp,
// grader_cache.cpp, grader_transformer.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "draws.hpp"
#include "support/drawn.hpp"

namespace grader_sample {

using namespace draws;

namespace {

const bool registered = [] {
    judge::session().compare_with("sample", [](const judge::Value& a, const judge::Value& b) {
        return same_distribution(judge::from_value<Indices>(a), judge::from_value<Indices>(b));
    });
    // Which token that is depends on the engine.
    judge::session().recognise("sample", "seed_not_used", [](const auto& answers) {
        bool shows = false;
        for (const judge::Session::Answer& answer : answers) {
            const auto mine = judge::from_value<Indices>(answer.actual);
            const auto right = judge::from_value<Indices>(answer.expected);
            const auto is_one = [](const Indices& tokens) {
                return std::set<std::size_t>(tokens.begin(), tokens.end()).size() == 1;
            };
            if (!is_one(mine)) {
                return false;
            }
            shows = shows || !is_one(right);
        }
        return shows;
    });
    return true;
}();

void refuses(const Question& of, const std::string& what) {
    judge::expect_refused(
        graded::sample.attempt(of.logits, of.temperature, of.top_k, of.top_p, {1}), what);
}

const judge::Suspicion part_of_the_seed{
    "part_of_the_seed",
    "different seeds draw the same token too often. Does only a part of the seed arrive at the "
    "draw, or has the random number few values, as engine() % 100 has? Or does the engine begin "
    "alike for seeds that are alike, as std::default_random_engine does: with small seeds it "
    "begins near 0? Give all of the seed to an engine, std::mt19937_64 engine(seed), and let a "
    "distribution draw."};

} // namespace

TEST_CASE("11.3 sample: three tokens of the odds 2 : 1 : 5 come in these odds") {
    expect_odds({logits_of(three, -0.7)}, three, 1);
}

TEST_CASE(
    "11.3 sample: seeds that follow each other, and seeds 256,000 apart, draw different tokens") {
    for (const std::uint64_t step : {1U, 256'000U}) {
        Seeds seeds(200, judge::redrawn(0) % 1000);
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            seeds[i] += i * step;
        }
        const Indices tokens = draw({Vector(xt::zeros<double>({8}))}, seeds);
        expect_that(std::set<std::size_t>(tokens.begin(), tokens.end()).size() > 1,
                    "200 seeds should draw more than one of 8 equal tokens",
                    "yours drew token " + std::to_string(tokens[0]) + " for each of the seeds " +
                        std::to_string(seeds[0]) + ", " + std::to_string(seeds[1]) + ", " +
                        std::to_string(seeds[2]) + " …",
                    part_of_the_seed);
    }
}

TEST_CASE("11.3 sample: six tokens, at temperature 1") {
    expect_odds({logits_of(six, 1.5)}, six, 2, very_many);
}

TEST_CASE("11.3 sample: temperature 2 takes the square root of the odds") {
    expect_odds({{std::log(16.0), 0, std::log(4.0)}, 2}, {4, 1, 2}, 3);
    expect_odds({logits_of(six, 3), 2.5}, at_temperature(six, 2.5), 4, very_many);
}

TEST_CASE("11.3 sample: temperature 1/2 squares them") {
    expect_odds({{std::log(2.0), std::log(3.0), 0}, 0.5}, {4, 9, 1}, 5);
    expect_odds({logits_of(six, -2), 0.6}, at_temperature(six, 0.6), 6, very_many);
}

TEST_CASE("11.3 sample: temperature 0 takes the largest logit, whatever else is said") {
    const judge::Outcome outcome =
        graded::sample.attempt({2, 3, 1, 2.5}, 0, 0, 1, {judge::redrawn(7)});
    expect_that(std::holds_alternative<judge::Returned>(outcome),
                "temperature 0 takes the largest logit", "sample " + describe(outcome),
                {"zero_divides_and_fails",
                 "at T = 0 the logits are divided by 0, and from what comes of that, inf and NaN, "
                 "nothing can be drawn. T = 0 takes the largest logit, before anything is "
                 "divided."});
    expect_always({{2, 3, 1, 2.5}, 0}, 1, 7);
    expect_always({{-1, -3, -2, -0.5}, 0}, 3, 8);
    expect_always({{-4, -9, -5}, 0, 2, 0.5}, 0, 9);
    expect_always({{0.5, 0.25, 0.75, 0.7}, 0, 3, 0}, 2, 10);
    expect_always({{-infinity, -700, -800}, 0}, 1, 11);
}

TEST_CASE("11.3 sample: temperature 0 takes the first of several largest") {
    expect_always({{1, 3, 2, 3, 3}, 0}, 1, 12);
    expect_always({{0, 0}, 0, 0, 0.9}, 0, 13);
    for (const auto& [first, second] : {std::pair{1U, 2U},
                                        {1U, 4U},
                                        {3U, 4U},
                                        {3U, 8U},
                                        {7U, 8U},
                                        {5U, 16U},
                                        {15U, 16U},
                                        {9U, 19U}}) {
        Vector logits = xt::zeros<double>({20});
        logits(first) = logits(second) = 1;
        expect_always({logits, 0}, first, 14);
    }
}

TEST_CASE("11.3 sample: top_k = 1 takes the most probable") {
    expect_always({logits_of(six), 1, 1}, 3, 14);
    expect_always({logits_of(six, -20), 3, 1, 0.9}, 3, 15);
}

TEST_CASE("11.3 sample: of six tokens, the top_k = 2, 3, 5 most probable, in their odds") {
    expect_odds({logits_of(six), 1, 2}, {0, 20, 0, 40, 0, 0}, 16);
    expect_odds({logits_of(six, -4), 1, 3}, {0, 20, 0, 40, 0, 11}, 17);
    expect_odds({logits_of(six, 2), 1, 5}, {6, 20, 2, 40, 0, 11}, 18);
}

TEST_CASE("11.3 sample: top_k = 0 keeps all, as does one that is no less than there are") {
    expect_odds({logits_of(six), 1, 0}, six, 19);
    expect_odds({logits_of(six), 1, 6}, six, 20);
    expect_odds({logits_of(three), 1, 1000}, three, 21);
}

TEST_CASE("11.3 sample: of equals, top_k keeps the earlier") {
    expect_odds({{0, 1, 0, 1, 1, -1}, 1, 2}, {0, 1, 0, 1, 0, 0}, 22);
    expect_odds({logits_of({1, 3, 1, 2, 1}), 1, 3}, {1, 3, 0, 2, 0}, 23);
    expect_odds({{0, 0, 0, 0}, 1, 3}, {1, 1, 1, 0}, 24);
}

TEST_CASE("11.3 sample: top_p keeps as few as it takes to reach it, and the one that reaches it") {
    // by probability: 0.5, 0.25, 0.1375, 0.075, 0.025, 0.0125
    expect_odds({logits_of(six), 1, 0, 0.6}, {0, 20, 0, 40, 0, 0}, 25);
    expect_odds({logits_of(six, 1), 1, 0, 0.8}, {0, 20, 0, 40, 0, 11}, 26);
    expect_odds({logits_of(six, -1), 1, 0, 0.94}, {6, 20, 0, 40, 0, 11}, 27);
    expect_odds({logits_of(six), 1, 0, 0.98}, {6, 20, 2, 40, 0, 11}, 28);
}

TEST_CASE("11.3 sample: one that reaches top_p alone is kept alone, and one is always kept") {
    expect_always({logits_of(six), 1, 0, 0.45}, 3, 29);
    expect_always({logits_of(six, 7), 1, 0, 0.01}, 3, 30);
    expect_always({logits_of(six), 1, 0, 1e-12}, 3, 116);
    expect_always({logits_of(six), 1, 0, 0}, 3, 31);
}

TEST_CASE("11.3 sample: top_p = 1 keeps all") {
    expect_odds({logits_of({300, 1, 40, 3}), 1, 0, 1}, {300, 1, 40, 3}, 32);
    expect_odds({logits_of(six), 1, 0, 0.999}, six, 33);
}

TEST_CASE("11.3 sample: of equals, top_p keeps the earlier") {
    expect_odds({{2, 2, 2, 2, 2}, 1, 0, 0.5}, {1, 1, 1, 0, 0}, 34);
    expect_odds({logits_of({1, 4, 4, 1, 4}), 1, 0, 0.5}, {0, 1, 1, 0, 0}, 35);
}

// Halves and quarters are exact in double, however they are computed.
TEST_CASE("11.3 sample: a sum of exactly top_p is enough") {
    expect_always({{0, 0}, 1, 0, 0.5}, 0, 82);
    expect_odds({{0, 0, 0, 0}, 1, 0, 0.5}, {1, 1, 0, 0}, 83);
}

TEST_CASE("11.3 sample: top_p looks at what top_k has left, divided by its sum") {
    // 4, 3, 2, 1 of 10: the top three are 0.44, 0.33, 0.22 of what is left.
    const std::vector<double> odds{1, 3, 4, 2};
    expect_odds({logits_of(odds), 1, 3, 0.75}, {0, 3, 4, 0}, 36);
    expect_always({logits_of(odds), 1, 2, 0.55}, 2, 37);
    expect_odds({logits_of(six), 1, 3, 0.9}, {0, 20, 0, 40, 0, 11}, 38);
    expect_odds({logits_of(six), 1, 4, 0.75}, {0, 20, 0, 40, 0, 0}, 39);
}

TEST_CASE("11.3 sample: both cut: where top_p needs fewer tokens than top_k, only these are kept") {
    expect_always({logits_of({1, 3, 4, 2}), 1, 3, 0.3}, 2, 80);
    expect_odds({logits_of(six), 1, 5, 0.7}, {0, 20, 0, 40, 0, 0}, 81);
}

TEST_CASE("11.3 sample: top_p looks at probabilities that temperature has changed") {
    // At T = 2 the odds 16 : 4 : 1 : 1 are 4 : 2 : 1 : 1, of 8.
    const std::vector<double> odds{1, 16, 1, 4};
    expect_odds({logits_of(odds), 2, 0, 0.7}, {0, 4, 0, 2}, 40);
    expect_odds({logits_of(odds), 2, 0, 0.8}, {1, 4, 0, 2}, 41);
    expect_always({logits_of(odds), 0.5, 0, 0.9}, 1, 42);
    expect_odds({logits_of(odds), 2, 2, 0.7}, {0, 4, 0, 2}, 43);
}

TEST_CASE("11.3 sample: a logit of −∞ never comes, and one that is very low neither") {
    judge::session().suspect(
        {"undefined_beside_minus_infinity",
         "right, but where a logit is −∞: a mean or a sum of all logits is −∞ then, and −∞ less "
         "that is NaN. Subtract the largest logit, which is finite, and leave the rest to exp."});
    expect_odds({{-infinity, std::log(3.0), -infinity, 0}}, {0, 3, 0, 1}, 44);
    expect_odds({{-infinity, std::log(3.0), -infinity, 0}, 2, 3}, at_temperature({0, 3, 0, 1}, 2),
                45);
    expect_odds({{0, std::log(2.0), -infinity, -900}, 1, 0, 0.9}, {1, 2, 0, 0}, 46);
}

TEST_CASE("11.3 sample: a high temperature brings −1000 near, and −∞ never") {
    judge::session().suspect(
        {"low_logits_at_high_temperatures",
         "right, but at high temperatures, of a logit of −∞ or one far below the largest. It may "
         "count as higher, cut at a bound or replaced by a number such as −1e9. Or it never "
         "comes, where a probability of T = 1, which is 0 there, is raised to the power 1/T. "
         "Divide the logits by T before all else: e^(−∞/T) is 0 at any T, and −1000/T is near 0 "
         "where T is large."});
    const auto odds_at = [](double temperature, std::vector<double> logits) {
        for (double& each : logits) {
            each = std::exp(each / temperature);
        }
        return logits;
    };
    expect_odds({{0, -infinity, -100, -30, -infinity}, 100},
                odds_at(100, {0, -infinity, -100, -30, -infinity}), 110, very_many);
    expect_odds({{-infinity, 5, -1000, -9000}, 1e4}, odds_at(1e4, {-infinity, 5, -1000, -9000}),
                111, very_many);
    expect_odds({{3, 4, -infinity}, 1e9}, {1, 1, 0}, 112);
    expect_odds({{3, -infinity, 4, -infinity}, 1e30, 3}, {1, 0, 1, 0}, 113);
}

TEST_CASE("11.3 sample: logits up to a million, and temperatures that make them larger") {
    expect_odds({{10'000, 10'000 + std::log(3.0), 9'000}}, {1, 3, 0}, 47);
    expect_odds({{-10'000, -10'000 + std::log(3.0), -12'000}}, {1, 3, 0}, 48);
    expect_odds({{1e6 - std::log(3.0), 1e6, -1e6}}, {1, 3, 0}, 114);
    expect_odds({{1, 1 + 1e-3 * std::log(3.0), -1}, 1e-3}, {1, 3, 0}, 49);
    expect_odds({{-5, -5, -6}, 1e-9, 0, 0.9}, {1, 1, 0}, 50);
    expect_odds({{3, -2, 7, 0}, 1e9}, {1, 1, 1, 1}, 51);
}

TEST_CASE("11.3 sample: logits of 1e-100 at temperatures as small, and temperatures of 1e100") {
    judge::session().suspect(
        {"small_temperatures_changed",
         "right, but for temperatures next to 0, or very high ones: one that is small is taken for "
         "0, or something is added to it, or it is cut off at a bound. Only T = 0 itself takes the "
         "largest logit; of any other the logits are divided by T as it is."});
    expect_odds({logits_of(three), 1, 1000}, three, 21); // asked only of what is right there
    for (const double size : {1e-3, 1e-9, 1e-12, 1e-30, 1e-100}) {
        expect_odds({{0, size * std::log(3.0), size * std::log(2.0)}, size}, {1, 3, 2}, 96);
        expect_always({{0, -size, size}, 1e-3 * size}, 2, 97);
    }
    expect_odds({{1e6, -1e6, 1e6, -5}, 1e100}, {1, 1, 1, 1}, 98);
    expect_odds({{-1e6, -1e6 * (1 - std::log(3.0))}, 1e6}, {1, 3}, 99);
}

TEST_CASE("11.3 sample: top_k past 32 bits keeps all") {
    judge::session().suspect(
        {"top_k_in_32_bits",
         "right, but where top_k is 2³¹ and more: it is kept in 32 bits, as an int or an unsigned, "
         "and what is left of it is another number. Sizes are std::size_t."});
    expect_odds({logits_of(three), 1, 1000}, three, 21); // asked only of what is right there
    for (const unsigned bits : {31U, 32U, 62U}) {
        expect_odds({logits_of(three), 1, (std::size_t{1} << bits) + 1}, three, 115 + bits);
    }
}

TEST_CASE("11.3 sample: one token is drawn always") {
    expect_always({{-3}}, 0, 52);
    expect_always({{0}, 0.5, 1, 0}, 0, 53);
    expect_always({{2}, 0}, 0, 54);
}

TEST_CASE("11.3 sample: two tokens") {
    expect_odds({logits_of({3, 7})}, {3, 7}, 55);
    expect_odds({logits_of({7, 3}), 1, 2, 0.9}, {7, 3}, 56);
    expect_always({logits_of({3, 7}), 1, 0, 0.5}, 1, 57);
}

TEST_CASE("11.3 sample: 17, 33, 67 and 131 tokens, in any order, each in its odds") {
    for (const std::size_t n : {17U, 33U, 67U, 131U}) {
        std::vector<double> odds(n);
        for (std::size_t t = 0; t < n; ++t) {
            odds[t] = static_cast<double>(1 + t * 29 % n); // 1 … n, each once
        }
        expect_odds({logits_of(odds, -3)}, odds, 60 + n, 400);
        std::vector<double> kept = odds;
        for (double& each : kept) {
            each = each > static_cast<double>(n - 5) ? each : 0;
        }
        expect_odds({logits_of(odds), 1, 5}, kept, 61 + n, 400);
        // The largest make up 0.5 as soon as their sum reaches half of n (n + 1) / 2.
        double sum = 0;
        std::size_t least = n + 1;
        while (sum < 0.505 * static_cast<double>(n * (n + 1)) / 2) {
            sum += static_cast<double>(--least);
        }
        kept = odds;
        for (double& each : kept) {
            each = each >= static_cast<double>(least) ? each : 0;
        }
        expect_odds({logits_of(odds), 1, 0, 0.505}, kept, 62 + n, 400);
    }
}

// Few seeds: a right way may compare every token with every other.
TEST_CASE("11.3 sample: of 2100 tokens the one that can come, and of 5000") {
    const auto expect_one = [](const Question& of, std::size_t token, std::size_t n_seeds) {
        std::vector<double> odds(of.logits.size(), 0);
        odds[token] = 1;
        expect_odds(of, odds, 90, n_seeds);
    };
    for (const std::size_t token : {3U, 1234U, 2099U}) {
        Vector logits = -infinity * xt::ones<double>({2100});
        logits(token) = 0;
        expect_one({logits}, token, 2);
        expect_one({logits, 0.5, 3, 0.9}, token, 2);
        expect_one({logits, 0}, token, 1);
    }
    Vector logits = -infinity * xt::ones<double>({5000});
    logits(4999) = 0;
    expect_one({logits}, 4999, 1);
}

TEST_CASE("11.3 sample: 600 improbable tokens are together as probable as one") {
    std::vector<double> odds(601, 1);
    odds[350] = 600;
    expect_odds({logits_of(odds)}, odds, 92, 300); // every token may be compared with every other
}

TEST_CASE("11.3 sample: a largest logit of 0") {
    expect_odds({{-std::log(4.0), 0, -std::log(2.0)}}, {1, 4, 2}, 93);
    expect_always({{-1, 0, -2}, 0}, 1, 94);
    expect_odds({{-std::log(4.0), 0, -std::log(2.0)}, 1, 2}, {0, 2, 1}, 95);
}

TEST_CASE("11.3 sample: the same arguments give the same tokens, whatever was asked in between") {
    const Question of{logits_of({3, 2, 2, 1, 4, 5, 1, 2}), 1.5, 7, 0.97};
    Seeds seeds = scattered(300, 70);
    const Indices first = draw(of, seeds);
    std::reverse(seeds.begin(), seeds.end());
    Indices second = draw(of, seeds);
    std::reverse(second.begin(), second.end());
    std::size_t different = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        different += first[i] != second[i] ? 1 : 0;
    }
    expect_that(different == 0, "a seed should draw the same token at every call",
                std::to_string(different) + " of 300 seeds drew another one when asked again, in "
                                            "another order",
                {"not_of_the_seed_alone",
                 "the tokens do not come of the seed alone. std::random_device, the clock and "
                 "std::rand are others every time, and an engine that is static or global goes on "
                 "where the call before stopped: make it in the function, from seed."});
}

TEST_CASE("11.3 sample: other seeds draw other tokens") {
    // Of 400 draws among 512 equals 277 are different ones, on average; fewer than 179 come with a
    // probability below e^−48 (McDiarmid), and more are no fault.
    // In four calls: a right way may compare every token with every other, and a call has 4 s.
    const Seeds seeds = scattered(400, 71);
    Indices tokens;
    for (auto first = seeds.begin(); first != seeds.end(); first += 100) {
        const Indices some = draw({Vector(xt::zeros<double>({512}))}, Seeds(first, first + 100));
        tokens.insert(tokens.end(), some.begin(), some.end());
    }
    const std::set<std::size_t> different(tokens.begin(), tokens.end());
    expect_that(different.size() >= 179,
                "400 seeds should draw about 277 different ones of 512 equal tokens",
                "yours drew " + std::to_string(different.size()), part_of_the_seed);
    // Of numbers with 256 values some 202 come. Below 235 fall 277, give or take 7, once in 1e10.
    expect_that(different.size() >= 235,
                "400 seeds should draw about 277 different ones of 512 equal tokens",
                "yours drew " + std::to_string(different.size()), few_random_values);
}

TEST_CASE("11.3 sample: what cannot be is refused") {
    refuses({Vector(xt::zeros<double>({0}))}, "a call without logits");
    refuses({{1, 2}, -0.5}, "temperature = -0.5");
    refuses({{1, 2}, std::numeric_limits<double>::quiet_NaN()}, "temperature = NaN");
    refuses({{1, 2}, infinity}, "temperature = inf");
    refuses({{1, 2}, 1, 0, -0.1}, "top_p = -0.1");
    refuses({{1, 2}, 1, 0, 1.5}, "top_p = 1.5");
    refuses({{1, 2}, 0, 0, 1.5}, "top_p = 1.5");
    refuses({{1, 2}, 1, 0, std::numeric_limits<double>::quiet_NaN()}, "top_p = NaN");
}

} // namespace grader_sample
