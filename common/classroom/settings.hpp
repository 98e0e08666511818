#pragma once

// What a teacher says of a class: what an exercise is worth, and who is late.

#include <filesystem>
#include <string>
#include <vector>

#include "classroom/result.hpp"
#include "course/lessons.hpp"

namespace classroom {

/// A path that was typed in where ./course was called.
std::filesystem::path typed(const std::string& path);

/// What each exercise is worth: 1, or what its manifest or the file (none: "") says. Throws BadUse
/// for points that are no number from 0, and for an exercise that is not there.
Points read_points(const course::Project& project, const std::string& file);

/// Marks who is late: by the newest file of a hand-in where `late` is a day or a moment, by a
/// file's names, or as Canvas says (""). Throws BadUse for anything else, and for a name that is
/// nobody's.
void mark_late(std::vector<Result>& results, const std::string& late);

} // namespace classroom
