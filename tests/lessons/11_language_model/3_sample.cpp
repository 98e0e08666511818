// 11.3 sample. What it draws is random: it is called with many seeds, and counted.
//
// A right answer fails with a probability below 1e-9 in a whole run, whichever generator it uses:
// of N independent draws, the share p̂ of a token of probability p has N · KL(p̂ ‖ p) ≥ L with a
// probability of at most 2 e^(−L) (Chernoff), L = 30 here. KL is that of two coins, in nats.

#include <set>

#include "exports.hpp"
#include "support/proof.hpp"
#include "support/seeds.hpp"

namespace of_sample {

using namespace proof;
using of_seeds::Indices;
using Odds = std::vector<double>;
using Seeds = std::vector<std::uint64_t>;

/// The arguments of sample, apart from the seeds.
struct Question {
    Vector logits;
    double temperature = 1;
    std::size_t top_k = 0;
    double top_p = 1;
};

/// Logits whose softmax is in proportion to these.
Vector logits_of(const Odds& odds, double added = 0) {
    Vector logits = Vector::from_shape({odds.size()});
    std::transform(odds.begin(), odds.end(), logits.begin(),
                   [=](double each) { return std::log(each) + added; });
    return logits;
}

/// How often each of n tokens was drawn.
std::vector<std::size_t> counted(const Indices& tokens, std::size_t n) {
    std::vector<std::size_t> counts(n, 0);
    for (const std::size_t token : tokens) {
        ++counts[token];
    }
    return counts;
}

Indices draw(const Question& of, const Seeds& seeds) {
    const Indices tokens = graded::sample(of.logits, of.temperature, of.top_k, of.top_p, seeds);
    for (const std::size_t token : tokens) {
        expect_that(token < of.logits.size(),
                    "a token is one of 0 … " + std::to_string(of.logits.size() - 1),
                    "one of yours is " + std::to_string(token));
    }
    return tokens;
}

/// Tokens are drawn with these odds, and never if theirs are 0.
void expect_odds(const Question& of, const Odds& odds, std::size_t n_seeds = 500) {
    const Indices tokens = draw(of, drawn::scattered(n_seeds, redrawn(1)));
    const auto counts = counted(tokens, odds.size());
    const double all = std::accumulate(odds.begin(), odds.end(), 0.0), n = double(n_seeds);
    const auto part = [](double x, double y) { return x > 0 ? x * std::log(x / y) : 0.0; };
    const auto came = [&](std::size_t t) {
        return "it came for " + std::to_string(counts[t]) + " of " + std::to_string(n_seeds) +
               " seeds";
    };
    for (std::size_t t = 0; t < odds.size(); ++t) {
        expect_that(odds[t] > 0 || counts[t] == 0,
                    "token " + std::to_string(t) + " should never come", came(t));
    }
    for (std::size_t t = 0; t < odds.size(); ++t) {
        const double p = odds[t] / all, share = double(counts[t]) / n;
        expect_that(share == p || n * (part(share, p) + part(1 - share, 1 - p)) < 30,
                    "token " + std::to_string(t) + " should come for about " +
                        number_text(std::round(p * n)) + " of " + std::to_string(n_seeds) +
                        " seeds",
                    came(t));
    }
}

/// Every seed draws this token.
void expect_always(const Question& of, std::size_t token) {
    Odds odds(of.logits.size(), 0);
    odds[token] = 1;
    expect_odds(of, odds, 100);
}

/// Whether two lists of draws are of one distribution, as far as their lengths tell.
bool same_distribution(const Indices& a, const Indices& b) {
    const auto largest = [](const Indices& of) { return *std::ranges::max_element(of); };
    if (a.size() != b.size() || a.empty() || std::max(largest(a), largest(b)) > 1'000'000) {
        return a == b;
    }
    const std::size_t n_tokens = std::max(largest(a), largest(b)) + 1;
    const auto in_a = counted(a, n_tokens), in_b = counted(b, n_tokens);
    const double n = double(a.size());
    return std::ranges::equal(in_a, in_b, [&](std::size_t of_a, std::size_t of_b) {
        const double x = double(of_a) / n, y = double(of_b) / n;
        const double error = std::sqrt((x * (1 - x) + y * (1 - y)) / n); // of the difference
        return std::abs(x - y) <= 5 * error + 3 / n;
    });
}

/// Each answer has one token for all seeds. Which token that is depends on the engine.
bool ignores_the_seed(const std::vector<judge::Compared>& answers) {
    const auto differ = [](const judge::Value& tokens) {
        const auto all = from_value<Indices>(tokens);
        return std::set<std::size_t>(all.begin(), all.end()).size() > 1;
    };
    return std::ranges::none_of(answers, differ, &judge::Compared::actual) &&
           std::ranges::any_of(answers, differ, &judge::Compared::expected);
}

const judge::About about("sample", {.alike =
                                        [](const judge::Value& a, const judge::Value& b) {
                                            return same_distribution(from_value<Indices>(a),
                                                                     from_value<Indices>(b));
                                        },
                                    .one_by_one = false,
                                    .traits = {{"seed_not_used", ignores_the_seed}}});

const Odds three{2, 1, 5};
const Odds six{6, 20, 2, 40, 1, 11}; // of 80; 3, 1, 5, 0, 2, 4 by probability

TEST_CASE(
    "11.3 sample: three tokens of odds 2 : 1 : 5, and six others, are drawn with these odds") {
    expect_odds({logits_of(three, -0.7)}, three);
    expect_odds({logits_of(six, 1.5)}, six, 2000);
    expect_odds({{-std::log(4.0), 0, -std::log(2.0)}}, {1, 4, 2}); // a largest logit of 0
}

TEST_CASE("11.3 sample: temperature 2 takes the square root of the odds, 1/2 squares them") {
    expect_odds({{std::log(16.0), 0, std::log(4.0)}, 2}, {4, 1, 2});
    expect_odds({{std::log(2.0), std::log(3.0), 0}, 0.5}, {4, 9, 1});
}

TEST_CASE("11.3 sample: temperature 0 takes the largest logit, the first of several") {
    expect_always({{2, 3, 1, 2.5}, 0}, 1);
    expect_always({{-4, -9, -5}, 0, 2, 0.5}, 0);
    expect_always({{-infinity, -700, -800}, 0}, 1);
    expect_always({{1, 3, 2, 3, 3}, 0}, 1);
}

TEST_CASE("11.3 sample: of six tokens, the top_k = 1, 2, 3, 5 most probable, with their odds") {
    expect_always({logits_of(six, -20), 3, 1, 0.9}, 3);
    expect_odds({logits_of(six), 1, 2}, {0, 20, 0, 40, 0, 0});
    expect_odds({logits_of(six, -4), 1, 3}, {0, 20, 0, 40, 0, 11});
    expect_odds({logits_of(six, 2), 1, 5}, {6, 20, 2, 40, 0, 11});
}

TEST_CASE("11.3 sample: top_k = 0 keeps all, and so does n or more") {
    for (const std::size_t top_k : {0U, 6U, 1000U}) {
        expect_odds({logits_of(six), 1, top_k}, six);
    }
}

TEST_CASE("11.3 sample: of equals, top_k keeps the earlier") {
    expect_odds({{0, 1, 0, 1, 1, -1}, 1, 2}, {0, 1, 0, 1, 0, 0});
    expect_odds({logits_of({1, 3, 1, 2, 1}), 1, 3}, {1, 3, 0, 2, 0});
}

TEST_CASE("11.3 sample: top_p keeps as few as it takes to reach it, and the one that reaches it") {
    // by probability: 0.5, 0.25, 0.1375, 0.075, 0.025, 0.0125
    expect_odds({logits_of(six, 1), 1, 0, 0.8}, {0, 20, 0, 40, 0, 11});
    expect_odds({logits_of(six), 1, 0, 0.6}, {0, 20, 0, 40, 0, 0});
    expect_odds({logits_of(six, -1), 1, 0, 0.94}, {6, 20, 0, 40, 0, 11});
    expect_odds({{2, 2, 2, 2, 2}, 1, 0, 0.5}, {1, 1, 1, 0, 0}); // of equals the earlier
}

TEST_CASE("11.3 sample: top_p keeps one at least, and 1 keeps all") {
    for (const double top_p : {0.45, 0.01, 0.0}) {
        expect_always({logits_of(six), 1, 0, top_p}, 3);
    }
    expect_odds({logits_of({300, 1, 40, 3}), 1, 0, 1}, {300, 1, 40, 3});
    expect_odds({logits_of(six), 1, 0, 0.999}, six);
}

// Halves and quarters are exact in double, however they are computed.
TEST_CASE("11.3 sample: a sum of exactly top_p is enough") {
    expect_always({{0, 0}, 1, 0, 0.5}, 0);
    expect_odds({{0, 0, 0, 0}, 1, 0, 0.5}, {1, 1, 0, 0});
}

TEST_CASE("11.3 sample: if top_p needs fewer tokens than top_k, only those are kept") {
    expect_odds({logits_of(six), 1, 5, 0.7}, {0, 20, 0, 40, 0, 0});
}

TEST_CASE("11.3 sample: top_p applies to the tokens of top_k, divided by their sum") {
    // 4, 3, 2, 1 of 10: the top three are 0.44, 0.33, 0.22 of what is left.
    const Vector logits = logits_of({1, 3, 4, 2});
    expect_odds({logits, 1, 3, 0.75}, {0, 3, 4, 0});
    expect_always({logits, 1, 2, 0.55}, 2);
    expect_always({logits, 1, 3, 0.3}, 2);
    expect_odds({logits_of(six), 1, 3, 0.9}, {0, 20, 0, 40, 0, 11});
}

TEST_CASE("11.3 sample: top_p looks at probabilities that temperature has changed") {
    // At T = 2 the odds 16 : 4 : 1 : 1 are 4 : 2 : 1 : 1, of 8.
    const Vector logits = logits_of({1, 16, 1, 4});
    expect_odds({logits, 2, 0, 0.7}, {0, 4, 0, 2});
    expect_odds({logits, 2, 0, 0.8}, {1, 4, 0, 2});
    expect_always({logits, 0.5, 0, 0.9}, 1);
    expect_odds({logits, 2, 2, 0.7}, {0, 4, 0, 2});
}

TEST_CASE(
    "11.3 sample: a token of logit −∞ is never drawn, and a high temperature brings −1000 near") {
    expect_odds({{-infinity, std::log(3.0), -infinity, 0}}, {0, 3, 0, 1});
    expect_odds({{0, std::log(2.0), -infinity, -900}, 1, 0, 0.9}, {1, 2, 0, 0});
    expect_odds({{-infinity, 5, -1000, 0}, 1000}, {0, 1, std::exp(-1.005), 1});
}

TEST_CASE("11.3 sample: logits up to a million, and temperatures near 0") {
    expect_odds({{10'000, 10'000 + std::log(3.0), 9'000}}, {1, 3, 0});
    expect_odds({{-10'000, -10'000 + std::log(3.0), -12'000}}, {1, 3, 0});
    expect_odds({{1e6, -1e6, 1e6, 0}, 1e-3}, {1, 0, 1, 0});
    for (const double size : {1e-3, 1e-30}) {
        expect_odds({{0, size * std::log(3.0), size * std::log(2.0)}, size}, {1, 3, 2});
    }
}

// std::sort keeps the order of equals if there are few.
TEST_CASE("11.3 sample: of 60 tokens of three kinds, the earlier of equal ones are kept") {
    Vector logits(xt::zeros<double>({60}));
    Odds first(60, 0);
    for (std::size_t i = 0; i < 60; ++i) {
        logits(i) = i % 3 == 1 ? 20 : i % 3 == 2 ? -3 : 0;
        first[i] = i % 3 == 1 && i < 15 ? 1 : 0;
    }
    expect_odds({logits, 1, 5}, first);
    expect_odds({logits, 1, 0, 0.24}, first);
    expect_always({logits, 0}, 1);
}

TEST_CASE("11.3 sample: a seed draws the same token at every call") {
    const Question of{Vector(xt::zeros<double>({512}))};
    Seeds seeds(100);
    std::iota(seeds.begin(), seeds.end(), 0);
    const Indices tokens = draw(of, seeds);
    std::ranges::reverse(seeds);
    Indices again = draw(of, seeds);
    std::ranges::reverse(again);
    expect_that(tokens == again, "a seed should draw the same token at every call",
                "some seeds drew another token when called again, in another order",
                {"not_the_seed_alone",
                 "The tokens do not depend on the seed alone. std::random_device, the clock and "
                 "std::rand differ from call to call, and so does an engine that is static or "
                 "global: make it in the function, from the seed."});
}

TEST_CASE("11.3 sample: other seeds draw other tokens") {
    for (const std::uint64_t step : {1U, 256'000U}) {
        Seeds seeds(400);
        std::ranges::generate(seeds,
                              [&, next = std::uint64_t{0}]() mutable { return next += step; });
        const Indices tokens = draw({Vector(xt::zeros<double>({512}))}, seeds);
        // Fewer than 235 are drawn with a probability of 1e-10.
        const std::size_t different = std::set<std::size_t>(tokens.begin(), tokens.end()).size();
        expect_that(different >= 235,
                    "400 seeds should draw about 277 different ones of 512 equal tokens",
                    "yours drew " + std::to_string(different),
                    {"part_of_the_seed",
                     "Different seeds draw the same tokens too often: a part of the seed is lost, "
                     "or the random number has few values, as engine() % 100 has. Give the whole "
                     "seed to std::mt19937_64, and let a distribution draw."});
    }
}

TEST_CASE("11.3 sample: arguments that make no sense throw std::invalid_argument") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto refuses = [](const Question& of, const std::string& what) {
        expect_refused(graded::sample.attempt(of.logits, of.temperature, of.top_k, of.top_p, {1}),
                       what);
    };
    refuses({Vector(xt::zeros<double>({0}))}, "a call without logits");
    for (const double wrong : {-0.5, nan, infinity}) {
        refuses({{1, 2}, wrong}, "temperature = " + number_text(wrong));
        refuses({{1, 2}, 1, 0, wrong}, "top_p = " + number_text(wrong));
    }
}

} // namespace of_sample
