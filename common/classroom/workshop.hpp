#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "classroom/hand_in.hpp"
#include "classroom/together.hpp"
#include "course/grading/build.hpp"
#include "judge/verdict.hpp"

namespace classroom {

/// Compiles and grades hand-ins on the graders that the project has built. Several threads may do
/// so at a time. Hold the build's lock meanwhile.
class Workshop {
public:
    /// Builds all that grading takes but the hand-ins, and learns how exercises are compiled.
    /// Throws MachineFault if that cannot be.
    Workshop(const course::Project& project, std::uint64_t seed,
             const course::BuildProgress& progress);

    /// The graders prove themselves: our solutions pass, a stub of each lesson is not started, and
    /// a known mistake of each is named. Throws MachineFault, naming the exercise, where not. When
    /// an interruption is noted, nothing more is proved.
    void prove() const;

    /// The verdicts on every exercise of the course, in order; what was not handed in is not
    /// started. When an interruption is noted, it ends soon, and they say nothing.
    ///   folder   private to the hand-in; made, and removed again
    std::vector<judge::Verdict> grade(const HandIn& hand_in,
                                      const std::filesystem::path& folder) const;

    /// What a hand-in's verdicts depend on: its texts, the programs they are graded by, the seed.
    std::string key_of(const HandIn& hand_in) const;

private:
    using Verdicts = std::map<std::string, judge::Verdict>; // by the exercise's id

    Verdicts grade_together(const course::Project& theirs) const;
    judge::Verdict grade_alone(const course::Project& theirs,
                               const course::Exercise& exercise) const;

    const course::Project& project_;
    std::uint64_t seed_;
    Together::Recipes recipes_;
    std::optional<Together> together_;
    std::map<std::string, std::string> stubs_;
    std::string fingerprint_;
};

} // namespace classroom
