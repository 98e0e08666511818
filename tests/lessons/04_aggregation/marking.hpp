#pragma once

// What is said of the sheet of 04.4, whose cells are marked in marks.hpp. What is shown of a wrong
// cell is how to compute it, never what comes out.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "marks.hpp"

namespace marking {

/// The learner's cells of a step, those that are wrong marked with ✗.
inline judge::Block marked(const ByHand& sheet, std::size_t step) {
    const Matrix& cells = sheet.*steps[step].cells;
    const std::vector<Mark> all = marks(sheet, step);
    std::string head = fmt::format("{:12}", "");
    for (std::size_t j = 0; j < cells.shape(1); ++j) {
        head += fmt::format("{:<14}", fmt::format("{} {}", steps[step].column, j + 1));
    }
    const auto trimmed = [](const std::string& line) {
        return line.substr(0, line.find_last_not_of(' ') + 1);
    };
    judge::Block lines{fmt::format("your {}:", steps[step].name), trimmed(head)};
    for (std::size_t i = 0; i < cells.shape(0); ++i) {
        std::string line = fmt::format("  query {}   ", i + 1);
        for (std::size_t j = 0; j < cells.shape(1); ++j) {
            const bool wrong = all[i * cells.shape(1) + j] == Mark::wrong;
            line += fmt::format("{:<14}", cell_text(cells(i, j)) + (wrong ? " ✗" : ""));
        }
        lines.push_back(trimmed(line));
    }
    return lines;
}

/// "9 of 9 right, counted from your step 2".
inline std::string tally(const ByHand& sheet, std::size_t step) {
    if (!has_shape(sheet, step)) {
        return "not " + judge::index_text(judge::sizes(right_answer(step))) + " numbers";
    }
    const std::vector<Mark> all = marks(sheet, step);
    const std::size_t wrong = count(all, Mark::wrong);
    const std::size_t blank = count(all, Mark::blank);
    if (blank == all.size()) {
        return "blank";
    }
    return fmt::format("{} of {} right", all.size() - wrong - blank, all.size()) +
           (count(all, Mark::follows) > 0 ? fmt::format(", counted from your step {}", step) : "") +
           (blank > 0 ? fmt::format(", {} blank", blank) : "");
}

inline judge::Block overview(const ByHand& sheet) {
    judge::Block lines{"the sheet so far:"};
    for (std::size_t step = 0; step < steps.size(); ++step) {
        lines.push_back(
            fmt::format("  step {}  {:<16}{}", step + 1, steps[step].name, tally(sheet, step)));
    }
    const std::size_t answered = (sheet.most_uniform != lesson::unanswered ? 1U : 0U) +
                                 (sheet.most_focused.empty() ? 0U : 1U);
    const std::size_t right = (uniform_holds(sheet) ? 1U : 0U) + (focused_holds(sheet) ? 1U : 0U);
    lines.push_back(
        fmt::format("  step 5  {:<16}{}", "questions",
                    answered == 0 ? "not answered" : fmt::format("{} of 2 right", right)));
    return lines;
}

[[noreturn]] inline void fail(const std::string& summary, const ByHand& sheet,
                              judge::Block lines = {}, const judge::Suspicion& suspicion = {}) {
    if (!lines.empty()) {
        lines.emplace_back();
    }
    const judge::Block all = overview(sheet);
    lines.insert(lines.end(), all.begin(), all.end());
    judge::session().fail({.summary = summary, .lines = lines, .suspicion = suspicion});
}

/// Whether these numbers are the wanted ones once some neighbours are read as one, 0 and 333 as
/// 0.333: only what is written in digits alone, on both sides, can be the halves of such a number.
inline bool right_with_commas(std::vector<double> numbers, std::vector<double> wanted) {
    if (numbers.empty() || wanted.empty()) {
        return numbers.empty() && wanted.empty();
    }
    const auto rest = [](const std::vector<double>& all, std::size_t count) {
        return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
    };
    if (close(numbers[0], wanted[0]) && right_with_commas(rest(numbers, 1), rest(wanted, 1))) {
        return true;
    }
    const auto is_whole = [](double number) { return number == std::floor(number); };
    if (numbers.size() == 1 || !is_whole(numbers[0]) || !is_whole(numbers[1])) {
        return false;
    }
    double fraction = numbers[1];
    while (fraction >= 1) {
        fraction /= 10;
    }
    return close(numbers[0] + fraction, wanted[0]) &&
           right_with_commas(rest(numbers, 2), rest(wanted, 1));
}

/// Whether a row of a step has too many numbers, and would be right with its commas as points.
inline bool has_decimal_commas(const ByHand& sheet, std::size_t step) {
    const Matrix& cells = sheet.*steps[step].cells;
    const Matrix right = right_answer(step);
    for (std::size_t i = 0; i < std::min(cells.shape(0), right.shape(0)); ++i) {
        std::vector<double> numbers, wanted;
        for (std::size_t j = 0; j < cells.shape(1); ++j) {
            if (!std::isnan(cells(i, j))) {
                numbers.push_back(cells(i, j));
            }
        }
        for (std::size_t j = 0; j < right.shape(1); ++j) {
            wanted.push_back(right(i, j));
        }
        if (numbers.size() > wanted.size() && right_with_commas(numbers, wanted)) {
            return true;
        }
    }
    return false;
}

/// What a step of another shape than it should have may come of.
inline judge::Suspicion suspected_shape(const ByHand& sheet, std::size_t step) {
    const Matrix& cells = sheet.*steps[step].cells;
    const Matrix right = right_answer(step);
    if (has_decimal_commas(sheet, step)) {
        return {"decimal_comma",
                "a number is written with a decimal comma, which C++ reads as two: "
                "0,333 is 0 and 333. Write a point: 0.333."};
    }
    if (cells.shape(0) == right.shape(1) && cells.shape(1) == right.shape(0)) {
        return {"rows_for_columns",
                "rows and columns are exchanged: a row of the sheet belongs to a "
                "query."};
    }
    if (cells.shape(0) == right.shape(0) && cells.shape(1) == right.shape(1) + 1) {
        return {"a_column_too_many",
                "each row has a number too many, as where the sum of a row is written beside it. "
                "Leave it out: a row has a number for each key, and in step 4 for each component."};
    }
    return {};
}

/// Whether a cell is the number, rounded or cut to one decimal or two.
inline bool cut_short(double cell, double number) {
    for (const double unit : {0.1, 0.01}) {
        for (const double kept :
             {std::round(number / unit) * unit, std::floor(number / unit) * unit}) {
            if (close(cell, kept, 1e-9) && cell != std::round(cell)) {
                return true;
            }
        }
    }
    return false;
}

/// How many of the wrong cells only have too few decimals.
inline std::size_t count_cut_short(const ByHand& sheet, std::size_t step,
                                   const std::vector<Mark>& all) {
    const Matrix& cells = sheet.*steps[step].cells;
    const Matrix right = right_answer(step);
    const Matrix own = steps[step].from(before(sheet, step));
    std::size_t found = 0;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (all[k] == Mark::wrong &&
            (cut_short(cells.flat(k), right.flat(k)) || cut_short(cells.flat(k), own.flat(k)))) {
            ++found;
        }
    }
    return found;
}

