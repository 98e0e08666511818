#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "classroom/hand_in.hpp"
#include "judge/verdict.hpp"

namespace classroom {

/// The results of one hand-in.
struct Result {
    HandIn hand_in;
    std::vector<judge::Verdict> verdicts; // of every exercise, in the course's order
    bool late = false;
    std::vector<std::string> hints = {}; // integrity: for a person to look at, never a verdict
};

/// The points of each exercise, by its id.
using Points = std::map<std::string, double>;

inline double earned(const judge::Verdict& verdict, const Points& worth) {
    return verdict.state == judge::State::passed ? worth.at(verdict.exercise) : 0;
}

/// Whether the machine prevented its grading.
inline bool is_ungraded(const judge::Verdict& verdict) {
    return verdict.state == judge::State::grader_at_fault;
}

inline bool is_graded(const Result& result) {
    return std::ranges::none_of(result.verdicts, is_ungraded);
}

/// Whether anything was found that could be graded.
inline bool has_exercises(const Result& result) {
    return !result.hand_in.texts.empty();
}

inline double points_of(const Result& result, const Points& worth) {
    double sum = 0;
    for (const judge::Verdict& verdict : result.verdicts) {
        sum += earned(verdict, worth);
    }
    return sum;
}

inline double points_in_all(const Points& worth) {
    double sum = 0;
    for (const auto& [exercise, points] : worth) {
        sum += points;
    }
    return sum;
}

/// Adds hints: hand-ins equal to our solution or each other, and an #include that leaves the
/// lesson.
void add_hints(const course::Project& project, std::vector<Result>& results);

} // namespace classroom
