// 11.1 layer_norm, transformer_block: outputs and gradients of what is made of the tape's
// operations, in float

#include <doctest/doctest.h>

#include <cmath>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/golden.hpp"
#include "support/kinds_of_arguments.hpp"
#include "support/oracle_block.hpp"

namespace of_transformer_block {

using domain::Argument;
using domain::Kind;
using judge::expect_close;
using lesson::Matrix;
using namespace on_arrays;

constexpr judge::Tolerance four_digits{1e-4, 3e-5, 1e-4};
// Next to nothing flows back through the norm of one or two components, or of equal ones.
constexpr judge::Tolerance three_digits{1e-3, 1e-4, 1e-3};

std::vector<Matrix> in_double(const Arrays& arrays) {
    std::vector<Matrix> matrices;
    for (const Array& A : arrays) {
        matrices.emplace_back(
            Matrix::from_shape({A.dimension() == 1 ? 1 : A.shape(0), A.shape().back()}));
        std::copy(A.begin(), A.end(), matrices.back().begin());
    }
    return matrices;
}

/// With the shape of an array.
Array in_float(const Matrix& A, const Array& like) {
    Array result = xt::zeros_like(like);
    std::transform(A.begin(), A.end(), result.begin(), [](double x) { return float(x); });
    return result;
}

/// The output, and the gradients of the inputs.
Arrays answer(const oracle::Gradients& right, const Arrays& in) {
    Arrays all{in_float(right.output, in[0])};
    for (std::size_t i = 0; i < in.size(); ++i) {
        all.push_back(in_float(right.gradients[i], in[i]));
    }
    return all;
}

Arrays norm_of(const Arrays& in, const Array& d_output) {
    return answer(oracle::layer_norm(in_double(in), in_double({d_output})[0]), in);
}
Arrays block_of(const Arrays& in, std::size_t n_texts, std::size_t n_heads, const Array& d_output) {
    return answer(
        oracle::transformer_block(in_double(in), n_texts, n_heads, in_double({d_output})[0]), in);
}

Normed right_norm(const Array& X, const Array& gain, const Array& bias, const Array& d_output) {
    return normed(norm_of({X, gain, bias}, d_output));
}
Transformed right_block(const Array& X, const Block& weights, std::size_t n_texts,
                        std::size_t n_heads, const Array& d_output) {
    return transformed(block_of(arrays_of(X, weights), n_texts, n_heads, d_output));
}

// A learner's float sums may be added in another order than a mistake's.
const bool registered = [] {
    for (const char* function : {"layer_norm", "transformer_block", "layer_norm_in_a_model",
                                 "transformer_block_in_a_model"}) {
        judge::session().compare_with(
            function,
            [](const judge::Value& a, const judge::Value& b) {
                return !judge::compare(a, b, three_digits);
            },
            true);
    }
    return true;
}();

const domain::Domain norms =
    domain::Domain("layer_norm", domain::of<decltype(on_arrays::layer_norm)>(right_norm),
                   {{"X", Kind::array, "n x d"},
                    {"gain", Kind::array, "d"},
                    {"bias", Kind::array, "d"},
                    {"d_output", Kind::array, "n x d"}},
                   four_digits)
        .made_to_fit(domain::in_float)
        .at_least("d", 3)
        .refuses_nothing();

const std::string d = "n_heads*d_k", four_d = "4*n_heads*d_k";

const domain::Domain blocks =
    domain::Domain("transformer_block",
                   domain::of<decltype(on_arrays::transformer_block)>(right_block),
                   {{"X", Kind::array, "n_texts*n x " + d},
                    {"weights.attention_gain", Kind::array, d},
                    {"weights.attention_bias", Kind::array, d},
                    {"weights.W_q", Kind::array, d + " x " + d},
                    {"weights.W_k", Kind::array, d + " x " + d},
                    {"weights.W_v", Kind::array, d + " x " + d},
                    {"weights.W_o", Kind::array, d + " x " + d},
                    {"weights.mlp_gain", Kind::array, d},
                    {"weights.mlp_bias", Kind::array, d},
                    {"weights.W_in", Kind::array, d + " x " + four_d},
                    {"weights.b_in", Kind::array, four_d},
                    {"weights.W_out", Kind::array, four_d + " x " + d},
                    {"weights.b_out", Kind::array, d},
                    {"n_texts", Kind::count, "n_texts"},
                    {"n_heads", Kind::count, "n_heads"},
                    {"d_output", Kind::array, "n_texts*n x " + d}},
                   three_digits)
        .made_to_fit(domain::in_float)
        .at_most("n_texts", 3)
        .at_most("n", 9)
        .at_most("n_heads", 3)
        .at_most("d_k", 3)
        .numbers_together()
        .refuses_nothing();

Array some(const std::vector<std::size_t>& shape, std::uint64_t seed) {
    judge::List numbers{domain::usual(Kind::array, shape, {}, seed)};
    domain::in_float(numbers);
    return judge::from_value<Array>(numbers[0]);
}

Array golden_array(const std::string& name) {
    return xt::cast<float>(support::golden("language/" + name));
}
Array golden_row(const std::string& name) {
    return xt::cast<float>(support::golden_vector("language/" + name));
}

// ---- layer_norm

TEST_CASE("11.1 layer_norm: two rows of two components, by hand") {
    // Means 2 and 5, both spreads 1, apart from the 1e-5.
    expect_close(graded::layer_norm({{1, 3}, {6, 4}}, {1, 10}, {0, 100}, {{1, 0}, {0, 0}}).output,
                 Array{{-1, 110}, {1, 90}}, {1e-4, 1e-4});
}

PROPERTIES("11.1 layer_norm", norms)

TEST_CASE("11.1 layer_norm: agrees with PyTorch's nn.LayerNorm") {
    expect_close(graded::layer_norm(golden_array("X"), golden_row("layer_norm/gain"),
                                    golden_row("layer_norm/bias"), golden_array("d_Y")),
                 Normed{golden_array("layer_norm/Y"), golden_array("layer_norm/d_X"),
                        golden_row("layer_norm/d_gain"), golden_row("layer_norm/d_bias")},
                 four_digits);
}

TEST_CASE("11.1 layer_norm: rows of a spread of 0.004, where the 1e-5 shows") {
    const Array X = 0.004F * some({4, 5}, 6), gain = some({5}, 7), bias = some({5}, 8);
    expect_close(graded::layer_norm(X, gain, bias, X), right_norm(X, gain, bias, X), four_digits);
}

TEST_CASE("11.1 layer_norm: a mean of 3000 beside a spread of 1") {
    const Array gain = some({6}, 7), bias = some({6}, 8), d_output = some({1, 6}, 9);
    const Array X = 3000.0F + some({1, 6}, 6);
    expect_close(graded::layer_norm(X, gain, bias, d_output), right_norm(X, gain, bias, d_output),
                 {0, 1e-2, 1e-2});
}

TEST_CASE("11.1 layer_norm: only the bias is left of a single component") {
    const Array X = some({2, 1}, 6), gain = some({1}, 7), bias = some({1}, 8);
    expect_close(graded::layer_norm(X, gain, bias, X), right_norm(X, gain, bias, X), four_digits);
}

TEST_CASE("11.1 layer_norm: gain or bias of another size throws std::invalid_argument, and it "
          "names both shapes") {
    const Array X = some({3, 4}, 9), right = some({4}, 1);
    for (const std::size_t size : {1U, 3U, 5U, 12U}) {
        const Array other = some({size}, 1);
        for (const auto& [gain, bias] : {std::pair{other, right}, {right, other}, {other, other}}) {
            judge::expect_invalid_argument(graded::layer_norm.attempt(X, gain, bias, X),
                                           {{3, 4}, {size}});
        }
    }
}

// ---- transformer_block

TEST_CASE("11.1 transformer_block: one position of two components, by hand") {
    // X is normed to [-1 1], of which attention to itself and W_o make [-2 2]: H = [-1 5]. That is
    // normed to [-1 1] again, W_in makes 10 of the 1, gelu leaves it, and W_out puts it in front.
    const Array one{{1, 0}, {0, 1}}, gain{1, 1}, bias{0, 0};
    Array W_in = xt::zeros<float>({2, 8}), W_out = xt::zeros<float>({8, 2});
    W_in(1, 0) = 10;
    W_out(0, 0) = 1;
    const Block weights{gain,       bias,    one,  one,  one,
                        2.0F * one, gain,    bias, W_in, Array(xt::zeros<float>({8})),
                        W_out,      {0, 100}};
    expect_close(graded::transformer_block({{1, 3}}, weights, 1, 1, {{0, 0}}).output,
                 Array{{9, 105}}, {1e-4, 1e-4});
}

PROPERTIES("11.1 transformer_block", blocks)

/// The arrays of a block, one after the other in the golden vector.
Arrays unpacked(const std::string& name, const Arrays& like) {
    const Array all = golden_row(name);
    Arrays arrays;
    auto at = all.begin();
    for (const Array& each : like) {
        arrays.emplace_back(xt::zeros_like(each));
        std::copy_n(at, each.size(), arrays.back().begin());
        at += static_cast<std::ptrdiff_t>(each.size());
    }
    return arrays;
}

TEST_CASE(
    "11.1 transformer_block: agrees with PyTorch's LayerNorm, MultiheadAttention and Linear") {
    const Array v = xt::zeros<float>({12}), W = xt::zeros<float>({12, 12});
    const Arrays shapes{v,
                        v,
                        W,
                        W,
                        W,
                        W,
                        v,
                        v,
                        xt::zeros<float>({12, 48}),
                        xt::zeros<float>({48}),
                        xt::zeros<float>({48, 12}),
                        v};
    Arrays inputs = unpacked("block/weights", shapes), right = unpacked("block/gradients", shapes);
    inputs.insert(inputs.begin(), {golden_array("block/Y"), golden_array("block/X")});
    right.insert(right.begin(), {golden_array("block/Y"), golden_array("block/d_X")});
    expect_close(graded::transformer_block(golden_array("block/X"), transformed(inputs).d_weights,
                                           3, 3, golden_array("block/d_Y")),
                 transformed(right), four_digits);
}

/// Inputs of two texts of three positions, four components, two heads.
Arrays some_inputs() {
    Arrays inputs;
    for (const std::vector<std::size_t>& shape : std::vector<std::vector<std::size_t>>{{6, 4},
                                                                                       {4},
                                                                                       {4},
                                                                                       {4, 4},
                                                                                       {4, 4},
                                                                                       {4, 4},
                                                                                       {4, 4},
                                                                                       {4},
                                                                                       {4},
                                                                                       {4, 16},
                                                                                       {16},
                                                                                       {16, 4},
                                                                                       {4}}) {
        inputs.push_back(some(shape, 910 + inputs.size()));
    }
    return inputs;
}

Block weights_of(const Arrays& in) {
    Arrays all = in;
    all.insert(all.begin(), in[0]);
    return transformed(all).d_weights;
}

TEST_CASE("11.1 transformer_block: n_texts and n_heads that do not divide X throw "
          "std::invalid_argument, and it names both numbers") {
    const Arrays in = some_inputs();
    const auto refuses = [&](std::size_t n_texts, std::size_t n_heads, std::size_t wrong,
                             std::size_t size) {
        judge::expect_invalid_argument(
            graded::transformer_block.attempt(in[0], weights_of(in), n_texts, n_heads, in[0]),
            {{wrong}, {size}});
    };
    for (const std::size_t wrong : {0U, 4U, 12U}) {
        refuses(wrong, 2, wrong, 6);
    }
    for (const std::size_t wrong : {0U, 3U, 8U}) {
        refuses(2, wrong, wrong, 4);
    }
}

// ---- Both as parts of a model: support/in_a_model.hpp.

template <class Right> // right(inputs): the output, and the gradient of each input
Arrays in_a_model(const Right& right, const Names& names, const Arrays& in, const Names& constants,
                  bool elsewhere) {
    Arrays halved = in;
    halved[0] *= -0.5F;
    const Arrays one = right(in), two = right(halved);
    Arrays all{elsewhere ? Array(one[0] + two[0]) : one[0]};
    for (std::size_t i = 0; i < in.size(); ++i) {
        all.push_back(support::gradient_in_a_model(names[i], one[i + 1], two[i + 1],
                                                   i == 0 ? -0.5F : 1, constants, elsewhere));
    }
    return all;
}

void expect_norm(const Names& constants, bool elsewhere) {
    const Arrays in{some({3, 4}, 901), some({4}, 903), some({4}, 904)};
    const Array d_output = some({3, 4}, 902);
    expect_close(graded::layer_norm_in_a_model(in[0], in[1], in[2], d_output, constants, elsewhere),
                 normed(in_a_model([&](const Arrays& each) { return norm_of(each, d_output); },
                                   of_norm, in, constants, elsewhere)),
                 four_digits);
}

void expect_block(const Names& constants, bool elsewhere) {
    const Arrays in = some_inputs();
    const Array d_output = some({6, 4}, 931);
    expect_close(
        graded::transformer_block_in_a_model(in[0], weights_of(in), 2, 2, d_output, constants,
                                             elsewhere),
        transformed(in_a_model([&](const Arrays& each) { return block_of(each, 2, 2, d_output); },
                               of_block, in, constants, elsewhere)),
        three_digits);
}

TEST_CASE("11.1 layer_norm: X, gain or bias may be constants, and the others have their "
          "gradients") {
    for (const Names& constants : std::vector<Names>{
             {"X"}, {"gain"}, {"bias"}, {"gain", "bias"}, {"X", "gain"}, {"X", "bias"}}) {
        expect_norm(constants, false);
    }
}

TEST_CASE("11.1 layer_norm: X, gain and bias come from operations and are used in several: their "
          "gradients add up") {
    for (const Names& constants : std::vector<Names>{{}, {"X"}, {"gain"}, {"bias"}}) {
        expect_norm(constants, true);
    }
}

TEST_CASE("11.1 transformer_block: X or some weights may be constants, and the others have their "
          "gradients") {
    for (const Names& constants :
         std::vector<Names>{{"X"},
                            {"W_q", "W_k", "W_v", "W_o"},
                            {"W_in", "b_in", "W_out", "b_out"},
                            {"attention_gain", "attention_bias", "mlp_gain", "mlp_bias"}}) {
        expect_block(constants, false);
    }
}

TEST_CASE("11.1 transformer_block: X and the weights come from operations and are used in several: "
          "their gradients add up") {
    for (const Names& constants : std::vector<Names>{{}, {"X"}, {"W_q", "b_in", "mlp_gain"}}) {
        expect_block(constants, true);
    }
}

} // namespace of_transformer_block
