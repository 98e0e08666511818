#include "comparison/command.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <stdexcept>

using namespace comparison;

namespace {

std::string error_of(const std::vector<std::string>& words) {
    try {
        read_command(words);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "no error";
}

} // namespace

TEST_CASE("command: without words, the defaults of the made corpus") {
    const Command command = read_command({});
    CHECK(command.trains);
    CHECK(command.help.empty());
    CHECK(command.options.embedding == 64);
    CHECK(command.options.seeds == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(command.options.output == "out/comparison");
    CHECK(command.options.tokenization == Tokenization::none);
}

TEST_CASE("command: own files have other defaults, and are named as seen from the caller") {
    setenv("COURSE_CALLED_FROM", "/somewhere", 1);
    const Command command =
        read_command({"--train", "a.de", "/b.en", "--valid", "v.tsv", "--test", "t.de", "t.en",
                      "--epochs=3", "--raw", "--output", "mine"});
    unsetenv("COURSE_CALLED_FROM");
    CHECK(command.options.output == "/somewhere/mine");
    CHECK(command.options.hidden == 256);
    CHECK(command.options.seeds == std::vector<std::uint64_t>{1});
    CHECK(command.options.epochs == 3);
    REQUIRE(command.options.train.size() == 2);
    CHECK(command.options.train[0] == "/somewhere/a.de");
    CHECK(command.options.train[1] == "/b.en");
    CHECK(command.options.valid == std::vector<std::filesystem::path>{"/somewhere/v.tsv"});
    CHECK(command.options.tokenization == Tokenization::mteval_13a);
}

TEST_CASE("command: options set their settings") {
    const Command command = read_command(
        {"--size", "32", "--seeds", "4,5", "--arms", "additive,dot_product", "--dropout", "0.25",
         "--threads", "1", "--resume", "--output", "/elsewhere", "--no-training"});
    CHECK(command.options.embedding == 32);
    CHECK(command.options.hidden == 32);
    CHECK(command.options.attention == 32);
    CHECK(command.options.seeds == std::vector<std::uint64_t>{4, 5});
    CHECK(command.options.arms == std::vector<std::string>{"additive", "dot_product"});
    CHECK(command.options.training.dropout == 0.25F);
    CHECK(command.options.n_threads == 1);
    CHECK(command.options.resume);
    CHECK(command.options.output == "/elsewhere");
    CHECK(!command.trains);
}

TEST_CASE("command: an invalid option is refused in one line that says what is valid") {
    CHECK(error_of({"--epochs", "0"}).starts_with("--epochs: Value 0 not in range"));
    CHECK(error_of({"--arms", "luong"}) ==
          "--arms: luong not in {additive,scaled_dot_product,dot_product} (see ./course run 07 -- "
          "--help)");
    CHECK(error_of({"--valid", "a", "b"}) == "--valid is for your own files: --train is missing");
    CHECK(error_of({"--raw"}) == "--raw is for your own files: --train is missing");
    CHECK(error_of({"--seeds", "1,x"}).starts_with("--seeds: Value x not in range"));
    CHECK(error_of({"--faster"}) ==
          "The following argument was not expected: --faster (see ./course run 07 -- --help)");
}
