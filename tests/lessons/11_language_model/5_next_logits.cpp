// 11.5 next_logits: a text read token by token.

#include "exports.hpp"
#include "support/oracle_block.hpp"
#include "support/proof.hpp"

namespace of_next_logits {

using namespace proof;
using token_by_token::Model;
using token_by_token::Tokens;

constexpr Tolerance tolerance{1e-8, 1e-12, 1e-8};

/// A number becomes as many tokens as there are positions; some come more than once.
void tokens_of(judge::List& arguments) {
    const auto number = std::get<std::uint64_t>(arguments.back().data);
    const std::size_t V = std::get<judge::Array>(arguments[0].data).shape[0];
    Tokens tokens(std::get<judge::Array>(arguments[1].data).shape[0]);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        tokens[i] = (number + i * (i + 1) / 2) % V;
    }
    arguments.back() = to_value(tokens);
}

/// The logits after each of these tokens.
Matrix right(const Model& m, const Tokens& tokens) {
    const std::size_t n_layers = m.attention_gain.shape(0);
    Matrix X = oracle::filled(tokens.size(), m.tokens.shape(1), [&](auto i, auto c) {
        return m.tokens(tokens[i], c) + m.positions(i, c);
    });
    for (std::size_t layer = 0; layer < n_layers; ++layer) {
        std::vector<Matrix> in{X};
        for (const Matrix* A :
             {&m.attention_gain, &m.attention_bias, &m.W_q, &m.W_k, &m.W_v, &m.W_o, &m.mlp_gain,
              &m.mlp_bias, &m.W_in, &m.b_in, &m.W_out, &m.b_out}) {
            const std::size_t rows = A->shape(0) / n_layers;
            in.emplace_back(xt::view(*A, xt::range(layer * rows, (layer + 1) * rows)));
        }
        X = Matrix(oracle::transformer_block(in, 1, m.n_heads, X).output);
    }
    const auto row = [](const Vector& x) -> Matrix { return xt::view(x, xt::newaxis()); };
    return oracle::matmul_transposed(oracle::layer_norm({X, row(m.gain), row(m.bias)}, X).output,
                                     m.tokens);
}

const std::string d = "n_heads*d_k", layers_d = "n_layers*" + d, four_d = "4*" + d;

const auto texts = Domain(graded::next_logits, right,
                          {{"model.tokens", Kind::array, "V x " + d},
                           {"model.positions", Kind::array, "n x " + d},
                           {"model.attention_gain", Kind::array, "n_layers x " + d},
                           {"model.attention_bias", Kind::array, "n_layers x " + d},
                           {"model.W_q", Kind::array, layers_d + " x " + d},
                           {"model.W_k", Kind::array, layers_d + " x " + d},
                           {"model.W_v", Kind::array, layers_d + " x " + d},
                           {"model.W_o", Kind::array, layers_d + " x " + d},
                           {"model.mlp_gain", Kind::array, "n_layers x " + d},
                           {"model.mlp_bias", Kind::array, "n_layers x " + d},
                           {"model.W_in", Kind::array, layers_d + " x " + four_d},
                           {"model.b_in", Kind::array, "n_layers x " + four_d},
                           {"model.W_out", Kind::array, "4*" + layers_d + " x " + d},
                           {"model.b_out", Kind::array, "n_layers x " + d},
                           {"model.gain", Kind::array, d},
                           {"model.bias", Kind::array, d},
                           {"model.n_heads", Kind::count, "n_heads"},
                           {"tokens", Kind::count, "", false, {0, 1, 2}}},
                          tolerance)
                       .made_to_fit(tokens_of)
                       .small_sizes({{"n_layers", 2}})
                       .at_most("V", 9)
                       .at_most("n", 7)
                       .at_most("n_layers", 3)
                       .at_most("n_heads", 3)
                       .at_most("d_k", 3)
                       .numbers_together()
                       .refuses_nothing();

/// Two tokens, two positions and one layer of one head, whose branches add nothing.
Model small_model() {
    const auto zeros = [](std::size_t rows, std::size_t columns) -> Matrix {
        return xt::zeros<double>({rows, columns});
    };
    const Matrix one = zeros(1, 2), two = zeros(2, 2);
    return {{{2, 0}, {0, 3}},
            {{0, 0}, {0, 0}},
            one + 1,
            one,
            two,
            two,
            two,
            two,
            one + 1,
            one,
            zeros(2, 8),
            zeros(1, 8),
            zeros(8, 2),
            one,
            {1, 1},
            {0, 0},
            1};
}

