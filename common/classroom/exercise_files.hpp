#pragma once

// Which file of a hand-in is which exercise, by its path.

#include <filesystem>
#include <string>
#include <vector>

#include "classroom/hand_in.hpp"
#include "course/lessons.hpp"

namespace classroom {

/// Whether a path leads into a folder of which nothing is read or said: what programs leave.
bool is_ignored(const std::filesystem::path& path);

/// Whether a path leads into a folder that is named as ours, or as what is built: it is no hand-in.
bool is_passed_over(const std::filesystem::path& path);
/// The path of that folder.
std::filesystem::path passed_over_in(const std::filesystem::path& path);

/// Whether a path is that of source text which may be an exercise.
bool is_source(const std::string& path);

/// The exercise that a file is, by its folder and name; outside a lesson's folder by its name alone
/// where only one has it.
const course::Exercise* exercise_of(const course::Project& project,
                                    const std::filesystem::path& path);

/// The exercise that a file was perhaps meant to be, whose name or folder is nearly its own:
/// Project.cpp, 1_project (1).cpp, 1_project.cpp.txt. Of several the one with the longest name.
///   all   the lessons of the course, of which perhaps not all are graded
const course::Exercise* meant_by(const course::Project& project,
                                 const std::vector<course::Lesson>& all,
                                 const std::filesystem::path& path);

/// What is wanted of a file: the text of what is or may be an exercise, and its name alone where
/// its folder is passed over.
Want want_of(const course::Project& project, const std::vector<course::Lesson>& all,
             const std::string& path);

} // namespace classroom
