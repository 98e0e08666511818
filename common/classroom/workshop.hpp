#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "classroom/hand_in.hpp"
#include "course/grading/build.hpp"
#include "course/grading/trial.hpp"
#include "judge/verdict.hpp"

namespace classroom {

/// Compiles and grades what was handed in, on the graders that the project has built. Several
/// threads may do so at a time. Hold the build's lock meanwhile.
class Workshop {
public:
    /// Builds all that grading takes but the hand-ins, and learns how exercises are compiled.
    /// Throws MachineFault if that cannot be.
    Workshop(const course::Project& project, std::uint64_t seed,
             const course::BuildProgress& progress);

    /// A lesson's grader proves itself: our solutions pass, a stub is not started, and a known
    /// mistake is named. Throws MachineFault, naming the exercise, where not.
    void prove(const course::Lesson& lesson) const;

    /// The text of an exercise in a hand-in: the stub where it was not handed in.
    const std::string& text_of(const HandIn& hand_in, const std::string& exercise) const;

    /// The verdict on an exercise's text. When an interruption is noted, it says nothing.
    ///   folder   private to it; made, and removed again
    judge::Verdict grade(const course::Exercise& exercise, const std::string& text,
                         const std::filesystem::path& folder) const;

    /// What a hand-in's verdicts depend on: its texts, the programs they are graded by, the seed.
    std::string key_of(const HandIn& hand_in) const;

private:
    const course::Project& project_;
    std::uint64_t seed_;
    std::map<std::string, course::Recipe> recipes_; // by the exercise's id
    std::map<std::string, std::string> stubs_;
    std::string fingerprint_;
};

} // namespace classroom
