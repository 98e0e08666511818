#include "language/generation.hpp"

#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "whole_text.hpp"

#include <stdexcept>

using namespace language;
using language_tests::greedy;
using language_tests::last_logits;
using language_tests::whole_text;

namespace {

Model<float> some_model() {
    Model<float> model({.n_characters = 7, .context = 6, .d = 8, .n_heads = 2, .n_layers = 2},
                       parts<float>(), 4);
    for (auto& parameter : model.parameters()) {
        if (parameter.decays) {
            parameter.value *= 20.0F; // otherwise all its output is nearly equal
        }
    }
    return model;
}

} // namespace

TEST_CASE("Reader: positions come in order, and the text is begun once") {
    const Model<float> model = some_model();
    std::vector<std::size_t> positions;
    std::size_t n_begun = 0;
    Reader reader(model, [&](const Model<float>& read) {
        ++n_begun;
        return [&](std::size_t id, std::size_t position) {
            positions.push_back(position);
            return last_logits(read, {id});
        };
    });
    for (const std::size_t id : {3U, 1U, 6U}) {
        reader.read(id);
    }
    CHECK(positions == std::vector<std::size_t>{0, 1, 2});
    CHECK(n_begun == 1);
    CHECK(reader.n_read() == 3);
}

TEST_CASE("Reader: a text beyond the context is read again from its later half") {
    const Model<float> model = some_model();
    Reader reader(model, whole_text);
    const Ids text{3, 1, 6, 6, 0, 2, 5, 4};
    Vector logits;
    for (const std::size_t id : text) {
        logits = reader.read(id);
    }
    CHECK(reader.n_read() == 5); // 3 of the later half, and 2
    support::check_close(logits, last_logits(model, {6, 0, 2, 5, 4}), {1e-4, 1e-4});
}

TEST_CASE("write: greedy text is what the logits say, and each character is reported") {
    const Model<float> model = some_model();
    Ids told;
    const Ids text =
        write(model, whole_text, greedy, {3, 1}, 4, 1, [&](std::size_t id) { told.push_back(id); });
    REQUIRE(text.size() == 4);
    CHECK(told == text);
    Ids all{3, 1};
    for (const std::size_t id : text) {
        CHECK(id == greedy(last_logits(model, all), 0));
        all.push_back(id);
    }
    CHECK(write(model, whole_text, greedy, {3, 1}, 0, 1).empty());
    CHECK(write(model, whole_text, greedy, {3, 1}, 30, 1).size() == 30);
    CHECK_REFUSED(write(model, whole_text, greedy, {}, 3, 1),
                  "write: the prompt must have a character, got none");
}

TEST_CASE("write: every draw has its own seed, made from the given one") {
    const Model<float> model = some_model();
    const auto seeds_of = [&](std::uint64_t seed) {
        std::vector<std::uint64_t> seeds;
        write(
            model, whole_text,
            [&](const Vector&, std::uint64_t drawn) {
                seeds.push_back(drawn);
                return std::size_t{0};
            },
            {1}, 3, seed);
        return seeds;
    };
    const std::vector<std::uint64_t> first = seeds_of(1);
    CHECK(first == seeds_of(1));
    CHECK(first != seeds_of(2));
    CHECK(first[0] != first[1]);
}

TEST_CASE("write: a draw beyond the characters is an error that says so") {
    const Model<float> model = some_model();
    const auto beyond = [](const Vector&, std::uint64_t) { return std::size_t{7}; };
    CHECK_THROWS_WITH_AS(write(model, whole_text, beyond, {1}, 1, 1),
                         "a drawn character must be below 7, got 7", std::runtime_error);
}

TEST_CASE("attention_weights: causal in each block and head, and rows sum to 1") {
    const Model<float> model = some_model();
    const auto weights = attention_weights(model, {3, 1, 6, 0, 2});
    REQUIRE(weights.size() == 2);
    for (const auto& block : weights) {
        REQUIRE(attention::shape_text(block) == "(2, 5, 5)");
        for (std::size_t head = 0; head < 2; ++head) {
            for (std::size_t i = 0; i < 5; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < 5; ++j) {
                    sum += block(head, i, j);
                    CHECK((j <= i || block(head, i, j) == 0));
                }
                CHECK(sum == doctest::Approx(1).epsilon(1e-9));
            }
        }
    }
}
