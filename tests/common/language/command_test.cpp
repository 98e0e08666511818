#include "language/command.hpp"

#include "common/refused.hpp"
#include "support/temporary_folder.hpp"
#include "whole_text.hpp"

#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

using namespace language;

namespace {

std::string refusal(const std::vector<std::string>& words) {
    try {
        read_command(words);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "no error";
}

Functions our_functions() {
    return {parts<float>(), language_tests::whole_text,
            [](const Vector& logits, double, std::size_t, double, std::uint64_t seed) {
                return language_tests::greedy(logits, seed);
            }};
}

Options short_options(const std::filesystem::path& output) {
    Options options = read_command({"--short", "--steps", "4"}).options;
    options.training.evaluate_every = 2;
    options.output = output;
    return options;
}

} // namespace

TEST_CASE("command: the defaults are nanoGPT's small setting, and options change them") {
    const Command plain = read_command({});
    CHECK(plain.trains);
    CHECK_FALSE(plain.is_short);
    CHECK(plain.options.sizes.d == 128);
    CHECK(plain.options.training.n_steps == 2000);
    CHECK(plain.options.output == "out/language");
    setenv("COURSE_CALLED_FROM", "/somewhere", 1);
    std::istringstream typed(
        "--text mine.txt --steps 7 --size 96 --heads 3 --layers 2 --context 32 "
        "--prompt Once --length 9 --temperature 0 "
        "--top-k 3 --top-p 0.5 --seed 4 --threads 1 --resume --output "
        "elsewhere --no-training");
    const Command command = read_command({std::istream_iterator<std::string>(typed), {}});
    unsetenv("COURSE_CALLED_FROM");
    CHECK(command.options.text == "/somewhere/mine.txt");
    CHECK(command.options.output == "/somewhere/elsewhere");
    CHECK(command.options.training.n_steps == 7);
    CHECK(command.options.sizes.d == 96);
    CHECK(command.options.sizes.n_heads == 3);
    CHECK(command.options.training.resume);
    CHECK(command.options.temperature == 0);
    CHECK(command.options.top_k == 3);
    CHECK(command.options.top_p == 0.5);
    CHECK_FALSE(command.trains);
    CHECK(read_command({"--short"}).options.training.n_steps == 60);
    CHECK(read_command({"--short", "--steps", "5"}).options.training.n_steps == 5);
}

TEST_CASE("command: an invalid option is refused in one line that says what is valid") {
    CHECK(refusal({"--steps", "0"}).starts_with("--steps: Value 0 not in range"));
    CHECK(refusal({"--top-p", "1.5"}).starts_with("--top-p: Value 1.5 not in range"));
    CHECK(refusal({"--size", "100", "--heads", "3"}) ==
          "--size must be a multiple of --heads, got 100 and 3");
    CHECK(refusal({"--faster"}) ==
          "The following argument was not expected: --faster (see ./course run 11 -- --help)");
    CHECK(read_command({"--help"}).help.find("--steps UINT") != std::string::npos);
}

TEST_CASE("train: evaluates with samples, writes, and has nothing to do when resumed") {
    const support::TemporaryFolder folder;
    Options options = short_options(folder.path());
    std::ostringstream out, again, text, more;
    const Trained trained = train(load_text(options), options, our_functions(), out);
    CHECK(trained.evaluations.size() == 2);
    CHECK(out.str().find("step     2   loss ") != std::string::npos);
    CHECK(out.str().find("step     4   loss ") != std::string::npos);
    CHECK(std::filesystem::exists(folder / "language.checkpoint"));
    CHECK(std::filesystem::file_size(folder / "model.bin") >
          4 * training::n_numbers(trained.model.parameters()));
    options.length = 30;
    options.prompt = "Anna";
    options.training.resume = true;
    const Trained resumed = train(load_text(options), options, our_functions(), again);
    CHECK(again.str().find("step") == std::string::npos);
    write_text(trained, options, our_functions(), text);
    write_text(resumed, options, our_functions(), more);
    CHECK(text.str() == more.str());
    CHECK(text.str().rfind("Anna", 0) == 0);
    CHECK(text.str().size() == 4 + 30 + 1);
}

TEST_CASE("load_text: a text or a prompt that cannot be used is named") {
    const support::TemporaryFolder folder;
    const auto error = [](const Options& options) {
        try {
            load_text(options);
        } catch (const std::invalid_argument& thrown) {
            return std::string(thrown.what());
        }
        return std::string("no error");
    };
    Options options = short_options(folder / "out");
    options.text = folder / "short";
    std::ofstream(options.text) << "not much\n";
    CHECK(error(options) == (folder / "short").string() +
                                ": the text is too short: its last tenth, to be tested on, must "
                                "have more than 64 characters, got 1 of 9");
    options.text = folder / "none";
    CHECK(error(options) ==
          (folder / "none").string() + ": cannot be read: No such file or directory");
    options.text.clear();
    options.prompt = "Œuvre";
    CHECK(error(options) == "the model knows the characters of its text only, got \"Œ\"");
}
