#pragma once

// Where a trained model's heads look, and what it loses without each of them.

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "language/command.hpp"
#include "language_model.hpp"

namespace heads {

using Head = std::pair<std::size_t, std::size_t>; // its block, and its number there

/// All heads of a model while it reads a text that it has not seen.
struct Look {
    language::Ids ids;                       // (n)
    std::vector<attention::Tensor3> weights; // of each block (n_heads, n, n)
    lesson::Matrix largest;                  // (n_layers, n_heads): a row's largest weight, mean
    lesson::Matrix distance;                 // (n_layers, n_heads): positions back, mean
    lesson::Matrix loss_without;             // (n_layers, n_heads): nats that the loss rises by

    lesson::Matrix of(const Head& head) const {
        return xt::view(weights[head.first], head.second, xt::all(), xt::all());
    }
};

inline double loss_without(const language::Trained& trained, const Head& head,
                           training::Workers& workers) {
    language::Model<float> model = trained.model;
    const std::string name = "block_" + std::to_string(head.first) + ".W_o";
    const std::size_t d_k = model.sizes().d / model.sizes().n_heads;
    for (training::Parameter<float>& parameter : model.parameters()) {
        if (parameter.name == name) { // the rows that read this head's output
            xt::view(parameter.value, xt::range(head.second * d_k, (head.second + 1) * d_k),
                     xt::all()) = 0.0F;
        }
    }
    return language::mean_loss(model, workers, trained.text.valid, 40);
}

/// At the first n characters of the part that the model is tested on.
inline Look look(const language::Trained& trained, std::size_t n) {
    const language::ModelSizes& sizes = trained.model.sizes();
    n = std::min(n, sizes.context);
    const auto start = trained.text.valid.begin();
    Look all{language::Ids(start, start + static_cast<std::ptrdiff_t>(n)), {}, {}, {}, {}};
    all.weights = language::attention_weights(trained.model, all.ids);
    all.largest = all.distance = all.loss_without =
        lesson::Matrix::from_shape({sizes.n_layers, sizes.n_heads});
    training::Workers workers(std::max(1U, std::thread::hardware_concurrency()));
    const double whole = language::mean_loss(trained.model, workers, trained.text.valid, 40);
    for (std::size_t block = 0; block < sizes.n_layers; ++block) {
        for (std::size_t h = 0; h < sizes.n_heads; ++h) {
            const lesson::Matrix weights = all.of({block, h});
            const lesson::Vector most = xt::amax(weights, {1});
            all.largest(block, h) = xt::mean(most)();
            double back = 0;
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j <= i; ++j) {
                    back += weights(i, j) * static_cast<double>(i - j);
                }
            }
            all.distance(block, h) = back / static_cast<double>(n);
            all.loss_without(block, h) = loss_without(trained, {block, h}, workers) - whole;
        }
    }
    return all;
}

/// The head of the largest number in a table of all heads.
inline Head largest_of(const lesson::Matrix& table) {
    const auto at =
        static_cast<std::size_t>(std::max_element(table.begin(), table.end()) - table.begin());
    return {at / table.shape(1), at % table.shape(1)};
}

} // namespace heads
