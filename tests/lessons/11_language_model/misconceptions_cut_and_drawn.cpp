// Wrong versions of 11.3: what is kept is not what is drawn from, the random number is compared
// another way, or exp overflows.

#include <limits>

#include "wrong_sample.hpp"

using namespace wrong;

namespace {

/// The tokens of weight, the most probable first.
std::vector<std::size_t> kept_order(const Weights& p) {
    std::vector<std::size_t> order = order_of(p);
    while (order.size() > 1 && p[order.back()] == 0) {
        order.pop_back();
    }
    return order;
}

double uniform(std::uint64_t seed) {
    Dice engine(seed);
    return std::uniform_real_distribution<double>()(engine);
}

template <class Pick>
Sampler picking(Pick pick) {
    Sampler sampler;
    sampler.pick = pick;
    return sampler;
}

// ---- the sum of what is kept

/// Cut right, and then drawn from the probabilities of all tokens, of which the kept are a part.
template <class Rest>
Sampler drawn_from_a_part(Rest rest) {
    Sampler sampler;
    sampler.cut = [](const Sampler& self, Weights& p, std::size_t top_k, double top_p) {
        const Weights all = p;
        self.cut_to_k(p, top_k);
        self.cut_to_p(p, top_p);
        for (std::size_t t = 0; t < p.size(); ++t) {
            p[t] = p[t] > 0 ? all[t] : 0;
        }
    };
    sampler.pick = [rest](const Weights& p, std::uint64_t seed) -> std::size_t {
        const auto order = kept_order(p);
        double left = uniform(seed);
        for (const std::size_t token : order) {
            left -= p[token];
            if (left < 0) {
                return token;
            }
        }
        return rest(p, order);
    };
    return sampler;
}

SAMPLE_MISCONCEPTION(rest_of_both_goes_to_the_least_probable,
                     "the cuts are right, but the random number lies in 0 … 1 and the kept "
                     "probabilities do not sum to 1: what is missing goes to the least probable of "
                     "them. Divide by their sum, or multiply the random number by it.",
                     drawn_from_a_part([](auto&, auto& order) { return order.back(); }));
SAMPLE_MISCONCEPTION(rest_of_both_goes_to_the_most_probable,
                     "the cuts are right, but the random number lies in 0 … 1 and the kept "
                     "probabilities do not sum to 1: what is missing goes to the most probable of "
                     "them. Divide by their sum, or multiply the random number by it.",
                     drawn_from_a_part([](auto&, auto& order) { return order.front(); }));
SAMPLE_MISCONCEPTION(rest_of_both_goes_to_the_first_token,
                     "the cuts are right, but the random number lies in 0 … 1 and the kept "
                     "probabilities do not sum to 1: what is missing goes to token 0. Divide by "
                     "their sum, or multiply the random number by it.",
                     drawn_from_a_part([](auto&, auto&) { return std::size_t{0}; }));

SAMPLE_MISCONCEPTION(
    drawn_from_the_unsorted,
    "the cuts count in the sorted list, and the draw goes through the unsorted one: so many of the "
    "first tokens come, whatever their probability. Keep the list of tokens that was sorted.",
    [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
       const Seeds& seeds) {
        Sampler sampler;
        Weights all;
        sampler.cut = [&](const Sampler& self, Weights& p, std::size_t k, double by_p) {
            all = p;
            self.cut_to_k(p, k);
            self.cut_to_p(p, by_p);
        };
        sampler.pick = [&](const Weights& p, std::uint64_t seed) {
            const auto order = kept_order(p);
            double kept = 0;
            for (const std::size_t token : order) {
                kept += all[token];
            }
            double left = kept * uniform(seed);
            for (std::size_t t = 0; t < order.size(); ++t) {
                left -= all[t];
                if (left < 0) {
                    return t;
                }
            }
            return order.back();
        };
        return sampler(logits, temperature, top_k, top_p, seeds);
    });

/// Both cuts along the order that before(a, b) of two probabilities gives.
template <class Before>
Sampler cut_along(Before before) {
    Sampler sampler;
    sampler.cut = [=](const Sampler&, Weights& p, std::size_t top_k, double top_p) {
        std::vector<std::size_t> order(p.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return before(p[a], p[b]); });
        order.resize(top_k > 0 ? std::min(top_k, order.size()) : order.size());
        keep(p, order);
        normalise(p);
        if (top_p < 1) {
            keep_first(p, order, count_to_reach(p, order, top_p));
            normalise(p);
        }
    };
    return sampler;
}
SAMPLE_MISCONCEPTION(cuts_sorted_the_other_way,
                     "the list that the cuts go through is sorted the other way round: top_k and "
                     "top_p keep the least probable. Compare with > where the most probable is to "
                     "come first.",
                     cut_along([](double a, double b) { return a < b; }));

