// Wrong versions of 07.3 that are right where all inputs are variables that nothing else uses.

#include <cmath>
#include <functional>

#include "exports.hpp"

namespace misconceptions_model {

using lesson::Value;
using on_arrays::Array;
using Names = std::vector<std::string>;

using support::assigned;
using support::says_assigned;

namespace {

using AdditiveScore = std::function<Value(const Value& states, const Value& keys, const Value& v)>;
using DotProductScore = std::function<Value(const Value& states, const Value& keys)>;

auto additive_by(AdditiveScore score) {
    return [=](const Array& states, const Array& keys, const Array& v, const Array& d_scores,
               const Names& constants, bool elsewhere) -> on_arrays::AdditiveScores {
        return on_arrays::additive_in_a_model_by(score, states, keys, v, d_scores, constants,
                                                 elsewhere);
    };
}

auto dot_product_by(DotProductScore score) {
    return [=](const Array& states, const Array& keys, const Array& d_scores,
               const Names& constants, bool elsewhere) -> on_arrays::DotProductScores {
        return on_arrays::scaled_dot_product_in_a_model_by(score, states, keys, d_scores, constants,
                                                           elsewhere);
    };
}

Value right_additive(const Value& states, const Value& keys, const Value& v) {
    const Value rows = autograd::reshape(states, {states.shape(0), 1, states.shape(1)});
    return autograd::product(autograd::tanh(autograd::add(rows, keys)), v);
}

Value right_dot_product(const Value& states, const Value& keys) {
    return autograd::dot_scores(states, keys, 1 / std::sqrt(static_cast<float>(keys.shape(2))));
}

Value constant_unless(bool recorded, const Value& scores) {
    return recorded ? scores : scores.tape().constant(scores.data());
}

constexpr const char* says_states_constant =
    "where the states need no gradient, nothing is recorded at all. The other inputs may need "
    "theirs: what needs one is for the operations to ask, input by input.";

constexpr const char* says_keys_constant =
    "where the keys need no gradient, nothing is recorded at all. The other inputs may need "
    "theirs: what needs one is for the operations to ask, input by input.";

constexpr const char* says_v_constant =
    "where v needs no gradient, nothing is recorded at all, as if nobody trained. States and keys "
    "may need theirs: what needs one is for the operations to ask, input by input.";

constexpr const char* says_unless_all =
    "as soon as one of the inputs needs no gradient, nothing is recorded at all. The others still "
    "need theirs: what needs one is for the operations to ask, input by input.";

MISCONCEPTION_IN(on_arrays, additive_in_a_model, nothing_if_states_are_constant,
                 says_states_constant,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return constant_unless(states.needs_gradient(),
                                            right_additive(states, keys, v));
                 }));
MISCONCEPTION_IN(on_arrays, additive_in_a_model, nothing_if_keys_are_constant, says_keys_constant,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return constant_unless(keys.needs_gradient(), right_additive(states, keys, v));
                 }));
MISCONCEPTION_IN(on_arrays, additive_in_a_model, nothing_if_v_is_constant, says_v_constant,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return constant_unless(v.needs_gradient(), right_additive(states, keys, v));
                 }));
MISCONCEPTION_IN(on_arrays, additive_in_a_model, nothing_unless_all_are_variables, says_unless_all,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return constant_unless(states.needs_gradient() && keys.needs_gradient() &&
                                                v.needs_gradient(),
                                            right_additive(states, keys, v));
                 }));
MISCONCEPTION_IN(on_arrays, additive_in_a_model, v_alone_forgotten,
                 "where v alone needs a gradient it gets none: the operation says that it needs "
                 "one if states or keys do, and v is forgotten. Ask all three, states, keys and v.",
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return constant_unless(states.needs_gradient() || keys.needs_gradient(),
                                            right_additive(states, keys, v));
                 }));
MISCONCEPTION_IN(on_arrays, additive_in_a_model, states_assigned, says_assigned,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(assigned(states), keys, v);
                 }));
MISCONCEPTION_IN(on_arrays, additive_in_a_model, keys_assigned, says_assigned,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(states, assigned(keys), v);
                 }));
MISCONCEPTION_IN(on_arrays, additive_in_a_model, v_assigned, says_assigned,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(states, keys, assigned(v));
                 }));
MISCONCEPTION_IN(on_arrays, additive_in_a_model, all_assigned, says_assigned,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     return right_additive(assigned(states), assigned(keys), assigned(v));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product_in_a_model, dot_nothing_if_states_are_constant,
                 says_states_constant, dot_product_by([](const Value& states, const Value& keys) {
                     return constant_unless(states.needs_gradient(),
                                            right_dot_product(states, keys));
                 }));
MISCONCEPTION_IN(on_arrays, scaled_dot_product_in_a_model, dot_nothing_if_keys_are_constant,
                 says_keys_constant, dot_product_by([](const Value& states, const Value& keys) {
                     return constant_unless(keys.needs_gradient(), right_dot_product(states, keys));
                 }));
MISCONCEPTION_IN(on_arrays, scaled_dot_product_in_a_model, dot_nothing_unless_all_are_variables,
                 says_unless_all, dot_product_by([](const Value& states, const Value& keys) {
                     return constant_unless(states.needs_gradient() && keys.needs_gradient(),
                                            right_dot_product(states, keys));
                 }));
MISCONCEPTION_IN(on_arrays, scaled_dot_product_in_a_model, dot_states_assigned, says_assigned,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return right_dot_product(assigned(states), keys);
                 }));
MISCONCEPTION_IN(on_arrays, scaled_dot_product_in_a_model, dot_keys_assigned, says_assigned,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return right_dot_product(states, assigned(keys));
                 }));
MISCONCEPTION_IN(on_arrays, scaled_dot_product_in_a_model, dot_all_assigned, says_assigned,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return right_dot_product(assigned(states), assigned(keys));
                 }));

} // namespace

} // namespace misconceptions_model
