#pragma once

#include "judge/export.hpp"
#include "score_scaling.hpp"

JUDGE_STRUCT(lesson::Moments, mean, variance);

JUDGE_FUNCTION(raw_scores, Q, K);
JUDGE_FUNCTION(scaled_scores, Q, K);
JUDGE_FUNCTION(dot_product_moments, d_k, samples, seed);
