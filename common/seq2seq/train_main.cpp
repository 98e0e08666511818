// train: the comparison from the command line. `train --help` lists its options.

#include "seq2seq/experiment.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <fmt/core.h>
#include <unistd.h>

namespace {

std::atomic<bool> stop = false;

void on_signal(int) {
    stop = true;
    std::signal(SIGINT, SIG_DFL); // a second Ctrl-C ends at once
}

void show_progress(const seq2seq::Progress& p) {
    if (p.finished != nullptr) {
        fmt::print("{}{:20} seed {}  epoch {:3}/{}  loss {:.3f}  valid {:.3f}  BLEU {:5.2f}  "
                   "{:6.0f} words/s  {:.1f} s\n",
                   isatty(1) != 0 ? "\r\033[K" : "", p.arm, p.seed, p.epoch, p.n_epochs,
                   p.finished->train_loss, p.finished->valid_loss, p.finished->valid_bleu,
                   p.finished->words_per_second, p.finished->seconds);
        std::fflush(stdout);
    } else if (isatty(1) != 0 && p.batch % 10 == 0) {
        fmt::print("\r\033[K{} epoch {}/{}  {:.0f} %  loss {:.3f}  {:.0f} words/s  {:.0f} s left",
                   p.arm, p.epoch, p.n_epochs,
                   100.0 * static_cast<double>(p.batch) / static_cast<double>(p.n_batches), p.loss,
                   p.words_per_second, p.seconds_left);
        std::fflush(stdout);
    }
}

void show_result(const seq2seq::ExperimentResult& result) {
    fmt::print("\n{} and {} words known\n", result.source_words, result.target_words);
    fmt::print("\n{:20} {:>4} {:>9} {:>8} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7} {:>7}\n", "arm",
               "seed", "weights", "words/s", "scores", "epoch", "steps", "set", "BLEU", "align",
               "entropy");
    for (const auto& arm : result.arms) {
        const auto& best = arm.epochs.at(arm.best_epoch - 1);
        for (const auto& test : arm.tests) {
            fmt::print("{:20} {:>4} {:>9} {:>8.0f} {:>6.1f}% {:>6} {:>6} {:>6} {:>6.2f} {:>6.1f}% "
                       "{:>7.3f}\n",
                       arm.arm, arm.seed, arm.n_weights, best.words_per_second,
                       100 * best.scorer_share, arm.best_epoch,
                       arm.steps_to_loss ? std::to_string(*arm.steps_to_loss) : "-", test.name,
                       test.bleu.score, 100 * test.alignment_accuracy, test.entropy);
        }
    }
    fmt::print("\nBLEU by source words\n");
    for (const auto& arm : result.arms) {
        fmt::print("{:20} {:>4}", arm.arm, arm.seed);
        for (const auto& bin : arm.bleu_by_length) {
            fmt::print("  {}-{} ({}): {:.1f}", bin.from, bin.to, bin.n_sentences, bin.bleu);
        }
        fmt::print("\n");
    }
    fmt::print("\n");
    for (const auto& pair : result.pairs) {
        fmt::print("{} and {}, seed {}, {}: the largest weight at the same place in {:.1f} % of "
                   "rows, Jensen-Shannon divergence {:.3f} nats\n",
                   pair.first, pair.second, pair.seed, pair.test_set,
                   100 * pair.attention.argmax_agreement, pair.attention.js_divergence);
    }
}

} // namespace

int main(int argc, char** argv) {
    const bool own_files = std::any_of(
        argv, argv + argc, [](const std::string& word) { return word.rfind("--train", 0) == 0; });
    seq2seq::Options options = own_files ? seq2seq::options_for_files() : seq2seq::Options();
    CLI::App app{"Trains one encoder-decoder with several attention scores and compares them. "
                 "Other defaults with --train: see --train X --help."};
    app.add_option("--train", options.train, "Training sentences: two files, or one TSV; .gz too")
        ->expected(1, 2);
    app.add_option("--valid", options.valid, "Validation sentences")->expected(1, 2);
    app.add_option("--test", options.test, "Test sentences")->expected(1, 2);
    bool raw = false;
    app.add_flag("--raw", raw, "The files are raw text: cut punctuation off (13a)");
    std::size_t size = 0;
    app.add_option("--size", size, "Embedding, hidden and attention size together");
    app.add_option("--embedding", options.embedding, "Embedding size")->capture_default_str();
    app.add_option("--hidden", options.hidden, "Hidden size")->capture_default_str();
    app.add_option("--attention", options.attention, "Attention size")->capture_default_str();
    app.add_option("--epochs", options.epochs, "Times through the data")->capture_default_str();
    app.add_option("--batch", options.training.batch_size, "Sentences a batch")
        ->capture_default_str();
    app.add_option("--rate", options.training.learning_rate, "Learning rate")
        ->capture_default_str();
    app.add_option("--dropout", options.training.dropout, "Dropout")->capture_default_str();
    app.add_option("--smoothing", options.training.smoothing, "Label smoothing")
        ->capture_default_str();
    app.add_option("--minimum-count", options.minimum_count, "Rarer words are unknown")
        ->capture_default_str();
    app.add_option("--sentences", options.grammar.train, "Training pairs to make without --train")
        ->capture_default_str();
    app.add_option("--seeds", options.seeds, "One run of every arm a seed")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--threads", options.n_threads, "Threads; 0: one a core")->capture_default_str();
    app.add_option("--arms", options.arms, "additive, scaled_dot_product, dot_product")
        ->delimiter(',');
    app.add_option("--loss", options.loss_to_reach, "Count steps to this training loss")
        ->capture_default_str();
    app.add_option("--output", options.output, "Folder of checkpoints")->capture_default_str();
    app.add_flag("--resume", options.resume, "Go on from the checkpoints");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int status = app.exit(error);
        return status == 0 ? 0 : 2;
    }
    if (size > 0) {
        options.embedding = options.hidden = options.attention = size;
    }
    options.tokenization = raw ? seq2seq::Tokenization::mteval_13a : seq2seq::Tokenization::none;
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    try {
        show_result(seq2seq::run_experiment(options, seq2seq::all_scorers(), show_progress, &stop));
    } catch (const seq2seq::Interrupted& interrupted) {
        fmt::print(stderr, "\n{}\n", interrupted.what());
        return 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "train: {}\n", error.what());
        return 2;
    }
    return 0;
}
