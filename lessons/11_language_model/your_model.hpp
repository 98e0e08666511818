#pragma once

// The functions of this lesson as language/command.hpp takes them.

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

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

/// The model's numbers as next_logits takes them: in double, on no tape.
inline lesson::LanguageModel plain(const language::Model<float>& model) {
    using lesson::Matrix;
    using lesson::Vector;
    auto next = model.parameters().begin(); // in the order in which Model keeps them
    const auto matrix = [&]() -> Matrix { return xt::cast<double>((next++)->value); };
    const auto vector = [&]() -> Vector { return xt::cast<double>((next++)->value); };
    lesson::LanguageModel result;
    result.tokens = matrix();
    result.positions = matrix();
    result.n_heads = model.sizes().n_heads;
    for (std::size_t l = 0; l < model.sizes().n_layers; ++l) {
        result.layers.push_back({vector(), vector(), matrix(), matrix(), matrix(), matrix(),
                                 vector(), vector(), matrix(), vector(), matrix(), vector()});
    }
    result.gain = vector();
    result.bias = vector();
    return result;
}

/// A text that is read by next_logits, with your caches.
inline language::NextLogits begin(const language::Model<float>& of) {
    struct Text {
        lesson::LanguageModel model;
        lesson::Caches caches;
    };
    const auto text = std::make_shared<Text>(Text{plain(of), {}});
    text->caches.assign(of.sizes().n_layers,
                        std::vector<lesson::KeyValueCache>(of.sizes().n_heads));
    return [text](std::size_t id, std::size_t position) {
        lesson::Vector logits =
            yours([&] { return lesson::next_logits(text->model, id, position, text->caches); });
        if (logits.size() != text->model.tokens.shape(0)) {
            throw std::runtime_error("11.5: next_logits has to return " +
                                     std::to_string(text->model.tokens.shape(0)) + " logits, got " +
                                     std::to_string(logits.size()));
        }
        return logits;
    };
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
    return {{norm, block}, begin, sample};
}

} // namespace your_model
