#pragma once

#include "course/lessons.hpp"

/// The project as shipped, for tests that go over all its lessons.
inline course::Project shipped_project() {
    course::Project project{COURSE_ROOT, COURSE_BUILD, COURSE_ROOT "/lessons",
                            COURSE_BUILD "/state"};
    project.lessons = course::read_lessons(project);
    return project;
}
