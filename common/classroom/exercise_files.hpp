#pragma once

// Which file of a hand-in is which exercise, and whose it is, by its path.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classroom/hand_in.hpp"
#include "course/lessons.hpp"

namespace classroom {

/// Whether a path leads into a folder with one of our names, or into a build.
bool is_passed_over(const std::string& path);

/// Whether a folder has the name of a lesson.
bool is_lesson(const std::string& folder);

/// A name without the number of a second attempt, and that number: 1_project-1.cpp and
/// 1_project (1).cpp are 1_project.cpp and 1.
std::pair<std::string, int> without_attempt(const std::string& name);

/// The exercise of a file, by its folder and name; outside a lesson's folder by its name.
const course::Exercise* exercise_of(const course::Project& project, const std::string& path);

/// The exercise that a file was perhaps meant to be: Project.cpp, 1_project.cpp.txt.
///   whole   the project with all lessons; perhaps not all are graded
const course::Exercise* meant_by(const course::Project& project, const course::Project& whole,
                                 const std::string& path);

/// Moodle: "Ada Lovelace_12345_assignsubmission_file_1_project.cpp", or a folder with the
/// first part of that name. Canvas: "lovelaceada_LATE_4711_901_1_project.cpp".
std::optional<Mark> mark_in(const std::string& name);

/// An entry that belongs to a student.
struct Place {
    const Entry* entry;
    Mark who;
    std::string below; // its path in the hand-in
};

/// All entries that belong to a student.
std::vector<Place> places_of(const course::Project& project, const std::vector<Entry>& entries);

} // namespace classroom
