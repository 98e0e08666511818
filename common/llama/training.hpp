#pragma once

#include "language/trainer.hpp" // the options, and the rate of a step
#include "llama/checkpoint.hpp"
#include "llama/vocabulary.hpp"

#include <functional>

namespace llama {

/// Adam on pieces of a text, each of `n` tokens and the one after; one thread.
///   progress: called after each step, with its loss in nats a token
/// The same options and text give the same weights, on one machine.
Checkpoint train(const Sizes& sizes, const Tokens& text, std::size_t n,
                 const language::TrainOptions& options,
                 const std::function<void(std::size_t step, double loss)>& progress = {});

/// A text as tokens: lesson 12's encode.
using Encode = std::function<Tokens(const std::string& text, const Vocabulary& vocabulary)>;

/// The project's own model: a vocabulary learned from lesson 11's stories, and a model trained on
/// them, as files `stories.bin` and `pieces.bin` in a folder that is there.
void make_own_model(const std::string& folder, const Encode& encode,
                    const std::function<void(std::size_t step, double loss)>& progress,
                    std::size_t n_steps = 4000);

} // namespace llama
