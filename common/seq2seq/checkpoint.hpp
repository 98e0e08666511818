#pragma once

#include "seq2seq/trainer.hpp"

namespace seq2seq {

struct EpochRecord {
    double train_loss = 0, valid_loss = 0; // nats a target word
    double valid_bleu = 0;                 // greedy
    double seconds = 0;                    // of training, validation left out
    double words_per_second = 0;           // target words, in training
    double scorer_share = 0;               // of training, spent on scores and their gradients
};

/// Where a training stands: all that is needed to go on as if it had never stopped.
struct TrainingState {
    std::uint64_t epoch = 0; // finished ones
    std::uint64_t batch = 0; // done in the running one
    double loss_sum = 0, n_words = 0, seconds = 0, scorer_seconds = 0, thread_seconds = 0; // in it
    double best_bleu = -1;
    std::uint64_t best_epoch = 0; // its number from 1; 0: none yet
    std::vector<EpochRecord> epochs;
    std::vector<double> curve;       // training loss, mean of every `curve_steps` steps
    double curve_sum = 0;            // of the steps since
    std::vector<float> best_weights; // all parameters one after another
};
constexpr std::uint64_t curve_steps = 20;

/// Writes state and trainer so that, whenever the process or the machine dies, the file is either
/// the one before or the new one. fingerprint: of everything the training depends on.
/// Throws std::runtime_error "…: cannot be written: No space left on device".
void save_checkpoint(const std::filesystem::path& path, std::uint64_t fingerprint,
                     const TrainingState& state, const Trainer& trainer);

/// Reads it back; false if there is no such file. Throws std::invalid_argument, which says what to
/// do, if the file is damaged or its fingerprint is another.
bool load_checkpoint(const std::filesystem::path& path, std::uint64_t fingerprint,
                     TrainingState& state, Trainer& trainer);

} // namespace seq2seq
