#pragma once

#include <string>

namespace judge {

/// The functions that this file exports from here on are those of this lesson.
struct OfLesson {
    explicit OfLesson(const std::string& folder);
};

} // namespace judge
