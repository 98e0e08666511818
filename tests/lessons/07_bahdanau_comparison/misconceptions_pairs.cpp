// More wrong versions of 07.1 and 07.2's additive_scores_from: both can go wrong in each of these
// ways.

#include "wrong.hpp"

namespace misconceptions_pairs {

using namespace wrong;

namespace {

/// From both sides projected, as they should be, to the scores.
using FromProjected =
    std::function<Matrix(const Matrix& queries, const Matrix& keys, const Vector& v)>;

auto at_once(FromProjected score) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
        lesson::require_equal("a misconception", "d_a", "W_h", W_h, 1, "v", v, 0);
        return score(matmul(S, W_s), matmul(H, W_h), v);
    };
}

auto from_keys(FromProjected score) {
    return [=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_a", "keys", keys, 1, "W_s", W_s, 1);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "v", v, 0);
        return score(matmul(S, W_s), keys, v);
    };
}

#define IN_BOTH(name, explanation, ...)                                                            \
    MISCONCEPTION(additive_scores, name, explanation, at_once(__VA_ARGS__));                       \
    MISCONCEPTION(additive_scores_from, name##_from, explanation, from_keys(__VA_ARGS__))

FromProjected pairwise(PairScore score) {
    return [=](const Matrix& queries, const Matrix& keys, const Vector& v) {
        return each_pair(queries, keys, v, score);
    };
}

/// The right score of components first … last − 1.
PairScore of_components(std::size_t first, std::size_t last) {
    return [=](const Vector& q, const Vector& k, const Vector& v) {
        double sum = 0;
        for (std::size_t a = first; a < std::min(last, v.size()); ++a) {
            sum += v(a) * std::tanh(q(a) + k(a));
        }
        return sum;
    };
}

IN_BOTH(first_component_left_out,
        "the sum over the components begins at the second: the first is left out. Indices begin "
        "at 0.",
        pairwise(of_components(1, 1000000)));

IN_BOTH(keys_of_zeros_left_out,
        "a key whose components are all 0 gets a score of 0, as if it was padding. It is a key "
        "like any other: tanh(q + 0) is not 0.",
        pairwise([](const Vector& q, const Vector& k, const Vector& v) {
            return xt::all(xt::equal(k, 0.0)) ? 0 : right_score(q, k, v);
        }));

IN_BOTH(keys_end_at_one_of_zeros,
        "a key whose components are all 0 is taken for the beginning of the padding: its scores "
        "and those of all keys after it stay 0. It is a key like any other: tanh(q + 0) is not 0.",
        [](const Matrix& queries, const Matrix& keys, const Vector& v) -> Matrix {
            Matrix scores = each_pair(queries, keys, v, right_score);
            bool padding = false;
            for (std::size_t j = 0; j < keys.shape(0); ++j) {
                padding = padding || xt::all(xt::equal(row(keys, j), 0.0));
                xt::view(scores, xt::all(), j) *= padding ? 0 : 1;
            }
            return scores;
        });

IN_BOTH(weighed_dot_product,
        "state and key are multiplied component by component, and the products weighed by v. Here "
        "the two are added, squashed by tanh, and then weighed.",
        pairwise(sum_of([](double q, double k, double v) { return v * q * k; })));

IN_BOTH(state_times_squashed_key,
        "the key alone goes through tanh, and is then multiplied by the state. Here the two are "
        "added first, and the sum goes through tanh.",
        pairwise(sum_of([](double q, double k, double v) { return v * q * std::tanh(k); })));

IN_BOTH(key_times_squashed_state,
        "the state alone goes through tanh, and is then multiplied by the key. Here the two are "
        "added first, and the sum goes through tanh.",
        pairwise(sum_of([](double q, double k, double v) { return v * k * std::tanh(q); })));

IN_BOTH(tanh_by_two_exponentials, says_by_exponentials,
        pairwise(sum_of([](double q, double k, double v) {
            const double both = std::exp(2 * q) * std::exp(2 * k);
            return v * (both - 1) / (both + 1);
        })));

IN_BOTH(tanh_by_two_exponentials_below,
        "tanh is computed from the product of two exponentials, exp(2q) · exp(2k). Where one side "
        "is far out that is ∞, and with the other far out on the opposite side ∞ · 0, which is "
        "NaN. Add q and k, and take std::tanh of the sum.",
        pairwise(sum_of([](double q, double k, double v) {
            return v * (1 - 2 / (std::exp(2 * q) * std::exp(2 * k) + 1));
        })));

IN_BOTH(tanh_by_the_addition_theorem,
        "tanh(q + k) is computed from tanh q and tanh k, as (tanh q + tanh k) / (1 + tanh q tanh "
        "k). Where both are far out, and on opposite sides, what is subtracted there is nearly "
        "equal: digits are lost, and 0/0 is NaN. Add q and k, and take one tanh of the sum.",
        pairwise(sum_of([](double q, double k, double v) {
            const double of_q = std::tanh(q), of_k = std::tanh(k);
            return v * (of_q + of_k) / (1 + of_q * of_k);
        })));

IN_BOTH(components_beyond_64_left_out,
        "the sum ends at 64 components. There may be any number of them: v.size().",
        pairwise(of_components(0, 64)));

MISCONCEPTION(
    additive_scores, components_counted_to_d_s,
    "the sum runs over d_s components, the rows of W_s. What was projected has d_a of them, "
    "its columns: v.size().",
    [](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h, const Vector& v) {
        const std::size_t count = std::min(W_s.shape(0), v.size());
        return at_once(pairwise(of_components(0, count)))(S, H, W_s, W_h, v);
    });

constexpr const char* lost_components =
    "the sum goes in blocks, and the components that are left over where d_a is no multiple of a "
    "block are lost. Add a loop for the rest.";

PairScore in_whole_blocks_of(std::size_t size) {
    return [=](const Vector& q, const Vector& k, const Vector& v) {
        return of_components(0, v.size() / size * size)(q, k, v);
    };
}

/// The rest is seen to only where there is no whole block.
PairScore in_blocks_or_a_rest_of(std::size_t size) {
    return [=](const Vector& q, const Vector& k, const Vector& v) {
        return of_components(0, v.size() < size ? v.size() : v.size() / size * size)(q, k, v);
    };
}

IN_BOTH(components_past_blocks_of_2_lost, lost_components, pairwise(in_whole_blocks_of(2)));
IN_BOTH(components_past_blocks_of_4_lost, lost_components, pairwise(in_whole_blocks_of(4)));
IN_BOTH(components_past_blocks_of_8_lost, lost_components, pairwise(in_whole_blocks_of(8)));
IN_BOTH(components_past_4_in_blocks_lost, lost_components, pairwise(in_blocks_or_a_rest_of(4)));
IN_BOTH(components_past_8_in_blocks_lost, lost_components, pairwise(in_blocks_or_a_rest_of(8)));

IN_BOTH(state_squashed_first,
        "tanh is taken of the state before the key is added, and then once more of the sum. The "
        "sum is squashed, once.",
        pairwise(sum_of([](double q, double k, double v) {
            return v * std::tanh(std::tanh(q) + k);
        })));

MISCONCEPTION(additive_scores, key_squashed_first,
              "tanh is taken of the key before the state is added, and then once more of the sum. "
              "The sum is squashed, once.",
              at_once(pairwise(sum_of([](double q, double k, double v) {
                  return v * std::tanh(q + std::tanh(k));
              }))));

IN_BOTH(state_added_after_tanh,
        "tanh is taken of the key alone, and the state added to what comes out. v · (q + tanh k) "
        "falls apart, and the state's part is the same for every key: after the softmax it has no "
        "say. The sum goes inside the tanh.",
        pairwise(sum_of([](double q, double k, double v) { return v * (q + std::tanh(k)); })));

IN_BOTH(rational_tanh,
        "this takes x (27 + x²) / (27 + 9 x²), a fast approximation of tanh that is right to two "
        "digits. std::tanh is exact.",
        pairwise(sum_of([](double q, double k, double v) {
            const double x = std::clamp(q + k, -3.0, 3.0);
            return v * x * (27 + x * x) / (27 + 9 * x * x);
        })));

IN_BOTH(tanh_by_one_exponential, says_by_exponentials,
        pairwise(sum_of([](double q, double k, double v) {
            const double up = std::exp(2 * (q + k));
            return v * ((up - 1) / (up + 1));
        })));

IN_BOTH(key_minus_state,
        "the state is subtracted from the key inside the tanh. In the additive score they are "
        "added; that is where its name comes from.",
        pairwise(sum_of([](double q, double k, double v) { return v * std::tanh(k - q); })));

IN_BOTH(first_weight_for_all,
        "every component is weighed with the first element of v. Each has its own: v(a).",
        pairwise([](const Vector& q, const Vector& k, const Vector& v) {
            return without_v(q, k, v) * v(0);
        }));

IN_BOTH(tangent, "this takes the tangent, std::tan. It is the hyperbolic one, std::tanh.",
        pairwise(sum_of([](double q, double k, double v) { return v * std::tan(q + k); })));

IN_BOTH(only_one_row,
        "there is one row of scores, that of the first state. Each state asks, and makes a row.",
        [](const Matrix& queries, const Matrix& keys, const Vector& v) -> Matrix {
            return xt::view(each_pair(queries, keys, v, right_score), xt::range(0, 1));
        });

IN_BOTH(last_state_everywhere,
        "every row has the scores of the last state. Each of the states asks by itself: a row of S "
        "makes a row of scores.",
        [](const Matrix& queries, const Matrix& keys, const Vector& v) -> Matrix {
            const Matrix right = each_pair(queries, keys, v, right_score);
            Matrix scores = right;
            for (std::size_t i = 0; i < scores.shape(0); ++i) {
                xt::view(scores, i, xt::all()) = row(right, right.shape(0) - 1);
            }
            return scores;
        });

IN_BOTH(keys_by_state,
        "the key is taken from row i, which is the state's number. State i meets key j: each row "
        "has one score throughout here, and where there are more states than keys there is no "
        "row i.",
        [](const Matrix& queries, const Matrix& keys, const Vector& v) -> Matrix {
            if (queries.shape(0) > keys.shape(0)) {
                throw std::runtime_error("out of range");
            }
            const Matrix right = each_pair(queries, keys, v, right_score);
            Matrix scores = right;
            for (std::size_t i = 0; i < scores.shape(0); ++i) {
                xt::view(scores, i, xt::all()) = right(i, i);
            }
            return scores;
        });

IN_BOTH(as_many_keys_as_states,
        "the loop over the keys ends at n_queries: the scores of further keys stay 0. There are "
        "n_keys of them.",
        [](const Matrix& queries, const Matrix& keys, const Vector& v) -> Matrix {
            Matrix scores = each_pair(queries, keys, v, right_score);
            for (std::size_t j = queries.shape(0); j < keys.shape(0); ++j) {
                xt::view(scores, xt::all(), j) = 0;
            }
            return scores;
        });

IN_BOTH(state_close_to_the_one_before,
        "a state that xt::allclose takes for the one before it gets the same scores. Close is not "
        "equal: its five digits leave differences that count.",
        [](const Matrix& queries, const Matrix& keys, const Vector& v) {
            Matrix kept = queries;
            for (std::size_t i = 1; i < queries.shape(0); ++i) {
                if (xt::allclose(wrong::row(queries, i), wrong::row(queries, i - 1))) {
                    xt::view(kept, i, xt::all()) = wrong::row(kept, i - 1);
                }
            }
            return each_pair(kept, keys, v, right_score);
        });

MISCONCEPTION(additive_scores_from, sigmoid_in_place_of_tanh_from,
              "a sigmoid is in the place of tanh: its values lie between 0 and 1, and no component "
              "can speak against a key.",
              from_keys(pairwise(sum_of([](double q, double k, double v) {
                  return v / (1 + std::exp(-q - k));
              }))));

MISCONCEPTION(additive_scores_from, relu_in_place_of_tanh_from,
              "negative components are cut off at 0 (ReLU), and positive ones are not squashed. "
              "This score takes tanh.",
              from_keys(pairwise(sum_of([](double q, double k, double v) {
                  return v * std::max(0.0, q + k);
              }))));

MISCONCEPTION(additive_scores_from, state_for_key,
              "the state is added to itself: the projected keys are not used.",
              from_keys(pairwise(sum_of([](double q, double, double v) {
                  return v * std::tanh(q + q);
              }))));

MISCONCEPTION(project_keys, weights_as_they_are,
              "W_h is returned as it is. Keys are H · W_h, a row for each row of H.",
              [](const Matrix& H, const Matrix& W_h) -> Matrix {
                  lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
                  return W_h;
              });

} // namespace

} // namespace misconceptions_pairs
