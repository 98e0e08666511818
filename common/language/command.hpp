#pragma once

#include "language/generation.hpp"
#include "language/trainer.hpp"
#include "training/text_file.hpp"

#include <ostream>

namespace language {

/// The options for training, and for the text to write.
struct Options {
    ModelSizes sizes;
    TrainOptions training;
    std::filesystem::path text;  // none: stories that the project makes
    std::size_t n_made = 400000; // characters of it
    std::size_t n_threads = 0;   // 0: one per core
    std::filesystem::path output = "out/language";
    std::string prompt;       // none: a line's beginning
    std::size_t length = 600; // characters to write at the end
    double temperature = 0.8, top_p = 1;
    std::size_t top_k = 0;
};

/// The options on the command line: ./course run 11 -- --text FILE --steps 500
struct Command {
    Options options;
    bool trains = true;    // false with --no-training
    bool is_short = false; // --short: takes seconds, to see that everything works
    std::string help;      // not empty after --help
};

/// The text's name is relative to the folder that ./course was called in, that of the output folder
/// to the course's own. Throws std::invalid_argument, in one line, if an option is not known or its
/// value makes no sense.
Command read_command(const std::vector<std::string>& words);

/// The learner's functions of lesson 11, apart from its measures.
struct Functions {
    Parts<float> parts;
    BeginText begin;
    /// A token's number from logits, temperature, top_k, top_p and seed.
    std::function<std::size_t(const Vector&, double, std::size_t, double, std::uint64_t)> sample;
};

/// A model and the text that it has learned from.
struct Trained {
    Text text;
    Model<float> model;
    std::vector<Evaluation> evaluations;
};

/// Reads or makes the text. Throws std::invalid_argument, in one line, if it cannot be used, or if
/// the prompt has characters that are not in it.
Text load_text(const Options& options);

/// Trains on the text that load_text returned for these options, and shows the progress in one line
/// on stderr, and each evaluation with a sample of what the model writes on `out`. SIGINT, SIGTERM
/// and SIGHUP write a checkpoint and end the process with status 130. Throws std::invalid_argument
/// if the checkpoint is of another training.
Trained train(Text text, const Options& options, const Functions& functions, std::ostream& out);

/// Writes options.length characters after the prompt to `out`, one by one.
void write_text(const Trained& trained, const Options& options, const Functions& functions,
                std::ostream& out);

/// The prompt, or what replaces it where there is none: a line's beginning, or, where the text
/// has no lines, its first character.
std::string prompt_of(const Options& options, const Text& text);

} // namespace language
