#include "language/generation.hpp"

#include "attention/attention.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace language {

using autograd::Value;

Reader::Reader(const Model<float>& model, BeginText begin)
    : model_(model), begin_(std::move(begin)), next_(begin_(model_)) {}

Vector Reader::read(std::size_t id) {
    if (read_.size() == model_.sizes().context) {
        read_.erase(read_.begin(), read_.end() - static_cast<std::ptrdiff_t>(read_.size() / 2));
        next_ = begin_(model_);
        for (std::size_t i = 0; i < read_.size(); ++i) {
            next_(read_[i], i);
        }
    }
    read_.push_back(id);
    return next_(id, read_.size() - 1);
}

Ids write(const Model<float>& model, const BeginText& begin, const Draw& draw, const Ids& prompt,
          std::size_t n, std::uint64_t seed, const std::function<void(std::size_t id)>& written) {
    if (prompt.empty()) {
        throw std::invalid_argument("write: the prompt must have a character, got none");
    }
    Reader reader(model, begin);
    Vector logits;
    for (const std::size_t id : prompt) {
        logits = reader.read(id);
    }
    Ids text;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t id = draw(logits, training::mix(seed, i));
        if (id >= logits.size()) {
            throw std::runtime_error("a drawn character must be below " +
                                     std::to_string(logits.size()) + ", got " + std::to_string(id));
        }
        text.push_back(id);
        if (written) {
            written(id);
        }
        if (i + 1 < n) {
            logits = reader.read(id);
        }
    }
    return text;
}

Vector log_probabilities(const Model<float>& model, const Ids& ids) {
    if (ids.size() < 2) {
        throw std::invalid_argument(
            "log_probabilities: there must be two characters or more, got " +
            std::to_string(ids.size()));
    }
    Vector all = Vector::from_shape({ids.size() - 1});
    const std::size_t n = model.sizes().context;
    for (std::size_t first = 0; first < all.size(); first += n) {
        const std::size_t last = std::min(first + n, all.size());
        autograd::Tape tape;
        const Value logits = model.logits(tape,
                                          {ids.begin() + static_cast<std::ptrdiff_t>(first),
                                           ids.begin() + static_cast<std::ptrdiff_t>(last)},
                                          1);
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t n_characters = logits.shape(1);
            const float* row = logits.data().data() + (i - first) * n_characters;
            all(i) = static_cast<double>(row[ids[i + 1]] -
                                         autograd::kernels::log_sum_exp(row, n_characters));
        }
    }
    return all;
}

std::vector<attention::Tensor3> attention_weights(const Model<float>& model, const Ids& ids) {
    std::vector<attention::Tensor3> weights;
    Parts<float> parts = model.parts();
    parts.transformer_block = [&](const Value& X, const BlockWeights& w, std::size_t n_texts,
                                  std::size_t n_heads) {
        const Value x = model.parts().layer_norm(X, w.attention_gain, w.attention_bias);
        const std::size_t n = X.shape(0), d_k = X.shape(1) / n_heads;
        const auto heads = [&](const Value& W) { // (n_heads, n, d_k)
            const Value Y = product(x, W);
            auto split = attention::Tensor3::from_shape({n_heads, n, d_k});
            for (std::size_t head = 0; head < n_heads; ++head) {
                for (std::size_t i = 0; i < n; ++i) {
                    for (std::size_t c = 0; c < d_k; ++c) {
                        split(head, i, c) = static_cast<double>(Y.data()(i, head * d_k + c));
                    }
                }
            }
            return split;
        };
        const attention::Tensor3 K = heads(w.W_k); // for the values, too: only the weights matter
        weights.push_back(
            attention::scaled_dot_product_attention(heads(w.W_q), K, K, {.is_causal = true})
                .weights);
        return model.parts().transformer_block(X, w, n_texts, n_heads);
    };
    autograd::Tape tape;
    model.logits(tape, ids, 1, {.parts = &parts});
    return weights;
}

} // namespace language
