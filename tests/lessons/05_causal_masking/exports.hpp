#pragma once

#include "causal_masking.hpp"
#include "judge/export.hpp"

JUDGE_STRUCT(lesson::Attention, output, weights);

JUDGE_FUNCTION(causal_mask, n);
JUDGE_FUNCTION(apply_mask, scores, mask);
JUDGE_FUNCTION(masked_softmax, scores, mask);
JUDGE_FUNCTION(additive_mask, mask);
JUDGE_FUNCTION(scaled_dot_product_attention, Q, K, V, mask);
