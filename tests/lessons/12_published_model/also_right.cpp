// Right solutions of lesson 12 written otherwise: each must pass.

#include "exports.hpp"

#include <complex>

#include "support/agree.hpp"

namespace {

using lesson::Matrix;
using lesson::Vector;

ALTERNATIVE(rms_norm, by_the_length, [](const Vector& x, const Vector& gain) -> Vector {
    support::agree(x, 0, gain, 0);
    double squares = 0;
    for (const double each : x) {
        squares += each * each;
    }
    const double n = double(x.size());
    return x * (std::sqrt(n) / std::sqrt(squares + n * 1e-5)) * gain;
});

ALTERNATIVE(swiglu, by_tanh,
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

/// Rotates by complex numbers, and keeps a running maximum and sum, as in lesson 10.
Vector by_complex_numbers(std::size_t token, std::size_t position, const llama::Checkpoint& model,
                          lesson::Cache& cache) {
    lesson::require_next(token, position, model, cache);
    const llama::Sizes& s = model.sizes;
    const std::size_t d = s.dim / s.n_heads;
    const auto rotated = [&](Vector y) {
        for (std::size_t i = 0; i < y.size(); i += 2) {
            const double omega = std::exp(-std::log(10000.0) * double(i % d) / double(d));
            const auto z =
                std::complex<double>(y(i), y(i + 1)) * std::polar(1.0, double(position) * omega);
            y(i) = z.real();
            y(i + 1) = z.imag();
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
            double most = -1e300, sum = 0;
            std::vector<double> mixed(d, 0.0);
            for (std::size_t j = 0; j <= position; ++j) {
                double score = 0;
                const std::size_t first = h * s.n_kv_heads / s.n_heads * d;
                for (std::size_t c = 0; c < d; ++c) {
                    score += q(h * d + c) * layer->keys[j](first + c);
                }
                score /= std::sqrt(double(d));
                const double now = std::max(most, score), kept = std::exp(most - now);
                sum = sum * kept + std::exp(score - now);
                for (std::size_t c = 0; c < d; ++c) {
                    mixed[c] =
                        mixed[c] * kept + std::exp(score - now) * layer->values[j](first + c);
                }
                most = now;
            }
            for (std::size_t c = 0; c < d; ++c) {
                read(h * d + c) = mixed[c] / sum;
            }
        }
        x += lesson::times(w.W_o, read);
        x += lesson::swiglu(lesson::rms_norm(x, w.mlp_gain), w.W_gate, w.W_up, w.W_down);
        ++layer;
    }
    return lesson::times(model.output, lesson::rms_norm(x, model.last_gain));
}

ALTERNATIVE_IN(on_a_text, next_logits, by_complex_numbers,
               [](const llama::Tokens& tokens, const std::optional<llama::Checkpoint>& model) {
                   return on_a_text::next_logits_by(by_complex_numbers, tokens, model);
               });

} // namespace
