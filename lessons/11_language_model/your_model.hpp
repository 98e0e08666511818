#pragma once

// The functions of this lesson as language/command.hpp takes them.

#include <memory>
#include <stdexcept>
#include <string>

#include "language/command.hpp"
#include "language_model.hpp"

namespace your_model {

/// What goes wrong in them is their doing, not that of an option or a file.
template <class Call>
auto yours(const Call& call) {
    try {
        return call();
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(error.what());
    }
}

inline lesson::Value checked(const lesson::Value& result, const lesson::Value& X,
                             const char* function) {
    if (!result.exists() || lesson::shape_text(result.data()) != lesson::shape_text(X.data())) {
        throw std::runtime_error(std::string("11.1: ") + function + " has to return " +
                                 lesson::shape_text(X.data()) + ", got " +
                                 (result.exists() ? lesson::shape_text(result.data()) : "nothing"));
    }
    return result;
}

inline language::HeadCache cache() {
    const auto kept = std::make_shared<lesson::KeyValueCache>();
    return {[kept](const lesson::Vector& k, const lesson::Vector& v) {
                yours([&] { kept->append(k, v); });
            },
            [kept](const lesson::Vector& q) { return yours([&] { return kept->attend(q); }); }};
}

inline language::Functions functions() {
    using lesson::Value;
    const auto norm = [](const Value& X, const Value& gain, const Value& bias) {
        return checked(yours([&] { return lesson::layer_norm(X, gain, bias); }), X, "layer_norm");
    };
    const auto block = [](const Value& X, const lesson::BlockWeights& weights, std::size_t n_texts,
                          std::size_t n_heads) {
        return checked(
            yours([&] { return lesson::transformer_block(X, weights, n_texts, n_heads); }), X,
            "transformer_block");
    };
    const auto sample = [](const lesson::Vector& logits, double temperature, std::size_t top_k,
                           double top_p, std::uint64_t seed) {
        return yours([&] { return lesson::sample(logits, temperature, top_k, top_p, seed); });
    };
    return {{norm, block}, cache, sample};
}

} // namespace your_model
