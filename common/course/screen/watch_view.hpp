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

/// What the middle of the screen shows. All but the verdict lie over it, and q closes them.
enum class Page { verdict, list, help, solution };

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

    Page page = Page::verdict;
    std::size_t chosen = 0;            // in the list
    std::vector<std::string> solution; // lines

    const Exercise& exercise() const { return exercises[current]; }
    bool passed(std::size_t index) const {
        return verdicts[index] && verdicts[index]->state == judge::State::passed;
    }
    std::size_t count_passed() const;
};

/// Lines of the middle part that are left out at its top, and how many can be.
struct Scroll {
    std::size_t at = 0;
    std::size_t most = 0;
};

/// The whole screen. scroll: brought down to what makes sense.
std::vector<std::string> view(const Watched& watched, Size size, Scroll& scroll);

} // namespace course
