// 11.1, layer_norm: outputs and gradients of what is made of the tape's operations, in float.
// transformer_block: grader_transformer.cpp.

#include <doctest/doctest.h>

#include <cmath>

#include "blocks.hpp"

namespace grader_norm {

using namespace blocks;

namespace {

// A learner's float sums may be added in another order than a misconception's.
const bool registered = [] {
    const auto alike = [](const judge::Value& a, const judge::Value& b) {
        return !judge::compare(a, b, four_digits);
    };
    judge::session().compare_with("layer_norm", alike);
    return true;
}();

struct Rows {
    Array X, gain, bias, d_output;
};

Rows some_rows(std::size_t n, std::size_t d, std::uint64_t seed) {
    return {some({n, d}, 4 * seed, 1.5, 0.5), some({d}, 4 * seed + 1, 1, 0.5),
            some({d}, 4 * seed + 2), some({n, d}, 4 * seed + 3)};
}

// Of mistakes that show in such rows alone no two programs need make the same numbers.
const judge::Suspicion epsilon_in_another_place{
    "epsilon_in_another_place",
    "right, but for rows of a small spread. There 1e-5 shows, and where it is added: to the "
    "variance, under the root, 1 / √(variance + 1e-5). It is added neither to the root nor to the "
    "square of the variance, and such rows need no case of their own."};
const judge::Suspicion digits_lost_far_from_0{
    "digits_lost_far_from_0",
    "right, but for rows far from 0: there the digits of a float are lost on the way, as where the "
    "variance is the mean of the squares less the square of the mean, and two large squares are "
    "subtracted. Subtract the mean first, and take the mean of the squares of what is left."};
const judge::Suspicion single_component_apart{
    "single_component_apart",
    "right, but for rows of a single component. They need no case of their own: the distance from "
    "the mean is 0, the variance is 0, and 0 / √1e-5 leaves nothing but the bias."};

void expect_norm(const Rows& of) {
    expect_close(graded::layer_norm(of.X, of.gain, of.bias, of.d_output),
                 plain::layer_norm(of.X, of.gain, of.bias, of.d_output), four_digits);
}

} // namespace

TEST_CASE("11.1 layer_norm: two rows of two components, by hand") {
    // Means 2 and 5, both spreads 1, but for the 1e-5.
    expect_close(graded::layer_norm({{1, 3}, {6, 4}}, {1, 10}, {0, 100}, {{1, 0}, {0, 0}}).output,
                 Array{{-1, 110}, {1, 90}}, {1e-4, 1e-4});
}

TEST_CASE("11.1 layer_norm: three rows of four components, with gradients") {
    expect_norm(some_rows(3, 4, 1));
}

TEST_CASE("11.1 layer_norm: as many rows as components") {
    expect_norm(some_rows(5, 5, 2));
    expect_norm(some_rows(3, 3, 3));
}

TEST_CASE("11.1 layer_norm: gradients reach X, gain and bias") {
    const Rows of = some_rows(4, 6, 4);
    const Normed answer = graded::layer_norm(of.X, of.gain, of.bias, of.d_output);
    expect_shape(sizes(answer.output), {4, 6});
    expect_gradient("X", answer.d_X, of.X);
    expect_gradient("gain", answer.d_gain, of.gain);
    expect_gradient("bias", answer.d_bias, of.bias);
    expect_norm(of);
}

TEST_CASE("11.1 layer_norm: agrees with PyTorch's nn.LayerNorm") {
    expect_close(graded::layer_norm(golden_array("X"), golden_row("layer_norm/gain"),
                                    golden_row("layer_norm/bias"), golden_array("d_Y")),
                 Normed{golden_array("layer_norm/Y"), golden_array("layer_norm/d_X"),
                        golden_row("layer_norm/d_gain"), golden_row("layer_norm/d_bias")},
                 four_digits);
}

TEST_CASE("11.1 layer_norm: a row of equal components has no spread: 1e-5 keeps it from 0/0") {
    judge::session().suspect(epsilon_in_another_place);
    Rows of = some_rows(3, 4, 5);
    xt::view(of.X, 1, xt::all()) = 2.0F;
    expect_close(graded::layer_norm(of.X, of.gain, of.bias, of.d_output).output,
                 plain::layer_norm(of.X, of.gain, of.bias, of.d_output).output, four_digits);
}

TEST_CASE("11.1 layer_norm: in rows of a small spread 1e-5 shows") {
    judge::session().suspect(epsilon_in_another_place);
    Rows of = some_rows(4, 5, 6);
    of.X *= 0.004F;
    expect_norm(of);
}

TEST_CASE("11.1 layer_norm: rows far from 0 and of any spread, each by itself") {
    Rows of = some_rows(4, 6, 7);
    for (std::size_t i = 0; i < 4; ++i) {
        auto row = xt::view(of.X, i, xt::all());
        row = row * std::pow(4.0F, static_cast<float>(i)) + 30.0F * static_cast<float>(i);
    }
    expect_norm(of);
}

// A mean of 3000 is known to 2e-4 in a float, and its square to 1.
TEST_CASE("11.1 layer_norm: a mean of 3000 beside a spread of 1") {
    judge::session().suspect(digits_lost_far_from_0);
    constexpr judge::Tolerance two_digits{0, 1e-2, 1e-2};
    expect_norm(some_rows(3, 4, 1)); // asked only of what is right on ordinary rows
    Rows of = some_rows(4, 6, 31);
    of.X = some({4, 6}, 30, 1, 3000);
    expect_close(graded::layer_norm(of.X, of.gain, of.bias, of.d_output),
                 plain::layer_norm(of.X, of.gain, of.bias, of.d_output), two_digits);
    of.X = some({4, 6}, 32, 1, -3000);
    expect_close(graded::layer_norm(of.X, of.gain, of.bias, of.d_output),
                 plain::layer_norm(of.X, of.gain, of.bias, of.d_output), two_digits);
}

// Where X is next to nothing 1e-5 is all that is divided by.
TEST_CASE("11.1 layer_norm: rows of 1e-8 and of 1e8, gains and gradients of 1e-20 and of 1e20") {
    expect_norm(some_rows(3, 4, 1)); // asked only of what is right on ordinary rows
    constexpr judge::Tolerance of_any_size{0, 0, 3e-4};
    const auto expect_norm_of = [&](const Rows& of) {
        expect_close(graded::layer_norm(of.X, of.gain, of.bias, of.d_output),
                     plain::layer_norm(of.X, of.gain, of.bias, of.d_output), of_any_size);
    };
    for (const float size : {1e-8F, 1e8F}) {
        Rows of = some_rows(3, 5, 33);
        of.X *= size;
        of.bias.fill(0);
        expect_norm_of(of);
    }
    for (const float size : {1e-20F, 1e20F}) {
        Rows of = some_rows(3, 5, 34);
        of.gain *= size;
        of.bias *= size;
        expect_norm_of(of);
        of = some_rows(3, 5, 34);
        of.d_output *= size;
        expect_norm_of(of);
    }
}

TEST_CASE("11.1 layer_norm: gains, biases and gradients of 0") {
    expect_norm(some_rows(3, 4, 1)); // asked only of what is right on ordinary rows
    const auto zeros_in = [](Array array, std::size_t from, std::size_t step) {
        for (std::size_t i = from; i < array.size(); i += step) {
            *(array.begin() + static_cast<std::ptrdiff_t>(i)) = 0;
        }
        return array;
    };
    for (const auto& [from, step] : {std::pair{0U, 1U}, {0U, 5U}, {2U, 3U}, {4U, 5U}}) {
        Rows of = some_rows(4, 5, 35);
        of.gain = zeros_in(of.gain, from, step);
        expect_norm(of);
        of = some_rows(4, 5, 36);
        of.bias = zeros_in(of.bias, from, step);
        expect_norm(of);
        of = some_rows(4, 5, 37);
        of.d_output = zeros_in(of.d_output, from, step);
        expect_norm(of);
    }
    Rows of = some_rows(4, 5, 38);
    of.X = zeros_in(of.X, 0, 6); // one in each row
    expect_norm(of);
}

TEST_CASE("11.1 layer_norm: gains of 1 and biases of 0, as at the start of a training") {
    expect_norm(some_rows(3, 4, 1)); // asked only of what is right on ordinary rows
    judge::session().suspect(left_out_without_effect);
    Rows of = some_rows(4, 5, 39);
    of.gain.fill(1);
    expect_norm(of);
    of.bias.fill(0);
    expect_norm(of);
    of.gain = some_rows(4, 5, 39).gain;
    expect_norm(of);
}

// Of two components nothing is left but their order, and of the gradient nothing but rounding: rows
// have one, or three and more.
TEST_CASE("11.1 layer_norm: awkward sizes agree with plain loops") {
    constexpr std::size_t awkward[][2] = {{1, 4},  {1, 7},   {5, 3},  {2, 3},  {13, 11},
                                          {67, 5}, {261, 4}, {3, 67}, {2, 261}};
    for (const auto& size : awkward) {
        expect_norm(some_rows(size[0], size[1], 10 + size[0] + size[1]));
    }
}

TEST_CASE("11.1 layer_norm: of a single component nothing is left but the bias") {
    judge::session().suspect(single_component_apart);
    Rows of = some_rows(3, 1, 8);
    expect_norm(of);
}

TEST_CASE("11.1 layer_norm: gain and bias of another size are refused, both shapes named") {
    const Rows of = some_rows(3, 4, 9);
    judge::expect_invalid_argument(
        graded::layer_norm.attempt(of.X, some({5}, 1), of.bias, of.d_output), {{3, 4}, {5}});
    judge::expect_invalid_argument(
        graded::layer_norm.attempt(of.X, of.gain, some({1}, 1), of.d_output), {{3, 4}, {1}});
    // as many as there are rows, and one for all
    judge::expect_invalid_argument(
        graded::layer_norm.attempt(of.X, some({3}, 1), of.bias, of.d_output), {{3, 4}, {3}});
    judge::expect_invalid_argument(
        graded::layer_norm.attempt(of.X, of.gain, some({3}, 1), of.d_output), {{3, 4}, {3}});
    judge::expect_invalid_argument(
        graded::layer_norm.attempt(of.X, some({1}, 1), of.bias, of.d_output), {{3, 4}, {1}});
}

TEST_CASE("11.1 layer_norm: so are a gain and a bias that are alike, and of another size than X") {
    const Rows of = some_rows(3, 4, 9);
    for (const std::size_t size : {1U, 3U, 5U, 8U, 12U}) {
        judge::expect_invalid_argument(
            graded::layer_norm.attempt(of.X, some({size}, 1), some({size}, 2), of.d_output),
            {{3, 4}, {size}});
    }
    // A single component, which would go with any number of gains.
    const Rows narrow = some_rows(3, 1, 10);
    for (const std::size_t size : {3U, 4U}) {
        judge::expect_invalid_argument(
            graded::layer_norm.attempt(narrow.X, some({size}, 1), some({size}, 2), of.d_output),
            {{3, 1}, {size}});
        judge::expect_invalid_argument(
            graded::layer_norm.attempt(narrow.X, some({size}, 1), narrow.bias, of.d_output),
            {{3, 1}, {size}});
        judge::expect_invalid_argument(
            graded::layer_norm.attempt(narrow.X, narrow.gain, some({size}, 1), of.d_output),
            {{3, 1}, {size}});
    }
}

} // namespace grader_norm
