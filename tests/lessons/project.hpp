#pragma once

#include <cstdlib>

#include "course/lessons.hpp"

/// The project as shipped, for tests of all its lessons, or of one while somebody works on it:
/// COURSE_LESSON=04 in the environment.
inline course::Project shipped_project() {
    course::Project project{COURSE_ROOT, COURSE_BUILD, COURSE_ROOT "/lessons",
                            COURSE_BUILD "/state"};
    project.lessons = course::read_lessons(project);
    if (const char* const only = std::getenv("COURSE_LESSON"); only != nullptr) {
        std::erase_if(project.lessons, [&](const auto& lesson) { return lesson.id != only; });
    }
    return project;
}
