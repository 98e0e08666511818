// Right solutions of 11.3, written otherwise: each has to pass.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <random>

#include "attention/softmax.hpp"
#include "exports.hpp"
#include "support/contract.hpp"

using lesson::Vector;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Asked with each seed.
template <class Sample>
auto each_seed_by(Sample sample) {
    return [=](const Vector& logits, double temperature, std::size_t top_k, double top_p,
               const std::vector<std::uint64_t>& seeds) {
        return of_seeds::sample_by(sample, logits, temperature, top_k, top_p, seeds);
    };
}
#define SAMPLE_ALTERNATIVE(name, ...)                                                              \
    ALTERNATIVE_IN(of_seeds, sample, name, each_seed_by(__VA_ARGS__))

SAMPLE_ALTERNATIVE(that_relies_on_its_contract, [](const Vector& logits, double temperature,
                                                   std::size_t top_k, double top_p,
                                                   std::uint64_t seed) {
    const std::size_t token = lesson::sample(logits, temperature, top_k, top_p, seed);
    bool any = false;
    for (const double logit : logits) {
        const bool finite = std::isfinite(logit);
        contract::want(logit == -std::numeric_limits<double>::infinity() || std::abs(logit) <= 1e6,
                       "a logit is from -1e6 to 1e6, or -inf");
        contract::want(!finite || temperature == 0 || std::isfinite(logit / temperature),
                       "logits / T does not overflow");
        any = any || finite;
    }
    contract::want(any, "one logit is finite");
    return token;
});

std::size_t largest_of(const Vector& logits) {
    return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) -
                                    logits.begin());
}

/// Tokens by probability; of equals the earlier.
std::vector<std::size_t> sorted(const Vector& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return p(a) > p(b) || (p(a) == p(b) && a < b); });
    return order;
}

/// One probability a token, 0 for those that are cut; then a random number walks through them.
SAMPLE_ALTERNATIVE(cumulative_sums,
                   [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                      std::uint64_t seed) -> std::size_t {
                       lesson::require_sampling(logits, temperature, top_p);
                       if (temperature == 0) {
                           return largest_of(logits);
                       }
                       Vector p =
                           attention::softmax(Vector((logits - xt::amax(logits)()) / temperature));
                       const auto order = sorted(p);
                       if (top_k > 0) {
                           for (std::size_t i = top_k; i < order.size(); ++i) {
                               p(order[i]) = 0;
                           }
                           p /= xt::sum(p)();
                       }
                       double sum = 0;
                       for (const std::size_t token : order) {
                           if (top_p < 1 && sum >= top_p && token != order[0]) {
                               p(token) = 0;
                           }
                           sum += p(token);
                       }
                       p /= xt::sum(p)();
                       std::mt19937_64 engine(seed);
                       const double u = std::uniform_real_distribution<double>(0, 1)(engine);
                       double reached = 0;
                       std::size_t last = order[0];
                       for (std::size_t t = 0; t < p.size(); ++t) {
                           if (p(t) > 0) {
                               last = t;
                               reached += p(t);
                               if (u < reached) {
                                   return t;
                               }
                           }
                       }
                       return last;
                   });

/// What is cut becomes −∞, twice, and the softmax is taken again each time.
SAMPLE_ALTERNATIVE(minus_infinity_for_what_is_cut,
                   [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                      std::uint64_t seed) -> std::size_t {
                       lesson::require_sampling(logits, temperature, top_p);
                       if (temperature == 0) {
                           return largest_of(logits);
                       }
                       Vector left = (logits - xt::amax(logits)()) / temperature;
                       const auto order = sorted(left);
                       for (std::size_t i = top_k == 0 ? order.size() : top_k; i < order.size();
                            ++i) {
                           left(order[i]) = -infinity;
                       }
                       const Vector p = attention::softmax(left);
                       double sum = 0;
                       for (std::size_t i = 0; i < order.size(); ++i) {
                           if (i > 0 && top_p < 1 && sum >= top_p) {
                               left(order[i]) = -infinity;
                           }
                           sum += p(order[i]);
                       }
                       const Vector q = attention::softmax(left);
                       std::seed_seq both{static_cast<std::uint32_t>(seed),
                                          static_cast<std::uint32_t>(seed >> 32)};
                       std::mt19937 engine(both);
                       return std::discrete_distribution<std::size_t>(q.begin(), q.end())(engine);
                   });

/// The largest of logit + Gumbel noise has the softmax for its distribution.
SAMPLE_ALTERNATIVE(gumbel_noise,
                   [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                      std::uint64_t seed) -> std::size_t {
                       lesson::require_sampling(logits, temperature, top_p);
                       auto order = sorted(logits);
                       if (temperature == 0) {
                           return order[0];
                       }
                       order.resize(top_k == 0 ? order.size() : std::min(top_k, order.size()));
                       Vector scores = Vector::from_shape({order.size()});
                       for (std::size_t i = 0; i < order.size(); ++i) {
                           scores(i) = (logits(order[i]) - logits(order[0])) / temperature;
                       }
                       const Vector p = attention::softmax(scores);
                       std::size_t kept = order.size();
                       if (top_p < 1) {
                           kept = 0;
                           double sum = 0;
                           do {
                               sum += p(kept++);
                           } while (sum < top_p && kept < order.size());
                       }
                       std::mt19937_64 engine(seed);
                       std::extreme_value_distribution<double> gumbel;
                       std::size_t best = 0;
                       double most = -infinity;
                       for (std::size_t i = 0; i < kept; ++i) {
                           const double value = scores(i) + gumbel(engine);
                           if (value > most) {
                               most = value;
                               best = i;
                           }
                       }
                       return order[best];
                   });

