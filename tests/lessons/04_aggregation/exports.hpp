#pragma once

#include "aggregation.hpp"
#include "judge/export.hpp"

JUDGE_STRUCT(lesson::ByHand, raw_scores, scaled_scores, weights, output, most_uniform,
             most_focused);

JUDGE_FUNCTION(aggregate, weights, V);
JUDGE_FUNCTION(attention_weights, Q, K);
JUDGE_FUNCTION(self_attention, Q, K, V);
JUDGE_FUNCTION(by_hand, );
JUDGE_FUNCTION(attention_flops, n, d_k, d_v);
JUDGE_FUNCTION(attention_bytes, n, d_k, d_v);
