#pragma once

// What 11.3 draws is random: it is asked with many seeds, and counted.
//
// A right answer fails with a probability below 1e-9 in a whole run, whichever generator it uses:
// of N independent draws, the share p̂ of a token of probability p has N · KL(p̂ ‖ p) ≥ L with a
// probability of at most 2 e^(−L) (Chernoff), L = 30 here, and fewer than 1,500 shares are looked
// at. KL is that of two coins, in nats.

#include <algorithm>
#include <cmath>
#include <limits>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/redraw.hpp"
#include "judge/text.hpp"
#include "support/seeds.hpp"

namespace draws {

using judge::expect_that;
using judge::number_text;
using lesson::Vector;
using of_seeds::Indices;
using Seeds = std::vector<std::uint64_t>;

/// Drawn anew in a run with --seed.
inline Seeds scattered(std::size_t count, std::uint64_t start) {
    return drawn::scattered(count, judge::redrawn(start));
}

/// Logits whose softmax is in proportion to these.
inline Vector logits_of(std::vector<double> odds, double added = 0) {
    Vector logits = Vector::from_shape({odds.size()});
    for (std::size_t i = 0; i < odds.size(); ++i) {
        logits(i) = std::log(odds[i]) + added;
    }
    return logits;
}

/// These odds, divided by their sum.
inline Vector shares_of(const std::vector<double>& odds) {
    Vector shares = Vector::from_shape({odds.size()});
    double sum = 0;
    for (const double each : odds) {
        sum += each;
    }
    for (std::size_t i = 0; i < odds.size(); ++i) {
        shares(i) = odds[i] / sum;
    }
    return shares;
}

/// The odds at another temperature: each to the power of 1/T.
inline std::vector<double> at_temperature(std::vector<double> odds, double temperature) {
    for (double& each : odds) {
        each = each > 0 ? std::pow(each, 1 / temperature) : 0;
    }
    return odds;
}

/// What is asked of sample beside the seeds.
struct Question {
    Vector logits;
    double temperature = 1;
    std::size_t top_k = 0;
    double top_p = 1;
};

/// The learner's tokens, each of which has to be one.
inline Indices draw(const Question& of, const Seeds& seeds) {
    const Indices tokens = graded::sample(of.logits, of.temperature, of.top_k, of.top_p, seeds);
    expect_that(tokens.size() == seeds.size(), "each seed gives one token", "there are others");
    for (const std::size_t token : tokens) {
        expect_that(token < of.logits.size(),
                    "a token is one of 0 … " + std::to_string(of.logits.size() - 1),
                    "one of yours is " + std::to_string(token));
    }
    return tokens;
}

/// How often each token came.
inline std::vector<std::size_t> counted(const Indices& tokens, std::size_t n_tokens) {
    std::vector<std::size_t> counts(n_tokens, 0);
    for (const std::size_t token : tokens) {
        ++counts[token];
    }
    return counts;
}

/// KL(a ‖ b) of two coins.
inline double divergence(double a, double b) {
    const auto part = [](double x, double y) { return x > 0 ? x * std::log(x / y) : 0.0; };
    return part(a, b) + part(1 - a, 1 - b);
}

constexpr double beyond_chance = 30;

/// Tokens come as often as they should: never where that is 0.
inline void expect_shares(const Indices& tokens, const Vector& shares) {
    const auto counts = counted(tokens, shares.size());
    const double n = static_cast<double>(tokens.size());
    for (std::size_t t = 0; t < shares.size(); ++t) {
        if (shares(t) == 0) {
            expect_that(counts[t] == 0, "token " + std::to_string(t) + " should never come",
                        "it came for " + std::to_string(counts[t]) + " of " +
                            std::to_string(tokens.size()) + " seeds");
        }
    }
    for (std::size_t t = 0; t < shares.size(); ++t) {
        const double share = static_cast<double>(counts[t]) / n;
        const bool is_chance = shares(t) == 0 || (shares(t) == 1 && share == 1) ||
                               n * divergence(share, shares(t)) < beyond_chance;
        expect_that(is_chance,
                    "token " + std::to_string(t) + " should come for about " +
                        number_text(std::round(shares(t) * n)) + " of " +
                        std::to_string(tokens.size()) + " seeds",
                    "it came for " + std::to_string(counts[t]));
    }
}

constexpr double infinity = std::numeric_limits<double>::infinity();
// A seed takes some 3 µs, and 20 by std::seed_seq; on a busy machine ten times that.
constexpr std::size_t many = 1000;
constexpr std::size_t very_many = 3000; // where odds are a little other ones

/// Tokens come in these odds; 0 is never.
inline void expect_odds(const Question& of, const std::vector<double>& odds, std::uint64_t start,
                        std::size_t n_seeds = many) {
    expect_shares(draw(of, scattered(n_seeds, start)), shares_of(odds));
}

/// Every seed draws this token.
inline void expect_always(const Question& of, std::size_t token, std::uint64_t start) {
    std::vector<double> odds(of.logits.size(), 0);
    odds[token] = 1;
    expect_odds(of, odds, start, 200);
}

inline const std::vector<double> three{2, 1, 5};
inline const std::vector<double> six{6, 20, 2, 40, 1, 11}; // of 80; 3, 1, 5, 0, 2, 4 by probability

inline const judge::Suspicion few_random_values{
    "few_random_values",
    "the random number has few values, as engine() % 1000 has: of many tokens most can never come. "
    "Let std::uniform_real_distribution draw it."};

/// Whether two lists of draws are of one distribution, as far as their lengths tell.
inline bool same_distribution(const Indices& a, const Indices& b) {
    if (a.size() != b.size() || a.empty()) {
        return a.size() == b.size();
    }
    const std::size_t largest =
        std::max(*std::max_element(a.begin(), a.end()), *std::max_element(b.begin(), b.end()));
    if (largest >= 1'000'000) { // no token at all
        return a == b;
    }
    const auto in_a = counted(a, largest + 1), in_b = counted(b, largest + 1);
    const double n = static_cast<double>(a.size());
    for (std::size_t t = 0; t <= largest; ++t) {
        const double x = static_cast<double>(in_a[t]) / n;
        const double y = static_cast<double>(in_b[t]) / n;
        const double error = std::sqrt((x * (1 - x) + y * (1 - y)) / n); // of the difference
        if (std::abs(x - y) > 5 * error + 3 / n) {
            return false;
        }
    }
    return true;
}

} // namespace draws
