// Wrong versions of 11.2: what is mixed, and what is kept; see misconceptions.cpp for what becomes
// of them.

#include <map>

#include "wrong_cache.hpp"

using namespace wrong;

namespace {

// ---- values

CACHE_MISCONCEPTION(keys_are_mixed,
                    "the keys are mixed where the values belong: keys are compared, values are "
                    "given.",
                    [](const Rows& keys, const Rows&, const Vector& q) {
                        return mixed(softmax_of(scores(q, keys)), keys);
                    });

CACHE_MISCONCEPTION(weights_are_returned,
                    "the weights are returned. The answer is the values mixed by them.",
                    [](const Rows& keys, const Rows&, const Vector& q) {
                        return softmax_of(scores(q, keys));
                    });

CACHE_MISCONCEPTION(scores_are_returned,
                    "the scores are returned. Softmax makes weights of them, and the answer is the "
                    "values mixed by these.",
                    [](const Rows& keys, const Rows&, const Vector& q) { return scores(q, keys); });

CACHE_MISCONCEPTION(output_of_the_size_of_q,
                    "the output is made with as many components as the query, and filled for each "
                    "of these. A value has d_v of them: values_.front().size().",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        const Vector weights = softmax_of(scores(q, keys));
                        Vector output = xt::zeros<double>({q.size()});
                        for (std::size_t c = 0; c < q.size(); ++c) {
                            for (std::size_t j = 0; j < values.size(); ++j) {
                                output(c) += weights(j) * values[j](c);
                            }
                        }
                        return output;
                    });

CACHE_MISCONCEPTION(last_term_only,
                    "only the last token's value comes, times its weight: the output is set where "
                    "it should be added to (+=).",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        return Vector(softmax_of(scores(q, keys))(keys.size() - 1) * values.back());
                    });

CACHE_MISCONCEPTION(newest_left_out,
                    "the newest token is left out: the sum ends one too early. A position sees "
                    "itself, which is why it is appended before it asks.",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        if (keys.size() == 1) {
                            return Vector(xt::zeros<double>({values.front().size()}));
                        }
                        const Rows seen(keys.begin(), keys.end() - 1);
                        return mixed(softmax_of(scores(q, seen)), values);
                    });

// Known at any bound: the grader says how.
constexpr const char* small_weights =
    "a weight that is small is taken for 0. Many small ones are much together, and one may meet a "
    "value that is as large: each counts.";
MISCONCEPTION_IN(in_turn, append, small_weights_left_out, small_weights,
                 in_turns(RightKeep{}, [](const Rows& keys, const Rows& values, const Vector& q) {
                     Vector weights = softmax_of(scores(q, keys));
                     weights = xt::where(weights < 1e-3, 0.0, weights);
                     return mixed(weights, values);
                 }));
MISCONCEPTION_IN(in_turn, attend, small_weights_dropped, small_weights,
                 afterwards(RightKeep{}, [](const Rows& keys, const Rows& values, const Vector& q) {
                     Vector weights = softmax_of(scores(q, keys));
                     weights = xt::where(weights < 1e-8, 0.0, weights);
                     return mixed(weights, values);
                 }));

CACHE_MISCONCEPTION(newest_left_out_of_several,
                    "the newest token is left out where there are others: the sum ends one too "
                    "early. A position sees itself, which is why it is appended before it asks.",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        const auto but_one =
                            static_cast<std::ptrdiff_t>(std::max(std::size_t{2}, keys.size()) - 1);
                        const Rows some(keys.begin(), keys.begin() + but_one);
                        return mixed(softmax_of(scores(q, some)), values);
                    });

CACHE_MISCONCEPTION(newest_term_left_out,
                    "the newest token's value is left out of the sum, though not of the softmax: "
                    "the loop over the values ends one too early.",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        Vector weights = softmax_of(scores(q, keys));
                        weights(keys.size() - 1) = 0;
                        return mixed(weights, values);
                    });

CACHE_MISCONCEPTION(oldest_term_left_out,
                    "the first token's value is left out of the sum: the loop over the values "
                    "begins at 1.",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        Vector weights = softmax_of(scores(q, keys));
                        weights(0) = 0;
                        return mixed(weights, values);
                    });

CACHE_MISCONCEPTION(oldest_left_out,
                    "the first token is left out, of the softmax as well: a loop begins at 1.",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        if (keys.size() == 1) {
                            return Vector(xt::zeros<double>({values.front().size()}));
                        }
                        const Rows seen(keys.begin() + 1, keys.end());
                        return mixed(softmax_of(scores(q, seen)),
                                     Rows(values.begin() + 1, values.end()));
                    });

/// How many tokens fill whole groups of n; all, where they fill none.
template <std::size_t n>
std::size_t in_whole_groups(std::size_t count) {
    return count < n ? count : count / n * n;
}

