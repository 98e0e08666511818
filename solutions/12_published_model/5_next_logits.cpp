#include "published_model.hpp"

#include <cmath>

#include "attention/softmax.hpp" // attention::softmax, from lesson 03

namespace lesson {

Vector next_logits(std::size_t token, std::size_t position, const Checkpoint& model, Cache& cache) {
    require_next(token, position, model, cache);
    const std::size_t n_heads = model.sizes.n_heads, n_kv_heads = model.sizes.n_kv_heads;
    const std::size_t d = model.sizes.dim / n_heads;

    // solution 12.5 (token, position, model, cache, n_kv_heads, d): all layers, and the last norm
    const auto rotate = [&](Vector& heads) {
        for (std::size_t i = 0; i < heads.size(); i += 2) {
            const double omega = std::pow(10000.0, -double(i % d) / double(d));
            const double cosine = std::cos(double(position) * omega);
            const double sine = std::sin(double(position) * omega);
            const double a = heads(i);
            const double b = heads(i + 1);
            heads(i) = a * cosine - b * sine;
            heads(i + 1) = a * sine + b * cosine;
        }
    };
    Vector x = xt::view(model.tokens, token, xt::all());
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const Layer& w = model.layers[l];
        const Vector normed = rms_norm(x, w.attention_gain);
        Vector q = times(w.W_q, normed);
        Vector k = times(w.W_k, normed);
        const Vector v = times(w.W_v, normed);
        rotate(q);
        rotate(k);
        cache[l].keys.push_back(k);
        cache[l].values.push_back(v);

        Vector read = xt::zeros<double>({n_heads * d});
        for (std::size_t h = 0; h < n_heads; ++h) {
            const std::size_t g = h / (n_heads / n_kv_heads);
            Vector scores = xt::zeros<double>({position + 1});
            for (std::size_t j = 0; j <= position; ++j) {
                for (std::size_t c = 0; c < d; ++c) {
                    scores(j) += q(h * d + c) * cache[l].keys[j](g * d + c) / std::sqrt(double(d));
                }
            }
            const Vector weights = attention::softmax(scores);
            for (std::size_t j = 0; j <= position; ++j) {
                for (std::size_t c = 0; c < d; ++c) {
                    read(h * d + c) += weights(j) * cache[l].values[j](g * d + c);
                }
            }
        }
        x += times(w.W_o, read);
        const Vector again = rms_norm(x, w.mlp_gain);
        x += swiglu(again, w.W_gate, w.W_up, w.W_down);
    }
    return times(model.output, rms_norm(x, model.last_gain));
    // end
}

} // namespace lesson
