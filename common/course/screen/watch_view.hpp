#pragma once

// What ./course shows while it watches: lines of text, from what it knows. Nothing here reads a key
// or a file of the learner's.

#include <optional>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "course/screen/screen.hpp"
#include "judge/verdict.hpp"

namespace course {

struct Watched {
    explicit Watched(const Project& of) : project(&of) {}

    const Project* project;
    std::vector<Exercise> exercises;
    std::vector<std::optional<judge::Verdict>> verdicts; // of each exercise, as far as known
    std::size_t current = 0;
    bool checking = false;
    std::string step;    // how far the check is
    std::string trouble; // why there is no verdict
    std::size_t hints = 0;
    std::string message; // one line about what was done last
    std::string output;  // when not empty, shown in the verdict's place: a solution, say

    const Exercise& exercise() const { return exercises[current]; }
    bool passed(std::size_t index) const {
        return verdicts[index] && verdicts[index]->state == judge::State::passed;
    }
    std::size_t count_passed() const;
};

enum class Page { verdict, list, help };

/// The whole screen. scroll: lines of the middle part to leave out at the top; it is brought down
/// to what makes sense.
std::vector<std::string> view(const Watched& watched, Page page, Size size, std::size_t& scroll);

} // namespace course
