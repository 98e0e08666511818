#pragma once

// One arm trained with one seed, from wherever its checkpoint is to the last epoch.

#include "comparison/experiment.hpp"
#include "seq2seq/trainer.hpp"

#include <chrono>

namespace comparison {

struct Vocabularies {
    Vocabulary source, target;

    std::vector<Example> encode(const std::vector<SentencePair>& pairs) const;
};

/// Greedy translations, one for each example.
std::vector<Words> translate_words(const Model<float>& model, Workers& workers,
                                   const Vocabularies& words, const std::vector<Example>& examples);

/// The state of a training: all that is needed to go on as if it had never stopped.
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

/// Shared by all trainings of an experiment.
struct Common {
    using Clock = std::chrono::steady_clock;

    const Options& options;
    const Data& data;
    const Vocabularies& words;
    std::vector<Example> train, valid;
    std::vector<Words> valid_references;
    Workers& workers;
    const std::function<void(const Progress&)>& progress;
    const std::atomic<bool>* stop;
    Clock::time_point started;
    std::size_t epochs_before = 0; // of arms and seeds before this one
    std::size_t n_runs = 1;
    double epochs_done = 0; // in this process, to estimate the remaining time
};

/// Without Options::resume an existing checkpoint is kept under another name.
class Training {
public:
    /// Reads the checkpoint, if it is to go on from there. Throws as training::load_checkpoint
    /// does.
    Training(Common& common, Model<float>& model, const TrainOptions& options,
             const std::filesystem::path& checkpoint);

    /// Leaves the model with the weights that were best on validation.
    /// Throws Interrupted, and std::runtime_error if a checkpoint cannot be written.
    const TrainingState& run();

    /// Its state now.
    const TrainingState& state() const { return state_; }

private:
    void save() const;
    void epoch();
    void finish_epoch(std::size_t n_batches);
    void report(std::size_t n_batches, const EpochRecord* finished) const;

    Common& common_;
    Model<float>& model_;
    TrainOptions options_;
    std::filesystem::path checkpoint_;
    Trainer trainer_;
    std::uint64_t fingerprint_;
    TrainingState state_;
};

} // namespace comparison