inline void expect_step(const ByHand& sheet, std::size_t step) {
    const Step& here = steps[step];
    if (!has_shape(sheet, step)) {
        fail(fmt::format("step {}: the {} should have the shape {}, but {} came (0,5 is two "
                         "numbers, 0.5 is one)",
                         step + 1, here.name, judge::index_text(judge::sizes(right_answer(step))),
                         judge::index_text(judge::sizes(sheet.*here.cells))),
             sheet, {}, suspected_shape(sheet, step));
    }
    if (step_holds(sheet, step)) {
        return;
    }
    const std::vector<Mark> all = marks(sheet, step);
    const std::size_t wrong = count(all, Mark::wrong);
    const Mark worst = wrong > 0 ? Mark::wrong : Mark::blank;
    const auto first =
        static_cast<std::size_t>(std::find(all.begin(), all.end(), worst) - all.begin());
    const std::size_t columns = (sheet.*here.cells).shape(1);
    const std::size_t i = first / columns;
    const std::size_t j = first % columns;
    if (wrong > 0 && count_cut_short(sheet, step, all) == wrong) {
        fail(fmt::format("{} of the {} numbers of step {}, {}, {} right as far as {}, to one "
                         "decimal or two. Three are asked for",
                         wrong, all.size(), step + 1, here.name, wrong == 1 ? "is" : "are",
                         wrong == 1 ? "it goes" : "they go"),
             sheet, marked(sheet, step));
    }
    const std::string found =
        count(all, Mark::blank) == all.size()
            ? fmt::format("step {}, {}, comes next", step + 1, here.name)
            : fmt::format("{} of the {} numbers of step {}, {}, {} {}", count(all, worst),
                          all.size(), step + 1, here.name, count(all, worst) == 1 ? "is" : "are",
                          wrong > 0 ? "not right" : "still blank");
    fail(fmt::format("{}. Take query {}, {} {}: {}", found, i + 1, here.column, j + 1,
                     here.recipe(before(sheet, step), i, j)),
         sheet, marked(sheet, step));
}

