// Wrong versions of 11.3: the draw itself.

#include <limits>

#include "wrong_sample.hpp"

namespace misconceptions_draw {

using namespace wrong;

namespace {

template <class Pick>
Sampler picking(Pick pick) {
    Sampler sampler;
    sampler.pick = pick;
    return sampler;
}

// ---- the draw

SAMPLE_MISCONCEPTION(always_the_largest,
                     "the most probable token comes for every seed. That is what T = 0 asks for; "
                     "else each token comes with its probability.",
                     picking([](const Weights& p, std::uint64_t) { return order_of(p)[0]; }));

// Known by where it shows: the grader says how.
SAMPLE_MISCONCEPTION(
    seed_not_used,
    "every seed draws the same token: the seed does not arrive at the draw. Is the "
    "engine made without it? Then it starts alike each time: "
    "std::mt19937_64 engine(seed).",
    picking([](const Weights& p, std::uint64_t) {
        Dice engine(0);
        return std::discrete_distribution<std::size_t>(p.begin(), p.end())(engine);
    }));

// Known by where it shows: the grader says how.
SAMPLE_MISCONCEPTION(
    few_random_values,
    "the random number has few values, as engine() % 1000 has: of many tokens most can never come. "
    "Let std::uniform_real_distribution draw it.",
    picking([](const Weights& p, std::uint64_t seed) {
        Dice engine(seed);
        const double u = (static_cast<double>(engine() % 1000) + 0.5) / 1000;
        double sum = 0;
        std::size_t last = 0;
        for (std::size_t t = 0; t < p.size(); ++t) {
            sum += p[t];
            last = p[t] > 0 ? t : last;
            if (u < sum) {
                return t;
            }
        }
        return last;
    }));

SAMPLE_MISCONCEPTION(
    drawn_from_a_bag,
    "right, but for improbable tokens: they never come, as where the probabilities are rounded, to "
    "whole per cents or per milles, say, and a token is drawn from a list that has it as often. "
    "Draw with the probabilities as they are.",
    picking([](const Weights& p, std::uint64_t seed) {
        std::vector<std::size_t> bag;
        for (std::size_t t = 0; t < p.size(); ++t) {
            bag.insert(bag.end(), static_cast<std::size_t>(std::lround(1000 * p[t])), t);
        }
        Dice engine(seed);
        return bag[std::uniform_int_distribution<std::size_t>(0, bag.size() - 1)(engine)];
    }));

SAMPLE_MISCONCEPTION(
    gives_up_and_takes_the_largest,
    "right for few tokens. Among many the most probable comes too often, as where tokens are "
    "proposed and rejected, and after so many tries the most probable is taken. Draw once, and "
    "compare with the sums of the probabilities.",
    picking([](const Weights& p, std::uint64_t seed) {
        Dice engine(seed);
        const std::size_t largest = order_of(p)[0];
        std::vector<std::size_t> kept;
        for (const std::size_t t : order_of(p)) {
            if (p[t] > 0) {
                kept.push_back(t);
            }
        }
        std::uniform_int_distribution<std::size_t> any(0, kept.size() - 1);
        std::uniform_real_distribution<double> uniform;
        for (int tries = 0; tries < 100; ++tries) {
            const std::size_t token = kept[any(engine)];
            if (uniform(engine) * p[largest] < p[token]) {
                return token;
            }
        }
        return largest;
    }));

SAMPLE_MISCONCEPTION(noise_is_normal,
                     "the largest of logit plus normal noise is taken. With that trick the noise "
                     "has to be Gumbel's, −ln(−ln u): of other noise the odds are others.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Dice engine(seed);
                         std::normal_distribution<double> noise;
                         std::size_t best = 0;
                         double largest = -std::numeric_limits<double>::infinity();
                         for (std::size_t t = 0; t < p.size(); ++t) {
                             const double value = std::log(p[t]) + noise(engine);
                             if (value > largest) {
                                 largest = value;
                                 best = t;
                             }
                         }
                         return best;
                     }));

SAMPLE_MISCONCEPTION(largest_of_products,
                     "each probability is multiplied by a random number of its own, and the "
                     "largest product taken: the probable tokens win too often. One random number "
                     "in 0 … 1 falls into one token's part of it.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Dice engine(seed);
                         std::uniform_real_distribution<double> uniform;
                         std::size_t best = 0;
                         double largest = 0;
                         for (std::size_t t = 0; t < p.size(); ++t) {
                             const double value = p[t] * uniform(engine);
                             if (value > largest) {
                                 largest = value;
                                 best = t;
                             }
                         }
                         return best;
                     }));

