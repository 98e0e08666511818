// 07.3 as a part of a model: constants among the inputs, and inputs that are used elsewhere. After
// the other checks of 07.3 (files go by their names), which know more mistakes by name.

#include <doctest/doctest.h>

#include "float_arrays.hpp"
#include "judge/expect.hpp"
#include "plain.hpp"

namespace grader_training_in_a_model {

using float_arrays::Array;
using float_arrays::compare_in_float;
using float_arrays::in_float;
using float_arrays::Shape;
using float_arrays::some;
using judge::expect_close;
using Names = std::vector<std::string>;

namespace {

const bool registered = [] {
    compare_in_float("additive_in_a_model");
    compare_in_float("scaled_dot_product_in_a_model");
    return true;
}();

void expect_additive(std::size_t batch, std::size_t n_keys, std::size_t d_a,
                     const std::vector<Names>& choices, bool elsewhere) {
    const Array states = some({batch, d_a}, 201), keys = some({batch, n_keys, d_a}, 202);
    const Array v = some({d_a}, 203), d_scores = some({batch, n_keys}, 204);
    for (const Names& constants : choices) {
        expect_close(graded::additive_in_a_model(states, keys, v, d_scores, constants, elsewhere),
                     plain::additive_in_a_model(states, keys, v, d_scores, constants, elsewhere),
                     in_float);
    }
}

void expect_dot_product(std::size_t batch, std::size_t n_keys, std::size_t d_a,
                        const std::vector<Names>& choices, bool elsewhere) {
    const Array states = some({batch, d_a}, 211), keys = some({batch, n_keys, d_a}, 212);
    const Array d_scores = some({batch, n_keys}, 213);
    for (const Names& constants : choices) {
        expect_close(
            graded::scaled_dot_product_in_a_model(states, keys, d_scores, constants, elsewhere),
            plain::scaled_dot_product_in_a_model(states, keys, d_scores, constants, elsewhere),
            in_float);
    }
}

// A check ends at its first wrong answer: one for each tells the mistakes apart.

} // namespace

TEST_CASE("07.3 additive: the states may be constants, and keys and v have their gradients") {
    expect_additive(2, 3, 4, {{"states"}}, false);
}

TEST_CASE("07.3 additive: the keys may be constants, and states and v have their gradients") {
    expect_additive(2, 3, 4, {{"keys"}}, false);
}

TEST_CASE("07.3 additive: v may be a constant, and states and keys have their gradients") {
    expect_additive(2, 3, 4, {{"v"}}, false);
}

TEST_CASE("07.3 additive: any two of states, keys and v may be constants, and all three") {
    const std::vector<Names> several{
        {"states", "keys"}, {"states", "v"}, {"keys", "v"}, {"states", "keys", "v"}};
    expect_additive(2, 3, 4, several, false);
    expect_additive(1, 1, 1, several, false);
}

TEST_CASE("07.3 additive: states, keys and v come from operations and are used in several: their "
          "gradients add up") {
    const std::vector<Names> choices{
        {},    {"states"},      {"keys"},      {"states", "keys"},
        {"v"}, {"states", "v"}, {"keys", "v"}, {"states", "keys", "v"}};
    expect_additive(2, 3, 4, choices, true);
    expect_additive(3, 1, 2, choices, true);
}

TEST_CASE("07.3 scaled_dot_product: the states may be constants, and the keys have their "
          "gradients") {
    expect_dot_product(2, 3, 4, {{"states"}}, false);
}

TEST_CASE("07.3 scaled_dot_product: the keys may be constants, and the states have their "
          "gradients") {
    expect_dot_product(2, 3, 4, {{"keys"}}, false);
}

TEST_CASE("07.3 scaled_dot_product: states and keys may both be constants") {
    expect_dot_product(2, 3, 4, {{"states", "keys"}}, false);
    expect_dot_product(1, 1, 1, {{"states"}, {"keys"}, {"states", "keys"}}, false);
}

TEST_CASE("07.3 scaled_dot_product: states and keys come from operations and are used in several: "
          "their gradients add up") {
    const std::vector<Names> choices{{}, {"states"}, {"keys"}, {"states", "keys"}};
    expect_dot_product(2, 3, 4, choices, true);
    expect_dot_product(3, 1, 2, choices, true);
}

} // namespace grader_training_in_a_model
