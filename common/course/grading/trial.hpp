#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "process/run.hpp"

namespace course {

/// A word as a shell reads it, whatever is in it: a path, say.
std::string quoted(const std::string& word);

/// The two commands by which ninja makes an exercise's submission. Nothing in them where there is
/// no such submission.
struct Recipe {
    std::string compile; // without its end, -c and the source
    std::string link;
    std::string object; // as a word of both
    std::string program;

    /// Makes a program of another source by these commands, in the folder where that is. Returns
    /// how it ended, and what the compiler and linker said.
    process::Finished make(const Project& project, const std::filesystem::path& source_file,
                           std::chrono::seconds time) const;
};

Recipe recipe_of(const Project& project, const std::string& exercise);

/// A submission built from another text in the place of an exercise's file, in a folder of its own
/// that goes with it. For finding out whether a change would help; the exercise itself stays as it
/// is.
class Trial {
public:
    Trial(const Project& project, const Exercise& exercise, const std::string& text,
          std::chrono::seconds time);
    ~Trial();
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    /// The program; nothing if the text does not compile, or not in time.
    const std::optional<std::filesystem::path>& submission() const { return submission_; }

private:
    std::filesystem::path folder_;
    std::optional<std::filesystem::path> submission_;
};

} // namespace course
