// Wrong versions of 07.3. Some have the right scores, and gradients that train nothing.

#include <cmath>
#include <functional>

#include "exports.hpp"

namespace misconceptions_training {

using lesson::Value;
using on_arrays::AdditiveScores;
using on_arrays::Array;
using on_arrays::DotProductScores;

namespace {

using AdditiveScore = std::function<Value(const Value& states, const Value& keys, const Value& v)>;
using DotProductScore = std::function<Value(const Value& states, const Value& keys)>;

auto additive_by(AdditiveScore score) {
    return [=](const Array& states, const Array& keys, const Array& v,
               const Array& d_scores) -> AdditiveScores {
        return on_arrays::additive_by(score, states, keys, v, d_scores);
    };
}

auto dot_product_by(DotProductScore score) {
    return [=](const Array& states, const Array& keys, const Array& d_scores) -> DotProductScores {
        return on_arrays::scaled_dot_product_by(score, states, keys, d_scores);
    };
}

/// The same numbers, through which no gradient flows back.
Value detached(const Value& value) {
    return value.tape().constant(value.data());
}

Value filled(const Value& like, float number) {
    return like.tape().constant(number * xt::ones_like(like.data()));
}

Value rows(const Value& states) {
    return autograd::reshape(states, {states.shape(0), 1, states.shape(1)});
}

/// states_b + keys_bj, of shape (batch, n_keys, d_a).
Value sums(const Value& states, const Value& keys) {
    return autograd::add(rows(states), keys);
}

Value right_additive(const Value& states, const Value& keys, const Value& v) {
    return autograd::product(autograd::tanh(sums(states, keys)), v);
}

/// v in every place of `like`, (batch, n_keys, d_a).
Value everywhere(const Value& v, const Value& like) {
    return autograd::add(filled(like, 0), v);
}

/// states_b · keys_bj.
Value dot_products(const Value& states, const Value& keys) {
    const std::size_t batch = keys.shape(0), n_keys = keys.shape(1), d_a = keys.shape(2);
    return autograd::reshape(
        autograd::batched_product(keys, autograd::reshape(states, {batch, d_a, 1})),
        {batch, n_keys});
}

Value divided(const Value& scores, float divisor) {
    return autograd::scale(scores, 1 / divisor);
}

float root_d_a(const Value& keys) {
    return std::sqrt(static_cast<float>(keys.shape(2)));
}

Value right_dot_product(const Value& states, const Value& keys) {
    return divided(dot_products(states, keys), root_d_a(keys));
}

Value softmax(const Value& scores) {
    return autograd::masked_softmax(scores,
                                    std::vector<std::size_t>(scores.shape(0), scores.shape(1)));
}

/// The first sentence's state in place of all.
Value first_state(const Value& states) {
    const Value first = autograd::slice(states, 0, 0, 1);
    return autograd::concatenate(std::vector<Value>(states.shape(0), first), 0);
}

// ---- what the two scores can have in common

constexpr const char* says_states_detached =
    "the scores are right, but no gradient flows back to the states: their numbers were taken from "
    "the tape (data()) and put back as a constant. The decoder that makes the states would never "
    "learn to ask. Let values pass from one operation to the next.";

constexpr const char* says_keys_detached =
    "the scores are right, but no gradient flows back to the keys: their numbers were taken from "
    "the tape (data()) and put back as a constant. The encoder would never learn from where "
    "attention looks. Let values pass from one operation to the next.";

constexpr const char* says_off_the_tape =
    "the scores are right, but computed outside the tape, from the numbers in data(). The tape has "
    "no note of how they came about, so every gradient is 0 and nothing is trained. Build them of "
    "the operations of autograd/operations.hpp.";

constexpr const char* says_first_state =
    "all sentences of the batch are asked with the state of the first. Sentence b has a state of "
    "its own, states_b, that meets the keys of that sentence alone.";

constexpr const char* says_softmax =
    "these are weights: the softmax has already been taken, and every row sums to 1. The model "
    "takes it after this, where it leaves out the padding.";

// ---- additive

MISCONCEPTION_IN(on_arrays, additive, v_detached,
                 "the scores are right, but v has no gradient: its numbers entered as a constant. "
                 "v would stay for ever as it was at the start, and it is the only parameter that "
                 "this score has of its own.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(states, keys, detached(v));
                 }));

MISCONCEPTION_IN(on_arrays, additive, states_detached, says_states_detached,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(detached(states), keys, v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, keys_detached, says_keys_detached,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(states, detached(keys), v);
                 }));

