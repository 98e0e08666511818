#include "language_model.hpp"

#include <cmath>

namespace lesson {

Vector next_logits(const LanguageModel& model, std::size_t token, std::size_t position,
                   Caches& caches) {
    require_fit(model, token, position, caches);

    // solution 11.5 (model, token, position, caches): the token's row, through all layers, to the logits
    const auto norm = [](const Vector& x, const Vector& gain, const Vector& bias) -> Vector {
        const Vector centred = x - xt::mean(x)();
        const double variance = xt::mean(centred * centred)();
        return gain * centred / std::sqrt(variance + 1e-5) + bias;
    };

    Vector x = xt::view(model.tokens, token, xt::all()); // (d)
    x += xt::view(model.positions, position, xt::all());
    const std::size_t d_k = x.size() / model.n_heads;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const Layer& w = model.layers[l];
        const Vector normed = norm(x, w.attention_gain, w.attention_bias);
        const Vector q = times(normed, w.W_q), k = times(normed, w.W_k), v = times(normed, w.W_v);
        Vector heads = Vector::from_shape({x.size()});
        for (std::size_t h = 0; h < model.n_heads; ++h) {
            const auto part = [&](const Vector& all) -> Vector { // this head's components
                return xt::view(all, xt::range(h * d_k, (h + 1) * d_k));
            };
            caches[l][h].append(part(k), part(v));
            xt::view(heads, xt::range(h * d_k, (h + 1) * d_k)) = caches[l][h].attend(part(q));
        }
        x += times(heads, w.W_o);

        const Vector again = norm(x, w.mlp_gain, w.mlp_bias);
        x += times(gelu(times(again, w.W_in) + w.b_in), w.W_out) + w.b_out;
    }
    return times(norm(x, model.gain, model.bias), xt::transpose(model.tokens));
    // end
}

} // namespace lesson