SAMPLE_MISCONCEPTION(cuts_unsorted,
                     "the cuts keep the first tokens of the list, which was not sorted by "
                     "probability. Sort it first, the most probable token in front.",
                     cut_along([](double, double) { return false; }));

SAMPLE_MISCONCEPTION(top_p_not_to_be_exceeded,
                     "tokens are kept as long as their sum does not exceed top_p. They have to "
                     "reach it: the token that brings the sum to top_p or beyond is needed.",
                     [] {
                         Sampler sampler;
                         sampler.cut_to_p = [](Weights& p, double top_p) {
                             if (top_p < 1) {
                                 const auto order = order_of(p);
                                 std::size_t count = 0;
                                 double sum = p[order[0]];
                                 while (sum <= top_p && ++count < order.size()) {
                                     sum += p[order[count]];
                                 }
                                 keep_first(p, order, std::max(std::size_t{1}, count));
                             }
                             normalise(p);
                         };
                         return sampler;
                     }());

// ---- the comparison

SAMPLE_MISCONCEPTION(compared_the_other_way,
                     "the comparison with the random number is the wrong way round: the first of "
                     "the sorted list comes where the number lies beyond its part, and the last "
                     "one else.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         const auto order = kept_order(p);
                         return uniform(seed) > p[order[0]] ? order[0] : order.back();
                     }));
SAMPLE_MISCONCEPTION(compared_the_other_way_unsorted,
                     "the comparison with the random number is the wrong way round: token 0 comes "
                     "where the number lies beyond its part, and the last token else.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         return uniform(seed) > p[0] ? std::size_t{0} : p.size() - 1;
                     }));

/// The token of the sorted list after the one that was drawn; for the last one, at_the_end(order).
template <class AtTheEnd>
Sampler next_in_order(AtTheEnd at_the_end) {
    return picking([=](const Weights& p, std::uint64_t seed) {
        const auto order = kept_order(p);
        double left = uniform(seed);
        for (std::size_t r = 0; r + 1 < order.size(); ++r) {
            left -= p[order[r]];
            if (left < 0) {
                return order[r + 1];
            }
        }
        return at_the_end(order);
    });
}
SAMPLE_MISCONCEPTION(one_too_far_in_order,
                     "the token of the sorted list after the one that was drawn is returned: the "
                     "sum is compared before the token's own probability has been added.",
                     next_in_order([](auto& order) { return order.back(); }));
SAMPLE_MISCONCEPTION(one_too_far_and_around,
                     "the token of the sorted list after the one that was drawn is returned, and "
                     "the first after the last: the sum is compared before the token's own "
                     "probability has been added.",
                     next_in_order([](auto& order) { return order.front(); }));

// ---- the largest of logit plus noise

template <class Noise>
Sampler with_noise(Noise noise) {
    return picking([=](const Weights& p, std::uint64_t seed) {
        Dice engine(seed);
        std::uniform_real_distribution<double> u(1e-300, 1.0);
        std::size_t best = 0;
        double largest = -std::numeric_limits<double>::infinity();
        for (const std::size_t token : kept_order(p)) {
            const double value = std::log(p[token]) + noise(u(engine));
            if (value > largest) {
                largest = value;
                best = token;
            }
        }
        return best;
    });
}
SAMPLE_MISCONCEPTION(noise_is_uniform,
                     "the largest of logit plus a random number in 0 … 1 is taken. With that trick "
                     "the noise has to be Gumbel's, −ln(−ln u): of other noise the odds are "
                     "others.",
                     with_noise([](double u) { return u; }));