MISCONCEPTION_IN(
    on_arrays, additive, hidden_detached,
    "the scores are right, and v has its gradient, but none gets beyond the tanh: what "
    "came out of it was put on the tape as a constant. States and keys would never "
    "learn. Let values pass from one operation to the next.",
    additive_by([](const Value& states, const Value& keys, const Value& v) {
        return autograd::product(detached(autograd::tanh(sums(states, keys))), v);
    }));

MISCONCEPTION_IN(on_arrays, additive, off_the_tape, says_off_the_tape,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return detached(right_additive(states, keys, v));
                 }));

MISCONCEPTION_IN(on_arrays, additive, state_of_the_first_sentence, says_first_state,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(first_state(states), keys, v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, states_line_up_with_keys,
                 "states (batch, d_a) and keys (batch, n_keys, d_a) are added as they are. Axes "
                 "are lined up from the last, so state j meets key j of every sentence, where that "
                 "runs at all. The states need an axis of size 1 for the keys.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(autograd::tanh(autograd::add(states, keys)), v);
                 }));

MISCONCEPTION_IN(
    on_arrays, additive, state_as_a_column,
    "the states are given the shape (batch, d_a, 1), a column each, and added to keys "
    "(batch, n_keys, d_a). Their components then line up with the keys' axis: "
    "component j of the state is added to every component of key j, where that runs "
    "at all. A row for all keys has the shape (batch, 1, d_a).",
    additive_by([](const Value& states, const Value& keys, const Value& v) {
        const Value columns = autograd::reshape(states, {states.shape(0), states.shape(1), 1});
        return autograd::product(autograd::tanh(autograd::add(columns, keys)), v);
    }));

MISCONCEPTION_IN(on_arrays, additive, tanh_of_each,
                 "state and key are squashed one by one, and added afterwards. What the state adds "
                 "is then the same for every key, and the softmax takes it away again. The sum "
                 "goes inside the tanh.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(sums(autograd::tanh(states), autograd::tanh(keys)),
                                              v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, tanh_missing,
                 "the tanh is missing. Without it v · (s + k) = v · s + v · k, and v · s is the "
                 "same for every key: after the softmax the state has no say.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(sums(states, keys), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, v_before_tanh,
                 "v is applied before the tanh, so that one number a key is squashed. Each "
                 "component goes through tanh by itself, and v weighs what comes out.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::tanh(autograd::product(sums(states, keys), v));
                 }));

MISCONCEPTION_IN(on_arrays, additive, v_inside_tanh,
                 "each component is multiplied by its v before the tanh, not after. v is to weigh "
                 "what comes out of the tanh.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     const Value inside = sums(states, keys);
                     const Value squashed =
                         autograd::tanh(autograd::multiply(inside, everywhere(v, inside)));
                     return autograd::product(squashed, filled(v, 1));
                 }));

MISCONCEPTION_IN(on_arrays, additive, without_v,
                 "v is left out, and has no gradient: the tanh of every component counts alike. v "
                 "says how much each is worth.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(states, keys, filled(v, 1));
                 }));

MISCONCEPTION_IN(on_arrays, additive, v_added,
                 "v is added to the tanh, not multiplied with it. It is then the same for every "
                 "key, and the softmax takes it away.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     const Value hidden = autograd::tanh(sums(states, keys));
                     return autograd::product(autograd::add(hidden, v), filled(v, 1));
                 }));

MISCONCEPTION_IN(on_arrays, additive, product_inside_tanh,
                 "state and key are multiplied component by component inside the tanh. In the "
                 "additive score they are added.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     const Value queries = autograd::add(filled(keys, 0), rows(states));
                     return autograd::product(autograd::tanh(autograd::multiply(queries, keys)), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, sigmoid_in_place_of_tanh,
                 "the components are squashed by the sigmoid, which lies between 0 and 1. tanh "
                 "lies between −1 and 1, and is 0 at 0.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(autograd::sigmoid(sums(states, keys)), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, scaled_like_the_dot_product,
                 "the scores are divided by √d_a. That belongs to the dot product; here tanh keeps "
                 "every term within ±v.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return divided(right_additive(states, keys, v), root_d_a(keys));
                 }));

MISCONCEPTION_IN(on_arrays, additive, softmax_already_applied, says_softmax,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return softmax(right_additive(states, keys, v));
                 }));

// ---- scaled_dot_product

