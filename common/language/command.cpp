#include "language/command.hpp"

#include "process/files.hpp"
#include "process/typed_path.hpp"
#include "training/checkpoint.hpp"
#include "training/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

namespace language {
namespace {

void add_model(CLI::App& app, Options& options) {
    const CLI::Validator sizes = CLI::Range(1, 4096);
    app.add_option("--context", options.sizes.context, "characters that the model sees")
        ->check(sizes);
    app.add_option("--size", options.sizes.d, "components of a character; a multiple of --heads")
        ->check(sizes);
    app.add_option("--heads", options.sizes.n_heads, "of each block")->check(sizes);
    app.add_option("--layers", options.sizes.n_layers, "blocks")->check(CLI::Range(1, 64));
}

void add_training(CLI::App& app, Options& options) {
    TrainOptions& training = options.training;
    app.add_option("--steps", training.n_steps, "of training")->check(CLI::Range(1, 10000000));
    app.add_option("--seed", training.seed, "of weights, order and the written text")
        ->check(CLI::Range(0, 1000000000));
    app.add_option("--threads", options.n_threads, "0: one per core")->check(CLI::Range(0, 1024));
}

void add_writing(CLI::App& app, Options& options) {
    app.add_option("--prompt", options.prompt, "text that the model continues");
    app.add_option("--length", options.length, "characters to write at the end")
        ->check(CLI::Range(0, 1000000));
    app.add_option("--temperature", options.temperature, "0: always the most probable")
        ->check(CLI::Range(0.0, 100.0));
    app.add_option("--top-k", options.top_k, "draw from this many characters; 0: from all")
        ->check(CLI::Range(0, 1000000));
    app.add_option("--top-p", options.top_p, "draw from this share of the probability")
        ->check(CLI::Range(0.0, 1.0));
}

// A small model with few steps: runs everything in seconds.
void make_short(Options& options) {
    options.sizes.d = 32;
    options.sizes.n_layers = 2;
    options.training.n_steps = 60;
    options.training.warm_up = 5;
    options.training.evaluate_every = 30;
    options.training.evaluation_texts = 50;
    options.training.learning_rate = 1e-2F;
    options.n_made = 60000;
    options.length = 200;
    options.output = "out/language_short";
}

Text read_or_make(const Options& options) {
    if (options.text.empty()) {
        return split_text(make_stories(options.n_made, 1), options.sizes.context);
    }
    const std::string text = training::read_text(options.text);
    try {
        return split_text(text, options.sizes.context);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(options.text.string() + ": " + error.what());
    }
}

Draw draw_of(const Options& options, const Functions& functions) {
    return [&options, &functions](const Vector& logits, std::uint64_t seed) {
        return functions.sample(logits, options.temperature, options.top_k, options.top_p, seed);
    };
}

// A text on one line.
std::string on_a_line(const std::string& text) {
    std::string line = shown(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

void show_line(const Progress& p) {
    fmt::print(stderr,
               "\r\033[Kstep {} of {}, {:.0f} %   loss {:.3f}   {:.1f} ms per step   {:.0f} s left",
               p.step, p.n_steps,
               100.0 * static_cast<double>(p.step) / static_cast<double>(p.n_steps), p.loss,
               p.milliseconds, p.seconds_left);
    std::fflush(stderr);
}

// What the map of ./course book reads: five sizes, the number of bytes of all characters and these
// bytes, and the model's numbers as float, in the order in which it keeps them.
void write_for_the_map(const Trained& trained, const std::filesystem::path& file) {
    const ModelSizes& sizes = trained.model.sizes();
    std::string characters;
    for (std::size_t id = 0; id < sizes.n_characters; ++id) {
        characters += trained.text.characters.character(id);
    }
    std::ostringstream out;
    for (const std::size_t number : {sizes.n_characters, sizes.context, sizes.d, sizes.n_heads,
                                     sizes.n_layers, characters.size()}) {
        training::write_field(out, static_cast<std::int32_t>(number));
    }
    out << characters;
    const std::vector<float> numbers = training::values_of(trained.model.parameters());
    training::write_numbers(out, numbers.data(), numbers.size());
    process::write_file(file, out.str());
}

} // namespace

std::string prompt_of(const Options& options, const Text& text) {
    if (!options.prompt.empty()) {
        return options.prompt;
    }
    return text.characters.character(0) == "\n" ? "\n"
                                                : text.characters.character(text.train.front());
}

Command read_command(const std::vector<std::string>& words) {
    Command command;
    command.is_short = std::find(words.begin(), words.end(), "--short") != words.end();
    Options& options = command.options;
    if (command.is_short) {
        make_short(options);
    }
    CLI::App app(
        "Walks through the lesson step by step; with options, only through its last step: a\n"
        "model that is trained on a text, and writes. Once it is trained, the same options with\n"
        "--resume and another --prompt write at once.",
        "./course run 11 --");
    app.set_help_flag("-h,--help", "Show this help and exit");
    app.add_option("--text", options.text, "your own text, in UTF-8; may be a .gz");
    add_model(app, options);
    add_training(app, options);
    add_writing(app, options);
    app.add_option("--output", options.output, "folder for the checkpoint and pictures");
    app.add_flag("--resume", options.training.resume, "continue from the checkpoint there");
    bool no_training = false, is_short = false;
    app.add_flag("--no-training", no_training, "the steps before the training only");
    app.add_flag("--short", is_short, "a small model with few steps: everything, in seconds");
    for (CLI::Option* option : app.get_options()) {
        option->capture_default_str();
    }
    for (const char* name : {"--text", "--prompt"}) {
        app.get_option(name)->default_str("");
    }
    command.help = training::parse(app, "./course run 11 --", words);
    if (!command.help.empty()) {
        return command;
    }
    command.trains = !no_training;
    if (options.sizes.d % options.sizes.n_heads != 0) {
        throw std::invalid_argument(
            fmt::format("--size must be a multiple of --heads, got {} and {}", options.sizes.d,
                        options.sizes.n_heads));
    }
    if (!options.text.empty()) {
        options.text = process::typed_path(options.text);
    }
    if (app.get_option("--output")->count() > 0) {
        options.output = process::typed_path(options.output);
    }
    return command;
}

Text load_text(const Options& options) {
    Text text = read_or_make(options);
    text.characters.encode(prompt_of(options, text));
    return text;
}

Trained train(Text text, const Options& options, const Functions& functions, std::ostream& out) {
    training::prepare_process();
    ModelSizes sizes = options.sizes;
    sizes.n_characters = text.characters.size();
    Trained trained{
        std::move(text), Model<float>(sizes, functions.parts, options.training.seed), {}};
    const Ids prompt = trained.text.characters.encode(prompt_of(options, trained.text));
    training::make_output_folder(options.output);
    TrainOptions training = options.training;
    training.checkpoint = options.output / "language.checkpoint";
    Workers workers(attention::thread_count(options.n_threads));
    out << fmt::format("{} characters to train on, {} to be tested on, {} different ones; {} "
                       "weights\n\n",
                       trained.text.train.size(), trained.text.valid.size(), sizes.n_characters,
                       training::n_numbers(trained.model.parameters()))
        << std::flush;
    training::run_interruptibly([&](const std::atomic<bool>& stop) {
        Trainer trainer(trained.model, workers, trained.text, training);
        trainer.run(
            [&](const Progress& p) {
                const bool in_terminal = isatty(STDERR_FILENO) != 0;
                if (!p.evaluated) {
                    if (in_terminal && p.step % 5 == 0) {
                        show_line(p);
                    }
                    return;
                }
                if (in_terminal) {
                    fmt::print(stderr, "\r\033[K");
                    std::fflush(stderr);
                }
                constexpr std::size_t sample_length = 70;
                const Ids sample =
                    write(trained.model, functions.begin, draw_of(options, functions), prompt,
                          sample_length, options.training.seed);
                out << fmt::format("step {:5}   loss {:.3f}   validation {:.3f}   {:.1f} ms per "
                                   "step\n   {}\n",
                                   p.step, trainer.evaluations().back().train_loss, p.valid_loss,
                                   p.milliseconds,
                                   on_a_line(trained.text.characters.decode(sample)))
                    << std::flush;
            },
            &stop);
        trained.evaluations = trainer.evaluations();
    });
    write_for_the_map(trained, options.output / "model.bin");
    return trained;
}

void write_text(const Trained& trained, const Options& options, const Functions& functions,
                std::ostream& out) {
    const std::string prompt = prompt_of(options, trained.text);
    out << shown(options.prompt);
    write(
        trained.model, functions.begin, draw_of(options, functions),
        trained.text.characters.encode(prompt), options.length, options.training.seed,
        [&](std::size_t id) { out << shown(trained.text.characters.character(id)) << std::flush; });
    out << "\n" << std::flush;
}

} // namespace language
