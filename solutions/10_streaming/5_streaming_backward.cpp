#include "streaming.hpp"

#include <cmath>

namespace lesson {

AttentionGradients streaming_backward(const Matrix& Q, const Matrix& K, const Matrix& V,
                                      const Streamed& forward, const Matrix& d_output,
                                      const std::optional<Mask>& mask) {
    require_fit("streaming_backward", Q, K, V);
    require_mask("streaming_backward", Q, K, mask);
    require_forward("streaming_backward", Q, V, forward, d_output);

    // solution 10.5 (Q, K, V, forward, d_output, mask): each weight computed anew from its score and the logsumexp, used, and forgotten
    const std::size_t d_k = K.shape(1), d_v = V.shape(1);
    const double root = std::sqrt(static_cast<double>(d_k));

    AttentionGradients d{xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        // Σ_j weight_ij d_weight_ij of 08.1, without the weights: the output has summed them.
        double row_sum = 0;
        for (std::size_t c = 0; c < d_v; ++c) {
            row_sum += d_output(i, c) * forward.output(i, c);
        }
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            if (mask && !(*mask)(i, j)) {
                continue;
            }
            double dot = 0;
            for (std::size_t c = 0; c < d_k; ++c) {
                dot += Q(i, c) * K(j, c);
            }
            const double weight = std::exp(dot / root - forward.logsumexp(i));

            double d_weight = 0;
            for (std::size_t c = 0; c < d_v; ++c) {
                d_weight += d_output(i, c) * V(j, c);
                d.d_V(j, c) += weight * d_output(i, c);
            }
            const double d_score = weight * (d_weight - row_sum);
            for (std::size_t c = 0; c < d_k; ++c) {
                d.d_Q(i, c) += d_score * K(j, c) / root;
                d.d_K(j, c) += d_score * Q(i, c) / root;
            }
        }
    }
    return d;
    // end
}

} // namespace lesson
