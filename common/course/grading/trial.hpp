#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "course/lessons.hpp"
#include "process/run.hpp"

namespace course {

/// A word, such as a path, quoted for a shell.
std::string quoted(const std::string& word);

/// The two commands by which ninja makes an exercise's submission; empty if there is none.
struct Recipe {
    std::string compile; // without its end, -c and the source
    std::string link;
    std::string object; // as a word of both
    std::string program;

    /// Makes a program of another source by these commands, in that source's folder. Returns how
    /// that ended, and what the compiler and linker printed.
    process::Finished make(const Project& project, const std::filesystem::path& source_file,
                           std::chrono::seconds time) const;
};

Recipe recipe_of(const Project& project, const std::string& exercise);

/// A submission built from another text instead of an exercise's file, in a temporary folder, to
/// find out whether a change would help.
class Trial {
public:
    Trial(const Project& project, const Exercise& exercise, const std::string& text,
          std::chrono::seconds time);
    ~Trial();
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    /// The program; nothing if the text does not compile in time.
    const std::optional<std::filesystem::path>& submission() const { return submission_; }

private:
    std::filesystem::path folder_;
    std::optional<std::filesystem::path> submission_;
};

} // namespace course