template <std::size_t n>
struct KeysInGroups {
    Vector operator()(const Rows& keys, const Rows& values, const Vector& q) const {
        const auto count = static_cast<std::ptrdiff_t>(in_whole_groups<n>(keys.size()));
        return mixed(softmax_of(scores(q, Rows(keys.begin(), keys.begin() + count))), values);
    }
};

template <std::size_t n>
struct ValuesInGroups {
    Vector operator()(const Rows& keys, const Rows& values, const Vector& q) const {
        Vector weights = softmax_of(scores(q, keys));
        for (std::size_t j = in_whole_groups<n>(keys.size()); j < keys.size(); ++j) {
            weights(j) = 0;
        }
        return mixed(weights, values);
    }
};

constexpr const char* keys_of_no_group =
    "several tokens are taken at a time, and those that fill no whole group are left out: of an "
    "odd number the last, where it is two at a time. Take the rest one by one.";
CACHE_MISCONCEPTION(keys_past_pairs_lost, keys_of_no_group, KeysInGroups<2>{});
CACHE_MISCONCEPTION(keys_past_fours_lost, keys_of_no_group, KeysInGroups<4>{});
CACHE_MISCONCEPTION(keys_past_eights_lost, keys_of_no_group, KeysInGroups<8>{});

constexpr const char* values_of_no_group =
    "the values are added several at a time, and those that fill no whole group are left out of "
    "the sum, though not of the softmax. Add the rest one by one.";
CACHE_MISCONCEPTION(values_past_pairs_lost, values_of_no_group, ValuesInGroups<2>{});
CACHE_MISCONCEPTION(values_past_fours_lost, values_of_no_group, ValuesInGroups<4>{});
CACHE_MISCONCEPTION(values_past_eights_lost, values_of_no_group, ValuesInGroups<8>{});

CACHE_MISCONCEPTION(first_value_counts_twice,
                    "the first value is in the output twice: the sum begins with it, and adds all "
                    "values to that. It begins with 0.",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        return Vector(values.front() + mixed(softmax_of(scores(q, keys)), values));
                    });

CACHE_MISCONCEPTION(query_is_added,
                    "the query is added to the output. That is the residual connection, which the "
                    "block adds, and not the cache.",
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        return Vector(q + mixed(softmax_of(scores(q, keys)), values));
                    });

// ---- one key after the other, with a running maximum

/// What is summed so far shrinks at a larger score, or does not.
template <bool sum_shrinks, bool output_shrinks>
struct Running {
    Vector operator()(const Rows& keys, const Rows& values, const Vector& q) const {
        const Vector s = scores(q, keys);
        Vector output = xt::zeros<double>({values.front().size()});
        double largest = s(0), sum = 0;
        for (std::size_t j = 0; j < keys.size(); ++j) {
            const double next = std::max(largest, s(j));
            const double shrunk = std::exp(largest - next), p = std::exp(s(j) - next);
            sum = (sum_shrinks ? shrunk : 1) * sum + p;
            output = (output_shrinks ? shrunk : 1) * output + p * values[j];
            largest = next;
        }
        return output / sum;
    }
};

CACHE_MISCONCEPTION(output_does_not_shrink,
                    "when a key has a larger score than all before it, the sum shrinks and the "
                    "output does not. Both were summed with the old maximum.",
                    Running<true, false>{});
CACHE_MISCONCEPTION(sum_does_not_shrink,
                    "when a key has a larger score than all before it, the output shrinks and the "
                    "sum does not. Both were summed with the old maximum.",
                    Running<false, true>{});
CACHE_MISCONCEPTION(nothing_shrinks,
                    "each exponential is taken with the largest score so far, and what was summed "
                    "with a smaller one stays as it is. It shrinks by exp(old − new): sum and "
                    "output.",
                    Running<false, false>{});

// ---- what is kept

KEEP_MISCONCEPTION(only_the_newest_is_kept,
                   "only the newest token is kept: each takes the place of the one before. Add to "
                   "what is there (push_back).",
                   [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                       keys = {k};
                       values = {v};
                   });

KEEP_MISCONCEPTION(only_the_first_is_kept,
                   "only the first token is kept. Every one is added to what is there.",
                   [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                       if (keys.empty()) {
                           keys.push_back(k);
                           values.push_back(v);
                       }
                   });

KEEP_MISCONCEPTION(keys_and_values_exchanged,
                   "the key is kept among the values, and the value among the keys.",
                   [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                       keys.push_back(v);
                       values.push_back(k);
                   });

KEEP_MISCONCEPTION(keys_kept_as_values,
                   "the key is kept twice, as a key and as a value; v is not kept at all.",
                   [](Rows& keys, Rows& values, const Vector& k, const Vector&) {
                       keys.push_back(k);
                       values.push_back(k);
                   });

KEEP_MISCONCEPTION(values_kept_as_keys,
                   "the value is kept twice, as a key and as a value; k is not kept at all.",
                   [](Rows& keys, Rows& values, const Vector&, const Vector& v) {
                       keys.push_back(v);
                       values.push_back(v);
                   });

