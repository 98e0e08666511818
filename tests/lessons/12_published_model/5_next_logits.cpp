// 12.5 next_logits. The right answers are not an oracle's but the library's. What holds them right
// is the first case, by hand, and PyTorch's logits of a whole text, to 1e-4.

#include "exports.hpp"
#include "llama/model.hpp"
#include "support/proof.hpp"

namespace of_next_logits {

using namespace proof;
using from_files::Read;
using llama::Checkpoint;
using llama::Sizes;
using llama::Tokens;

constexpr Tolerance eight_digits{1e-8, 1e-8};

std::vector<Vector> rows(const lesson::Matrix& M) {
    std::vector<Vector> all;
    for (std::size_t i = 0; i < M.shape(0); ++i) {
        all.emplace_back(xt::view(M, i, xt::all()));
    }
    return all;
}

Read right(const Tokens& tokens, const Checkpoint& model) {
    llama::Model<double> reader(model);
    Read all;
    for (const std::size_t token : tokens) {
        const std::vector<double>& logits = reader.next_logits(token);
        all.logits.emplace_back(Vector::from_shape({logits.size()}));
        std::copy(logits.begin(), logits.end(), all.logits.back().begin());
    }
    for (std::size_t layer = 0; layer < model.layers.size(); ++layer) {
        all.cache.push_back({rows(reader.keys(layer)), rows(reader.values(layer))});
    }
    return all;
}

/// Normal numbers that keep products near 1, and an output's table of its own.
Checkpoint some(const Sizes& sizes, std::uint64_t seed) {
    Checkpoint model = llama::zeros(sizes);
    std::mt19937_64 engine(seed);
    const auto fill = [&](auto& array) {
        std::normal_distribution<double> normal(
            0,
            array.dimension() == 1 ? 1 : 1 / std::sqrt(static_cast<double>(array.shape().back())));
        std::generate(array.begin(), array.end(), [&] { return normal(engine); });
    };
    llama::each_array(model, fill);
    fill(model.output);
    return model;
}

void check(const Tokens& tokens, const Sizes& sizes, std::uint64_t seed) {
    const Checkpoint model = some(sizes, seed);
    expect_close(graded::next_logits(tokens, model), right(tokens, model), eight_digits);
}

TEST_CASE("12.5 next_logits: one token of two components, by hand") {
    // The norm of [1 7] is [0.2 1.4], its gain makes [1 7] of it, attention to itself and W_o leave
    // that, and H = [2 14]. W_down is 0. The last norm has a gain of 10: [2 14] again.
    Checkpoint model = llama::zeros({2, 1, 1, 1, 1, 2, 4});
    model.tokens = model.output = {{1, 7}, {0, 1}};
    llama::Layer& layer = model.layers[0];
    layer.W_q = layer.W_k = layer.W_v = layer.W_o = {{1, 0}, {0, 1}};
    layer.attention_gain = layer.mlp_gain = {5, 5};
    model.last_gain = {10, 10};
    expect_close(graded::next_logits({0}, model), Read{{{100, 14}}, {{{{1, 7}}, {{1, 7}}}}},
                 {1e-5, 1e-5});
}

TEST_CASE("12.5 next_logits: one token, one layer") {
    check({2}, {4, 3, 1, 1, 1, 5, 8}, 1);
}

TEST_CASE("12.5 next_logits: several tokens, one layer of one head") {
    check({1, 0, 3, 3}, {6, 5, 1, 1, 1, 4, 8}, 2);
}

TEST_CASE("12.5 next_logits: four heads of queries, two of keys and values") {
    check({4, 1, 6, 2, 4}, {16, 7, 1, 4, 2, 7, 8}, 3);
}

TEST_CASE("12.5 next_logits: layers, and as many heads of keys, or one") {
    check({1, 2, 3, 4, 0, 0, 2}, {12, 9, 3, 3, 3, 5, 8}, 4);
    check({3, 2, 1, 0}, {12, 9, 2, 3, 1, 5, 8}, 5);
}

TEST_CASE("12.5 next_logits: the project's own model agrees with PyTorch on a whole text") {
    const Vector numbers = golden_vector("llama/tokens");
    const auto logits = graded::next_logits({numbers.begin(), numbers.end()}, std::nullopt).logits;
    expect_close(logits, rows(golden("llama/logits")), {1e-4, 1e-4});
}

TEST_CASE("12.5 next_logits: a token that is not there throws std::invalid_argument") {
    expect_refused(graded::next_logits.attempt({1, 5}, some({4, 3, 1, 1, 1, 5, 8}, 1)),
                   "token 5 of 5");
}

} // namespace of_next_logits