TEST_CASE("11.5 next_logits: two tokens, branches that add nothing, by hand") {
    // The token's row [2 0] is normed to [1 -1], whose products with both rows are 2 and -3.
    expect_close(graded::next_logits(small_model(), Tokens{0, 1}), Matrix{{2, -3}, {-2, 3}},
                 {1e-4, 1e-4});
}

TEST_CASE("11.5 next_logits: two tokens, attention alone, by hand") {
    // Queries are 0, so both weights of token 1 are 1/2. Values are the normed rows, [1 -1] and
    // [-1 1]: token 0 reads its own, four times by W_o, [2 0] + [4 -4], and token 1 reads 0.
    Model model = small_model();
    model.W_v = {{1, 0}, {0, 1}};
    model.W_o = {{4, 0}, {0, 4}};
    model.bias = {0, 10};
    expect_close(graded::next_logits(model, Tokens{0, 1}), Matrix{{2, 27}, {-2, 33}}, {1e-4, 1e-4});
}

PROPERTIES("11.5 next_logits", texts)

/// The golden model's arrays, which follow one another in one vector.
Model golden_model() {
    const std::size_t V = 11, context = 8, size = 12, n_layers = 2;
    const Vector numbers = golden_vector("language/model/weights");
    auto from = numbers.begin();
    const auto next = [&](std::size_t rows, std::size_t columns) {
        Matrix A = Matrix::from_shape({rows, columns});
        std::copy_n(from, A.size(), A.begin());
        from += static_cast<std::ptrdiff_t>(A.size());
        return A;
    };
    Model model;
    model.tokens = next(V, size);
    model.positions = next(context, size);
    const std::vector<std::pair<Matrix Model::*, std::pair<std::size_t, std::size_t>>> arrays{
        {&Model::attention_gain, {1, size}}, {&Model::attention_bias, {1, size}},
        {&Model::W_q, {size, size}},         {&Model::W_k, {size, size}},
        {&Model::W_v, {size, size}},         {&Model::W_o, {size, size}},
        {&Model::mlp_gain, {1, size}},       {&Model::mlp_bias, {1, size}},
        {&Model::W_in, {size, 4 * size}},    {&Model::b_in, {1, 4 * size}},
        {&Model::W_out, {4 * size, size}},   {&Model::b_out, {1, size}}};
    for (std::size_t l = 0; l < n_layers; ++l) {
        for (const auto& [array, shape] : arrays) {
            Matrix& all = model.*array;
            const Matrix one = next(shape.first, shape.second);
            all = l == 0 ? one : Matrix(xt::concatenate(xt::xtuple(all, one), 0));
        }
    }
    model.gain = xt::row(next(1, size), 0);
    model.bias = xt::row(next(1, size), 0);
    model.n_heads = 3;
    return model;
}

TEST_CASE("11.5 next_logits: agrees with PyTorch's LayerNorm, MultiheadAttention and Linear") {
    const Matrix ids = golden("language/model/ids"); // of 3 texts, each with the next
    const Matrix logits = golden("language/model/logits");
    for (std::size_t text = 0; text < 3; ++text) {
        Tokens tokens;
        for (std::size_t i = 0; i < 7; ++i) {
            tokens.push_back(static_cast<std::size_t>(ids(text, i)));
        }
        expect_close(graded::next_logits(golden_model(), tokens),
                     Matrix(xt::view(logits, xt::range(7 * text, 7 * text + 7), xt::all())),
                     tolerance);
    }
}

TEST_CASE("11.5 next_logits: a token or position that is in no table throws "
          "std::invalid_argument with both numbers in its text") {
    const auto refuses = [](std::size_t token, std::size_t position, std::size_t n_layers,
                            std::size_t n_heads, std::size_t wrong, std::size_t size) {
        expect_invalid_argument(
            graded::next_logits_once.attempt(small_model(), token, position, n_layers, n_heads),
            {{wrong}, {size}});
    };
    refuses(2, 0, 1, 1, 2, 2);
    refuses(7, 0, 1, 1, 7, 2);
    refuses(0, 5, 1, 1, 5, 2);
    refuses(0, 0, 3, 1, 3, 1);
    refuses(0, 0, 1, 4, 4, 1);
}

} // namespace of_next_logits
