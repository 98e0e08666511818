#include "language/generation.hpp"

#include "attention/attention.hpp"
#include "autograd/operations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace language {
namespace {

using autograd::Array;
using autograd::Value;

// A head's components of one row.
Vector part_of_row(const Value& X, std::size_t head, std::size_t d_k) {
    Vector part = Vector::from_shape({d_k});
    std::copy_n(X.data().data() + head * d_k, d_k, part.begin());
    return part;
}

Value mlp(const Value& H, const BlockWeights& w, const Parts<float>& parts) {
    const Value h = parts.layer_norm(H, w.mlp_gain, w.mlp_bias);
    return add(H, affine(gelu(affine(h, w.W_in, w.b_in)), w.W_out, w.b_out));
}

// A block for one more character, its attention out of the caches.   X (1, d)
Value block_with_caches(const Value& X, const BlockWeights& w, const Parts<float>& parts,
                        std::vector<HeadCache>& caches) {
    const Value x = parts.layer_norm(X, w.attention_gain, w.attention_bias);
    const Value q = product(x, w.W_q), k = product(x, w.W_k), v = product(x, w.W_v);
    const std::size_t d_k = X.shape(1) / caches.size();
    Array<float> heads = Array<float>::from_shape({1, X.shape(1)});
    for (std::size_t head = 0; head < caches.size(); ++head) {
        caches[head].append(part_of_row(k, head, d_k), part_of_row(v, head, d_k));
        const Vector read = caches[head].attend(part_of_row(q, head, d_k));
        if (read.size() != d_k) {
            throw std::runtime_error("a head's cache has to return " + std::to_string(d_k) +
                                     " components, got " + std::to_string(read.size()));
        }
        std::transform(read.begin(), read.end(), heads.data() + head * d_k,
                       [](double component) { return static_cast<float>(component); });
    }
    return mlp(add(X, product(X.tape().constant(std::move(heads)), w.W_o)), w, parts);
}

} // namespace

Reader::Reader(const Model<float>& model, MakeHeadCache make_cache)
    : model_(model), make_cache_(std::move(make_cache)) {
    start();
}

void Reader::start() {
    read_.clear();
    caches_.clear();
    for (std::size_t layer = 0; layer < model_.sizes().n_layers; ++layer) {
        caches_.emplace_back();
        for (std::size_t head = 0; head < model_.sizes().n_heads; ++head) {
            caches_.back().push_back(make_cache_());
        }
    }
}

Vector Reader::read_next(std::size_t id) {
    std::size_t layer = 0;
    Parts<float> parts = model_.parts();
    parts.transformer_block = [&](const Value& X, const BlockWeights& w, std::size_t, std::size_t) {
        return block_with_caches(X, w, model_.parts(), caches_[layer++]);
    };
    autograd::Tape tape;
    const Value logits =
        model_.logits(tape, {id}, 1, {.first_position = read_.size(), .parts = &parts});
    read_.push_back(id);
    Vector result = Vector::from_shape({logits.data().size()});
    std::copy(logits.data().begin(), logits.data().end(), result.begin());
    return result;
}

Vector Reader::read(std::size_t id) {
    if (read_.size() == model_.sizes().context) {
        const Ids later(read_.end() - static_cast<std::ptrdiff_t>(read_.size() / 2), read_.end());
        start();
        for (const std::size_t earlier : later) {
            read_next(earlier);
        }
    }
    return read_next(id);
}

Ids write(const Model<float>& model, const MakeHeadCache& make_cache, const Draw& draw,
          const Ids& prompt, std::size_t n, std::uint64_t seed,
          const std::function<void(std::size_t id)>& written) {
    if (prompt.empty()) {
        throw std::invalid_argument("write: the prompt must have a character, got none");
    }
    Reader reader(model, make_cache);
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
            double largest = -std::numeric_limits<double>::infinity(), sum = 0;
            for (std::size_t c = 0; c < logits.shape(1); ++c) {
                largest = std::max(largest, static_cast<double>(logits.data()(i - first, c)));
            }
            for (std::size_t c = 0; c < logits.shape(1); ++c) {
                sum += std::exp(static_cast<double>(logits.data()(i - first, c)) - largest);
            }
            all(i) =
                static_cast<double>(logits.data()(i - first, ids[i + 1])) - largest - std::log(sum);
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
