#pragma once

// The task of the walk-through: every word is to receive its left and its right neighbour, each in
// columns of its own. Trained by the library; what was learned is run by your function.

#include "attention/random.hpp"
#include "autograd/operations.hpp"
#include "autograd/streaming.hpp"
#include "multi_head.hpp"
#include "training/adam.hpp"

namespace neighbours {

using lesson::Matrix;
using lesson::MultiHead;

constexpr std::size_t n = 6;                        // words of a sentence
constexpr std::size_t content = 4;                  // random numbers that a word is made of
constexpr std::size_t place = 8;                    // components that say where it stands
constexpr std::size_t d_model = content + place;    // of a row of X
constexpr std::size_t all_keys = 16;                // columns of W_q and W_k, n_heads · d_k
constexpr std::size_t wanted_columns = 2 * content; // left neighbour, right neighbour
constexpr std::size_t inner = n - 2;                // words that have both

struct Layer {
    Matrix W_q, W_k, W_v, W_o;
    std::size_t n_heads = 0;
};

struct Sentence {
    Matrix X;      // (n, d_model)
    Matrix wanted; // (inner, wanted_columns), of the words 1 … n − 2
};

/// A sentence of random words; positions (n, place) next to what they are made of.
inline Sentence sentence(const Matrix& positions, std::uint64_t seed) {
    const Matrix words = attention::standard_normal(n, content, seed);
    Sentence result{Matrix::from_shape({n, d_model}), Matrix::from_shape({inner, wanted_columns})};
    xt::view(result.X, xt::all(), xt::range(0, content)) = words;
    xt::view(result.X, xt::all(), xt::range(content, d_model)) = positions;
    const auto of_wanted = [&](std::size_t first) {
        return xt::view(result.wanted, xt::all(), xt::range(first, first + content));
    };
    of_wanted(0) = xt::view(words, xt::range(0, inner), xt::all());
    of_wanted(content) = xt::view(words, xt::range(2, n), xt::all());
    return result;
}

/// Trained by Adam on fresh sentences, from small random weights.
inline Layer trained(std::size_t n_heads, const Matrix& positions, std::uint64_t seed) {
    using autograd::Array;
    using autograd::Value;
    constexpr std::size_t batch = 32;
    constexpr int steps = 600;
    training::Parameters<float> weights;
    const auto add = [&](const char* name, std::size_t rows, std::size_t columns) {
        const Matrix start =
            attention::standard_normal(rows, columns, 100 * seed + weights.size()) /
            std::sqrt(static_cast<double>(rows));
        weights.push_back({name, Array<float>(xt::cast<float>(start))});
    };
    add("W_q", d_model, all_keys);
    add("W_k", d_model, all_keys);
    add("W_v", d_model, wanted_columns);
    add("W_o", wanted_columns, wanted_columns);
    training::Workers workers(1);
    training::Adam adam(weights, workers, {.learning_rate = 0.01F});
    for (int step = 0; step < steps; ++step) {
        Array<float> X(autograd::Shape{batch, n, d_model});
        Array<float> wanted(autograd::Shape{batch, inner, wanted_columns});
        for (std::size_t b = 0; b < batch; ++b) {
            const auto number = static_cast<std::uint64_t>(step) * batch + b;
            const Sentence one = sentence(positions, 1'000'000 * seed + number);
            xt::view(X, b) = xt::cast<float>(one.X);
            xt::view(wanted, b) = -xt::cast<float>(one.wanted);
        }
        adam.step(
            [&](std::size_t, autograd::Tape& tape, training::Gradients<float>& gradients) {
                const auto parameter = [&](std::size_t i) {
                    return tape.parameter(weights[i].value, gradients[i]);
                };
                const Value input = tape.reference(X);
                const Value Q = product(input, parameter(0)); // (batch, n, n_heads · d_k)
                const Value K = product(input, parameter(1));
                const Value V = product(input, parameter(2));
                std::vector<Value> heads;
                const auto head = [&](const Value& all, std::size_t h) {
                    const std::size_t d = all.shape(2) / n_heads;
                    return slice(all, 2, h * d, (h + 1) * d);
                };
                for (std::size_t h = 0; h < n_heads; ++h) {
                    heads.push_back(autograd::scaled_dot_product_attention(
                        head(Q, h), head(K, h), head(V, h), {.threads = 1}));
                }
                const Value output = product(concatenate(heads, 2), parameter(3));
                const Value off = autograd::add(slice(output, 1, 1, n - 1), tape.reference(wanted));
                return sum(multiply(off, off));
            },
            1.0F / static_cast<float>(batch * inner * wanted_columns));
    }
    const auto matrix = [&](std::size_t i) -> Matrix { return xt::cast<double>(weights[i].value); };
    return {matrix(0), matrix(1), matrix(2), matrix(3), n_heads};
}

/// What your multi_head_attention makes of a sentence.
inline MultiHead run(const Layer& layer, const Matrix& X) {
    return lesson::multi_head_attention(X, layer.W_q, layer.W_k, layer.W_v, layer.W_o,
                                        layer.n_heads);
}

/// The mean squared error on sentences that the training has not seen: 1 for an answer of zeros.
inline double error(const Layer& layer, const Matrix& positions) {
    constexpr std::size_t sentences = 500;
    double sum = 0;
    for (std::size_t s = 0; s < sentences; ++s) {
        const Sentence one = sentence(positions, 4'000'000'000 + s);
        const Matrix output = run(layer, one.X).output;
        const Matrix off = xt::view(output, xt::range(1, n - 1), xt::all()) - one.wanted;
        sum += xt::sum(xt::square(off))();
    }
    return sum / static_cast<double>(sentences * inner * wanted_columns);
}

} // namespace neighbours
