// Wrong versions of 11.3: temperature and probabilities; see misconceptions.cpp for what becomes
// of them.

#include "wrong_sample.hpp"

using namespace wrong;

namespace {

/// Everything but the temperature and the softmax is right.
template <class Weigh>
Sampler weighing(Weigh weigh) {
    Sampler sampler;
    sampler.weigh = weigh;
    return sampler;
}

template <class Greedy>
Sampler greedy_by(Greedy greedy) {
    Sampler sampler;
    sampler.greedy = greedy;
    return sampler;
}

/// Every token's weight by a function of its logit divided by the temperature.
template <class F>
Sampler weighing_each(F f) {
    return weighing([=](const Vector& logits, double temperature) {
        Weights p;
        for (const double logit : logits) {
            p.push_back(f(logit / temperature));
        }
        return p;
    });
}

template <class Pick>
Sampler picking(Pick pick) {
    Sampler sampler;
    sampler.pick = pick;
    return sampler;
}

// ---- temperature

constexpr const char* multiplied_by_the_temperature =
    "the logits are multiplied by the temperature. They are divided by it: a high temperature "
    "brings them closer together, so that more tokens have a chance.";

SAMPLE_MISCONCEPTION(temperature_multiplied, multiplied_by_the_temperature,
                     weighing([](const Vector& logits, double temperature) {
                         return softmax(Vector(logits * temperature));
                     }));
SAMPLE_MISCONCEPTION(differences_times_temperature, multiplied_by_the_temperature,
                     weighing([](const Vector& logits, double temperature) {
                         const double largest = *std::max_element(logits.begin(), logits.end());
                         return softmax(Vector((logits - largest) * temperature));
                     }));

SAMPLE_MISCONCEPTION(
    temperature_ignored,
    "the temperature changes nothing. It has to divide the logits before the softmax: dividing the "
    "probabilities afterwards is undone as soon as they are made to sum to 1, and so is what is "
    "subtracted from all logits.",
    weighing([](const Vector& logits, double) { return softmax(logits); }));

SAMPLE_MISCONCEPTION(temperature_divides_the_probabilities,
                     "the temperature divides the probabilities, after the softmax. The draw "
                     "undoes that, as it divides by their sum, and top_p is compared with sums "
                     "that are 1/T times as large. It divides the logits, before the softmax.",
                     [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                        const Seeds& seeds) {
                         Sampler sampler;
                         sampler.weigh = [](const Vector& each, double) { return softmax(each); };
                         sampler.cut_to_p = [=](Weights& p, double least) {
                             if (least < 1) {
                                 const auto order = order_of(p);
                                 keep_first(p, order,
                                            count_to_reach(p, order, least * temperature));
                             }
                         };
                         return sampler(logits, temperature, top_k, top_p, seeds);
                     });

SAMPLE_MISCONCEPTION(temperature_root,
                     "the logits are divided by √T. The root belongs to d_k, in attention; here "
                     "T itself divides.",
                     weighing([](const Vector& logits, double temperature) {
                         return softmax(Vector(logits / std::sqrt(temperature)));
                     }));

SAMPLE_MISCONCEPTION(temperature_twice,
                     "the temperature divides twice: the logits, and once more in the softmax or "
                     "as a power of the probabilities. Once is enough.",
                     weighing([](const Vector& logits, double temperature) {
                         return softmax(Vector(logits / (temperature * temperature)));
                     }));

SAMPLE_MISCONCEPTION(temperature_added,
                     "the logits are divided by 1 + T. T itself divides, so that 1 changes "
                     "nothing.",
                     weighing([](const Vector& logits, double temperature) {
                         return softmax(Vector(logits / (1 + temperature)));
                     }));

SAMPLE_MISCONCEPTION(zero_divides,
                     "at T = 0 token 0 comes, whatever the logits are: so does a draw from the NaN "
                     "of logits that were divided by 0. T = 0 takes the largest logit.",
                     greedy_by([](const Vector&) { return std::size_t{0}; }));

SAMPLE_MISCONCEPTION(
    zero_ends_with_the_last,
    "at T = 0 the last token comes, whatever the logits are: so it does where they "
    "were divided by 0, for no comparison with NaN is true. T = 0 takes the "
    "largest logit.",
    greedy_by([](const Vector& logits) { return logits.size() - 1; }));

SAMPLE_MISCONCEPTION(zero_taken_for_one,
                     "T = 0 draws as T = 1 does. It takes the largest logit, always: what T → 0 "
                     "tends to.",
                     [] {
                         Sampler sampler;
                         sampler.zero_is_greedy = false;
                         sampler.weigh = [](const Vector& logits, double temperature) {
                             const double t = temperature == 0 ? 1 : temperature;
                             const double largest = *std::max_element(logits.begin(), logits.end());
                             return softmax(Vector((logits - largest) / t));
                         };
                         return sampler;
                     }());

/// T is at least as large as this number, which makes no special case of 0.
Sampler held_above(double least) {
    Sampler sampler;
    sampler.zero_is_greedy = false;
    sampler.weigh = [least](const Vector& logits, double temperature) {
        const double t = std::max(temperature, least);
        const double largest = *std::max_element(logits.begin(), logits.end());
        return softmax(Vector((logits - largest) / t));
    };
    return sampler;
}

SAMPLE_MISCONCEPTION(zero_is_a_small_number,
                     "right, but for equals: at T = 0 a small number takes its place, and of "
                     "several largest logits any is drawn. The first of them is wanted, without "
                     "dice.",
                     held_above(1e-9));

SAMPLE_MISCONCEPTION(temperatures_held_above_a_small_number,
                     "a number such as 1e-5 takes the place of T = 0, and of any temperature that "
                     "is lower. At T = 0 the first of several largest logits is wanted, without "
                     "dice, and of any other T the logits are divided by T as it is.",
                     held_above(1e-6));

SAMPLE_MISCONCEPTION(greedy_takes_the_last,
                     "right, but for equals: at T = 0 the last of several largest logits is "
                     "taken, by >= in place of >. The first is wanted.",
                     greedy_by([](const Vector& logits) {
                         std::size_t best = 0;
                         for (std::size_t t = 1; t < logits.size(); ++t) {
                             best = logits(t) >= logits(best) ? t : best;
                         }
                         return best;
                     }));

SAMPLE_MISCONCEPTION(greedy_in_lanes,
                     "right, but for equals: at T = 0 the largest logit is searched in parts, in "
                     "lanes or threads, and of equal ones in two of them it is not always the "
                     "first that is taken. Compare their places, too.",
                     greedy_by([](const Vector& logits) {
                         std::size_t best = 0;
                         for (std::size_t lane = 0; lane < 4; ++lane) {
                             for (std::size_t t = lane; t < logits.size(); t += 4) {
                                 best = logits(t) > logits(best) ? t : best;
                             }
                         }
                         return best;
                     }));

SAMPLE_MISCONCEPTION(greedy_takes_the_smallest,
                     "at T = 0 the smallest logit is taken. The largest is the most probable.",
                     greedy_by([](const Vector& logits) {
                         return static_cast<std::size_t>(
                             std::min_element(logits.begin(), logits.end()) - logits.begin());
                     }));

SAMPLE_MISCONCEPTION(greedy_starts_from_zero,
                     "right where a logit is positive: at T = 0 the search for the largest starts "
                     "from 0 (numeric_limits<double>::min() is next to 0, too), which no negative "
                     "logit exceeds. Start from the first of them.",
                     greedy_by([](const Vector& logits) {
                         std::size_t best = 0;
                         double largest = 0;
                         for (std::size_t t = 0; t < logits.size(); ++t) {
                             if (logits(t) > largest) {
                                 largest = logits(t);
                                 best = t;
                             }
                         }
                         return best;
                     }));

SAMPLE_MISCONCEPTION(greedy_by_size,
                     "at T = 0 the logit furthest from 0 is taken, whatever its sign. A very "
                     "negative logit is a very improbable token.",
                     greedy_by([](const Vector& logits) {
                         std::size_t best = 0;
                         for (std::size_t t = 1; t < logits.size(); ++t) {
                             const bool larger = std::abs(logits(t)) > std::abs(logits(best));
                             best = larger ? t : best;
                         }
                         return best;
                     }));

// ---- probabilities

SAMPLE_MISCONCEPTION(logits_for_probabilities,
                     "the logits themselves are drawn from, as if they were probabilities. They "
                     "are of any size and sign: softmax makes probabilities of them.",
                     weighing_each([](double logit) { return logit; }));

SAMPLE_MISCONCEPTION(logarithms_for_probabilities,
                     "the logarithms of the probabilities are drawn from. They are negative, and "
                     "divided by their sum the least probable comes most often. Take exp of them.",
                     weighing([](const Vector& logits, double temperature) {
                         Weights p = softmax(Vector(logits / temperature));
                         for (double& each : p) {
                             each = std::log(each);
                         }
                         normalise(p);
                         return p;
                     }));

SAMPLE_MISCONCEPTION(exponential_overflows,
                     "right for small logits: of 10,000 exp is ∞ and of −10,000 it is 0, and ∞/∞ "
                     "or 0/0 is NaN. Subtract the largest logit first, as in 03.1.",
                     weighing_each([](double logit) { return std::exp(logit); }));

SAMPLE_MISCONCEPTION(base_two,
                     "this is softmax to the base 2: a logit more makes a token twice as probable "
                     "in place of 2.72 times.",
                     weighing([](const Vector& logits, double temperature) {
                         return softmax(Vector(logits / temperature * std::log(2.0)));
                     }));

SAMPLE_MISCONCEPTION(sign_of_the_logits,
                     "the largest logit comes least often: there is a minus before the logits.",
                     weighing([](const Vector& logits, double temperature) {
                         return softmax(Vector(-logits / temperature));
                     }));

SAMPLE_MISCONCEPTION(sigmoid_of_each,
                     "each logit goes through a sigmoid by itself. Tokens exclude one another: "
                     "softmax weighs each against all others.",
                     weighing_each([](double logit) { return 1 / (1 + std::exp(-logit)); }));

SAMPLE_MISCONCEPTION(softmax_twice,
                     "the softmax is taken twice: of the logits, and of the probabilities that "
                     "come of it, which makes them almost alike.",
                     weighing([](const Vector& logits, double temperature) {
                         const Weights p = softmax(Vector(logits / temperature));
                         Vector again = Vector::from_shape({p.size()});
                         std::copy(p.begin(), p.end(), again.begin());
                         return softmax(again);
                     }));

SAMPLE_MISCONCEPTION(divided_by_the_sum_of_logits,
                     "the logits are divided by their sum, without exp. They may be negative, and "
                     "adding a number to all of them must change nothing.",
                     weighing([](const Vector& logits, double temperature) {
                         Weights p;
                         for (const double logit : logits) {
                             p.push_back(std::abs(logit / temperature));
                         }
                         normalise(p);
                         return p;
                     }));

SAMPLE_MISCONCEPTION(
    all_alike,
    "every token that is kept comes as often as every other. They are to be "
    "drawn with their probabilities: std::discrete_distribution takes them.",
    picking([](const Weights& p, std::uint64_t seed) {
        std::vector<std::size_t> kept;
        for (std::size_t t = 0; t < p.size(); ++t) {
            if (p[t] > 0) {
                kept.push_back(t);
            }
        }
        Dice engine(seed);
        return kept[std::uniform_int_distribution<std::size_t>(0, kept.size() - 1)(engine)];
    }));

SAMPLE_MISCONCEPTION(any_token, "any token comes, as often as any other: the logits have no say.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Dice engine(seed);
                         return std::uniform_int_distribution<std::size_t>(0, p.size() - 1)(engine);
                     }));

