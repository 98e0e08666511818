#include "language/generation.hpp"

#include "caches.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"

#include <stdexcept>

using namespace language;
using language_tests::greedy;
using language_tests::plain_cache;

namespace {

Model<float> some_model() {
    Model<float> model({.n_characters = 7, .context = 6, .d = 8, .n_heads = 2, .n_layers = 2},
                       parts<float>(), 4);
    for (auto& parameter : model.parameters()) {
        if (parameter.decays) {
            parameter.value *= 20.0F; // else all it says is nearly alike
        }
    }
    return model;
}

Vector last_logits(const Model<float>& model, const Ids& ids) {
    autograd::Tape tape;
    const auto all = model.logits(tape, ids, 1).data();
    Vector last = Vector::from_shape({model.sizes().n_characters});
    for (std::size_t c = 0; c < last.size(); ++c) {
        last(c) = static_cast<double>(all(ids.size() - 1, c));
    }
    return last;
}

} // namespace

TEST_CASE("Reader: with caches the logits are those of the whole text") {
    const Model<float> model = some_model();
    Reader reader(model, plain_cache);
    Ids text;
    for (const std::size_t id : {3U, 1U, 6U, 6U, 0U, 2U}) {
        text.push_back(id);
        support::check_close(reader.read(id), last_logits(model, text), {1e-4, 1e-4});
        CHECK(reader.n_read() == text.size());
    }
}

TEST_CASE("Reader: a text beyond the context is read anew from its later half") {
    const Model<float> model = some_model();
    Reader reader(model, plain_cache);
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
    const Ids text = write(model, plain_cache, greedy, {3, 1}, 4, 1,
                           [&](std::size_t id) { told.push_back(id); });
    REQUIRE(text.size() == 4);
    CHECK(told == text);
    Ids all{3, 1};
    for (const std::size_t id : text) {
        CHECK(id == greedy(last_logits(model, all), 0));
        all.push_back(id);
    }
    CHECK(write(model, plain_cache, greedy, {3, 1}, 0, 1).empty());
    CHECK(write(model, plain_cache, greedy, {3, 1}, 30, 1).size() == 30);
    CHECK_REFUSED(write(model, plain_cache, greedy, {}, 3, 1),
                  "write: the prompt must have a character, got none");
}

TEST_CASE("write: every draw has a seed of its own, of the one that is given") {
    const Model<float> model = some_model();
    const auto seeds_of = [&](std::uint64_t seed) {
        std::vector<std::uint64_t> seeds;
        write(
            model, plain_cache,
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

TEST_CASE("write: a cache or a draw that does not fit is an error that says so") {
    const Model<float> model = some_model();
    const auto broken = [] {
        HeadCache cache = plain_cache();
        cache.attend = [](const Vector&) { return Vector(); };
        return cache;
    };
    CHECK_THROWS_WITH_AS(write(model, broken, greedy, {1}, 1, 1),
                         "a head's cache has to return 4 components, got 0", std::runtime_error);
    const auto beyond = [](const Vector&, std::uint64_t) { return std::size_t{7}; };
    CHECK_THROWS_WITH_AS(write(model, plain_cache, beyond, {1}, 1, 1),
                         "a drawn character must be below 7, got 7", std::runtime_error);
}

TEST_CASE("attention_weights: of each block and head, causal, rows sum to 1") {
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
