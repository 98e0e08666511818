#pragma once

// Operations on a tape, called with arrays.

#include <vector>

#include "autograd/operations.hpp"

namespace support {

/// What call(inputs) returns, then the gradient of Σ result ∘ d_result by each input. Each input
/// is the result of an operation, and is used before the call and after it as well. What comes
/// back from there, 1 each, is taken off again: only a gradient that was added is right.
template <class Call>
std::vector<autograd::Array<float>> in_a_model(const Call& call,
                                               const std::vector<autograd::Array<float>>& arrays,
                                               const autograd::Array<float>& d_result) {
    using autograd::Value;
    autograd::Tape tape;
    std::vector<Value> variables, inputs, losses;
    for (const auto& array : arrays) {
        variables.push_back(tape.variable(array));
        inputs.push_back(autograd::scale(variables.back(), 1.0F));
        losses.push_back(autograd::sum(inputs.back()));
    }
    const Value result = call(inputs);
    for (const Value& input : inputs) {
        losses.push_back(autograd::sum(input));
    }
    // A result on no tape, or of another shape, has no gradients.
    if (result.exists() && autograd::shape_of(result.data()) == autograd::shape_of(d_result)) {
        losses.push_back(autograd::sum(autograd::multiply(result, tape.constant(d_result))));
    }
    Value loss = losses.front();
    for (std::size_t i = 1; i < losses.size(); ++i) {
        loss = autograd::add(loss, losses[i]);
    }
    tape.backward(loss);
    std::vector<autograd::Array<float>> all{result.exists() ? result.data()
                                                            : autograd::Array<float>()};
    for (const Value& variable : variables) {
        all.emplace_back(variable.gradient() - 2.0F);
    }
    return all;
}

/// For mistakes: the same numbers, but the gradient that comes back replaces what was there.
inline autograd::Value assigned(const autograd::Value& value) {
    using Array = autograd::Array<float>;
    return value.tape().record(
        value.data(), value.needs_gradient(),
        [=](const Array& dy, const Array&) { value.gradient_accumulator() = dy; });
}

} // namespace support
