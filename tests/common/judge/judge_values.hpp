#pragma once

// A struct of a lesson, with a member of each kind that lessons have.

#include "judge/arrays.hpp"

namespace lesson {

struct Sample {
    attention::Matrix weights;
    attention::Vector entropy;
    std::string label;
    std::optional<int> step;

    bool operator==(const Sample&) const = default;
};

} // namespace lesson

JUDGE_STRUCT(lesson::Sample, weights, entropy, label, step);
