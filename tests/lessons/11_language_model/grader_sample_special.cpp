// 11.3: seeds, cuts and temperatures that somebody may have thought of as none given, and scores
// below what stands in place of −∞. The rest of 11.3: grader_sample.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>
#include <thread>

#include "draws.hpp"

namespace grader_sample_special {

using namespace draws;

namespace {

/// For who is right so far: until a clock that counts seconds shows another one.
void wait_for_the_next_second() {
    const std::time_t now = std::time(nullptr);
    while (judge::session().failures().empty() && std::time(nullptr) == now) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

} // namespace

TEST_CASE("11.3 sample: seed 0 is one like any other, and so are the largest") {
    const Question of{Vector(xt::zeros<double>({512}))};
    Seeds seeds{0, 1, 2, ~std::uint64_t{0}};
    for (const unsigned bits : {31U, 32U, 63U}) {
        seeds.push_back((std::uint64_t{1} << bits) - 1);
        seeds.push_back(std::uint64_t{1} << bits);
    }
    const Indices first = draw(of, seeds);
    wait_for_the_next_second();
    std::reverse(seeds.begin(), seeds.end());
    Indices again = draw(of, seeds);
    std::reverse(seeds.begin(), seeds.end());
    std::reverse(again.begin(), again.end());
    std::size_t different = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        different += first[i] != again[i] ? 1 : 0;
    }
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        const std::string seed = std::to_string(seeds[i]);
        const judge::Suspicion suspicion =
            different == 1
                ? judge::Suspicion{"seed_taken_for_none",
                                   "right, but for seed " + seed +
                                       ": it is taken for no seed at all, and a random one, or "
                                       "the clock, takes its place. Every seed is one, and draws "
                                       "the same token at every call."}
                : judge::Suspicion{"not_of_the_seed_alone",
                                   "the tokens do not come of the seed alone. std::random_device, "
                                   "the clock and std::rand are others every time, and an engine "
                                   "that is static or global goes on where the call before "
                                   "stopped: make it in the function, from seed."};
        expect_that(first[i] == again[i], "a seed should draw the same token at every call",
                    "seed " + seed + " drew token " + std::to_string(first[i]) + " of 512, and " +
                        std::to_string(again[i]) + " when it was asked again",
                    suspicion);
    }
}

TEST_CASE("11.3 sample: the largest top_k there is, and those next to the number of tokens") {
    judge::session().suspect(
        {"top_k_changed",
         "right, but where top_k is the largest number there is, or next to how many tokens there "
         "are: it is kept in a smaller type, or something is added to it, which begins again at "
         "0. Compare it as it is: top_k > 0 && top_k < n."});
    expect_odds({logits_of(six), 1, 5}, {6, 20, 2, 40, 0, 11}, 18, 400);
    expect_odds({logits_of(six), 1, 7}, six, 201, 400);
    expect_odds({logits_of(three), 1, ~std::size_t{0}}, three, 202, 400);
    expect_odds({logits_of(three), 1, ~std::size_t{0} - 1}, three, 203, 400);
    expect_odds({logits_of(six), 1, ~std::size_t{0}, 0.6}, {0, 20, 0, 40, 0, 0}, 204, 400);
}

// std::sort leaves equals as they are where there are few.
TEST_CASE("11.3 sample: of 60 tokens that are equal, or of three kinds, the earlier are kept") {
    expect_odds({logits_of(six), 1, 3}, {0, 20, 0, 40, 0, 11}, 17, 400);
    judge::session().suspect(
        {"equals_in_any_order",
         "right, but for equals among many tokens: of those it is not always the earlier that are "
         "kept. std::sort, std::partial_sort and std::nth_element leave equals in any order: take "
         "std::stable_sort, or compare their places too."});
    const auto first = [](std::size_t n, std::size_t of_kind, std::size_t kinds) {
        std::vector<double> odds(60, 0.0);
        for (std::size_t i = of_kind; n > 0; i += kinds, --n) {
            odds[i] = 1;
        }
        return odds;
    };
    const Vector equal(xt::zeros<double>({60}));
    expect_odds({equal, 1, 7}, first(7, 0, 1), 211, 400);
    expect_odds({equal, 1, 31}, first(31, 0, 1), 212, 400);
    expect_odds({equal, 1, 0, 0.19}, first(12, 0, 1), 213, 400);
    expect_always({equal, 0}, 0, 214);
    Vector of_three_kinds(xt::zeros<double>({60}));
    for (std::size_t i = 1; i < 60; i += 3) {
        of_three_kinds(i) = 20;
        of_three_kinds(i + 1) = -3;
    }
    expect_odds({of_three_kinds, 1, 5}, first(5, 1, 3), 215, 400);
    expect_always({of_three_kinds, 0}, 1, 216);
}