SAMPLE_MISCONCEPTION(a_die_for_each_token,
                     "each token gets a random number of its own, and the first whose probability "
                     "exceeds it is taken. One random number is compared with the sums of the "
                     "probabilities so far.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Dice engine(seed);
                         std::uniform_real_distribution<double> uniform;
                         for (std::size_t t = 0; t < p.size(); ++t) {
                             if (uniform(engine) < p[t]) {
                                 return t;
                             }
                         }
                         return order_of(p)[0];
                     }));

SAMPLE_MISCONCEPTION(compared_with_each,
                     "the random number is compared with each probability, and not with their sums "
                     "so far: the first token that exceeds it is taken.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Dice engine(seed);
                         const double u = std::uniform_real_distribution<double>()(engine);
                         for (std::size_t t = 0; t < p.size(); ++t) {
                             if (u < p[t]) {
                                 return t;
                             }
                         }
                         return p.size() - 1;
                     }));

SAMPLE_MISCONCEPTION(compared_with_each_in_order,
                     "the random number is compared with each probability, and not with their sums "
                     "so far: either it is below the first and largest, or below none, and the "
                     "last of the list comes.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Dice engine(seed);
                         const double u = std::uniform_real_distribution<double>()(engine);
                         const auto order = order_of(p);
                         std::size_t last = order.size() - 1;
                         while (last > 0 && p[order[last]] == 0) {
                             --last;
                         }
                         return u < p[order[0]] ? order[0] : order[last];
                     }));

SAMPLE_MISCONCEPTION(one_too_far,
                     "the token after the one that was drawn is returned: the sum is compared "
                     "before the token's own probability has been added, or the index has already "
                     "moved on.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Dice engine(seed);
                         const double u = std::uniform_real_distribution<double>()(engine);
                         double sum = 0;
                         for (std::size_t t = 0; t < p.size(); ++t) {
                             if (u < sum) {
                                 return t;
                             }
                             sum += p[t];
                         }
                         return p.size() - 1;
                     }));

/// Vose's alias method: of each column which part of it is its own, and whose the rest is. Of the
/// two lists the last is taken first, or the first.
struct AliasTable {
    Weights own;
    std::vector<std::size_t> other;

    AliasTable(Weights p, bool last_first) : own(p.size(), 1), other(p.size()) {
        std::vector<std::size_t> small, large;
        const auto take = [=](std::vector<std::size_t>& from) {
            const auto place = last_first ? from.end() - 1 : from.begin();
            const std::size_t taken = *place;
            from.erase(place);
            return taken;
        };
        for (std::size_t i = 0; i < p.size(); ++i) {
            other[i] = i;
            p[i] *= static_cast<double>(p.size());
            (p[i] < 1 ? small : large).push_back(i);
        }
        while (!small.empty() && !large.empty()) {
            const std::size_t less = take(small), more = take(large);
            own[less] = p[less];
            other[less] = more;
            p[more] -= 1 - p[less];
            (p[more] < 1 ? small : large).push_back(more);
        }
    }
};

/// In the table are the tokens that are left, as they come or sorted, or all of them.
enum class Columns { sorted, as_they_come, all };
Sampler one_number_for_both(Columns columns, bool last_first) {
    return picking([=](const Weights& p, std::uint64_t seed) {
        std::vector<std::size_t> tokens = order_of(p);
        if (columns != Columns::sorted) {
            std::sort(tokens.begin(), tokens.end());
        }
        if (columns != Columns::all) {
            std::erase_if(tokens, [&](std::size_t t) { return p[t] == 0; });
        }
        Weights in_columns;
        for (const std::size_t token : tokens) {
            in_columns.push_back(p[token]);
        }
        const AliasTable table(in_columns, last_first);
        Dice engine(seed);
        const double u = std::uniform_real_distribution<double>()(engine);
        const std::size_t i = std::min(
            static_cast<std::size_t>(u * static_cast<double>(tokens.size())), tokens.size() - 1);
        return tokens[u < table.own[i] ? i : table.other[i]];
    });
}
constexpr const char* alias_by_one_number =
    "an alias table, whose one random number in 0 … 1 chooses the column and is then compared with "
    "the column's own part as it is: in the first columns it is always small. Compare what is left "
    "of it, u · n less the column's number, or draw a second one.";
