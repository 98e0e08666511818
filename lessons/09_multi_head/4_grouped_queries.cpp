#include "multi_head.hpp"

#include "attention/attention.hpp" // attention::attention(Q, K, V).output

namespace lesson {

Matrix grouped_query_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                               std::size_t n_kv_heads) {
    const Grouped size = require_fit(Q, K, V, n_kv_heads);

    // TODO 09.4: each head of queries with its group's keys and values
    todo("09.4", Q, K, V, n_kv_heads, size);
}

double kv_cache_bytes(std::size_t n_tokens, std::size_t n_layers, std::size_t n_kv_heads,
                      std::size_t d_k, std::size_t d_v, std::size_t bytes_each) {
    // TODO 09.4: the bytes of all keys and values
    todo("09.4", n_tokens, n_layers, n_kv_heads, d_k, d_v, bytes_each);
}

} // namespace lesson
