// Wrong versions of 11.3: top_k and top_p together, and what is left when they have cut.

#include "wrong_sample.hpp"

using namespace wrong;

namespace {

/// Both cuts in a way of their own.
template <class Cut>
Sampler cutting(Cut cut) {
    Sampler sampler;
    sampler.cut = cut;
    return sampler;
}

SAMPLE_MISCONCEPTION(
    top_p_before_top_k,
    "top_p is compared with the probabilities of all tokens: it cuts before top_k, "
    "or what top_k has left was not divided by its sum. top_k cuts first, what is "
    "left is divided by its sum, and top_p looks at that.",
    cutting([](auto& self, auto& p, auto top_k, double top_p) {
        self.cut_to_p(p, top_p);
        self.cut_to_k(p, top_k);
    }));

SAMPLE_MISCONCEPTION(one_cut_or_the_other,
                     "where top_k cuts, top_p is not looked at. Both cut, top_k first.",
                     cutting([](auto& self, auto& p, auto top_k, double top_p) {
                         if (top_k > 0) {
                             self.cut_to_k(p, top_k);
                         } else {
                             self.cut_to_p(p, top_p);
                         }
                     }));

SAMPLE_MISCONCEPTION(top_p_or_else_top_k,
                     "where top_p cuts, top_k is not looked at. Both cut, top_k first.",
                     cutting([](auto& self, auto& p, auto top_k, double top_p) {
                         if (top_p < 1) {
                             self.cut_to_p(p, top_p);
                         } else {
                             self.cut_to_k(p, top_k);
                         }
                     }));

SAMPLE_MISCONCEPTION(what_either_keeps, "a token is kept if top_k or top_p keeps it. Both have to.",
                     cutting([](auto& self, auto& p, auto top_k, double top_p) {
                         Weights by_k = p, by_p = p;
                         self.cut_to_k(by_k, top_k);
                         self.cut_to_p(by_p, top_p);
                         if (top_k == 0) {
                             p = by_p;
                         } else if (top_p == 1) {
                             p = by_k;
                         } else {
                             for (std::size_t t = 0; t < p.size(); ++t) {
                                 p[t] = by_k[t] > 0 || by_p[t] > 0 ? p[t] : 0;
                             }
                         }
                     }));

SAMPLE_MISCONCEPTION(temperature_after_the_cuts,
                     "top_p looks at the probabilities of temperature 1, and the temperature comes "
                     "afterwards. It comes first: a high one keeps more tokens.",
                     [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                        const Seeds& seeds) {
                         Sampler sampler;
                         sampler.cut = [&](const Sampler& self, auto& p, auto k, double by_p) {
                             const Weights warmed = p;
                             p = self.weigh(logits, 1);
                             self.cut_to_k(p, k);
                             self.cut_to_p(p, by_p);
                             for (std::size_t t = 0; t < p.size(); ++t) {
                                 p[t] = p[t] > 0 ? warmed[t] : 0;
                             }
                         };
                         return sampler(logits, temperature, top_k, top_p, seeds);
                     });

/// What a sort by place gives, read as if it said the rank of each token.
std::vector<std::size_t> order_as_ranks(const Weights& p, std::size_t count) {
    const std::vector<std::size_t> order = order_of(p);
    std::vector<std::size_t> kept;
    for (std::size_t t = 0; t < p.size(); ++t) {
        if (order[t] < count) {
            kept.push_back(t);
        }
    }
    return kept;
}
constexpr const char* order_is_no_rank =
    "order[t] is taken for the rank of token t. It is the token that stands at place t: the tokens "
    "to keep are order[0], order[1], … and not those t for which order[t] is small.";
SAMPLE_MISCONCEPTION(order_taken_for_ranks, order_is_no_rank,
                     cutting([](auto& self, auto& p, auto top_k, double top_p) {
                         if (top_k > 0) {
                             keep(p, order_as_ranks(p, top_k));
                             normalise(p);
                         }
                         self.cut_to_p(p, top_p);
                     }));
SAMPLE_MISCONCEPTION(order_taken_for_ranks_by_both_cuts, order_is_no_rank,
                     cutting([](auto&, auto& p, auto top_k, double top_p) {
                         if (top_k > 0) {
                             keep(p, order_as_ranks(p, top_k));
                             normalise(p);
                         }
                         if (top_p < 1) {
                             keep(p, order_as_ranks(p, count_to_reach(p, order_of(p), top_p)));
                             normalise(p);
                         }
                     }));
SAMPLE_MISCONCEPTION(
    top_p_first_tokens,
    "how many tokens it takes to reach top_p is right, but then as many are kept from the front of "
    "the list of tokens, not of the sorted one.",
    cutting([](auto& self, auto& p, auto top_k, double top_p) {
        self.cut_to_k(p, top_k);
        if (top_p < 1) {
            std::vector<std::size_t> tokens(p.size());
            std::iota(tokens.begin(), tokens.end(), std::size_t{0});
            keep_first(p, tokens, count_to_reach(p, order_of(p), top_p));
            normalise(p);
        }
    }));

SAMPLE_MISCONCEPTION(
    sorted_the_other_way,
    "the list is sorted the other way round, the least probable first: these are "
    "kept by top_k and top_p, and T = 0 takes the very least. Compare with > where "
    "the most probable is to come first.",
    [] {
        const auto ascending = [](const Weights& p) {
            std::vector<std::size_t> order(p.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
            return order;
        };
        Sampler sampler;
        sampler.greedy = [=](const Vector& logits) {
            return ascending(Weights(logits.begin(), logits.end()))[0];
        };
        sampler.cut = [=](const Sampler&, Weights& p, std::size_t top_k, double top_p) {
            auto order = ascending(p);
            order.resize(top_k > 0 ? std::min(top_k, order.size()) : order.size());
            keep(p, order);
            normalise(p);
            if (top_p < 1) {
                keep_first(p, order, count_to_reach(p, order, top_p));
                normalise(p);
            }
        };
        return sampler;
    }());

/// top_k by std::nth_element, at the place top_k − before; then top_p along what that leaves.
Sampler partly_sorted(std::size_t before, bool earlier_of_equals) {
    return cutting([=](auto& self, auto& p, std::size_t top_k, double top_p) {
        if (top_k == 0 || top_k >= p.size()) {
            self.cut_to_p(p, top_p);
            return;
        }
        std::vector<std::size_t> order(p.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const Weights all = p;
        std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(top_k - before),
                         order.end(), [&](std::size_t a, std::size_t b) {
                             return all[a] != all[b] ? all[a] > all[b] : earlier_of_equals && a < b;
                         });
        order.resize(top_k);
        keep(p, order);
        normalise(p);
        if (top_p < 1) {
            keep_first(p, order, count_to_reach(p, order, top_p));
            normalise(p);
        }
    });
}
constexpr const char* top_p_along_nth_element =
    "where top_k cuts, top_p goes through tokens that are not sorted: std::nth_element brings the "
    "top_k most probable to the front, in no certain order, and top_p then keeps others than the "
    "most probable. Sort what top_k has left, or use std::partial_sort.";
SAMPLE_MISCONCEPTION(top_k_not_sorted, top_p_along_nth_element, partly_sorted(0, true));
SAMPLE_MISCONCEPTION(top_k_not_sorted_before_its_last, top_p_along_nth_element,
                     partly_sorted(1, true));
SAMPLE_MISCONCEPTION(top_k_not_sorted_nor_equals, top_p_along_nth_element, partly_sorted(0, false));
SAMPLE_MISCONCEPTION(top_k_not_sorted_before_its_last_nor_equals, top_p_along_nth_element,
                     partly_sorted(1, false));

std::size_t least_kept(const Weights& p) {
    const auto order = order_of(p);
    std::size_t last = order.size() - 1;
    while (last > 0 && p[order[last]] == 0) {
        --last;
    }
    return order[last];
}

/// What is left of 1, where the kept are not divided by their sum, goes to the token that
/// rest(p) says.
template <class Rest>
Sampler not_divided(Rest rest) {
    Sampler sampler;
    sampler.cut_to_k = [](Weights& p, std::size_t top_k) {
        if (top_k > 0) {
            keep_first(p, order_of(p), top_k);
        }
    };
    sampler.cut_to_p = [](Weights& p, double top_p) {
        if (top_p < 1) {
            const auto order = order_of(p);
            keep_first(p, order, count_to_reach(p, order, top_p));
        }
    };
    sampler.pick = [=](const Weights& p, std::uint64_t seed) -> std::size_t {
        Dice engine(seed);
        const double u = std::uniform_real_distribution<double>()(engine);
        double sum = 0;
        for (std::size_t t = 0; t < p.size(); ++t) {
            sum += p[t];
            if (u < sum) {
                return t;
            }
        }
        return rest(p);
    };
    return sampler;
}

SAMPLE_MISCONCEPTION(rest_goes_to_the_last_token,
                     "what is kept is not divided by its sum, and where the random number lies "
                     "beyond that sum the last token comes, kept or not. Divide first.",
                     not_divided([](const Weights& p) { return p.size() - 1; }));

SAMPLE_MISCONCEPTION(rest_goes_to_the_first_token,
                     "what is kept is not divided by its sum, and where the random number lies "
                     "beyond that sum token 0 comes, kept or not. Divide first.",
                     not_divided([](const Weights&) { return std::size_t{0}; }));

SAMPLE_MISCONCEPTION(rest_goes_to_the_most_probable,
                     "what is kept is not divided by its sum, and what is missing to 1 goes to the "
                     "most probable token. Divide: each gets its part.",
                     not_divided([](const Weights& p) { return order_of(p)[0]; }));

SAMPLE_MISCONCEPTION(rest_goes_to_the_least_probable,
                     "what is kept is not divided by its sum, and what is missing to 1 goes to the "
                     "least probable of the kept tokens. Divide: each gets its part.",
                     not_divided(least_kept));

// ---- divided after top_k, and not after top_p

template <class Rest>
Sampler not_divided_at_the_end(Rest rest) {
    Sampler sampler = not_divided(rest);
    sampler.cut_to_k = Sampler().cut_to_k;
    return sampler;
}

SAMPLE_MISCONCEPTION(rest_of_top_p_goes_to_the_last_token,
                     "what top_p keeps is not divided by its sum, and where the random number lies "
                     "beyond that sum the last token comes, kept or not. Divide first.",
                     not_divided_at_the_end([](const Weights& p) { return p.size() - 1; }));

SAMPLE_MISCONCEPTION(rest_of_top_p_goes_to_the_first_token,
                     "what top_p keeps is not divided by its sum, and where the random number lies "
                     "beyond that sum token 0 comes, kept or not. Divide first.",
                     not_divided_at_the_end([](const Weights&) { return std::size_t{0}; }));

SAMPLE_MISCONCEPTION(rest_of_top_p_goes_to_the_most_probable,
                     "what top_p keeps is not divided by its sum, and what is missing to 1 goes to "
                     "the most probable token. Divide: each gets its part.",
                     not_divided_at_the_end([](const Weights& p) { return order_of(p)[0]; }));

SAMPLE_MISCONCEPTION(rest_of_top_p_goes_to_the_least_probable,
                     "what top_p keeps is not divided by its sum, and what is missing to 1 goes to "
                     "the least probable of the kept tokens. Divide: each gets its part.",
                     not_divided_at_the_end(least_kept));

} // namespace
