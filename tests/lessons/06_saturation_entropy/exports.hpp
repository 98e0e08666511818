#pragma once

#include "judge/export.hpp"
#include "saturation_entropy.hpp"

JUDGE_STRUCT(lesson::EntropyCurve, d_ks, entropies);

JUDGE_FUNCTION(entropy, weights);
JUDGE_FUNCTION(gradient_gain, weights);
JUDGE_FUNCTION(entropy_sweep, Q, K, d_ks, scaled);
JUDGE_FUNCTION(predicted_entropy, n_keys, variance);
JUDGE_FUNCTION(dk_at_collapse, curve);
