#pragma once

#include <string>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// The exercise's smallest example, as the learner's function computed it: a heatmap or a curve,
/// beside what it should be where that is something else. Several lines, or "" if there is nothing
/// to draw. width: columns to draw in.
std::string drawing(const Exercise& exercise, const judge::Verdict& verdict, std::size_t width);

} // namespace course
