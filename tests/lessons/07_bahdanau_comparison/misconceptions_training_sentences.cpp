// More wrong versions of 07.3: sentences, keys and numbers that are mixed up or left out.

#include <cmath>
#include <functional>
#include <vector>

#include "exports.hpp"

namespace misconceptions_training_sentences {

using lesson::Value;
using on_arrays::Array;

namespace {

auto additive_by(std::function<Value(const Value& states, const Value& keys, const Value& v)> own) {
    return [=](const Array& states, const Array& keys, const Array& v,
               const Array& d_scores) -> on_arrays::AdditiveScores {
        return on_arrays::additive_by(own, states, keys, v, d_scores);
    };
}

auto dot_product_by(std::function<Value(const Value& states, const Value& keys)> own) {
    return [=](const Array& states, const Array& keys,
               const Array& d_scores) -> on_arrays::DotProductScores {
        return on_arrays::scaled_dot_product_by(own, states, keys, d_scores);
    };
}

Value rows(const Value& states) {
    return autograd::reshape(states, {states.shape(0), 1, states.shape(1)});
}

Value right_additive(const Value& states, const Value& keys, const Value& v) {
    return autograd::product(autograd::tanh(autograd::add(rows(states), keys)), v);
}

Value by_root(const Value& scores, const Value& states) {
    return autograd::scale(scores, 1 / std::sqrt(static_cast<float>(states.shape(1))));
}

Value right_dot_product(const Value& states, const Value& keys) {
    const Value columns = autograd::reshape(states, {states.shape(0), states.shape(1), 1});
    return by_root(
        autograd::reshape(autograd::batched_product(keys, columns), {keys.shape(0), keys.shape(1)}),
        states);
}

constexpr const char* says_first_keys =
    "every state is compared with the keys of the first sentence. State b meets keys b: the axis "
    "of the sentences comes first in both.";

MISCONCEPTION_IN(on_arrays, additive, keys_of_the_first_sentence, says_first_keys,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(states, autograd::slice(keys, 0, 0, 1), v);
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_keys_of_the_first_sentence, says_first_keys,
                 dot_product_by([](const Value& states, const Value& keys) {
                     const Value first = autograd::reshape(autograd::slice(keys, 0, 0, 1),
                                                           {keys.shape(1), keys.shape(2)});
                     return by_root(autograd::product_transposed(states, first), states);
                 }));

constexpr const char* says_no_choice =
    "a key that is alone has the score 0. Its weight is 1 whatever its score is, but the score is "
    "asked for, and it is computed like any other.";

Value zero_scores(const Value& states) {
    const Array zeros = xt::zeros<float>({states.shape(0), std::size_t{1}});
    return states.tape().variable(zeros);
}

MISCONCEPTION_IN(on_arrays, additive, single_key_without_a_score, says_no_choice,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return keys.shape(1) == 1 ? zero_scores(states)
                                               : right_additive(states, keys, v);
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_single_key_without_a_score, says_no_choice,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return keys.shape(1) == 1 ? zero_scores(states)
                                               : right_dot_product(states, keys);
                 }));

constexpr const char* says_no_axis =
    "where there is a single key, the axis of the keys is lost: the scores have the shape (batch). "
    "It is (batch, n_keys) for any number of keys, here (batch, 1), and needs no special case.";

Value without_the_axis_of_a_single_key(const Value& scores) {
    return scores.shape(1) == 1 ? autograd::reshape(scores, {scores.shape(0)}) : scores;
}

MISCONCEPTION_IN(on_arrays, additive, single_key_without_an_axis, says_no_axis,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return without_the_axis_of_a_single_key(right_additive(states, keys, v));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_single_key_without_an_axis, says_no_axis,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return without_the_axis_of_a_single_key(right_dot_product(states, keys));
                 }));

constexpr const char* says_gradient_of_1 =
    "the scores are right, and the gradients are those of their plain sum, as if the gradient of "
    "each score was 1: what comes back from the loss is not multiplied with. Each score has a "
    "gradient of its own. The operations of autograd/operations.hpp hand it on.";

/// The same numbers, which hand a gradient of 1 back, whatever came.
Value of_gradient_1(const Value& value) {
    return value.tape().record(value.data(), value.needs_gradient(),
                               [=](const Array&, const Array& numbers) {
                                   value.add_gradient(Array(xt::ones_like(numbers)).data());
                               });
}

MISCONCEPTION_IN(on_arrays, additive, gradient_of_the_scores_taken_for_1, says_gradient_of_1,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return of_gradient_1(right_additive(states, keys, v));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_gradient_of_the_scores_taken_for_1,
                 says_gradient_of_1, dot_product_by([](const Value& states, const Value& keys) {
                     return of_gradient_1(right_dot_product(states, keys));
                 }));

constexpr const char* says_keys_first =
    "the scores are there, but in another order: those of the first key for all sentences, then "
    "those of the second. reshape keeps the order of the numbers and is no transpose: a row is to "
    "hold the scores of one sentence. (Join (batch, 1) columns along axis 1.)";

/// Numbers of shape (batch, n_keys) as (n_keys, batch), given the shape that they had.
Value keys_first(const Value& scores) {
    std::vector<Value> columns;
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        columns.push_back(autograd::slice(scores, 1, j, j + 1));
    }
    return autograd::reshape(autograd::concatenate(columns, 0), {scores.shape(0), scores.shape(1)});
}

MISCONCEPTION_IN(on_arrays, additive, scores_key_after_key, says_keys_first,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return keys_first(right_additive(states, keys, v));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_scores_key_after_key, says_keys_first,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return keys_first(right_dot_product(states, keys));
                 }));

MISCONCEPTION_IN(on_arrays, additive, tanh_of_the_state_alone,
                 "only the state goes through tanh, and the key is added after it. The sum of both "
                 "goes inside the tanh.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(autograd::add(autograd::tanh(rows(states)), keys), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, tanh_of_the_key_alone,
                 "only the key goes through tanh, and the state is added after it. The sum of both "
                 "goes inside the tanh.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(autograd::add(rows(states), autograd::tanh(keys)), v);
                 }));

} // namespace

} // namespace misconceptions_training_sentences
