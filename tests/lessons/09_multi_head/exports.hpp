#pragma once

#include "judge/export.hpp"
#include "multi_head.hpp"

JUDGE_STRUCT(lesson::MultiHead, output, weights);

JUDGE_FUNCTION(split_heads, X, n_heads);
JUDGE_FUNCTION(merge_heads, heads);
JUDGE_FUNCTION(multi_head_attention, X, W_q, W_k, W_v, W_o, n_heads, mask);
JUDGE_FUNCTION(sinusoidal_positions, n, d);
JUDGE_FUNCTION(rotate, X, positions);
JUDGE_FUNCTION(rotary_attention, Q, K, V, positions);
JUDGE_FUNCTION(grouped_query_attention, Q, K, V, n_kv_heads);
JUDGE_FUNCTION(kv_cache_bytes, n_tokens, n_layers, n_kv_heads, d_k, d_v, bytes_each);
