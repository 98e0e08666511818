#pragma once

// A teacher's settings for a class: points, and who is late.

#include <filesystem>
#include <string>
#include <vector>

#include "classroom/result.hpp"
#include "course/lessons.hpp"

namespace classroom {

/// A path relative to the folder in which ./course was called.
std::filesystem::path typed(const std::string& path);

/// The points of each exercise: 1, or what its manifest or the file ("": none) says. Throws BadUse
/// for negative or invalid points, and for an unknown exercise.
Points read_points(const course::Project& project, const std::string& file);

/// Marks late hand-ins: by their newest file if `late` is a moment, by a file of names, or as
/// Canvas says (""). Throws BadUse for anything else, and for an unknown name.
void mark_late(std::vector<Result>& results, const std::string& late);

} // namespace classroom
