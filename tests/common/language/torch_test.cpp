// Parts and model against PyTorch: tests/golden/make_language.py.

#include "autograd/operations.hpp"
#include "language/model.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"

using namespace language;
using autograd::Array;
using support::golden;
using support::golden_vector;

namespace {

template <class T>
Array<T> as(const auto& numbers) {
    return xt::cast<T>(numbers);
}

/// Every number within 1e-5 of the largest.
void check_torch(const auto& got, const auto& expected) {
    const double largest = xt::amax(xt::abs(expected))();
    support::check_close(got, expected, {1e-5, 1e-5 * largest});
}

/// A block's weights as variables, from one vector of all, in the order of their names.
template <class T>
std::vector<BasicValue<T>> variables(BasicTape<T>& tape, const attention::Vector& numbers,
                                     std::size_t d) {
    const std::vector<autograd::Shape> shapes{{d}, {d}, {d, d},     {d, d},  {d, d},     {d, d},
                                              {d}, {d}, {d, 4 * d}, {4 * d}, {4 * d, d}, {d}};
    std::vector<BasicValue<T>> values;
    std::size_t at = 0;
    for (const autograd::Shape& shape : shapes) {
        Array<T> array = Array<T>::from_shape(shape);
        for (T& x : array) {
            x = static_cast<T>(numbers(at++));
        }
        values.push_back(tape.variable(array));
    }
    REQUIRE(at == numbers.size());
    return values;
}

template <class T>
BasicBlockWeights<T> weights_of(const std::vector<BasicValue<T>>& v) {
    return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]};
}

template <class T>
attention::Vector joined(const std::vector<Array<T>>& arrays) {
    std::vector<double> all;
    for (const Array<T>& array : arrays) {
        all.insert(all.end(), array.begin(), array.end());
    }
    attention::Vector vector = attention::Vector::from_shape({all.size()});
    std::copy(all.begin(), all.end(), vector.begin());
    return vector;
}

template <class T>
void check_layer_norm_and_gelu() {
    BasicTape<T> tape, other;
    const auto X = tape.variable(as<T>(golden("language/X")));
    const auto gain = tape.variable(as<T>(golden_vector("language/layer_norm/gain")));
    const auto bias = tape.variable(as<T>(golden_vector("language/layer_norm/bias")));
    const auto Y = parts<T>().layer_norm(X, gain, bias);
    tape.backward(sum(multiply(Y, tape.constant(as<T>(golden("language/d_Y"))))));
    check_torch(Y.data(), golden("language/layer_norm/Y"));
    check_torch(X.gradient(), golden("language/layer_norm/d_X"));
    check_torch(gain.gradient(), golden_vector("language/layer_norm/d_gain"));
    check_torch(bias.gradient(), golden_vector("language/layer_norm/d_bias"));

    const auto Z = other.variable(as<T>(golden("language/X")));
    const auto active = gelu(Z);
    other.backward(sum(multiply(active, other.constant(as<T>(golden("language/d_Y"))))));
    check_torch(active.data(), golden("language/gelu/Y"));
    check_torch(Z.gradient(), golden("language/gelu/d_X"));
}

template <class T>
void check_block() {
    BasicTape<T> tape;
    const auto X = tape.variable(as<T>(golden("language/block/X")));
    const auto weights = variables(tape, golden_vector("language/block/weights"), 12);
    const auto Y = parts<T>().transformer_block(X, weights_of(weights), 3, 3);
    tape.backward(sum(multiply(Y, tape.constant(as<T>(golden("language/block/d_Y"))))));
    check_torch(Y.data(), golden("language/block/Y"));
    check_torch(X.gradient(), golden("language/block/d_X"));
    std::vector<Array<T>> gradients;
    for (const auto& weight : weights) {
        gradients.push_back(weight.gradient());
    }
    check_torch(joined(gradients), golden_vector("language/block/gradients"));
}

template <class T>
void check_model() {
    Model<T> model({.n_characters = 11, .context = 8, .d = 12, .n_heads = 3, .n_layers = 2},
                   parts<T>(), 1);
    const attention::Vector numbers = golden_vector("language/model/weights");
    REQUIRE(numbers.size() == training::n_numbers(model.parameters()));
    std::size_t at = 0;
    for (auto& parameter : model.parameters()) {
        for (T& x : parameter.value) {
            x = static_cast<T>(numbers(at++));
        }
    }
    const attention::Matrix texts = golden("language/model/ids"); // a text and what follows it
    Ids ids, next;
    for (std::size_t text = 0; text < texts.shape(0); ++text) {
        for (std::size_t i = 0; i + 1 < texts.shape(1); ++i) {
            ids.push_back(static_cast<std::size_t>(texts(text, i)));
            next.push_back(static_cast<std::size_t>(texts(text, i + 1)));
        }
    }
    BasicTape<T> tape;
    training::Gradients<T> gradients = training::make_gradients(model.parameters());
    check_torch(model.logits(tape, ids, 3).data(), golden("language/model/logits"));
    const auto loss = model.loss(tape, ids, next, 3, {.gradients = &gradients});
    tape.backward(loss);
    const double expected = golden_vector("language/model/loss")(0);
    CHECK(static_cast<double>(loss.data()()) == doctest::Approx(expected).epsilon(1e-6));
    const attention::Vector all = golden_vector("language/model/gradients");
    at = 0;
    for (std::size_t p = 0; p < gradients.size(); ++p) {
        CAPTURE(model.parameters()[p].name);
        attention::Vector part = attention::Vector::from_shape({gradients[p].array.size()});
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), part.size(), part.begin());
        check_torch(joined<T>({gradients[p].array}), part);
        at += part.size();
    }
}

} // namespace

TEST_CASE("layer_norm, gelu: results and gradients are PyTorch's") {
    check_layer_norm_and_gelu<float>();
    check_layer_norm_and_gelu<double>();
}

TEST_CASE("transformer_block: the result and all gradients are PyTorch's") {
    check_block<float>();
    check_block<double>();
}

TEST_CASE("Transformer: logits, loss and all gradients are PyTorch's") {
    check_model<float>();
    check_model<double>();
}
