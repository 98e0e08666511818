#pragma once

// An operation on a tape as a part of a model: with constants among its inputs, and inputs that are
// used elsewhere.

#include <algorithm>
#include <string>
#include <vector>

#include "autograd/operations.hpp"

namespace support {

/// constants says which of the inputs need no gradient (and are told to have one of 0). elsewhere:
/// each input is the result of an operation, is used before and after the call, and in two calls,
/// the second of which has −½ times the first input; the result is then the sum of both calls'.
/// Backwards goes Σ result ∘ d_result, and what is elsewhere.
template <class Call> // call(inputs): the result
autograd::Array<float> in_a_model(const Call& call, const std::vector<std::string>& names,
                                  const std::vector<autograd::Array<float>>& arrays,
                                  const autograd::Array<float>& d_result,
                                  const std::vector<std::string>& constants, bool elsewhere,
                                  std::vector<autograd::Array<float>>& gradients) {
    using autograd::Value;
    autograd::Tape tape;
    std::vector<Value> inputs, values, losses;
    const auto used_elsewhere = [&](float factor) {
        for (const Value& value : values) {
            losses.push_back(autograd::sum(autograd::scale(value, factor)));
        }
    };
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const bool constant =
            std::find(constants.begin(), constants.end(), names[i]) != constants.end();
        inputs.push_back(constant ? tape.constant(arrays[i]) : tape.variable(arrays[i]));
        values.push_back(elsewhere ? autograd::scale(inputs.back(), 1.0F) : inputs.back());
    }
    if (elsewhere) {
        used_elsewhere(3);
    }
    Value result = call(values);
    if (elsewhere) {
        std::vector<Value> others = values;
        others[0] = autograd::scale(values[0], -0.5F);
        const Value second = call(others);
        if (!result.exists() || !second.exists() ||
            autograd::shape_of(result.data()) != autograd::shape_of(second.data())) {
            return {};
        }
        result = autograd::add(result, second);
        used_elsewhere(5);
    }
    if (result.exists() && autograd::shape_of(result.data()) == autograd::shape_of(d_result)) {
        Value loss = autograd::sum(autograd::multiply(result, tape.constant(d_result)));
        for (const Value& other : losses) {
            loss = autograd::add(loss, other);
        }
        tape.backward(loss);
    }
    for (const Value& input : inputs) {
        gradients.push_back(input.needs_gradient()
                                ? input.gradient()
                                : autograd::Array<float>(xt::zeros_like(input.data())));
    }
    return result.exists() ? result.data() : autograd::Array<float>();
}

/// What it says of the input of this name, whose gradients by the two calls are first and second:
/// constants have a gradient of 0, and all others one of 3 + 5 from elsewhere. factor: −½ for the
/// first input, 1 for the others.
inline autograd::Array<float>
gradient_in_a_model(const std::string& name, const autograd::Array<float>& first,
                    const autograd::Array<float>& second, float factor,
                    const std::vector<std::string>& constants, bool elsewhere) {
    if (std::find(constants.begin(), constants.end(), name) != constants.end()) {
        return xt::zeros_like(first);
    }
    return elsewhere ? autograd::Array<float>(first + factor * second + 8.0F) : first;
}

// ---- What misconceptions are made of.

/// The same numbers; the gradient that comes back takes the place of what was gathered before.
inline autograd::Value assigned(const autograd::Value& value) {
    using Array = autograd::Array<float>;
    return value.tape().record(
        value.data(), value.needs_gradient(),
        [=](const Array& dy, const Array&) { value.gradient_accumulator() = dy; });
}

inline constexpr const char* says_assigned =
    "a gradient is assigned (=) where it has to be added (+=). An input may be used by another "
    "call or operation as well, and what comes back from there is lost. The operations of "
    "autograd/operations.hpp add.";

} // namespace support
