#pragma once

// Shared by the tests of hand-ins.

#include <algorithm>

#include <doctest/doctest.h>

#include "classroom/hand_in.hpp"
#include "course/files.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using classroom::HandIn;
using classroom::read_class;
using classroom::read_hand_in;

inline course::Project project() {
    course::Project project{COURSE_ROOT, "", fs::path(COURSE_ROOT) / "lessons", ""};
    project.lessons = course::read_lessons(project);
    return project;
}

inline void write(const fs::path& file, const std::string& text) {
    course::write_file(file, text);
}

inline bool says(const HandIn& hand_in, const std::string& text) {
    return std::any_of(
        hand_in.remarks.begin(), hand_in.remarks.end(),
        [&](const std::string& remark) { return remark.find(text) != std::string::npos; });
}