KEEP_MISCONCEPTION(nothing_kept,
                   "the cache is empty when it is asked: append does not add to keys_.",
                   [](Rows&, Rows&, const Vector&, const Vector&) {});

KEEP_MISCONCEPTION(
    values_the_other_way_round,
    "keys and values are counted from different ends, so each weight meets the value "
    "of another token: one is added in front, or read from the back.",
    [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
        keys.push_back(k);
        values.insert(values.begin(), v);
    });

MISCONCEPTION_IN(in_turn, attend, keys_of_zeros_not_kept,
                 "right, but for a key whose components are all 0: it is taken for padding, and "
                 "its token is not kept. Its score is 0, and it counts like any other.",
                 afterwards(
                     [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                         if (keys.empty() || !xt::all(xt::equal(k, 0.0))) {
                             keys.push_back(k);
                             values.push_back(v);
                         }
                     },
                     RightAnswer{}));

MISCONCEPTION_IN(in_turn, attend, values_of_zeros_not_kept,
                 "right, but for a value whose components are all 0: it is taken for padding, and "
                 "its token is not kept. Its key takes weight from the others all the same.",
                 afterwards(
                     [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                         if (keys.empty() || !xt::all(xt::equal(v, 0.0))) {
                             keys.push_back(k);
                             values.push_back(v);
                         }
                     },
                     RightAnswer{}));

KEEP_MISCONCEPTION(repeated_keys_dropped,
                   "right, but for a text that repeats itself: a key that is there already is not "
                   "kept again. Each token counts, and its value may be another.",
                   [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                       if (std::find(keys.begin(), keys.end(), k) == keys.end()) {
                           keys.push_back(k);
                           values.push_back(v);
                       }
                   });

MISCONCEPTION_IN(in_turn, append, repeat_of_the_newest_dropped,
                 "right, but for a text that repeats itself: a token that is equal to the one "
                 "before it is taken for the same. Each counts.",
                 in_turns(
                     [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                         if (keys.empty() || keys.back() != k) {
                             keys.push_back(k);
                             values.push_back(v);
                         }
                     },
                     RightAnswer{}));

MISCONCEPTION_IN(in_turn, append, repeated_tokens_dropped,
                 "right, but for a text that repeats itself: a token whose key and value are there "
                 "already is not kept again. Each counts.",
                 in_turns(
                     [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                         for (std::size_t j = 0; j < keys.size(); ++j) {
                             if (keys[j] == k && values[j] == v) {
                                 return;
                             }
                         }
                         keys.push_back(k);
                         values.push_back(v);
                     },
                     RightAnswer{}));

KEEP_MISCONCEPTION(repeated_keys_overwrite,
                   "right, but for a text that repeats itself: of a key that is there already the "
                   "value is overwritten. Each token is kept for itself.",
                   [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
                       const auto found = std::find(keys.begin(), keys.end(), k);
                       if (found == keys.end()) {
                           keys.push_back(k);
                           values.push_back(v);
                       } else {
                           values[static_cast<std::size_t>(found - keys.begin())] = v;
                       }
                   });

/// What is kept stands in a table, under the cache's address.
class UnderItsAddress {
public:
    void append(const Vector& k, const Vector& v) {
        if (!begun_) { // what was at this address before is another's
            table()[this] = {};
            begun_ = true;
        }
        auto& [keys, values] = table()[this];
        if (!keys.empty()) {
            lesson::require_size("append", "k", k.size(), keys.front().size());
            lesson::require_size("append", "v", v.size(), values.front().size());
        }
        keys.push_back(k);
        values.push_back(v);
    }
    Vector attend(const Vector& q) const {
        const auto& [keys, values] = table()[this];
        if (keys.empty()) {
            throw std::invalid_argument("KeyValueCache::attend: nothing has been appended yet");
        }
        lesson::require_size("attend", "q", q.size(), keys.front().size());
        return RightAnswer{}(keys, values, q);
    }

private:
    static std::map<const UnderItsAddress*, std::pair<Rows, Rows>>& table() {
        static std::map<const UnderItsAddress*, std::pair<Rows, Rows>> kept;
        return kept;
    }
    bool begun_ = false;
};

constexpr const char* under_its_address =
    "right, but where a cache is made of another: something of it stands outside, in a variable "
    "that is static or in a table, such as what is kept, under the cache's address, or the last "
    "answer, under its query and the number of tokens. A copy finds nothing there, or what belongs "
    "to another. keys_ and values_ are copied along with the cache: let every answer come of "
    "these.";
MISCONCEPTION_IN(in_turn, append, kept_under_its_address, under_its_address,
                 in_turn::append_by<UnderItsAddress>);
MISCONCEPTION_IN(in_turn, copied, kept_under_its_address, under_its_address,
                 in_turn::copied_by<UnderItsAddress>);

} // namespace
