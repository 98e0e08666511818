#pragma once

// What the misconceptions of 11.3 are made of: right in everything but the one step that is handed
// in.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "exports.hpp"

namespace wrong {

using lesson::Vector;
using Weights = std::vector<double>; // one for each token; 0 is a token that is not kept
using Seeds = std::vector<std::uint64_t>;

/// A generator that costs nothing to make (splitmix64): a learner waits while every misconception
/// is asked with every seed, and it is held by the odds alone.
class Dice {
public:
    using result_type = std::uint64_t;
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() {
        std::uint64_t bits = state_ += 0x9e3779b97f4a7c15;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
        return bits ^ (bits >> 31);
    }

private:
    std::uint64_t state_;
};

inline void normalise(Weights& p) {
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& each : p) {
        each /= sum;
    }
}

inline Weights softmax(const Vector& scores) {
    const double largest = *std::max_element(scores.begin(), scores.end());
    Weights p;
    for (const double score : scores) {
        p.push_back(std::max(std::exp(score - largest), 1e-300)); // kept, and never drawn
    }
    normalise(p);
    return p;
}

/// The tokens, the most probable first, of equals the earlier.
inline std::vector<std::size_t> order_of(const Weights& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    return order;
}

/// Only these tokens are kept; their weights stay what they are.
inline void keep(Weights& p, const std::vector<std::size_t>& tokens) {
    Weights kept(p.size(), 0);
    for (const std::size_t token : tokens) {
        kept[token] = p[token];
    }
    p = kept;
}

/// The first `count` of the order.
inline void keep_first(Weights& p, std::vector<std::size_t> order, std::size_t count) {
    order.resize(std::min(count, order.size()));
    keep(p, order);
}

/// How many of this order it takes to reach top_p.
inline std::size_t count_to_reach(const Weights& p, const std::vector<std::size_t>& order,
                                  double top_p) {
    double sum = p[order[0]];
    std::size_t count = 1;
    while (sum < top_p && count < order.size()) {
        sum += p[order[count++]];
    }
    return count;
}

/// sample, step by step.
struct Sampler {
    std::function<std::size_t(const Vector& logits)> greedy = [](auto& logits) {
        return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) -
                                        logits.begin());
    };
    std::function<Weights(const Vector& logits, double temperature)> weigh =
        [](auto& logits, double temperature) {
            const double largest = *std::max_element(logits.begin(), logits.end());
            return softmax(Vector((logits - largest) / temperature));
        };
    std::function<void(Weights& p, std::size_t top_k)> cut_to_k = [](auto& p, std::size_t top_k) {
        if (top_k > 0) {
            keep_first(p, order_of(p), top_k);
        }
        normalise(p);
    };
    std::function<void(Weights& p, double top_p)> cut_to_p = [](auto& p, double top_p) {
        if (top_p < 1) {
            const auto order = order_of(p);
            keep_first(p, order, count_to_reach(p, order, top_p));
        }
        normalise(p);
    };
    std::function<std::size_t(const Weights& p, std::uint64_t seed)> pick = [](auto& p, auto seed) {
        Dice engine(seed);
        return std::discrete_distribution<std::size_t>(p.begin(), p.end())(engine);
    };
    /// Both cuts, where more is wrong than one of them.
    std::function<void(const Sampler&, Weights& p, std::size_t top_k, double top_p)> cut =
        [](const Sampler& self, auto& p, std::size_t top_k, double top_p) {
            self.cut_to_k(p, top_k);
            self.cut_to_p(p, top_p);
        };
    bool zero_is_greedy = true;

    of_seeds::Indices operator()(const Vector& logits, double temperature, std::size_t top_k,
                                 double top_p, const Seeds& seeds) const {
        lesson::require_sampling(logits, temperature, top_p);
        if (temperature == 0 && zero_is_greedy) {
            return of_seeds::Indices(seeds.size(), greedy(logits));
        }
        Weights p = weigh(logits, temperature);
        cut(*this, p, top_k, top_p);
        of_seeds::Indices tokens;
        for (const std::uint64_t seed : seeds) {
            tokens.push_back(pick(p, seed));
        }
        return tokens;
    }
};

} // namespace wrong

/// A wrong sample, asked with many seeds.
#define SAMPLE_MISCONCEPTION(name, explanation, ...)                                               \
    MISCONCEPTION_IN(of_seeds, sample, name, explanation, __VA_ARGS__)