MISCONCEPTION_IN(on_arrays, scaled_dot_product, not_scaled,
                 "these are the dot products as they are: 1/√d_a is missing. Without it the scores "
                 "spread more the larger d_a is, and the softmax saturates before training has "
                 "begun.",
                 dot_product_by(dot_products));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, scaled_by_n_keys,
                 "the scores are divided by √n_keys. What makes a dot product large is how many "
                 "components it sums, d_a, not how many keys there are.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return divided(dot_products(states, keys),
                                    std::sqrt(static_cast<float>(keys.shape(1))));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, scaled_by_batch,
                 "the scores are divided by √batch: the root of the first size, where that of the "
                 "last is meant. How many sentences are trained at once must not change a score.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return divided(dot_products(states, keys),
                                    std::sqrt(static_cast<float>(keys.shape(0))));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, scaled_by_d_a,
                 "the scores are divided by d_a, not by its root. The variance of a sum of d_a "
                 "products grows as d_a, its spread as √d_a.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return divided(dot_products(states, keys), static_cast<float>(keys.shape(2)));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, multiplied_by_the_root,
                 "the scores are multiplied by √d_a, not divided by it.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return autograd::scale(dot_products(states, keys), root_d_a(keys));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_states_detached, says_states_detached,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return right_dot_product(detached(states), keys);
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_keys_detached, says_keys_detached,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return right_dot_product(states, detached(keys));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_off_the_tape, says_off_the_tape,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return detached(right_dot_product(states, keys));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_state_of_the_first_sentence, says_first_state,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return right_dot_product(first_state(states), keys);
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, keys_reshaped_for_transposed,
                 "the keys are given the shape (batch, d_a, n_keys) by reshape, which keeps all "
                 "elements in their order: components of different keys get mixed. reshape is no "
                 "transpose. Put the keys first in the product, and they can stay as they are.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     const std::size_t batch = keys.shape(0), n_keys = keys.shape(1);
                     const Value columns = autograd::reshape(keys, {batch, keys.shape(2), n_keys});
                     const Value products = autograd::batched_product(rows(states), columns);
                     return divided(autograd::reshape(products, {batch, n_keys}), root_d_a(keys));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, squashed,
                 "the scores go through tanh. That is part of the additive score; a dot product is "
                 "only scaled.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return autograd::tanh(right_dot_product(states, keys));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_softmax_already_applied, says_softmax,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return softmax(right_dot_product(states, keys));
                 }));

// ---- forwards right, backwards not

constexpr const char* says_backward_inside =
    "backward() is called inside the function. It belongs to the training loop, once, on the loss "
    "that comes of these scores later. Here the scores are only built; the tape keeps the rest.";

Value after_backward(const Value& scores) {
    scores.tape().backward(autograd::sum(scores));
    return scores;
}

MISCONCEPTION_IN(on_arrays, additive, backward_inside, says_backward_inside,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return after_backward(right_additive(states, keys, v));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_backward_inside, says_backward_inside,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return after_backward(right_dot_product(states, keys));
                 }));

/// The data of one, the gradient of the other.
Value looks_like(const Value& shown, const Value& trained) {
    return autograd::add(detached(autograd::add(shown, autograd::scale(trained, -1))), trained);
}

MISCONCEPTION_IN(on_arrays, scaled_dot_product, gradient_not_scaled,
                 "the scores are scaled, but the gradients are not: the factor 1/√d_a has been put "
                 "on the numbers and not on the tape. Scale by autograd::scale, which does both.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return looks_like(right_dot_product(states, keys), dot_products(states, keys));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, root_in_whole_numbers,
                 "the root of d_a is kept in a whole number, which drops its fraction: √5 becomes "
                 "2. Keep it in a float.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return divided(dot_products(states, keys), std::floor(root_d_a(keys)));
                 }));

MISCONCEPTION_IN(
    on_arrays, scaled_dot_product, factor_in_whole_numbers,
    "every score is 0: a factor of 1 / √d_a in whole numbers is 0 (or 1/d_a is, before "
    "its root is taken). Divide 1.0F.",
    dot_product_by([](const Value& states, const Value& keys) {
        return autograd::scale(dot_products(states, keys), 0);
    }));

MISCONCEPTION_IN(on_arrays, additive, mean_over_components,
                 "the components are averaged: the sum is divided by d_a. v · tanh(…) is a plain "
                 "sum, and v can learn to be small where that is needed.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return divided(right_additive(states, keys, v),
                                    static_cast<float>(keys.shape(2)));
                 }));

MISCONCEPTION_IN(on_arrays, additive, states_left_out,
                 "the states are left out: v · tanh(keys), and no gradient reaches them. They are "
                 "added to the keys inside the tanh.",
                 additive_by([](const Value&, const Value& keys, const Value& v) {
                     return autograd::product(autograd::tanh(keys), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, keys_subtracted,
                 "state and key are subtracted inside the tanh. The two are added.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(states, autograd::scale(keys, -1), v);
                 }));

} // namespace

} // namespace misconceptions_training
