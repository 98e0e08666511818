#pragma once

#include <optional>
#include <string>

#include "course/lessons.hpp"

namespace course {

/// A submission built from another text in the place of an exercise's file, in a folder of its own
/// that goes with it. For finding out whether a change would help; the exercise itself stays as it
/// is.
class Trial {
public:
    Trial(const Project& project, const Exercise& exercise, const std::string& text);
    ~Trial();
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    /// The program; nothing if the text does not compile, or not in time.
    std::optional<std::filesystem::path> submission() const;

private:
    std::filesystem::path folder_;
};

} // namespace course
