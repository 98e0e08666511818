#include "multi_head.hpp"

#include "attention/attention.hpp" // attention::attention(Q, K, V).output

namespace lesson {

Matrix grouped_query_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                               std::size_t n_kv_heads) {
    const Grouped size = require_fit(Q, K, V, n_kv_heads);

    // solution 09.4 (Q, K, V, n_kv_heads, size): each head of queries with its group's keys and values
    const std::size_t queries_a_group = size.n_heads / n_kv_heads;

    Matrix output = Matrix::from_shape({Q.shape(0), size.n_heads * size.d_v});
    for (std::size_t h = 0; h < size.n_heads; ++h) {
        const std::size_t g = h / queries_a_group;
        const Matrix Q_h = xt::view(Q, xt::all(), xt::range(h * size.d_k, (h + 1) * size.d_k));
        const Matrix K_g = xt::view(K, xt::all(), xt::range(g * size.d_k, (g + 1) * size.d_k));
        const Matrix V_g = xt::view(V, xt::all(), xt::range(g * size.d_v, (g + 1) * size.d_v));
        xt::view(output, xt::all(), xt::range(h * size.d_v, (h + 1) * size.d_v)) =
            attention::attention(Q_h, K_g, V_g).output;
    }
    return output;
    // end
}

double kv_cache_bytes(std::size_t n_tokens, std::size_t n_layers, std::size_t n_kv_heads,
                      std::size_t d_k, std::size_t d_v, std::size_t bytes_each) {
    // solution 09.4 (n_tokens, n_layers, n_kv_heads, d_k, d_v, bytes_each): the bytes of all keys and values
    return static_cast<double>(n_tokens) * static_cast<double>(n_layers) *
           static_cast<double>(n_kv_heads) * static_cast<double>(d_k + d_v) *
           static_cast<double>(bytes_each);
    // end
}

} // namespace lesson