SAMPLE_MISCONCEPTION(noise_is_exponential,
                     "the largest of logit plus −ln u is taken: one logarithm is missing. Gumbel's "
                     "noise is −ln(−ln u).",
                     with_noise([](double u) { return -std::log(u); }));
SAMPLE_MISCONCEPTION(noise_subtracted,
                     "the largest of logit plus ln(−ln u) is taken: Gumbel's noise has the other "
                     "sign, −ln(−ln u).",
                     with_noise([](double u) { return std::log(-std::log(u)); }));

SAMPLE_MISCONCEPTION(temperature_in_the_cuts_alone,
                     "the temperature changes what top_p keeps, and not the draw: that is made "
                     "with the odds of temperature 1. Divide there, too.",
                     [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                        const Seeds& seeds) {
                         Sampler sampler;
                         sampler.cut = [&](const Sampler& self, auto& p, auto k, double by_p) {
                             self.cut_to_k(p, k);
                             self.cut_to_p(p, by_p);
                             const Weights cold = self.weigh(logits, 1);
                             for (std::size_t t = 0; t < p.size(); ++t) {
                                 p[t] = p[t] > 0 ? cold[t] : 0;
                             }
                             normalise(p);
                         };
                         return sampler(logits, temperature, top_k, top_p, seeds);
                     });

// ---- exponentials

/// exp of what exponent says. Where that is ∞/∞ or 0/0, one token alone is left, the last: no
/// comparison with NaN is true.
std::size_t last_of(const Vector& logits) {
    return logits.size() - 1;
}
std::size_t first_of(const Vector&) {
    return 0;
}
std::size_t largest_of(const Vector& logits) {
    return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) -
                                    logits.begin());
}
template <class Exponent>
Sampler overflowing(Exponent exponent, std::size_t (*left)(const Vector&) = last_of) {
    Sampler sampler;
    sampler.weigh = [=](const Vector& logits, double temperature) {
        const double largest = *std::max_element(logits.begin(), logits.end());
        Weights p;
        double sum = 0;
        for (const double logit : logits) {
            p.push_back(std::exp(exponent(logit, temperature, largest)));
            sum += p.back();
        }
        if (sum == 0 || std::isinf(sum)) {
            p.assign(p.size(), 0);
            p[left(logits)] = 1;
        }
        normalise(p);
        return p;
    };
    return sampler;
}
SAMPLE_MISCONCEPTION(overflow_ends_with_the_last,
                     "right for small logits: of 10,000 exp is ∞ and of −10,000 it is 0, and as "
                     "no comparison with the NaN of ∞/∞ is true, the last token comes. Subtract "
                     "the largest logit first, as in 03.1.",
                     overflowing([](double logit, double temperature, double) {
                         return logit / temperature;
                     }));
constexpr const char* overflow_ends_with_one =
    "right for small logits: of 10,000 exp is ∞ and of −10,000 it is 0, and of the NaN of ∞/∞ one "
    "and the same token comes. Subtract the largest logit first, as in 03.1.";
SAMPLE_MISCONCEPTION(overflow_ends_with_the_largest, overflow_ends_with_one,
                     overflowing([](double logit, double temperature,
                                    double) { return logit / temperature; },
                                 largest_of));
SAMPLE_MISCONCEPTION(overflow_ends_with_the_first, overflow_ends_with_one,
                     overflowing([](double logit, double temperature,
                                    double) { return logit / temperature; },
                                 first_of));
SAMPLE_MISCONCEPTION(temperature_before_the_maximum,
                     "the temperature divides the logits, but what is subtracted from them is the "
                     "largest logit as it was: at low temperatures exp overflows or is 0 "
                     "throughout. Subtract first, or divide the maximum, too.",
                     overflowing([](double logit, double temperature, double largest) {
                         return logit / temperature - largest;
                     }));
SAMPLE_MISCONCEPTION(weights_squared,
                     "the odds are the squares of what they should be: the probabilities are "
                     "multiplied by themselves.",
                     overflowing([](double logit, double temperature, double largest) {
                         return 2 * (logit - largest) / temperature;
                     }));

} // namespace
