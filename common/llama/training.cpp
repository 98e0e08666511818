#include "llama/training.hpp"

#include "attention/random.hpp"
#include "autograd/operations.hpp"
#include "autograd/streaming.hpp"
#include "process/files.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace llama {
namespace {

using autograd::Array;
using autograd::Value;
using training::Parameters;

// Row i of each text is at position i: the pairs of each d columns are turned, back for sign −1.
Array<float> turned(Array<float> X, std::size_t n, std::size_t d, double sign) {
    for (std::size_t row = 0; row < X.shape(0); ++row) {
        for (std::size_t i = 0; i < X.shape(1); i += 2) {
            const double slower = static_cast<double>(i % d) / static_cast<double>(d);
            const double angle = sign * static_cast<double>(row % n) * std::pow(10000.0, -slower);
            const auto cosine = static_cast<float>(std::cos(angle));
            const auto sine = static_cast<float>(std::sin(angle));
            const float a = X(row, i), b = X(row, i + 1);
            X(row, i) = a * cosine - b * sine;
            X(row, i + 1) = a * sine + b * cosine;
        }
    }
    return X;
}

Value rotate(const Value& X, std::size_t n, std::size_t d) {
    return X.tape().record(turned(X.data(), n, d, 1), X.needs_gradient(),
                           [=](const Array<float>& dY, const Array<float>&) {
                               X.add_gradient(turned(dY, n, d, -1).data());
                           });
}

Value rms_norm(const Value& x, const Value& gain) {
    const Value factor = inverse_square_root(row_mean(multiply(x, x)), 1e-5F);
    return multiply(multiply(x, factor), gain);
}

// Columns of key heads, each repeated for its group of query heads: a product with zeros and ones.
Array<float> groups(const Sizes& sizes) {
    const std::size_t d = sizes.dim / sizes.n_heads, each = sizes.n_heads / sizes.n_kv_heads;
    Array<float> ones = xt::zeros<float>({sizes.n_kv_heads * d, sizes.dim});
    for (std::size_t i = 0; i < sizes.dim; ++i) {
        ones(i / d / each * d + i % d, i) = 1;
    }
    return ones;
}

// Σ −ln p(next token), of n_texts texts one after another.
Value loss_of(const Sizes& sizes, const std::vector<Value>& weights, const Tokens& ids,
              const Tokens& next, std::size_t n_texts) {
    const std::size_t n = ids.size() / n_texts, d = sizes.dim / sizes.n_heads;
    Value x = embedding(weights[0], ids);
    const Value grouped = x.tape().constant(groups(sizes));
    for (std::size_t layer = 0; layer < sizes.n_layers; ++layer) {
        const auto of = [&](kind::Kind which) {
            return weights[1 + which * sizes.n_layers + layer];
        };
        const Value normed = rms_norm(x, of(kind::attention_gain));
        const Value Q = rotate(product_transposed(normed, of(kind::q)), n, d);
        const Value K = product(rotate(product_transposed(normed, of(kind::k)), n, d), grouped);
        const Value V = product(product_transposed(normed, of(kind::v)), grouped);
        x = add(x,
                product_transposed(causal_attention(Q, K, V, n_texts, sizes.n_heads), of(kind::o)));
        const Value again = rms_norm(x, of(kind::mlp_gain));
        const Value z = product_transposed(again, of(kind::gate));
        const Value hidden =
            multiply(multiply(z, sigmoid(z)), product_transposed(again, of(kind::up)));
        x = add(x, product_transposed(hidden, of(kind::down)));
    }
    return cross_entropy(product_transposed(rms_norm(x, weights.back()), weights[0]), next);
}

} // namespace

Checkpoint train(const Sizes& sizes, const Tokens& text, std::size_t n,
                 const language::TrainOptions& options,
                 const std::function<void(std::size_t, double)>& progress) {
    if (text.size() < n + 2) {
        throw std::invalid_argument("train: the text must have " + std::to_string(n + 2) +
                                    " tokens, got " + std::to_string(text.size()));
    }
    Checkpoint model = zeros(sizes);
    Parameters<float> parameters;
    each_array(model, [&](const auto& array) {
        const autograd::Shape shape(array.shape().begin(), array.shape().end());
        const bool is_gain = shape.size() == 1;
        const Vector numbers = attention::standard_normal(
            array.size(), training::mix(options.seed, parameters.size()));
        parameters.push_back({"", Array<float>(shape, 1.0F), false, !is_gain});
        if (!is_gain) {
            std::transform(numbers.begin(), numbers.end(), parameters.back().value.begin(),
                           [](double x) { return static_cast<float>(0.05 * x); });
        }
    });
    training::Workers workers(1);
    training::Adam adam(parameters, workers,
                        {.learning_rate = options.learning_rate,
                         .largest_gradient = options.largest_gradient,
                         .beta1 = 0.9,
                         .beta2 = 0.99,
                         .weight_decay = options.weight_decay});
    const float share = 1.0F / static_cast<float>(options.n_texts * n);
    for (std::size_t step = 0; step < options.n_steps; ++step) {
        Tokens ids, next;
        for (std::size_t i = 0; i < options.n_texts; ++i) {
            const auto first =
                text.begin() + static_cast<std::ptrdiff_t>(training::mix(options.seed, step, i) %
                                                           (text.size() - n));
            const auto last = first + static_cast<std::ptrdiff_t>(n);
            ids.insert(ids.end(), first, last);
            next.insert(next.end(), first + 1, last + 1);
        }
        const auto loss = [&](std::size_t, autograd::Tape& tape,
                              training::Gradients<float>& gradients) {
            std::vector<Value> weights;
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                weights.push_back(tape.parameter(parameters[i].value, gradients[i]));
            }
            return loss_of(sizes, weights, ids, next, options.n_texts);
        };
        const double sum =
            adam.step(loss, share, language::rate_at(step, options) / options.learning_rate).loss;
        if (progress) {
            progress(step + 1, sum);
        }
    }
    std::size_t number = 0;
    each_array(model, [&](auto& array) {
        const Array<float>& value = parameters[number++].value;
        std::copy(value.begin(), value.end(), array.begin());
    });
    model.output = model.tokens;
    return model;
}

void make_own_model(const std::string& folder, const Encode& encode,
                    const std::function<void(std::size_t, double)>& progress, std::size_t n_steps) {
    const std::string stories = language::make_stories(400000, 1);
    const Sizes sizes{48, 116, 3, 4, 2, 512, 256};
    const Vocabulary vocabulary = learn_pieces(stories, sizes.n_tokens);
    process::write_file(folder + "/pieces.bin",
                        write_vocabulary(vocabulary)); // before the training, which takes minutes
    Tokens text;
    for (std::size_t first = 0, end = 0; first < stories.size(); first = end + 2) {
        end = stories.find("\n\n", first);
        const Tokens story = encode(stories.substr(first, end - first), vocabulary);
        text.insert(text.end(), story.begin(), story.end());
    }
    language::TrainOptions options;
    options.n_steps = n_steps;
    options.n_texts = 3;
    process::write_file(folder + "/stories.bin",
                        write_checkpoint(train(sizes, text, sizes.context, options, progress)));
}

} // namespace llama
