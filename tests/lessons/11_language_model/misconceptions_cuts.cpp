// Wrong versions of 11.3: top_k and top_p.

#include "wrong_sample.hpp"

using namespace wrong;

namespace {

template <class Cut>
Sampler cutting_to_k(Cut cut) {
    Sampler sampler;
    sampler.cut_to_k = [=](Weights& p, std::size_t top_k) {
        cut(p, top_k);
        normalise(p);
    };
    return sampler;
}

/// The same number of tokens as top_k says, taken from another order.
template <class Order>
Sampler ordered_for_k(Order order) {
    return cutting_to_k([=](Weights& p, std::size_t top_k) {
        if (top_k > 0) {
            keep_first(p, order(p), top_k);
        }
    });
}

template <class Cut>
Sampler cutting_to_p(Cut cut) {
    Sampler sampler;
    sampler.cut_to_p = [=](Weights& p, double top_p) {
        if (top_p < 1) {
            cut(p, top_p);
        }
        normalise(p);
    };
    return sampler;
}

/// As many of the right order as count(p, order, top_p) says, but one at least.
template <class Count>
Sampler counting_for_p(Count count) {
    return cutting_to_p([=](Weights& p, double top_p) {
        const auto order = order_of(p);
        keep_first(p, order, std::max(std::size_t{1}, count(p, order, top_p)));
    });
}

/// Keeps each token by its own probability; the most probable if none is kept.
template <class Kept>
Sampler each_by_itself(Kept kept) {
    return cutting_to_p([=](Weights& p, double top_p) {
        const std::size_t largest = order_of(p)[0];
        std::vector<std::size_t> tokens;
        for (std::size_t t = 0; t < p.size(); ++t) {
            if (p[t] > 0 && kept(p[t], top_p, p[largest])) {
                tokens.push_back(t);
            }
        }
        keep(p, tokens.empty() ? std::vector<std::size_t>{largest} : tokens);
    });
}

std::vector<std::size_t> ascending(const Weights& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    return order;
}

std::vector<std::size_t> as_they_come(const Weights& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

/// The most probable first, of equals the later: what reversing an ascending order makes.
std::vector<std::size_t> later_first(const Weights& p) {
    std::vector<std::size_t> order = ascending(p);
    std::reverse(order.begin(), order.end());
    return order;
}

// ---- top_k

SAMPLE_MISCONCEPTION(top_k_ignored,
                     "top_k changes nothing: tokens come that are not among the top_k most "
                     "probable.",
                     cutting_to_k([](Weights&, std::size_t) {}));

SAMPLE_MISCONCEPTION(top_k_least_probable,
                     "the top_k least probable tokens are kept: the list is sorted the other way "
                     "round.",
                     ordered_for_k(ascending));

SAMPLE_MISCONCEPTION(top_k_first_tokens,
                     "the first top_k tokens are kept, as they come. Sort them by probability "
                     "first.",
                     ordered_for_k(as_they_come));

SAMPLE_MISCONCEPTION(top_k_one_more,
                     "one token more than top_k is kept. Is top_k the index of the last one kept?",
                     cutting_to_k([](Weights& p, std::size_t top_k) {
                         if (top_k > 0) {
                             keep_first(p, order_of(p), top_k + 1);
                         }
                     }));

SAMPLE_MISCONCEPTION(top_k_one_less,
                     "one token less than top_k is kept: the one at its place is to be kept, too.",
                     cutting_to_k([](Weights& p, std::size_t top_k) {
                         if (top_k > 0) {
                             keep_first(p, order_of(p), std::max(std::size_t{1}, top_k - 1));
                         }
                     }));

SAMPLE_MISCONCEPTION(top_k_zero_keeps_one,
                     "top_k = 0 keeps a single token. It says that nothing is cut: all are kept.",
                     cutting_to_k([](Weights& p, std::size_t top_k) {
                         keep_first(p, order_of(p), std::max(std::size_t{1}, top_k));
                     }));

SAMPLE_MISCONCEPTION(top_k_keeps_all_equals,
                     "right, but for equals: every token is kept whose logit is not below the one "
                     "at place top_k, and that can be more than top_k. Of equals the earlier is "
                     "kept.",
                     cutting_to_k([](Weights& p, std::size_t top_k) {
                         if (top_k == 0 || top_k >= p.size()) {
                             return;
                         }
                         const double least = p[order_of(p)[top_k - 1]];
                         for (double& each : p) {
                             each = each >= least ? each : 0;
                         }
                     }));

SAMPLE_MISCONCEPTION(top_k_drops_all_equals,
                     "right, but for equals: only tokens above the one at place top_k + 1 are "
                     "kept, and that can be fewer than top_k. Of equals the earlier is kept.",
                     cutting_to_k([](Weights& p, std::size_t top_k) {
                         if (top_k == 0 || top_k >= p.size()) {
                             return;
                         }
                         const auto order = order_of(p);
                         const double below = p[order[top_k]];
                         std::vector<std::size_t> tokens{order[0]};
                         for (std::size_t t = 0; t < p.size(); ++t) {
                             if (p[t] > below) {
                                 tokens.push_back(t);
                             }
                         }
                         keep(p, tokens);
                     }));

/// The order of the tokens is another one wherever there is one.
template <class Order>
Sampler ordered_throughout(Order order) {
    Sampler sampler = ordered_for_k(order);
    sampler.greedy = [=](const Vector& logits) {
        return order(Weights(logits.begin(), logits.end()))[0];
    };
    sampler.cut_to_p = [=](Weights& p, double top_p) {
        if (top_p < 1) {
            const auto kept = order(p);
            keep_first(p, kept, count_to_reach(p, kept, top_p));
        }
        normalise(p);
    };
    return sampler;
}

/// std::sort leaves up to 16 equals as they were, and no more.
std::vector<std::size_t> unstably_sorted(const Weights& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    return order;
}

SAMPLE_MISCONCEPTION(
    equals_in_no_order,
    "right, but for equals among more than 16 tokens: std::sort leaves equals in no "
    "certain order. The earlier comes first: std::stable_sort.",
    ordered_throughout(unstably_sorted));

SAMPLE_MISCONCEPTION(equals_keep_the_later,
                     "right, but for equals: of tokens that are equally probable the later comes "
                     "first, as where pairs of probability and token are sorted downwards, or >= "
                     "compares in place of >. The earlier is wanted.",
                     ordered_throughout(later_first));

SAMPLE_MISCONCEPTION(both_cuts_keep_the_later,
                     "right, but for equals in both cuts: of tokens that are equally probable the "
                     "later is kept. The earlier is wanted.",
                     [] {
                         Sampler sampler = ordered_for_k(later_first);
                         sampler.cut_to_p = [](Weights& p, double top_p) {
                             if (top_p < 1) {
                                 const auto order = later_first(p);
                                 keep_first(p, order, count_to_reach(p, order, top_p));
                             }
                             normalise(p);
                         };
                         return sampler;
                     }());

SAMPLE_MISCONCEPTION(top_k_beyond_the_end,
                     "where top_k is more than there are tokens, the list is made longer, and what "
                     "resize adds is token 0, once more each time. Only a longer list is cut.",
                     cutting_to_k([](Weights& p, std::size_t top_k) {
                         if (top_k > p.size()) {
                             p[0] *= static_cast<double>(1 + top_k - p.size());
                         } else if (top_k > 0) {
                             keep_first(p, order_of(p), top_k);
                         }
                     }));

SAMPLE_MISCONCEPTION(top_k_equals_keep_the_later,
                     "right, but for equals in top_k: of tokens that are equally probable the "
                     "later is kept. The earlier is wanted.",
                     ordered_for_k(later_first));

SAMPLE_MISCONCEPTION(dropped_logits_become_zero,
                     "what top_k drops gets the logit 0, and exp(0) = 1 is a chance like any "
                     "other. −∞ has the probability 0; or drop the token altogether.",
                     [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                        const Seeds& seeds) {
                         lesson::require_sampling(logits, temperature, top_p);
                         Vector changed = logits;
                         if (top_k > 0 && top_k < logits.size()) {
                             const auto order = order_of(Weights(logits.begin(), logits.end()));
                             for (std::size_t i = top_k; i < order.size(); ++i) {
                                 changed(order[i]) = 0;
                             }
                         }
                         return Sampler()(temperature == 0 ? logits : changed, temperature, 0,
                                          top_p, seeds);
                     });

// ---- top_p

SAMPLE_MISCONCEPTION(top_p_ignored,
                     "top_p changes nothing: tokens come that are not needed to reach it.",
                     cutting_to_p([](Weights&, double) {}));

SAMPLE_MISCONCEPTION(top_p_for_each,
                     "each token is kept whose own probability is at least top_p. It is the sum "
                     "of the most probable that has to reach top_p.",
                     each_by_itself([](double p, double top_p, double) { return p >= top_p; }));

SAMPLE_MISCONCEPTION(top_p_keeps_what_is_below,
                     "each token is kept whose own probability is below top_p. It is the sum of "
                     "the most probable that has to reach top_p, and those are kept.",
                     each_by_itself([](double p, double top_p, double) { return p < top_p; }));

SAMPLE_MISCONCEPTION(top_p_of_the_rest_for_each,
                     "each token is kept whose own probability is at least 1 − top_p. It is the "
                     "sum of the most probable that has to reach top_p.",
                     each_by_itself([](double p, double top_p, double) { return p >= 1 - top_p; }));

SAMPLE_MISCONCEPTION(top_p_of_the_largest,
                     "each token is kept that has at least top_p of the largest probability. That "
                     "is another rule; here the sum of the most probable has to reach top_p.",
                     each_by_itself([](double p, double top_p, double largest) {
                         return p >= top_p * largest;
                     }));

SAMPLE_MISCONCEPTION(top_p_without_the_last_step,
                     "the token by which the sum reaches top_p is dropped. It is needed: without "
                     "it the sum is below top_p.",
                     counting_for_p([](auto& p, auto& order, double top_p) {
                         return count_to_reach(p, order, top_p) - 1;
                     }));

SAMPLE_MISCONCEPTION(
    top_p_one_more,
    "one token more than it takes is kept: the sum is looked at before the token's "
    "own probability has been added.",
    counting_for_p([](auto& p, auto& order, double top_p) {
        return count_to_reach(p, order, top_p) + 1;
    }));

SAMPLE_MISCONCEPTION(top_p_sum_never_grows,
                     "all tokens are kept where the most probable does not reach top_p by itself: "
                     "is each token's probability added to the sum as the token is kept?",
                     counting_for_p([](auto& p, auto& order, double top_p) {
                         return p[order[0]] >= top_p ? 1 : order.size();
                     }));

SAMPLE_MISCONCEPTION(top_p_to_be_exceeded,
                     "right, but where the sum is exactly top_p: one token more is kept. The sum "
                     "has to reach top_p, not to exceed it.",
                     counting_for_p([](auto& p, auto& order, double top_p) {
                         double sum = p[order[0]];
                         std::size_t count = 1;
                         while (sum <= top_p && count < order.size()) {
                             sum += p[order[count++]];
                         }
                         return count;
                     }));

SAMPLE_MISCONCEPTION(top_p_unsorted,
                     "the sum runs over the tokens as they come. It starts with the most probable: "
                     "sort them first.",
                     cutting_to_p([](Weights& p, double top_p) {
                         const auto order = as_they_come(p);
                         keep_first(p, order, count_to_reach(p, order, top_p));
                     }));

SAMPLE_MISCONCEPTION(top_p_from_the_least,
                     "the sum starts with the least probable tokens, and keeps these. The most "
                     "probable come first.",
                     cutting_to_p([](Weights& p, double top_p) {
                         const auto order = ascending(p);
                         keep_first(p, order, count_to_reach(p, order, top_p));
                     }));

SAMPLE_MISCONCEPTION(top_p_of_the_complement,
                     "the most probable tokens are kept until their sum reaches 1 − top_p. It is "
                     "top_p that has to be reached.",
                     counting_for_p([](auto& p, auto& order, double top_p) {
                         return count_to_reach(p, order, 1 - top_p);
                     }));

SAMPLE_MISCONCEPTION(top_p_of_their_number,
                     "this keeps top_p of the number of tokens. It is their probabilities that "
                     "have to sum to top_p, however many that takes.",
                     counting_for_p([](auto& p, auto&, double top_p) {
                         return static_cast<std::size_t>(
                             std::ceil(top_p * static_cast<double>(p.size())));
                     }));

SAMPLE_MISCONCEPTION(top_p_zero_keeps_all,
                     "top_p = 0 keeps all tokens. It keeps one, the most probable: always one. "
                     "What switches it off is 1.",
                     cutting_to_p([](Weights& p, double top_p) {
                         if (top_p > 0) {
                             const auto order = order_of(p);
                             keep_first(p, order, count_to_reach(p, order, top_p));
                         }
                     }));

SAMPLE_MISCONCEPTION(top_p_equals_keep_the_later,
                     "right, but for equals in top_p: of tokens that are equally probable the "
                     "later is kept. The earlier is wanted.",
                     cutting_to_p([](Weights& p, double top_p) {
                         const auto order = later_first(p);
                         keep_first(p, order, count_to_reach(p, order, top_p));
                     }));

SAMPLE_MISCONCEPTION(top_p_keeps_all_equals,
                     "right, but for equals: with the token that reaches top_p all that are as "
                     "probable are kept. As few as it takes are wanted, of equals the earlier.",
                     cutting_to_p([](Weights& p, double top_p) {
                         const auto order = order_of(p);
                         const double least = p[order[count_to_reach(p, order, top_p) - 1]];
                         for (double& each : p) {
                             each = each >= least ? each : 0;
                         }
                     }));

SAMPLE_MISCONCEPTION(min_p,
                     "each token is kept that has at least 1 − top_p of the largest probability. "
                     "That is another rule, min_p; here the sum of the most probable has to reach "
                     "top_p.",
                     each_by_itself([](double p, double top_p, double largest) {
                         return p >= (1 - top_p) * largest;
                     }));

} // namespace
