#pragma once

#include "judge/export.hpp"
#include "judge/kept_places.hpp"
#include "multi_head.hpp"

JUDGE_STRUCT(lesson::MultiHead, output, weights);

// Each under the name of the exercise's own function, which is how verdicts speak of it.
namespace in_place {

using lesson::Matrix;
using lesson::Tensor3;
using lesson::Vector;

inline Tensor3 split_heads(const Matrix& X, std::size_t n_heads) {
    return kept_places::call(lesson::split_heads, X, n_heads);
}
inline Matrix merge_heads(const Tensor3& heads) {
    return kept_places::call(lesson::merge_heads, heads);
}
inline lesson::MultiHead multi_head_attention(const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                                              const Matrix& W_v, const Matrix& W_o,
                                              std::size_t n_heads,
                                              const std::optional<lesson::Mask>& mask) {
    return kept_places::call(lesson::multi_head_attention, X, W_q, W_k, W_v, W_o, n_heads, mask);
}
inline Matrix rotate(const Matrix& X, const Vector& positions) {
    return kept_places::call(lesson::rotate, X, positions);
}
inline Matrix rotary_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                               const Vector& positions) {
    return kept_places::call(lesson::rotary_attention, Q, K, V, positions);
}
inline Matrix grouped_query_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                                      std::size_t n_kv_heads) {
    return kept_places::call(lesson::grouped_query_attention, Q, K, V, n_kv_heads);
}

} // namespace in_place

JUDGE_FUNCTION_IN(in_place, split_heads, X, n_heads);
JUDGE_FUNCTION_IN(in_place, merge_heads, heads);
JUDGE_FUNCTION_IN(in_place, multi_head_attention, X, W_q, W_k, W_v, W_o, n_heads, mask);
JUDGE_FUNCTION(sinusoidal_positions, n, d);
JUDGE_FUNCTION_IN(in_place, rotate, X, positions);
JUDGE_FUNCTION_IN(in_place, rotary_attention, Q, K, V, positions);
JUDGE_FUNCTION_IN(in_place, grouped_query_attention, Q, K, V, n_kv_heads);
JUDGE_FUNCTION(kv_cache_bytes, n_tokens, n_layers, n_kv_heads, d_k, d_v, bytes_each);
