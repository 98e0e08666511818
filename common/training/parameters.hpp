#pragma once

#include "autograd/tape.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>

namespace training {

/// Part of what a model learns.
template <class T>
struct Parameter {
    std::string name;
    autograd::Array<T> value;
    bool by_rows = false; // an embedding table: gradients touch few rows
    bool decays = false;  // by AdamOptions::weight_decay
};

template <class T>
using Parameters = std::vector<Parameter<T>>;
template <class T>
using Gradients = std::vector<autograd::Gradient<T>>; // one for each parameter

/// How many numbers there are to learn.
template <class T>
std::size_t n_numbers(const Parameters<T>& parameters) {
    std::size_t n = 0;
    for (const Parameter<T>& parameter : parameters) {
        n += parameter.value.size();
    }
    return n;
}

template <class T>
Gradients<T> make_gradients(const Parameters<T>& parameters) {
    Gradients<T> gradients(parameters.size());
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        gradients[i].by_rows = parameters[i].by_rows;
    }
    return gradients;
}

/// All numbers one after another, and back.
std::vector<float> values_of(const Parameters<float>& parameters);
void set_values(Parameters<float>& parameters, const std::vector<float>& values);

/// A random number from a few numbers, each bit of which depends on all of theirs.
std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0);
/// From a random number and any numbers of the order of 1e-9 to 1e9.
std::uint64_t mix(std::uint64_t a, std::initializer_list<double> numbers);

} // namespace training
