// 11.1 as a part of a model: constants among the inputs, and inputs that are used elsewhere. After
// the other checks of 11.1 (files go by their names), which know more mistakes by name.

#include <doctest/doctest.h>

#include "blocks.hpp"

namespace grader_transformer_in_a_model {

using namespace blocks;
using on_arrays::Names;

namespace {

const bool registered = [] {
    const auto alike = [](const judge::Value& a, const judge::Value& b) {
        return !judge::compare(a, b, four_digits);
    };
    judge::session().compare_with("layer_norm_in_a_model", alike);
    judge::session().compare_with("transformer_block_in_a_model", alike);
    return true;
}();

void expect_norm(const Names& constants, bool elsewhere) {
    const Array X = some({3, 4}, 901, 1.5, 0.5), d_output = some({3, 4}, 902);
    const Array gain = some({4}, 903, 0.4, 1), bias = some({4}, 904);
    expect_close(graded::layer_norm_in_a_model(X, gain, bias, d_output, constants, elsewhere),
                 plain::layer_norm_in_a_model(X, gain, bias, d_output, constants, elsewhere),
                 four_digits);
}

/// Two texts of three positions, four components, two heads.
void expect_block(const Names& constants, bool elsewhere) {
    const std::size_t d = 4;
    std::uint64_t next = 910;
    const auto matrix = [&](std::size_t rows, std::size_t columns) {
        return some({rows, columns}, ++next, 0.5);
    };
    const auto gain = [&] { return some({d}, ++next, 0.4, 1); };
    const auto bias = [&](std::size_t columns) { return some({columns}, ++next, 0.4); };
    const Block weights{gain(),           bias(d),      matrix(d, d),     matrix(d, d),
                        matrix(d, d),     matrix(d, d), gain(),           bias(d),
                        matrix(d, 4 * d), bias(4 * d),  matrix(4 * d, d), bias(d)};
    const Array X = some({6, d}, 930, 1.5, 0.5), d_output = some({6, d}, 931);
    expect_close(
        graded::transformer_block_in_a_model(X, weights, 2, 2, d_output, constants, elsewhere),
        plain::transformer_block_in_a_model(X, weights, 2, 2, d_output, constants, elsewhere),
        four_digits);
}

} // namespace

TEST_CASE("11.1 layer_norm: X may be a constant, and gain and bias have their gradients") {
    expect_norm({"X"}, false);
}

TEST_CASE("11.1 layer_norm: gain or bias may be a constant, both, or all three") {
    for (const Names& constants :
         {Names{"gain"}, {"bias"}, {"gain", "bias"}, {"X", "gain"}, {"X", "bias"}}) {
        expect_norm(constants, false);
    }
    expect_norm({"X", "gain", "bias"}, false);
}

TEST_CASE("11.1 layer_norm: X, gain and bias come from operations and are used in several: their "
          "gradients add up") {
    for (const Names& constants : {Names{}, {"X"}, {"gain"}, {"bias"}}) {
        expect_norm(constants, true);
    }
}

TEST_CASE("11.1 transformer_block: X may be a constant, and the weights have their gradients") {
    expect_block({"X"}, false);
}

TEST_CASE("11.1 transformer_block: weights may be constants, as where a part of them is trained") {
    for (const Names& constants :
         {Names{"W_q", "W_k", "W_v", "W_o"},
          {"W_in", "b_in", "W_out", "b_out"},
          {"attention_gain", "attention_bias", "mlp_gain", "mlp_bias"},
          {"X", "attention_gain", "attention_bias", "W_q", "W_k", "W_v", "W_o"}}) {
        expect_block(constants, false);
    }
}

TEST_CASE("11.1 transformer_block: X and the weights come from operations and are used in several: "
          "their gradients add up") {
    for (const Names& constants : {Names{}, {"X"}, {"W_q", "b_in", "mlp_gain"}}) {
        expect_block(constants, true);
    }
}

} // namespace grader_transformer_in_a_model
