#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "classroom/hand_in.hpp"
#include "course/grading/build.hpp"
#include "course/grading/trial.hpp"
#include "judge/verdict.hpp"

namespace classroom {

/// Compiles and grades hand-ins with the project's graders, on several threads at a time if wanted.
/// Call it under the build's lock.
class Workshop {
public:
    /// Builds all that grading needs except the hand-ins, and finds out how exercises are compiled.
    /// Throws MachineFault if that fails.
    Workshop(const course::Project& project, std::uint64_t seed,
             const course::BuildProgress& progress);

    /// Tests that our solutions pass, a stub is not started, and a known mistake is named. Throws
    /// MachineFault, with the exercise, if not.
    void prove(const course::Lesson& lesson) const;

    /// The text of an exercise in a hand-in; the stub if it was not handed in.
    const std::string& text_of(const HandIn& hand_in, const std::string& exercise) const;

    /// The verdict on an exercise's text; meaningless after an interruption.
    ///   folder   for it alone; created and removed
    judge::Verdict grade(const course::Exercise& exercise, const std::string& text,
                         const std::filesystem::path& folder) const;

    /// What a hand-in's verdicts depend on: its texts, the graders' programs, and the seed.
    std::string key_of(const HandIn& hand_in) const;

private:
    const course::Project& project_;
    std::uint64_t seed_;
    std::map<std::string, course::Recipe> recipes_; // by the exercise's id
    std::map<std::string, std::string> stubs_;
    std::string fingerprint_;
};

} // namespace classroom
