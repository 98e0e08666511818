#pragma once

// What ./course shows while it watches, as lines of text. Nothing here reads keys or the learner's
// files.

#include <optional>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "course/screen/screen.hpp"
#include "judge/verdict.hpp"

namespace course {

/// What the middle of the screen shows; q closes all but the verdict.
enum class Page { verdict, list, help, solution };

struct Watched {
    explicit Watched(const Project& of) : project(&of) {}

    const Project* project;
    std::vector<Exercise> exercises;
    std::vector<std::optional<judge::Verdict>> verdicts; // of each exercise, as far as known
    std::size_t current = 0;
    bool checking = false;
    std::string step;    // the check's progress
    std::string trouble; // why there is no verdict
    std::string behind;  // one line about what is done in the background
    std::size_t hints = 0;
    std::string message; // one line about the last action

    Page page = Page::verdict;
    std::size_t chosen = 0;            // in the list
    std::vector<std::string> solution; // lines

    const Exercise& exercise() const { return exercises[current]; }
    bool passed(std::size_t index) const {
        return verdicts[index] && verdicts[index]->state == judge::State::passed;
    }
    std::size_t count_passed() const;
};

/// Lines of the middle part that are skipped at its top, and the most that can be.
struct Scroll {
    std::size_t at = 0;
    std::size_t most = 0;
};

/// The whole screen. scroll: limited to what there is.
std::vector<std::string> view(const Watched& watched, Size size, Scroll& scroll);

} // namespace course