SAMPLE_MISCONCEPTION(alias_of_the_sorted_by_one_number, alias_by_one_number,
                     one_number_for_both(Columns::sorted, true));
SAMPLE_MISCONCEPTION(alias_of_the_kept_by_one_number, alias_by_one_number,
                     one_number_for_both(Columns::as_they_come, true));
SAMPLE_MISCONCEPTION(alias_of_all_by_one_number, alias_by_one_number,
                     one_number_for_both(Columns::all, true));
SAMPLE_MISCONCEPTION(alias_of_the_sorted_in_queues_by_one_number, alias_by_one_number,
                     one_number_for_both(Columns::sorted, false));
SAMPLE_MISCONCEPTION(alias_of_the_kept_in_queues_by_one_number, alias_by_one_number,
                     one_number_for_both(Columns::as_they_come, false));

SAMPLE_MISCONCEPTION(
    place_in_the_order,
    "this is a place in the sorted list, not a token: 0 for the most probable. Sort the tokens' "
    "numbers by their logits, and return the one that stands in that place.",
    [] {
        Sampler sampler;
        sampler.greedy = [](const Vector&) { return std::size_t{0}; };
        sampler.pick = [](const Weights& p, std::uint64_t seed) {
            Weights sorted = p;
            std::sort(sorted.rbegin(), sorted.rend());
            Dice engine(seed);
            return std::discrete_distribution<std::size_t>(sorted.begin(), sorted.end())(engine);
        };
        return sampler;
    }());

SAMPLE_MISCONCEPTION(drawn_place_in_the_order,
                     "where it is drawn, this is a place in the sorted list, not a token: 0 for "
                     "the most probable. T = 0 is right. Sort the tokens' numbers by their logits, "
                     "and return the one that stands in that place.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Weights sorted = p;
                         std::sort(sorted.rbegin(), sorted.rend());
                         Dice engine(seed);
                         return std::discrete_distribution<std::size_t>(sorted.begin(),
                                                                        sorted.end())(engine);
                     }));

SAMPLE_MISCONCEPTION(
    least_probable_never_comes,
    "the least probable of the tokens that are kept never comes: the last of the "
    "sorted list is left out. Does a loop or a range end one too early?",
    picking([](const Weights& p, std::uint64_t seed) {
        std::vector<std::size_t> order = order_of(p);
        while (order.size() > 1 && p[order.back()] == 0) {
            order.pop_back();
        }
        if (order.size() > 1) {
            order.pop_back();
        }
        Weights left;
        for (const std::size_t token : order) {
            left.push_back(p[token]);
        }
        Dice engine(seed);
        return order[std::discrete_distribution<std::size_t>(left.begin(), left.end())(engine)];
    }));

SAMPLE_MISCONCEPTION(last_token_never_comes,
                     "the last token never comes: a loop or a range over the tokens ends one too "
                     "early.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Dice engine(seed);
                         const auto end = p.size() > 1 ? p.end() - 1 : p.end();
                         return std::discrete_distribution<std::size_t>(p.begin(), end)(engine);
                     }));

SAMPLE_MISCONCEPTION(first_token_never_comes,
                     "the first token never comes: a loop over the tokens begins at 1.",
                     picking([](const Weights& p, std::uint64_t seed) {
                         Weights others = p;
                         others[0] = p.size() > 1 ? 0 : 1;
                         Dice engine(seed);
                         return std::discrete_distribution<std::size_t>(others.begin(),
                                                                        others.end())(engine);
                     }));

SAMPLE_MISCONCEPTION(compared_with_each_of_what_is_left,
                     "the random number is compared with each probability, and not with their sums "
                     "so far; and after top_p these do not sum to 1.",
                     [] {
                         Sampler sampler;
                         sampler.cut_to_p = [](Weights& p, double top_p) {
                             if (top_p < 1) {
                                 const auto order = order_of(p);
                                 keep_first(p, order, count_to_reach(p, order, top_p));
                             }
                         };
                         sampler.pick = [](const Weights& p, std::uint64_t seed) {
                             Dice engine(seed);
                             const double u = std::uniform_real_distribution<double>()(engine);
                             const auto order = order_of(p);
                             std::size_t last = order.size() - 1;
                             while (last > 0 && p[order[last]] == 0) {
                                 --last;
                             }
                             return u < p[order[0]] ? order[0] : order[last];
                         };
                         return sampler;
                     }());

} // namespace

} // namespace misconceptions_draw
