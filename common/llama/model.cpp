#include "llama/model.hpp"

#include "autograd/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace llama {
namespace {

namespace kernels = autograd::kernels;
template <class T>
using Numbers = std::vector<T>;

// The arrays of a layer, in the order of the file.
enum Kind : std::size_t { attention_gain, W_q, W_k, W_v, W_o, mlp_gain, W_gate, W_down, W_up };

// y ← W x, or y + W x.   W (y.size(), x.size())
template <class T>
void times(const Numbers<T>& W, const Numbers<T>& x, Numbers<T>& y, bool add = false) {
    for (std::size_t i = 0; i < y.size(); ++i) {
        const T product = kernels::dot(W.data() + i * x.size(), x.data(), x.size());
        y[i] = add ? y[i] + product : product;
    }
}

template <class T>
Numbers<T> rms_norm(const Numbers<T>& x, const Numbers<T>& gain) {
    const T squares = kernels::dot(x.data(), x.data(), x.size());
    const T factor = 1 / std::sqrt(squares / static_cast<T>(x.size()) + T(1e-5));
    Numbers<T> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = factor * x[i] * gain[i];
    }
    return y;
}

template <class T>
void rotate(Numbers<T>& x, std::size_t position, std::size_t d) {
    for (std::size_t i = 0; i < d; i += 2) {
        const double angle = static_cast<double>(position) *
                             std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(d));
        const auto cosine = static_cast<T>(std::cos(angle));
        const auto sine = static_cast<T>(std::sin(angle));
        for (std::size_t at = i; at < x.size(); at += d) { // in every head
            const T a = x[at], b = x[at + 1];
            x[at] = a * cosine - b * sine;
            x[at + 1] = a * sine + b * cosine;
        }
    }
}

} // namespace

template <class T>
Model<T>::Model(const Checkpoint& model) : sizes_(model.sizes), logits_(sizes_.n_tokens) {
    const auto keep = [&](const auto& numbers) {
        Numbers& kept = arrays_.emplace_back();
        for (const double x : numbers) {
            kept.push_back(static_cast<T>(x));
        }
    };
    each_array(model, keep);
    keep(model.output);
    const std::size_t kv = sizes_.n_kv_heads * (sizes_.dim / sizes_.n_heads);
    keys_.assign(sizes_.n_layers, Numbers(kv * sizes_.context));
    values_ = keys_;
    weights_.assign(sizes_.n_layers, Numbers(sizes_.n_heads * sizes_.context));
}

template <class T>
void Model<T>::attend(std::size_t layer, const Numbers& query, Numbers& read) {
    const std::size_t d = sizes_.dim / sizes_.n_heads, n = n_read_ + 1, context = sizes_.context;
    for (std::size_t h = 0; h < sizes_.n_heads; ++h) {
        const std::size_t first = h / (sizes_.n_heads / sizes_.n_kv_heads) * d;
        T* const scores = weights_[layer].data() + h * context;
        std::fill_n(scores, n, T(0));
        for (std::size_t c = 0; c < d; ++c) {
            const T factor = query[h * d + c] / std::sqrt(static_cast<T>(d));
            kernels::add(factor, keys_[layer].data() + (first + c) * context, scores, n);
        }
        kernels::softmax(scores, n);
        for (std::size_t c = 0; c < d; ++c) {
            const T* const values = values_[layer].data() + (first + c) * context;
            read[h * d + c] = kernels::dot(scores, values, n);
        }
    }
}

template <class T>
const std::vector<T>& Model<T>::next_logits(std::size_t token) {
    if (token >= sizes_.n_tokens || n_read_ >= sizes_.context) {
        throw std::invalid_argument("Model: there is no such token, or the context is full");
    }
    const std::size_t dim = sizes_.dim, d = dim / sizes_.n_heads, kv = sizes_.n_kv_heads * d;
    const auto row = arrays_[0].begin() + static_cast<std::ptrdiff_t>(token * dim);
    Numbers x(row, row + static_cast<std::ptrdiff_t>(dim));
    Numbers query(dim), key(kv), value(kv), heads(dim), inner(sizes_.hidden), up(inner);
    for (std::size_t layer = 0; layer < sizes_.n_layers; ++layer) {
        const Numbers normed = rms_norm(x, array(attention_gain, layer));
        times(array(W_q, layer), normed, query);
        times(array(W_k, layer), normed, key);
        times(array(W_v, layer), normed, value);
        rotate(query, n_read_, d);
        rotate(key, n_read_, d);
        for (std::size_t c = 0; c < kv; ++c) {
            keys_[layer][c * sizes_.context + n_read_] = key[c];
            values_[layer][c * sizes_.context + n_read_] = value[c];
        }
        attend(layer, query, heads);
        times(array(W_o, layer), heads, x, true);

        const Numbers again = rms_norm(x, array(mlp_gain, layer));
        times(array(W_gate, layer), again, inner);
        times(array(W_up, layer), again, up);
        for (std::size_t i = 0; i < inner.size(); ++i) {
            inner[i] *= up[i] / (1 + std::exp(-inner[i])); // silu
        }
        times(array(W_down, layer), inner, x, true);
    }
    times(arrays_.back(), rms_norm(x, arrays_[arrays_.size() - 2]), logits_);
    ++n_read_;
    return logits_;
}

template <class T>
Matrix Model<T>::kept(const Numbers& rows) const {
    Matrix result = Matrix::from_shape({n_read_, rows.size() / sizes_.context});
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t position = i / result.shape(1), row = i % result.shape(1);
        result.flat(i) = static_cast<double>(rows[row * sizes_.context + position]);
    }
    return result;
}

template class Model<float>;
template class Model<double>;

} // namespace llama