TEST_CASE("11.3 sample: a temperature of −0 is 0") {
    expect_always({{1, 3, 2, 3, 3}, -0.0}, 1, 205);
}

TEST_CASE("11.3 sample: what is cut never comes, however low the logits that are kept") {
    judge::session().suspect(
        {"finite_in_place_of_minus_infinity",
         "right, but where the logits that are kept, divided by T, lie far below 0, or T is very "
         "high: a token that was cut has a finite number such as −1e9 for −∞, which may be above "
         "all the others, and is next to 0 once T divides it. Give it the probability 0, or drop "
         "it from the list."});
    expect_odds({logits_of(six), 1, 3}, {0, 20, 0, 40, 0, 11}, 17, 400);
    // Logits of equal tokens, so that T changes nothing.
    for (const double temperature : {1.0, 1e-4, 1e-25, 1e-34, 1e9, 1e30, 1e308}) {
        for (const double logit : {-1e6, -5e4, 0.0, 1e6}) {
            const Vector equal(logit * xt::ones<double>({4}));
            expect_odds({equal, temperature, 2}, {1, 1, 0, 0}, 206, 40);
            expect_odds({equal, temperature, 0, 0.5}, {1, 1, 0, 0}, 207, 40);
            expect_odds({equal, temperature, 3, 0.4}, {1, 1, 0, 0}, 208, 40);
        }
    }
    expect_odds({{-5e4 + std::log(3.0), -5e4, -5e4 - 1}, 1, 2}, {3, 1, 0}, 209, 400);
}

TEST_CASE("11.3 sample: of 2001 tokens any may come") {
    // The first has half the odds of the others, which end at odd multiples of 1/4000: numbers with
    // 1000 values, or 100, all fall into tokens of an even number, or all into those of an odd one.
    // Few seeds: a right way may compare every token with every other.
    Vector logits(xt::zeros<double>({2001}));
    logits(0) = -std::log(2.0);
    const Indices some = draw({logits}, scattered(30, 96));
    const auto odd = std::ranges::count_if(some, [](std::size_t t) { return t % 2 == 1; });
    expect_that(odd > 0 && odd < 30, "30 seeds should draw tokens of even and of odd numbers",
                odd == 0 ? "yours drew even ones only" : "yours drew odd ones only",
                few_random_values);
}

TEST_CASE("11.3 sample: of 2048 tokens that are equal top_k and top_p keep as many as they say") {
    judge::session().suspect(
        {"cut_to_a_fixed_number",
         "right, but where top_k or top_p keep more than a thousand tokens: there a fixed number "
         "of them is all that is kept, or sorted. They keep as many as they say."});
    // Of 28 draws from the first 1984 none is above 1024 with a probability below 1e-8.
    for (const auto& [top_k, top_p] : {std::pair<std::size_t, double>{1984, 1}, {0, 0.96875}}) {
        const Indices some =
            draw({Vector(xt::zeros<double>({2048})), 1, top_k, top_p}, scattered(28, 97));
        const std::string kept = top_k > 0 ? "top_k = 1984" : "top_p = 0.96875";
        expect_that(std::ranges::all_of(some, [](std::size_t t) { return t < 1984; }),
                    "of 2048 equal tokens " + kept + " keeps the first 1984",
                    "yours drew one past these");
        expect_that(std::ranges::any_of(some, [](std::size_t t) { return t >= 1024; }),
                    "of 2048 equal tokens " + kept + " keeps the first 1984",
                    "yours drew none from number 1024 on");
    }
}

} // namespace grader_sample_special
