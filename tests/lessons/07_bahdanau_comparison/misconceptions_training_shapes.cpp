// More wrong versions of 07.3: other shapes, other factors.

#include <cmath>
#include <functional>

#include "exports.hpp"

namespace misconceptions_training_shapes {

using lesson::Value;
using on_arrays::Array;

namespace {

using AdditiveScore = std::function<Value(const Value& states, const Value& keys, const Value& v)>;
using DotProductScore = std::function<Value(const Value& states, const Value& keys)>;

auto additive_by(AdditiveScore score) {
    return [=](const Array& states, const Array& keys, const Array& v,
               const Array& d_scores) -> on_arrays::AdditiveScores {
        return on_arrays::additive_by(score, states, keys, v, d_scores);
    };
}

auto dot_product_by(DotProductScore score) {
    return [=](const Array& states, const Array& keys,
               const Array& d_scores) -> on_arrays::DotProductScores {
        return on_arrays::scaled_dot_product_by(score, states, keys, d_scores);
    };
}

Value rows(const Value& states) {
    return autograd::reshape(states, {states.shape(0), 1, states.shape(1)});
}

Value hidden(const Value& states, const Value& keys) {
    return autograd::tanh(autograd::add(rows(states), keys));
}

/// states_b · keys_bj, of shape (batch, n_keys, 1).
Value column_of_products(const Value& states, const Value& keys) {
    return autograd::batched_product(
        keys, autograd::reshape(states, {states.shape(0), states.shape(1), 1}));
}

Value dot_products(const Value& states, const Value& keys) {
    return autograd::reshape(column_of_products(states, keys), {keys.shape(0), keys.shape(1)});
}

Value times(const Value& scores, double factor) {
    return autograd::scale(scores, static_cast<float>(factor));
}

double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

// ---- additive

MISCONCEPTION_IN(on_arrays, additive, tanh_of_the_half,
                 "tanh is taken of half the sum, as of a mean of state and key, or as 2 / (1 + "
                 "exp(−x)) − 1 comes to. They are added: tanh(x) is 2 / (1 + exp(−2x)) − 1.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(hidden(times(states, 0.5), times(keys, 0.5)), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, nothing_summed,
                 "tanh(states + keys) itself is returned, with its d_a components. v weighs and "
                 "sums them: autograd::product(…, v) makes one score of each.",
                 additive_by([](const Value& states, const Value& keys, const Value&) {
                     return hidden(states, keys);
                 }));

MISCONCEPTION_IN(on_arrays, additive, states_line_up_with_as_many_keys,
                 "where there are as many sentences as keys, the states are added to the keys as "
                 "they are. Axes are lined up from the last, so state j meets key j of every "
                 "sentence. The states need an axis of size 1 for the keys, whatever the sizes.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     const bool fits = states.shape(0) == keys.shape(1);
                     return autograd::product(
                         autograd::tanh(autograd::add(fits ? states : rows(states), keys)), v);
                 }));

constexpr const char* says_one_axis_too_many =
    "there is an axis of size 1 too many at the end, (batch, n_keys, 1). Take it away with "
    "autograd::reshape.";

MISCONCEPTION_IN(
    on_arrays, additive, axis_of_size_1, says_one_axis_too_many,
    additive_by([](const Value& states, const Value& keys, const Value& v) {
        return autograd::product(hidden(states, keys), autograd::reshape(v, {v.shape(0), 1}));
    }));

MISCONCEPTION_IN(on_arrays, additive, keys_by_batch,
                 "the scores have the shape (n_keys, batch): the sizes have changed places. A row "
                 "belongs to a sentence.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::reshape(autograd::product(hidden(states, keys), v),
                                              {keys.shape(1), keys.shape(0)});
                 }));

MISCONCEPTION_IN(on_arrays, additive, dot_products_here,
                 "these are dot products, states · keys: additive and scaled_dot_product have "
                 "changed places, or one was copied. Additive scores are v · tanh(states + keys).",
                 additive_by([](const Value& states, const Value& keys, const Value&) {
                     return times(dot_products(states, keys), 1 / root(keys.shape(2)));
                 }));

MISCONCEPTION_IN(on_arrays, additive, dot_products_not_scaled_here,
                 "these are dot products, states · keys: additive and scaled_dot_product have "
                 "changed places, or one was copied. Additive scores are v · tanh(states + keys).",
                 additive_by([](const Value& states, const Value& keys, const Value&) {
                     return dot_products(states, keys);
                 }));

MISCONCEPTION_IN(on_arrays, additive, key_minus_state,
                 "the state is subtracted from the key. In the additive score they are added.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(
                         autograd::tanh(autograd::add(times(rows(states), -1), keys)), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, tanh_twice,
                 "tanh is taken twice. Once is asked for, of the sum of state and key.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(autograd::tanh(hidden(states, keys)), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, tanh_of_the_scores,
                 "the scores go through tanh once more, after v. They may be of any size; only the "
                 "sum of state and key is squashed.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::tanh(autograd::product(hidden(states, keys), v));
                 }));

MISCONCEPTION_IN(on_arrays, additive, state_added_twice,
                 "the state is added twice. tanh is of states_b + keys_bj.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return autograd::product(
                         autograd::tanh(autograd::add(times(rows(states), 2), keys)), v);
                 }));

MISCONCEPTION_IN(on_arrays, additive, all_zero,
                 "every score is 0, whatever the states and keys are.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return times(autograd::product(hidden(states, keys), v), 0);
                 }));

// ---- scaled_dot_product

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_axis_of_size_1, says_one_axis_too_many,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return times(column_of_products(states, keys), 1 / root(keys.shape(2)));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_keys_by_batch,
                 "the scores have the shape (n_keys, batch): the sizes have changed places. A row "
                 "belongs to a sentence.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return times(autograd::reshape(dot_products(states, keys),
                                                    {keys.shape(1), keys.shape(0)}),
                                  1 / root(keys.shape(2)));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, sign_of_the_factor,
                 "the scores have the wrong sign: what is alike gets the lowest score. The factor "
                 "is 1/√d_a.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return times(dot_products(states, keys), -1 / root(keys.shape(2)));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, factor_of_zero,
                 "every score is 0, or nearly all are: the factor is computed in whole numbers, "
                 "where 1 / 2 is 0. Write 1 / std::sqrt(static_cast<float>(d_a)).",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return times(dot_products(states, keys), keys.shape(2) > 3 ? 0 : 1);
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, one_over_d_a_in_whole_numbers,
                 "every score is 0, or nearly all are: the factor is computed in whole numbers, "
                 "where 1 / 2 is 0. Write 1 / std::sqrt(static_cast<float>(d_a)).",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return times(dot_products(states, keys), keys.shape(2) > 1 ? 0 : 1);
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, root_of_all_components,
                 "the scores are divided by the root of all components of all states together, "
                 "batch · d_a. A score sums d_a products.",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return times(dot_products(states, keys), 1 / root(states.data().size()));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, state_and_key_not_transposed,
                 "the product is that of states (batch, 1, d_a) with keys (batch, n_keys, d_a), "
                 "whose inner sizes differ. Put the keys first: keys · state as a column, "
                 "(batch, d_a, 1).",
                 dot_product_by([](const Value& states, const Value& keys) {
                     return autograd::reshape(autograd::batched_product(rows(states), keys),
                                              {keys.shape(0), keys.shape(1)});
                 }));

} // namespace

} // namespace misconceptions_training_shapes
