#include "language/model.hpp"

#include "attention/random.hpp"
#include "autograd/operations.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace language {
namespace {

// Where a parameter is among all: the tables, the blocks one after another, the norm at the end.
constexpr std::size_t characters = 0, positions = 1, first_block = 2;

// A block's weights in the order in which the model keeps them, each with its name and shape.
template <class T, class Visit>
void visit_weights(BasicBlockWeights<T>& w, std::size_t d, const Visit& visit) {
    visit(w.attention_gain, "attention_gain", autograd::Shape{d});
    visit(w.attention_bias, "attention_bias", autograd::Shape{d});
    visit(w.W_q, "W_q", autograd::Shape{d, d});
    visit(w.W_k, "W_k", autograd::Shape{d, d});
    visit(w.W_v, "W_v", autograd::Shape{d, d});
    visit(w.W_o, "W_o", autograd::Shape{d, d});
    visit(w.mlp_gain, "mlp_gain", autograd::Shape{d});
    visit(w.mlp_bias, "mlp_bias", autograd::Shape{d});
    visit(w.W_in, "W_in", autograd::Shape{d, 4 * d});
    visit(w.b_in, "b_in", autograd::Shape{4 * d});
    visit(w.W_out, "W_out", autograd::Shape{4 * d, d});
    visit(w.b_out, "b_out", autograd::Shape{d});
}

} // namespace

template <class T>
Model<T>::Model(const ModelSizes& sizes, Parts<T> parts, std::uint64_t seed)
    : sizes_(sizes), parts_(std::move(parts)) {
    const auto add = [&](const std::string& name, const autograd::Shape& shape) {
        training::Parameter<T> parameter{name, autograd::Array<T>::from_shape(shape)};
        const std::string last = name.substr(name.find('.') + 1);
        if (shape.size() == 1) {
            parameter.value.fill(last.find("gain") == std::string::npos ? T(0) : T(1));
        } else {
            const bool ends_branch = last == "W_o" || last == "W_out";
            const double deviation =
                ends_branch ? 0.02 / std::sqrt(2.0 * static_cast<double>(sizes.n_layers)) : 0.02;
            const attention::Vector numbers = attention::standard_normal(
                parameter.value.size(), training::mix(seed, parameters_.size()));
            std::transform(numbers.begin(), numbers.end(), parameter.value.begin(),
                           [&](double x) { return static_cast<T>(deviation * x); });
            parameter.decays = true;
        }
        parameters_.push_back(std::move(parameter));
    };
    add("characters", {sizes.n_characters, sizes.d});
    add("positions", {sizes.context, sizes.d});
    for (std::size_t layer = 0; layer < sizes.n_layers; ++layer) {
        BasicBlockWeights<T> any;
        visit_weights(any, sizes.d, [&](auto&, const char* name, const autograd::Shape& shape) {
            add("block_" + std::to_string(layer) + "." + name, shape);
        });
    }
    add("gain", {sizes.d});
    add("bias", {sizes.d});
}

template <class T>
BasicValue<T> Model<T>::logits(BasicTape<T>& tape, const Ids& ids, std::size_t n_texts,
                               const Forward<T>& settings) const {
    const std::size_t n = n_texts == 0 ? 0 : ids.size() / n_texts;
    if (n == 0 || ids.size() % n_texts != 0 || n > sizes_.context) {
        throw std::invalid_argument("Model: texts must be of one length and fit the context, got " +
                                    std::to_string(ids.size()) + " characters of " +
                                    std::to_string(n_texts) + " texts; the context is " +
                                    std::to_string(sizes_.context));
    }
    const auto bound = [&](std::size_t i) {
        const autograd::Array<T>& value = parameters_[i].value;
        return settings.gradients == nullptr ? tape.reference(value)
                                             : tape.parameter(value, settings.gradients->at(i));
    };
    const Parts<T>& made_of = settings.parts == nullptr ? parts_ : *settings.parts;
    Ids places(ids.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = i % n;
    }
    const BasicValue<T> table = bound(characters);
    BasicValue<T> x = add(embedding(table, ids), embedding(bound(positions), places));
    std::size_t next = first_block;
    for (std::size_t layer = 0; layer < sizes_.n_layers; ++layer) {
        BasicBlockWeights<T> weights;
        visit_weights(weights, sizes_.d,
                      [&](BasicValue<T>& weight, const char*, const autograd::Shape&) {
                          weight = bound(next++);
                      });
        x = made_of.transformer_block(x, weights, n_texts, sizes_.n_heads);
    }
    const BasicValue<T> gain = bound(next), bias = bound(next + 1);
    return product_transposed(made_of.layer_norm(x, gain, bias), table);
}

template <class T>
BasicValue<T> Model<T>::loss(BasicTape<T>& tape, const Ids& ids, const Ids& next,
                             std::size_t n_texts, const Forward<T>& settings) const {
    return cross_entropy(logits(tape, ids, n_texts, settings), next);
}

template class Model<float>;
template class Model<double>;

} // namespace language
