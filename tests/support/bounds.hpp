#pragma once

// Bounds that people put where none belongs, known by what all answers show, whatever the bound is:
// below it a number is taken for 0, or above it a number is cut.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "judge/session.hpp"

namespace bounds {

using Answers = std::vector<judge::Session::Answer>;
/// Two numbers in one place, and the largest of the right array.
using Look = std::function<void(double actual, double expected, double largest)>;

/// Every number of an answer beside the right one, where the two are of one form.
inline void each_number(const judge::Value& actual, const judge::Value& expected,
                        const Look& look) {
    if (const auto* array = std::get_if<judge::Array>(&expected.data)) {
        const auto& mine = std::get<judge::Array>(actual.data);
        double largest = 0;
        for (std::size_t i = 0; i < array->count(); ++i) {
            largest = std::max(largest, std::abs(array->at(i)));
        }
        for (std::size_t i = 0; i < array->count(); ++i) {
            look(mine.at(i), array->at(i), largest);
        }
    } else if (const auto* record = std::get_if<judge::Record>(&expected.data)) {
        const auto& mine = std::get<judge::Record>(actual.data);
        for (std::size_t i = 0; i < record->members.size(); ++i) {
            each_number(mine.members[i], record->members[i], look);
        }
    } else if (const auto* number = std::get_if<double>(&expected.data)) {
        look(std::get<double>(actual.data), *number, std::abs(*number));
    }
}

/// What is right about in every way but the bound: to fewer digits than any check asks for, since
/// what is right may be rounded in another order.
constexpr double nearly = 1e-5;

/// All numbers are right, but some are 0 that are smaller than `tiny`.
inline bool small_is_0(const Answers& answers, double tiny) {
    bool shows = false, right_otherwise = true;
    for (const auto& answer : answers) {
        each_number(answer.actual, answer.expected, [&](double a, double e, double largest) {
            const bool close = std::abs(a - e) <= nearly * largest;
            const bool lost = a == 0 && std::abs(e) < tiny;
            shows = shows || (lost && !close);
            right_otherwise = right_otherwise && (close || lost);
        });
    }
    return shows && right_otherwise;
}

/// All numbers are right, but those that are larger than the largest of all answers, which are as
/// large as that.
inline bool large_is_cut(const Answers& answers) {
    double bound = 0;
    for (const auto& answer : answers) {
        each_number(answer.actual, answer.expected,
                    [&](double a, double, double) { bound = std::max(bound, std::abs(a)); });
    }
    bool shows = false, right_otherwise = std::isfinite(bound);
    for (const auto& answer : answers) {
        each_number(answer.actual, answer.expected, [&](double a, double e, double largest) {
            const bool cut = std::abs(e) > bound && a == std::copysign(bound, e);
            shows = shows || (cut && std::abs(e) > 1.01 * bound); // else it may be rounding
            right_otherwise =
                right_otherwise && (cut || std::abs(a - e) <= nearly * std::min(largest, bound));
        });
    }
    return shows && right_otherwise;
}

/// To be looked for in what a function answers.
inline void look_for(const char* function) {
    judge::session().recognise(function, "small_is_0",
                               [](const Answers& answers) { return small_is_0(answers, 1e-4); });
    judge::session().recognise(function, "large_is_cut", large_is_cut);
}

inline constexpr const char* small_text =
    "what is tiny comes out as 0, as if it was rounding. How small a number is says nothing of "
    "what it is worth to whoever multiplies it: leave the bound out.";
inline constexpr const char* large_text =
    "what is large is cut at a bound. Nothing in the formula stops it there: leave the bound out.";

/// What the wrong versions do to each number of a right answer.
template <class X>
X small_lost(const X& right) {
    return xt::where(xt::abs(right) < 1e-10, 0.0, right);
}
template <class X>
X large_cut(const X& right) {
    return xt::clip(right, -1e6, 1e6);
}

} // namespace bounds