SAMPLE_MISCONCEPTION(low_temperatures_are_0,
                     "a low temperature is taken for 0. Where logits are close to each other, they "
                     "share at any temperature above 0.",
                     [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                        const Seeds& seeds) {
                         return Sampler{}(logits, temperature < 0.05 ? 0 : temperature, top_k,
                                          top_p, seeds);
                     });

// The bound shows where a temperature that is asked for lies below it.
constexpr const char* very_low_is_0 =
    "a very low temperature is taken for 0: the first of the largest comes always. Logits that are "
    "equal, or as close to each other as T is low, share at any temperature above 0.";
auto greedy_below(double bound) {
    return [bound](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                   const Seeds& seeds) {
        return Sampler{}(logits, temperature < bound ? 0 : temperature, top_k, top_p, seeds);
    };
}
SAMPLE_MISCONCEPTION(temperatures_below_a_thousandth_are_0, very_low_is_0, greedy_below(1e-3));
SAMPLE_MISCONCEPTION(temperatures_below_a_millionth_are_0, very_low_is_0, greedy_below(2e-6));

SAMPLE_MISCONCEPTION(softmax_after_the_cuts,
                     "the probabilities that are kept go through a softmax "
                     "once more, which makes them more alike. Divide them by their sum.",
                     [] {
                         Sampler wrong;
                         wrong.cut = [](const Sampler& self, Weights& p, std::size_t top_k,
                                        double top_p) {
                             self.cut_to_k(p, top_k);
                             self.cut_to_p(p, top_p);
                             for (double& each : p) {
                                 each = each > 0 ? std::exp(each) : 0;
                             }
                         };
                         return wrong;
                     }());

} // namespace
