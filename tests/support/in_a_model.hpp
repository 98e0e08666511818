#pragma once

// Operations on a tape, called with arrays.

#include <vector>

#include "autograd/operations.hpp"

namespace support {

/// What call(inputs) returns, then the gradient of Σ result ∘ d_result by each input.
template <class Call>
std::vector<autograd::Array<float>> in_a_model(const Call& call,
                                               const std::vector<autograd::Array<float>>& arrays,
                                               const autograd::Array<float>& d_result) {
    autograd::Tape tape;
    std::vector<autograd::Value> inputs;
    for (const auto& array : arrays) {
        inputs.push_back(tape.variable(array));
    }
    const autograd::Value result = call(inputs);
    std::vector<autograd::Array<float>> all(1);
    if (result.exists()) {
        all[0] = result.data();
    }
    if (autograd::shape_of(all[0]) == autograd::shape_of(d_result)) {
        tape.backward(autograd::sum(autograd::multiply(result, tape.constant(d_result))));
    }
    for (const autograd::Value& input : inputs) {
        all.push_back(input.gradient());
    }
    return all;
}

} // namespace support
