#pragma once

#include <string>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// The learner's result for the exercise's smallest example, as a heatmap or a curve, and beside it
/// the expected one if it differs. Several lines, or "" if there is nothing to draw.
std::string drawing(const Exercise& exercise, const judge::Verdict& verdict, std::size_t width);

} // namespace course