/// Weights that never sum to 1: what is compared is each sum with a part of the last.
SAMPLE_ALTERNATIVE(without_dividing,
                   [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                      std::uint64_t seed) -> std::size_t {
                       lesson::require_sampling(logits, temperature, top_p);
                       const auto order = sorted(logits);
                       if (temperature == 0) {
                           return order.front();
                       }
                       const std::size_t n =
                           top_k == 0 ? order.size() : std::min(order.size(), top_k);
                       std::vector<double> sums;
                       for (std::size_t i = 0; i < n; ++i) {
                           const double weight =
                               std::exp((logits(order[i]) - logits(order[0])) / temperature);
                           sums.push_back(weight + (i == 0 ? 0 : sums.back()));
                       }
                       if (top_p < 1) {
                           const auto reached =
                               std::lower_bound(sums.begin(), sums.end(), top_p * sums.back());
                           sums.erase(reached + 1, sums.end());
                       }
                       std::mt19937_64 engine(seed ^ 0x9e3779b97f4a7c15);
                       engine.discard(3);
                       const double u = std::generate_canonical<double, 53>(engine) * sums.back();
                       const auto found = std::upper_bound(sums.begin(), sums.end(), u);
                       return order[std::min<std::size_t>(
                           static_cast<std::size_t>(found - sums.begin()), sums.size() - 1)];
                   });

/// A queue gives the most probable one after the other; drawn by rejection.
SAMPLE_ALTERNATIVE(by_a_queue_and_rejection,
                   [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                      std::uint64_t seed) -> std::size_t {
                       lesson::require_sampling(logits, temperature, top_p);
                       if (temperature == 0) {
                           return largest_of(logits);
                       }
                       // The largest first, and of equals the smaller number.
                       std::priority_queue<std::pair<double, long>> queue;
                       for (std::size_t t = 0; t < logits.size(); ++t) {
                           queue.push({logits(t), -static_cast<long>(t)});
                       }
                       const double most = queue.top().first;
                       std::vector<std::size_t> kept;
                       std::vector<double> weights;
                       while (!queue.empty() && (top_k == 0 || kept.size() < top_k)) {
                           kept.push_back(static_cast<std::size_t>(-queue.top().second));
                           weights.push_back(std::exp((queue.top().first - most) / temperature));
                           queue.pop();
                       }
                       const double whole = std::accumulate(weights.begin(), weights.end(), 0.0);
                       std::size_t n = 0;
                       for (double sum = 0;
                            n < kept.size() && (n == 0 || top_p == 1 || sum < top_p); ++n) {
                           sum += weights[n] / whole;
                       }
                       std::mt19937_64 engine(seed);
                       while (true) {
                           const std::size_t i =
                               std::uniform_int_distribution<std::size_t>(0, n - 1)(engine);
                           if (std::uniform_real_distribution<double>()(engine) < weights[i]) {
                               return kept[i];
                           }
                       }
                   });

/// Pairs, sorted stably.
SAMPLE_ALTERNATIVE(pairs_sorted,
                   [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                      std::uint64_t seed) -> std::size_t {
                       lesson::require_sampling(logits, temperature, top_p);
                       if (temperature == 0) {
                           std::size_t best = 0;
                           for (std::size_t t = 1; t < logits.size(); ++t) {
                               if (logits(t) > logits(best)) {
                                   best = t;
                               }
                           }
                           return best;
                       }
                       const double most = *std::max_element(logits.begin(), logits.end());
                       std::vector<std::pair<double, std::size_t>> pairs;
                       double sum = 0;
                       for (std::size_t t = 0; t < logits.size(); ++t) {
                           pairs.emplace_back(std::exp((logits(t) - most) / temperature), t);
                           sum += pairs.back().first;
                       }
                       std::stable_sort(
                           pairs.begin(), pairs.end(),
                           [](const auto& a, const auto& b) { return a.first > b.first; });
                       if (top_k != 0 && top_k < pairs.size()) {
                           pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(top_k),
                                       pairs.end());
                       }
                       sum = 0;
                       for (const auto& pair : pairs) {
                           sum += pair.first;
                       }
                       if (top_p < 1) {
                           double reached = 0;
                           for (std::size_t i = 0; i < pairs.size(); ++i) {
                               reached += pairs[i].first / sum;
                               if (reached >= top_p) {
                                   pairs.resize(i + 1);
                                   break;
                               }
                           }
                       }
                       std::vector<double> weights;
                       for (const auto& pair : pairs) {
                           weights.push_back(pair.first);
                       }
                       std::mt19937_64 engine{seed};
                       std::discrete_distribution<int> distribution(weights.begin(), weights.end());
                       return pairs[static_cast<std::size_t>(distribution(engine))].second;
                   });

} // namespace
