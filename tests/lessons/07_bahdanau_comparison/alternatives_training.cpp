// 07.3, made of other operations.

#include <cmath>

#include "exports.hpp"

using lesson::Value;
using on_arrays::AdditiveScores;
using on_arrays::Array;
using on_arrays::DotProductScores;

namespace {

template <class Score>
auto additive_by(Score score) {
    return [=](const Array& states, const Array& keys, const Array& v,
               const Array& d_scores) -> AdditiveScores {
        return on_arrays::additive_by(score, states, keys, v, d_scores);
    };
}

template <class Score>
auto dot_product_by(Score score) {
    return [=](const Array& states, const Array& keys, const Array& d_scores) -> DotProductScores {
        return on_arrays::scaled_dot_product_by(score, states, keys, d_scores);
    };
}

/// Each state as many times as there are keys, (batch, n_keys, d_a).
Value repeated(const Value& states, std::size_t n_keys) {
    return autograd::stack(std::vector<Value>(n_keys, states));
}

/// states_b + keys_bj.
Value sums(const Value& states, const Value& keys) {
    return autograd::add(repeated(states, keys.shape(1)), keys);
}

Value column(const Value& v) {
    return autograd::reshape(v, {v.shape(0), 1});
}

/// Part `index` along the first axis, without that axis.
Value part(const Value& value, std::size_t index) {
    autograd::Shape shape = autograd::shape_of(value.data());
    shape.erase(shape.begin());
    return autograd::reshape(autograd::slice(value, 0, index, index + 1), shape);
}

/// scores(state (d_a), keys (n_keys, d_a)) (n_keys) of one sentence after the other.
template <class Scores>
Value sentence_by_sentence(const Value& states, const Value& keys, const Scores& scores) {
    const std::size_t n_keys = keys.shape(1);
    std::vector<Value> rows;
    for (std::size_t b = 0; b < states.shape(0); ++b) {
        rows.push_back(autograd::reshape(scores(part(states, b), part(keys, b)), {1, n_keys}));
    }
    return autograd::concatenate(rows, 0);
}

float inverse_root(const Value& keys) {
    return 1 / std::sqrt(static_cast<float>(keys.shape(2)));
}

ALTERNATIVE_IN(on_arrays, additive, fused, additive_by(autograd::additive_scores<float>));
ALTERNATIVE_IN(on_arrays, additive, states_repeated,
               additive_by([](const Value& states, const Value& keys, const Value& v) {
                   return autograd::product(autograd::tanh(sums(states, keys)), v);
               }));
ALTERNATIVE_IN(on_arrays, additive, v_as_a_column,
               additive_by([](const Value& states, const Value& keys, const Value& v) {
                   const std::size_t batch = keys.shape(0), n_keys = keys.shape(1);
                   const Value hidden = autograd::tanh(sums(states, keys));
                   const Value rows = autograd::reshape(hidden, {batch * n_keys, v.shape(0)});
                   return autograd::reshape(autograd::product(rows, column(v)), {batch, n_keys});
               }));
ALTERNATIVE_IN(on_arrays, additive, sentence_by_sentence,
               additive_by([](const Value& states, const Value& keys, const Value& v) {
                   return sentence_by_sentence(
                       states, keys, [&](const Value& state, const Value& own) {
                           return autograd::product(autograd::tanh(autograd::add(own, state)), v);
                       });
               }));
ALTERNATIVE_IN(on_arrays, additive, key_by_key,
               additive_by([](const Value& states, const Value& keys, const Value& v) {
                   std::vector<Value> columns;
                   for (std::size_t j = 0; j < keys.shape(1); ++j) {
                       const Value key = autograd::reshape(autograd::slice(keys, 1, j, j + 1),
                                                           {keys.shape(0), keys.shape(2)});
                       columns.push_back(autograd::product(
                           autograd::tanh(autograd::add(states, key)), column(v)));
                   }
                   return autograd::concatenate(columns, 1);
               }));
ALTERNATIVE_IN(on_arrays, additive, tanh_by_sigmoid,
               additive_by([](const Value& states, const Value& keys, const Value& v) {
                   // tanh x = 2 σ(2x) − 1
                   const Value squashed =
                       autograd::sigmoid(autograd::scale(sums(states, keys), 2.0F));
                   const Value minus_one = v.tape().constant(Array{-1.0F});
                   const Value hidden = autograd::add(autograd::scale(squashed, 2.0F), minus_one);
                   return autograd::product(hidden, v);
               }));

ALTERNATIVE_IN(on_arrays, scaled_dot_product, fused,
               dot_product_by([](const Value& states, const Value& keys) {
                   return autograd::dot_scores(states, keys, inverse_root(keys));
               }));
ALTERNATIVE_IN(on_arrays, scaled_dot_product, states_scaled_first,
               dot_product_by([](const Value& states, const Value& keys) {
                   const Value scaled = autograd::scale(states, inverse_root(keys));
                   const std::size_t batch = keys.shape(0), d_a = keys.shape(2);
                   return autograd::reshape(
                       autograd::batched_product(keys, autograd::reshape(scaled, {batch, d_a, 1})),
                       {batch, keys.shape(1)});
               }));
ALTERNATIVE_IN(on_arrays, scaled_dot_product, both_scaled_by_the_fourth_root,
               dot_product_by([](const Value& states, const Value& keys) {
                   const float root = std::sqrt(inverse_root(keys));
                   return autograd::dot_scores(autograd::scale(states, root),
                                               autograd::scale(keys, root), 1.0F);
               }));
ALTERNATIVE_IN(on_arrays, scaled_dot_product, multiplied_and_summed,
               dot_product_by([](const Value& states, const Value& keys) {
                   const Value products = autograd::multiply(repeated(states, keys.shape(1)), keys);
                   const Value ones =
                       keys.tape().constant(Array(Array::shape_type{keys.shape(2)}, 1.0F));
                   return autograd::scale(autograd::product(products, ones), inverse_root(keys));
               }));
ALTERNATIVE_IN(on_arrays, scaled_dot_product, sentence_by_sentence,
               dot_product_by([](const Value& states, const Value& keys) {
                   const Value scores =
                       sentence_by_sentence(states, keys, [](const Value& state, const Value& own) {
                           return autograd::product(own, state);
                       });
                   return autograd::scale(scores, inverse_root(keys));
               }));

// ---- as a part of a model

ALTERNATIVE_IN(on_arrays, additive_in_a_model, fused_in_a_model,
               [](const Array& states, const Array& keys, const Array& v, const Array& d_scores,
                  const std::vector<std::string>& constants, bool elsewhere) -> AdditiveScores {
                   return on_arrays::additive_in_a_model_by(autograd::additive_scores<float>,
                                                            states, keys, v, d_scores, constants,
                                                            elsewhere);
               });
ALTERNATIVE_IN(on_arrays, scaled_dot_product_in_a_model, fused_in_a_model,
               [](const Array& states, const Array& keys, const Array& d_scores,
                  const std::vector<std::string>& constants, bool elsewhere) -> DotProductScores {
                   return on_arrays::scaled_dot_product_in_a_model_by(
                       [](const Value& s, const Value& k) {
                           return autograd::dot_scores(s, k, inverse_root(k));
                       },
                       states, keys, d_scores, constants, elsewhere);
               });

} // namespace
