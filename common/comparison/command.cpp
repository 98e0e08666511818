#include "comparison/command.hpp"

#include "comparison/pictures.hpp"
#include "comparison/report.hpp"
#include "comparison/tables.hpp"
#include "process/typed_path.hpp"
#include "training/command_line.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace comparison {
namespace {

namespace fs = std::filesystem;

void add_data(CLI::App& app, Options& options, bool& raw) {
    const char* files =
        "two files with a sentence per line, or one: source, tab, target; may be .gz";
    app.add_option("--train", options.train, files)->expected(1, 2);
    app.add_option("--valid", options.valid, "the same, to choose the best epoch")->expected(1, 2);
    app.add_option("--test", options.test, "the same, to report on")->expected(1, 2);
    app.add_flag("--raw", raw, "the files are raw text: cut punctuation off as mteval-v13a does");
}

void add_training(CLI::App& app, Options& options, std::size_t& size) {
    app.add_option("--size", size, "components of embedding, hidden state and attention alike")
        ->check(CLI::Range(1, 8192));
    app.add_option("--epochs", options.epochs, "times through the data")
        ->check(CLI::Range(1, 10000));
    app.add_option("--dropout", options.training.dropout, "share of components set to 0")
        ->check(CLI::Range(0.0F, 0.99F));
    app.add_option("--first-dropout", options.training.first_dropout,
                   "at the start; rises to --dropout until the end")
        ->check(CLI::Range(0.0F, 0.99F));
    app.add_option("--seeds", options.seeds, "each trains every arm: 1,2,3")
        ->delimiter(',')
        ->check(CLI::Range(0, 1000000000));
    app.add_option("--threads", options.n_threads, "0: one per core")->check(CLI::Range(0, 1024));
    app.add_option("--arms", options.arms, "additive,scaled_dot_product,dot_product; all")
        ->delimiter(',')
        ->check(CLI::IsMember({"additive", "scaled_dot_product", "dot_product"}));
}

// One line that is overwritten in place.
void show_line(const Progress& p) {
    fmt::print(stderr,
               "\r\033[K{}, seed {}: epoch {} of {}, {:.0f} %   loss {:.3f}   {:.0f} words/s   "
               "{:.0f} s left",
               p.arm, p.seed, p.epoch, p.n_epochs,
               100.0 * static_cast<double>(p.batch) / static_cast<double>(p.n_batches), p.loss,
               p.words_per_second, p.seconds_left);
}

void show_epoch(const Progress& p) {
    fmt::print(stderr,
               "{}{:<18} seed {}  epoch {:2} of {}  loss {:.3f}  validation {:.3f}  BLEU {:5.2f}  "
               "{:6.0f} words/s\n",
               isatty(2) != 0 ? "\r\033[K" : "", p.arm, p.seed, p.epoch, p.n_epochs,
               p.finished->train_loss, p.finished->valid_loss, p.finished->valid_bleu,
               p.finished->words_per_second);
}

// A line for each epoch if epochs are long, otherwise for the last one of each training.
void show_progress(const Progress& p) {
    constexpr double long_epoch = 10; // seconds
    if (p.finished == nullptr) {
        if (isatty(2) != 0 && (p.batch % 10 == 0 || p.words_per_second < 5000)) {
            show_line(p);
        }
    } else if (p.epoch == p.n_epochs || p.finished->seconds > long_epoch) {
        show_epoch(p);
    }
    std::fflush(stderr);
}

} // namespace

Command read_command(const std::vector<std::string>& words) {
    const bool own_files = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word == "--train" || word.rfind("--train=", 0) == 0;
    });
    Command command;
    command.options = own_files ? options_for_files() : Options();
    Options& options = command.options;
    CLI::App app(
        "Walks through the lesson step by step; with options, only through its last step:\n"
        "one encoder-decoder, trained with several scores and compared. Other defaults\n"
        "with one's own files: --train FILES --help shows them.",
        "./course run 07 --");
    app.set_help_flag("-h,--help", "Show this help and exit");
    bool raw = false, no_training = false;
    std::size_t size = options.embedding;
    add_data(app, options, raw);
    add_training(app, options, size);
    app.add_option("--output", options.output, "folder for checkpoints, tables and pictures");
    app.add_flag("--resume", options.resume, "continue from an earlier run's checkpoints");
    app.add_flag("--no-training", no_training, "the steps before the comparison only");
    for (CLI::Option* option : app.get_options()) {
        option->capture_default_str();
    }
    for (const char* name : {"--train", "--valid", "--test", "--arms"}) {
        app.get_option(name)->default_str("");
    }
    command.help = training::parse(app, "./course run 07 --", words);
    if (!command.help.empty()) {
        return command;
    }
    options.embedding = options.hidden = options.attention = size;
    options.tokenization = raw ? Tokenization::mteval_13a : Tokenization::none;
    command.trains = !no_training;
    if (!own_files) { // otherwise they would be silently ignored
        for (const char* name : {"--valid", "--test", "--raw"}) {
            if (app.get_option(name)->count() > 0) {
                throw std::invalid_argument(std::string(name) +
                                            " is for your own files: --train is missing");
            }
        }
    }
    for (std::vector<fs::path>* files : {&options.train, &options.valid, &options.test}) {
        std::transform(files->begin(), files->end(), files->begin(), process::typed_path);
    }
    if (app.get_option("--output")->count() > 0) {
        options.output = process::typed_path(options.output);
    }
    return command;
}

void run_comparison(const Options& options, const std::vector<Scorer<float>>& scorers,
                    std::ostream& out) {
    training::prepare_process();
    training::run_interruptibly([&](const std::atomic<bool>& stop) {
        const ExperimentResult result = run_experiment(options, scorers, show_progress, &stop);
        print_report(out, result);
        write_tables(options.output, result);
        const std::string trouble = draw_pictures(options.output, result);
        out << "\nWritten to " << options.output.string() << ": "
            << (trouble.empty() ? "tables (.csv) and pictures (.svg)" : "tables (.csv)") << ".\n"
            << std::flush;
        if (!trouble.empty()) {
            std::cerr << "No pictures: " << trouble << "\n";
        }
    });
}

} // namespace comparison