inline std::string not_a_query(int query) {
    return fmt::format("there is no query {}: they count from 1 to 3, as the rows are labelled",
                       query);
}

inline void expect_most_uniform(const ByHand& sheet) {
    const int answer = sheet.most_uniform;
    if (!uniform_holds(sheet)) {
        fail(answer == lesson::unanswered
                 ? "most_uniform is not answered yet (if you mean query 0: they count from 1). "
                   "Look for the row of weights whose numbers lie closest together"
             : answer < 1 || answer > 3
                 ? not_a_query(answer)
                 : fmt::format("query {} is not the one: in another row the weights lie closer "
                               "together. The measure of it is the entropy, −Σ p ln p, largest "
                               "where all are equal",
                               answer),
             sheet, marked(sheet, 2));
    }
}

inline void expect_most_focused(const ByHand& sheet) {
    if (focused_holds(sheet)) {
        return;
    }
    const std::vector<int> right = extreme(weights_to_judge_by(sheet), false);
    std::string summary = "most_focused is not answered yet. Look for the row, or the rows, where "
                          "the entropy, −Σ p ln p, is smallest";
    for (const int query : as_set(sheet.most_focused)) {
        if (query < 1 || query > 3) {
            fail(not_a_query(query), sheet);
        }
        summary = "that is not all: another row has the same entropy";
        if (!contains(right, query)) {
            fail(fmt::format("query {} is not among them: in another row the weights lie farther "
                             "apart, and the entropy, −Σ p ln p, is smaller",
                             query),
                 sheet, marked(sheet, 2));
        }
    }
    fail(summary, sheet, marked(sheet, 2));
}

// ---- Which mistake it is: that of the first step that breaks

/// 0 … 3, 4 for the questions, 5 if nothing is wrong.
inline std::size_t first_broken(const ByHand& sheet) {
    std::size_t step = 0;
    while (step < steps.size() && step_holds(sheet, step)) {
        ++step;
    }
    return step == steps.size() && uniform_holds(sheet) && focused_holds(sheet) ? 5 : step;
}

/// Whether two sheets break in the same step with the same numbers, as far as they are filled in.
inline bool alike(const judge::Value& a, const judge::Value& b) {
    const ByHand x = judge::from_value<ByHand>(a);
    const ByHand y = judge::from_value<ByHand>(b);
    const std::size_t step = first_broken(x);
    if (step != first_broken(y)) {
        return false;
    }
    if (step >= steps.size()) {
        return step == 5 || (x.most_uniform == y.most_uniform &&
                             as_set(x.most_focused) == as_set(y.most_focused));
    }
    if (!has_shape(x, step) || !has_shape(y, step) || count(marks(x, step), Mark::wrong) == 0) {
        return false;
    }
    const Matrix& p = x.*steps[step].cells;
    const Matrix& q = y.*steps[step].cells;
    for (std::size_t k = 0; k < p.size(); ++k) {
        if (!close(p.flat(k), q.flat(k), 0.002) && !std::isnan(p.flat(k)) &&
            !std::isnan(q.flat(k))) {
            return false;
        }
    }
    return true;
}

} // namespace marking
