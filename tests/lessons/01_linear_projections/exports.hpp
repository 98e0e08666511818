#pragma once

#include "judge/export.hpp"
#include "linear_projections.hpp"

JUDGE_STRUCT(lesson::QKV, Q, K, V);

JUDGE_FUNCTION(project, X, W);
JUDGE_FUNCTION(compute_qkv, X, W_q, W_k, W_v);
JUDGE_FUNCTION(check_projection, X, W);
