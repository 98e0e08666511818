#pragma once

// Gradients against centred differences, in double precision.

#include "autograd/operations.hpp"
#include "common/normal.hpp"

#include <algorithm>
#include <cmath>

namespace support {

using autograd::Array;
using autograd::DoubleTape;
using autograd::DoubleValue;
using autograd::Shape;

inline Array<double> normal(const Shape& shape, std::uint64_t seed) {
    return normal<Array<double>>({shape.begin(), shape.end()}, seed);
}

using Differentiable = std::function<DoubleValue(DoubleTape&, const std::vector<DoubleValue>&)>;

/// The largest error of f's gradients, relative to the largest gradient of the same input, with
/// respect to every element of every input. The differentiated function is Σ c ∘ f(inputs) with
/// normal numbers c, so that all elements of the result have different weights.
inline double gradient_error(std::vector<Array<double>> inputs, const Differentiable& f) {
    constexpr double step = 1e-5;
    const auto loss = [&f](DoubleTape& tape, const std::vector<DoubleValue>& values) {
        const DoubleValue y = f(tape, values);
        return sum(multiply(y, tape.constant(normal(autograd::shape_of(y.data()), 99))));
    };
    const auto loss_at = [&]() {
        DoubleTape tape;
        std::vector<DoubleValue> values;
        for (const auto& input : inputs) {
            values.push_back(tape.reference(input));
        }
        return loss(tape, values).data()();
    };
    DoubleTape tape;
    std::vector<DoubleValue> values;
    for (const auto& input : inputs) {
        values.push_back(tape.variable(input));
    }
    tape.backward(loss(tape, values));
    double worst = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Array<double> gradient = values[i].gradient();
        double largest = 0, error = 0;
        for (std::size_t at = 0; at < inputs[i].size(); ++at) {
            double& x = inputs[i].data()[at];
            const double x0 = x;
            x = x0 + step;
            const double above = loss_at();
            x = x0 - step;
            const double below = loss_at();
            x = x0;
            const double numeric = (above - below) / (2 * step);
            largest = std::max(largest, std::abs(numeric));
            error = std::max(error, std::abs(numeric - gradient.data()[at]));
        }
        worst = std::max(worst, largest > 0 ? error / largest : error);
    }
    return worst;
}

} // namespace support
