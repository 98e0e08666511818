// The library's form of lesson 12's model, and our solutions, on whole models: the project's own,
// and the smallest published one where it is there.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "llama/model.hpp"
#include "process/files.hpp"
#include "published_model.hpp"
#include "support/golden.hpp"

namespace {

using lesson::Checkpoint;
using lesson::Tokens;
using lesson::Vector;
using lesson::Vocabulary;

/// Logits after each token, by the library's form in float and by our solutions.
std::pair<std::vector<Vector>, std::vector<Vector>> logits_of(const Checkpoint& model,
                                                              const Tokens& text) {
    std::pair<std::vector<Vector>, std::vector<Vector>> both;
    llama::Model<float> reader(model);
    lesson::Cache cache(model.layers.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::vector<float>& logits = reader.next_logits(text[i]);
        both.first.emplace_back(Vector::from_shape({logits.size()}));
        std::copy(logits.begin(), logits.end(), both.first.back().begin());
        both.second.push_back(lesson::next_logits(text[i], i, model, cache));
    }
    return both;
}

// What the published model writes at temperature 0, in 180 tokens.
const char* const story =
    "Once upon a time, there was a little girl named Lily. She loved to play outside in the park. "
    "One day, she saw a big, red ball. She wanted to play with it, but it was too high.\n"
    "Lily's mom said, \"Lily, let's go to the park.\" Lily was sad and didn't know what to do. "
    "She said, \"I want to play with your ball, but I can't find it.\"\n"
    "Lily was sad and didn't know what to do. She said, \"I'm sorry, Lily. I didn't know what to "
    "do.\"\nLily didn't want to help her mom, so she said, \"I'm sorry, mom. I";

} // namespace

TEST_CASE("the published model of 260,000 numbers writes its text word for word") {
    const char* const set = std::getenv("COURSE_TINYSTORIES");
    const std::string folder = set == nullptr ? COURSE_ROOT "/../shared/data/tinystories260k" : set;
    const auto bytes = process::read_file(folder + "/stories260K.bin");
    if (!bytes) {
        MESSAGE("skipped: COURSE_TINYSTORIES names no folder with stories260K.bin and tok512.bin");
        return;
    }
    const Checkpoint model = lesson::read_checkpoint(*bytes);
    const Vocabulary vocabulary =
        llama::read_vocabulary(process::read_file(folder + "/tok512.bin").value(), 512);
    CHECK(lesson::encode("xylophone", vocabulary) ==
          Tokens{1, 410, 444, 422, 421, 414, 427, 415, 289, 411});
    CHECK(lesson::encode("naïve café", vocabulary) ==
          Tokens{1, 297, 412, 198, 178, 360, 280, 412, 431, 485});
    CHECK(lesson::encode("😀", vocabulary) == Tokens{1, 410, 243, 162, 155, 131});
    const Tokens text = lesson::encode(story, vocabulary);
    CHECK(text.size() > 180);
    const auto [in_float, by_solutions] = logits_of(model, text);
    for (const auto& logits : {in_float, by_solutions}) {
        CHECK(std::abs(logits[0](403) - 17.023515) < 1e-4);
        CHECK(std::abs(logits[0](385) - 15.406213) < 1e-4);
        CHECK(std::abs(logits[0](0) + 6.222914) < 1e-4);
        CHECK(std::abs(logits[3](378) - 18.874388) < 1e-4);
        for (std::size_t i = 0; i + 1 < text.size(); ++i) { // the most probable is the next
            CHECK(logits[i](text[i + 1]) == xt::amax(logits[i])());
        }
    }
}

TEST_CASE("the project's own model: the float form agrees with PyTorch on a whole text") {
    const Vector numbers = support::golden_vector("llama/tokens");
    const lesson::Matrix expected = support::golden("llama/logits");
    const Tokens text(numbers.begin(), numbers.end());
    const auto logits =
        logits_of(lesson::read_checkpoint(llama::own_file("stories.bin")), text).first;
    for (std::size_t i = 0; i < text.size(); ++i) {
        CHECK(xt::amax(xt::abs(xt::row(expected, std::ptrdiff_t(i)) - logits[i]))() < 1e-4);
    }
    const Vocabulary vocabulary = llama::read_vocabulary(llama::own_file("pieces.bin"), 512);
    CHECK(lesson::encode(llama::decode(text, vocabulary), vocabulary) == text);
}

TEST_CASE("read_checkpoint and read_vocabulary: a damaged file is refused, or read as it is") {
    const std::string own = llama::own_file("stories.bin"), pieces = llama::own_file("pieces.bin");
    std::mt19937_64 engine(1);
    for (int call = 0; call < 40; ++call) {
        std::string model = own, words = pieces;
        for (int flip = 0; flip < 100; ++flip) {
            model[engine() % (call % 2 == 0 ? 28 : model.size())] ^= static_cast<char>(engine());
            words[engine() % words.size()] ^= static_cast<char>(engine());
        }
        try {
            lesson::read_checkpoint(model);
            llama::read_vocabulary(words, 512);
        } catch (const std::invalid_argument& error) {
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK_THROWS_WITH_AS(
        llama::read_vocabulary(pieces.substr(0, 4000), 512),
        "the vocabulary must have 512 pieces, as the model has, and at least 259; its 4000 "
        "bytes are damaged or of another model",
        std::invalid_argument);
}
