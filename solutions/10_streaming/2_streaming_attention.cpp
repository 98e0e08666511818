#include "streaming.hpp"

#include <cmath>

namespace lesson {

Streamed streaming_attention(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t tile,
                             const std::optional<Mask>& mask) {
    require_fit("streaming_attention", Q, K, V);
    require_mask("streaming_attention", Q, K, mask);
    require_tile("streaming_attention", tile);

    // solution 10.2 (Q, K, V, tile, mask): for each query, what is known so far merged with a tile of keys after the other
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
    const std::size_t d_k = K.shape(1), d_v = V.shape(1);
    const double root = std::sqrt(static_cast<double>(d_k));

    Streamed result{xt::zeros<double>({n_queries, d_v}), xt::zeros<double>({n_queries})};
    for (std::size_t i = 0; i < n_queries; ++i) {
        Partial so_far = no_keys_yet(d_v);
        for (std::size_t first = 0; first < n_keys; first += tile) {
            const std::size_t count = std::min(tile, n_keys - first);

            // The scores of this tile, and their maximum.
            Partial here = no_keys_yet(d_v);
            Vector scores = Vector::from_shape({count});
            for (std::size_t j = 0; j < count; ++j) {
                scores(j) = -infinity; // blocked
                if (!mask || (*mask)(i, first + j)) {
                    double dot = 0;
                    for (std::size_t c = 0; c < d_k; ++c) {
                        dot += Q(i, c) * K(first + j, c);
                    }
                    scores(j) = dot / root;
                    here.maximum = std::max(here.maximum, scores(j));
                }
            }
            if (here.maximum == -infinity) {
                continue; // all of it is blocked
            }

            // The values of this tile, weighed.
            for (std::size_t j = 0; j < count; ++j) {
                const double p = std::exp(scores(j) - here.maximum);
                here.sum += p;
                for (std::size_t c = 0; c < d_v; ++c) {
                    here.output(c) += p * V(first + j, c);
                }
            }
            so_far = merge(so_far, here);
        }
        if (so_far.sum > 0) {
            xt::view(result.output, i, xt::all()) = so_far.output / so_far.sum;
        }
        result.logsumexp(i) = so_far.maximum + std::log(so_far.sum); // −∞ where nothing was seen
    }
    return result;
    // end
}

} // namespace lesson
