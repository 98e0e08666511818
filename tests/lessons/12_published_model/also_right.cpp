// Right solutions of lesson 12 written otherwise, with other rounding: each must pass.

#include "exports.hpp"

#include "attention/attention.hpp"
#include "support/agree.hpp"

namespace {

using lesson::Matrix;
using lesson::Vector;

ALTERNATIVE(rms_norm, by_the_length, [](const Vector& x, const Vector& gain) -> Vector {
    support::agree(x, 0, gain, 0);
    const double n = double(x.size());
    return x * (std::sqrt(n) / std::sqrt(xt::sum(x * x)() + n * 1e-5)) * gain;
});

ALTERNATIVE(swiglu, gate_by_gate,
            [](const Vector& x, const Matrix& gate, const Matrix& up,
               const Matrix& down) -> Vector {
                lesson::require_fit(x, gate, up, down);
                Vector hidden = Vector::from_shape({gate.shape(0)});
                for (std::size_t i = 0; i < hidden.size(); ++i) {
                    const double z = xt::sum(xt::view(gate, i, xt::all()) * x)();
                    const double silu = z < -30 ? z * std::exp(z) : z / (1 + std::exp(-z));
                    hidden(i) = silu * xt::sum(xt::view(up, i, xt::all()) * x)();
                }
                return lesson::times(down, hidden);
            });

/// Calls the library's attention, one query a head, and turns pairs by their angle.
Vector by_heads(std::size_t token, std::size_t position, const llama::Checkpoint& model,
                lesson::Cache& cache) {
    lesson::require_next(token, position, model, cache);
    const llama::Sizes& s = model.sizes;
    const std::size_t d = s.dim / s.n_heads, n = position + 1;
    const auto rotated = [&](Vector y) {
        for (std::size_t i = 0; i < y.size(); i += 2) {
            const double angle =
                double(position) * std::exp(-std::log(10000.0) * double(i % d) / double(d));
            const double length = std::hypot(y(i), y(i + 1));
            const double turned = std::atan2(y(i + 1), y(i)) + angle;
            y(i) = length * std::cos(turned);
            y(i + 1) = length * std::sin(turned);
        }
        return y;
    };
    Vector x = xt::view(model.tokens, token, xt::all());
    auto layer = cache.begin();
    for (const llama::Layer& w : model.layers) {
        const Vector y = lesson::rms_norm(x, w.attention_gain);
        const Vector q = rotated(lesson::times(w.W_q, y));
        layer->keys.push_back(rotated(lesson::times(w.W_k, y)));
        layer->values.push_back(lesson::times(w.W_v, y));
        Vector read = xt::zeros<double>({s.dim});
        for (std::size_t h = 0; h < s.n_heads; ++h) {
            const std::size_t first = h * s.n_kv_heads / s.n_heads * d;
            Matrix Q = Matrix::from_shape({1, d}), K = Matrix::from_shape({n, d}), V = K;
            for (std::size_t i = 0; i < n * d; ++i) {
                Q(0, i % d) = q(h * d + i % d);
                K.flat(i) = layer->keys[i / d](first + i % d);
                V.flat(i) = layer->values[i / d](first + i % d);
            }
            xt::view(read, xt::range(h * d, (h + 1) * d)) =
                xt::row(attention::attention(Q, K, V).output, 0);
        }
        x += lesson::times(w.W_o, read);
        x += lesson::swiglu(lesson::rms_norm(x, w.mlp_gain), w.W_gate, w.W_up, w.W_down);
        ++layer;
    }
    return lesson::times(model.output, lesson::rms_norm(x, model.last_gain));
}

ALTERNATIVE_IN(on_a_text, next_logits, by_heads,
               [](const llama::Tokens& tokens, const std::optional<llama::Checkpoint>& model) {
                   return on_a_text::next_logits_by(by_heads, tokens, model);
               });

} // namespace
