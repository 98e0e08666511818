#pragma once

// The comparison: one model per score ("arm") and seed, trained on the same data in the same order,
// from the same initial weights where the models share them; then the translations and attention of
// each.

#include "comparison/bootstrap.hpp"
#include "comparison/compare.hpp"
#include "comparison/removal.hpp"
#include "seq2seq/bleu.hpp"
#include "seq2seq/grammar.hpp"
#include "seq2seq/trainer.hpp"
#include "training/interruption.hpp"

#include <optional>

namespace comparison {

/// The defaults suit the made corpus; for one's own files see options_for_files.
struct Options {
    std::size_t embedding = 64, hidden = 64, attention = 64;
    std::size_t epochs = 6;
    TrainOptions training{.batch_size = 32, .learning_rate = 5e-3F, .dropout = 0.1F};
    std::size_t minimum_count = 2; // of a word, to be in the vocabulary
    double loss_to_reach = 1.0;    // nats a target word, for steps_to_loss
    std::vector<std::uint64_t> seeds{1, 2, 3};
    std::size_t n_threads = 0;     // 0: one per core
    std::vector<std::string> arms; // names of scorers; empty: all

    /// The user's corpus: one file or two each, see read_parallel; no training files: the made one.
    std::vector<std::filesystem::path> train, valid, test;
    Tokenization tokenization = Tokenization::none;
    GrammarSizes grammar{};

    std::filesystem::path output = "out/comparison"; // checkpoints, tables, pictures
    bool resume = false; // continue from the checkpoints there, if there are any
};

/// Settings for some ten thousand sentences of a natural language: 256 components each, 15 epochs,
/// batches of 64, rate 1e-3, dropout from 0.1 to 0.45, label smoothing 0.1.
Options options_for_files();

/// The data for training and tests. test_sets: "test" and, if the corpus is made, "long".
struct Data {
    std::vector<SentencePair> train, valid;
    std::vector<std::pair<std::string, std::vector<SentencePair>>> test_sets;
};

/// Reads or makes the corpus. Throws std::invalid_argument as read_parallel does, and if validation
/// or test files are missing beside training files.
Data load_data(const Options& options);

struct EpochRecord {
    double train_loss = 0, valid_loss = 0; // nats a target word
    double valid_bleu = 0;                 // greedy
    double seconds = 0;                    // of training, validation left out
    double words_per_second = 0;           // target words, in training
    double scorer_share = 0;               // of training, spent on scores and their gradients
};
constexpr std::uint64_t curve_steps = 20; // of which a training curve's point is the mean

struct Progress {
    std::string arm;
    std::uint64_t seed = 0;
    std::size_t epoch = 0, n_epochs = 0;   // from 1
    std::size_t batch = 0, n_batches = 0;  // done in this epoch
    double loss = 0;                       // mean in this epoch so far, nats a target word
    double words_per_second = 0;           // target words, in this epoch so far
    double seconds_left = 0;               // of all training, arms and seeds together
    const EpochRecord* finished = nullptr; // at the end of an epoch
};

struct LengthBleu {
    std::size_t from = 0, to = 0; // source words
    std::size_t n_sentences = 0;
    double bleu = 0;
    std::vector<Bleu> sentences; // one by one, see sentence_bleus
};

struct TestResult {
    std::string name;
    Bleu bleu;                     // greedy
    std::vector<Bleu> sentences;   // one by one, see sentence_bleus
    double alignment_accuracy = 0; // NaN without a gold alignment
    double entropy = 0;            // of the attention, nats, mean over rows
    std::vector<Words> hypotheses; // greedy
    std::vector<attention::Matrix>
        weights; // while the reference is read: (target + end, source + end)
};

struct ArmResult {
    std::string arm;
    std::uint64_t seed = 0;
    std::size_t n_parameters = 0;
    std::vector<EpochRecord> epochs;
    std::vector<double> curve; // training loss, mean of every curve_steps steps
    std::size_t best_epoch = 0;
    std::optional<std::size_t> steps_to_loss; // none: not reached
    std::vector<TestResult> tests;            // of the best epoch's weights
    std::vector<LengthBleu> bleu_by_length;   // all test sets together
    Words first_translation;                  // of first_sentence, if all its words are known
    attention::Matrix first_weights;          // (words + end, source + end)
    Removals removals;                        // from the first test set
};

/// The sentence that goes through the lessons, as the made corpus writes it.
const inline Words first_sentence{"the", "cat", "sleeps", "."};

/// Two trained models on one test set: two arms of one seed, or one arm of two seeds.
struct PairResult {
    std::string first, second, test_set;
    AttentionComparison attention;
    std::vector<std::size_t> most_different; // sentences by falling divergence
};

struct ExperimentResult {
    Data data;
    std::size_t source_words = 0, target_words = 0; // of the vocabularies
    double loss_to_reach = 0;                       // as in the options
    std::vector<ArmResult> arms;
    std::vector<PairResult> pairs;
};

using training::Interrupted;

/// Trains and tests every arm with every seed. A checkpoint is written at the end of each epoch and
/// when *stop becomes true, which a signal handler may do.
///   scorers: those that `options.arms` may name
///   progress: called after each batch, may be empty      stop: may be null
/// Throws std::invalid_argument on files that cannot be used; Interrupted; std::runtime_error if a
/// checkpoint cannot be written.
ExperimentResult run_experiment(const Options& options, const std::vector<Scorer<float>>& scorers,
                                const std::function<void(const Progress&)>& progress = {},
                                const std::atomic<bool>* stop = nullptr);

/// Additive, scaled and unscaled dot product: the three arms of the course.
std::vector<Scorer<float>> all_scorers();

} // namespace comparison
