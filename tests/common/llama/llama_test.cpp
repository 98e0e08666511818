// The library's form of lesson 12's model, and our solutions, on whole models: the project's own,
// and the smallest published one where it is there.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "llama/model.hpp"
#include "published_model.hpp"
#include "support/golden.hpp"

namespace {

using lesson::Checkpoint;
using lesson::Tokens;
using lesson::Vector;
using lesson::Vocabulary;

/// Logits after each token, by our solutions or by the library.
std::vector<Vector> by_solutions(const Checkpoint& model, const Tokens& text) {
    lesson::Cache cache(model.layers.size());
    std::vector<Vector> all;
    for (std::size_t i = 0; i < text.size(); ++i) {
        all.push_back(lesson::next_logits(text[i], i, model, cache));
    }
    return all;
}
std::vector<Vector> in_float(const Checkpoint& model, const Tokens& text) {
    llama::Model<float> reader(model, text.size());
    std::vector<Vector> all;
    for (const std::size_t token : text) {
        const std::vector<float>& logits = reader.next_logits(token);
        all.emplace_back(Vector::from_shape({logits.size()}));
        std::copy(logits.begin(), logits.end(), all.back().begin());
    }
    return all;
}

/// The most probable token after each of a text.
Tokens greedy(const std::vector<Vector>& logits) {
    Tokens tokens;
    for (const Vector& each : logits) {
        tokens.push_back(
            static_cast<std::size_t>(std::max_element(each.begin(), each.end()) - each.begin()));
    }
    return tokens;
}

// What the published model writes at temperature 0, in 180 tokens.
const char* const story =
    "Once upon a time, there was a little girl named Lily. She loved to play outside in the park. "
    "One day, she saw a big, red ball. She wanted to play with it, but it was too high.\n"
    "Lily's mom said, \"Lily, let's go to the park.\" Lily was sad and didn't know what to do. "
    "She said, \"I want to play with your ball, but I can't find it.\"\n"
    "Lily was sad and didn't know what to do. She said, \"I'm sorry, Lily. I didn't know what to "
    "do.\"\nLily didn't want to help her mom, so she said, \"I'm sorry, mom. I";

std::string bytes_of_own() {
    return llama::read_file(llama::own_checkpoint());
}

} // namespace

TEST_CASE("the published model of 260,000 numbers writes its text word for word") {
    const char* const set = std::getenv("COURSE_TINYSTORIES");
    const std::string folder = set == nullptr ? COURSE_ROOT "/../shared/data/tinystories260k" : set;
    if (!std::filesystem::exists(folder + "/stories260K.bin")) {
        MESSAGE("skipped: COURSE_TINYSTORIES names no folder with stories260K.bin and tok512.bin");
        return;
    }
    const Checkpoint model = lesson::read_checkpoint(llama::read_file(folder + "/stories260K.bin"));
    const Vocabulary vocabulary =
        llama::read_vocabulary(llama::read_file(folder + "/tok512.bin"), 512);
    CHECK(lesson::encode("xylophone", vocabulary) ==
          Tokens{1, 410, 444, 422, 421, 414, 427, 415, 289, 411});
    CHECK(lesson::encode("naïve café", vocabulary) ==
          Tokens{1, 297, 412, 198, 178, 360, 280, 412, 431, 485});
    CHECK(lesson::encode("😀", vocabulary) == Tokens{1, 410, 243, 162, 155, 131});
    const Tokens text = lesson::encode(story, vocabulary);
    CHECK(Tokens(text.begin(), text.begin() + 5) == Tokens{1, 403, 407, 261, 378});
    for (const auto& logits : {by_solutions(model, text), in_float(model, text)}) {
        CHECK(std::abs(logits[0](403) - 17.023515) < 1e-4);
        CHECK(std::abs(logits[0](385) - 15.406213) < 1e-4);
        CHECK(std::abs(logits[0](0) + 6.222914) < 1e-4);
        CHECK(std::abs(logits[3](378) - 18.874388) < 1e-4);
        const Tokens next = greedy(logits); // it writes the story: each token is the next one
        CHECK(Tokens(next.begin(), next.end() - 1) == Tokens(text.begin() + 1, text.end()));
        CHECK(text.size() > 180);
    }
}

TEST_CASE("the project's own model: solutions and float form agree with PyTorch on a whole text") {
    const Vector numbers = support::golden_vector("llama/tokens");
    const lesson::Matrix expected = support::golden("llama/logits");
    Tokens text;
    for (const double token : numbers) {
        text.push_back(static_cast<std::size_t>(token));
    }
    const Checkpoint model = lesson::read_checkpoint(bytes_of_own());
    for (const auto& logits : {by_solutions(model, text), in_float(model, text)}) {
        double apart = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const Vector row = xt::view(expected, i, xt::all());
            apart = std::max(apart, xt::amax(xt::abs(row - logits[i]))());
        }
        CHECK(apart < 1e-4);
        CHECK(greedy(logits).back() != 0);
    }
    const Vocabulary vocabulary =
        llama::read_vocabulary(llama::read_file(llama::own_vocabulary()), 512);
    CHECK(lesson::encode(llama::decode(text, vocabulary), vocabulary) == text);
}

TEST_CASE("read_checkpoint and read_vocabulary: a damaged file is refused, or read as it is") {
    const std::string own = bytes_of_own(), pieces = llama::read_file(llama::own_vocabulary());
    const auto survives = [](const auto& read) {
        try {
            read();
        } catch (const std::invalid_argument& error) {
            return std::string(error.what()).find('\n') == std::string::npos;
        }
        return true;
    };
    std::mt19937_64 engine(1);
    for (int call = 0; call < 40; ++call) {
        std::string model = own, words = pieces;
        for (int flip = 0; flip < 100; ++flip) {
            model[engine() % (call % 2 == 0 ? 28 : model.size())] ^= static_cast<char>(engine());
            words[engine() % words.size()] ^= static_cast<char>(engine());
        }
        CHECK(survives([&] { lesson::read_checkpoint(model); }));
        CHECK(survives([&] { llama::read_vocabulary(words, 512); }));
        const std::string cut = own.substr(0, engine() % own.size());
        CHECK_THROWS_AS(lesson::read_checkpoint(cut), std::invalid_argument);
        CHECK_THROWS_WITH_AS(
            llama::read_vocabulary(pieces.substr(0, 4000), 512),
            "the vocabulary must have 512 pieces, as the model has, and at least 259; its 4000 "
            "bytes are damaged or of another model",
            std::invalid_argument);
    }
}

TEST_CASE("learn_pieces: the most frequent pairs first, of equals the first in the alphabet") {
    const Vocabulary learned = llama::learn_pieces("aab aab\naac", 259 + 4 + 3);
    CHECK(learned.piece(259) == "aa");
    CHECK(learned.piece(260) == " aa");
    CHECK(learned.piece(261) == " aab");
    CHECK(learned.piece(262) == " ");
    CHECK(learned.score(261) == -2);
    const Vocabulary again = llama::read_vocabulary(llama::write_vocabulary(learned), 266);
    CHECK(again.piece(265) == "c");
    CHECK(again.score(265) == -6);
    CHECK_THROWS_WITH_AS(llama::learn_pieces("ab", 400),
                         "learn_pieces: the text has too few different pairs",
                         std::invalid_argument);
}
