#pragma once

#include "judge/export.hpp"
#include "softmax.hpp"

JUDGE_FUNCTION(softmax, scores);
JUDGE_FUNCTION(softmax_rows, scores);
JUDGE_FUNCTION(softmax_jacobian, p);
JUDGE_FUNCTION(largest_derivative, Q, K, scaled);
