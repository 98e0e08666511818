// 11.1 layer_norm, transformer_block: outputs and gradients of functions made of the tape's
// operations, in float

#include "exports.hpp"
#include "support/oracle_block.hpp"
#include "support/proof.hpp"

namespace of_transformer_block {

using namespace proof;
using namespace on_arrays;

constexpr Tolerance four_digits{1e-4, 3e-5, 1e-4};
// Next to nothing flows back through the norm of one or two components, or of equal ones.
constexpr Tolerance three_digits{1e-3, 1e-4, 1e-3};

Matrix in_double(const Array& A) {
    Matrix result = Matrix::from_shape({A.dimension() == 1 ? 1 : A.shape(0), A.shape().back()});
    std::copy(A.begin(), A.end(), result.begin());
    return result;
}

/// right(inputs, d_output) in double: the output, and the gradients of the inputs.
template <class Right>
Arrays in_float(const Right& right, const Arrays& in, const Array& d_output) {
    std::vector<Matrix> inputs;
    std::ranges::transform(in, std::back_inserter(inputs), in_double);
    const oracle::Gradients answer = right(inputs, in_double(d_output));
    Arrays all{xt::cast<float>(answer.output)};
    for (std::size_t i = 0; i < in.size(); ++i) {
        all.emplace_back(xt::zeros_like(in[i])); // with the shape of the input
        std::ranges::transform(answer.gradients[i], all.back().begin(),
                               [](double x) { return float(x); });
    }
    return all;
}

Normed right_norm(const Array& X, const Array& gain, const Array& bias, const Array& d_output) {
    return normed(in_float(oracle::layer_norm, {X, gain, bias}, d_output));
}
Transformed right_block(const Array& X, const Block& weights, std::size_t n_texts,
                        std::size_t n_heads, const Array& d_output) {
    const auto block = [=](const std::vector<Matrix>& in, const Matrix& d_Y) {
        return oracle::transformer_block(in, n_texts, n_heads, d_Y);
    };
    return transformed(in_float(block, arrays_of(X, weights), d_output));
}

// A learner's float sums may be added in another order than a mistake's.
const judge::About about_norm("layer_norm", {.alike = judge::within(three_digits)});
const judge::About about_block("transformer_block", {.alike = judge::within(three_digits)});

const auto norms = Domain(graded::layer_norm, right_norm,
                          {{"X", Kind::array, "n x d"},
                           {"gain", Kind::array, "d"},
                           {"bias", Kind::array, "d"},
                           {"d_output", Kind::array, "n x d"}},
                          four_digits)
                       .made_to_fit(domain::in_float)
                       .at_least("d", 3)
                       .refuses_nothing();

const std::string d = "n_heads*d_k", four_d = "4*n_heads*d_k";

const auto blocks = Domain(graded::transformer_block, right_block,
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
    judge::List numbers{domain::ordinary(Kind::array, shape, {}, seed)};
    domain::in_float(numbers);
    return from_value<Array>(numbers[0]);
}

Array golden_array(const std::string& name) {
    return xt::cast<float>(golden("language/" + name));
}
Array golden_row(const std::string& name) {
    return xt::cast<float>(golden_vector("language/" + name));
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

TEST_CASE("11.1 layer_norm: rows with a spread of 0.004, where the 1e-5 matters") {
    const Array X = 0.004F * some({4, 5}, 6), gain = some({5}, 7), bias = some({5}, 8);
    expect_close(graded::layer_norm(X, gain, bias, X), right_norm(X, gain, bias, X), four_digits);
}

TEST_CASE("11.1 layer_norm: a mean of 3000 beside a spread of 1") {
    const Array gain = some({6}, 7), bias = some({6}, 8), d_output = some({1, 6}, 9);
    const Array X = 3000.0F + some({1, 6}, 6);
    expect_close(graded::layer_norm(X, gain, bias, d_output), right_norm(X, gain, bias, d_output),
                 {0, 1e-2, 1e-2});
}

TEST_CASE("11.1 layer_norm: gain or bias of another size throws std::invalid_argument, and it "
          "names both shapes") {
    const Array X = some({3, 4}, 9), right = some({4}, 1);
    for (const std::size_t size : {1U, 3U, 5U, 12U}) {
        const Array other = some({size}, 1);
        expect_invalid_argument(graded::layer_norm.attempt(X, other, right, X), {{3, 4}, {size}});
        expect_invalid_argument(graded::layer_norm.attempt(X, right, other, X), {{3, 4}, {size}});
    }
}

// ---- transformer_block

/// The arrays of a block of d components, all 0.
Block zeros(std::size_t size) {
    const auto of = [](const std::vector<std::size_t>& shape) {
        return Array(xt::zeros<float>(shape));
    };
    const Array v = of({size}), W = of({size, size});
    return {v, v, W, W, W, W, v, v, of({size, 4 * size}), of({4 * size}), of({4 * size, size}), v};
}

TEST_CASE("11.1 transformer_block: one position of two components, by hand") {
    // X is normed to [-1 1], of which attention to itself and W_o make [-2 2]: H = [-1 5]. That is
    // normed to [-1 1] again, W_in makes 10 of the 1, gelu leaves it, and W_out puts it in front.
    const Array one{{1, 0}, {0, 1}};
    Block weights = zeros(2);
    weights.attention_gain = weights.mlp_gain = {1, 1};
    weights.W_q = weights.W_k = weights.W_v = one;
    weights.W_o = 2.0F * one;
    weights.W_in(1, 0) = 10;
    weights.W_out(0, 0) = 1;
    weights.b_out = {0, 100};
    expect_close(graded::transformer_block({{1, 3}}, weights, 1, 1, {{0, 0}}).output,
                 Array{{9, 105}}, {1e-4, 1e-4});
}

PROPERTIES("11.1 transformer_block", blocks)

/// The golden output, X or its gradient, and a block's arrays, one after the other in a vector.
Transformed golden_block(const std::string& X, const std::string& block) {
    Arrays all = arrays_of(golden_array(X), zeros(12));
    const Array numbers = golden_row(block);
    auto from = numbers.begin();
    for (std::size_t i = 1; i < all.size(); ++i) {
        std::copy_n(from, all[i].size(), all[i].begin());
        from += static_cast<std::ptrdiff_t>(all[i].size());
    }
    all.insert(all.begin(), golden_array("block/Y"));
    return transformed(all);
}

TEST_CASE(
    "11.1 transformer_block: agrees with PyTorch's LayerNorm, MultiheadAttention and Linear") {
    expect_close(graded::transformer_block(golden_array("block/X"),
                                           golden_block("block/X", "block/weights").d_weights, 3, 3,
                                           golden_array("block/d_Y")),
                 golden_block("block/d_X", "block/gradients"), four_digits);
}

TEST_CASE("11.1 transformer_block: n_texts and n_heads that do not divide X throw "
          "std::invalid_argument, and it names both numbers") {
    const Array X = some({6, 4}, 910);
    for (const std::size_t wrong : {0U, 4U, 12U}) {
        expect_invalid_argument(graded::transformer_block.attempt(X, zeros(4), wrong, 2, X),
                                {{wrong}, {6}});
    }
    for (const std::size_t wrong : {0U, 3U, 8U}) {
        expect_invalid_argument(graded::transformer_block.attempt(X, zeros(4), 2, wrong, X),
                                {{wrong}, {4}});
    }
}

} // namespace of_transformer_block
