// 04.4 by_hand: the verdict on the sheet, whose cells are marked in marks.hpp. For a wrong cell it
// shows how to compute it, never the result.

#include <fmt/format.h>

#include "exports.hpp"
#include "marks.hpp"
#include "support/proof.hpp"

namespace marking {

using namespace proof;

/// The learner's cells of a step, those that are wrong marked with ✗.
judge::Block marked(const ByHand& sheet, std::size_t step) {
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

std::string tally(const ByHand& sheet, std::size_t step) {
    if (!has_shape(sheet, step)) {
        return "not " + judge::index_text(sizes(right_answer(step))) + " numbers";
    }
    const std::vector<Mark> all = marks(sheet, step);
    const std::size_t wrong = count(all, Mark::wrong), blank = count(all, Mark::blank);
    return fmt::format("{} of {} right", all.size() - wrong - blank, all.size()) +
           (blank > 0 ? fmt::format(", {} blank", blank) : "");
}

judge::Block overview(const ByHand& sheet) {
    judge::Block lines{"the sheet so far:"};
    for (std::size_t step = 0; step < steps.size(); ++step) {
        lines.push_back(
            fmt::format("  step {}  {:<16}{}", step + 1, steps[step].name, tally(sheet, step)));
    }
    const int right = (uniform_holds(sheet) ? 1 : 0) + (focused_holds(sheet) ? 1 : 0);
    lines.push_back(fmt::format("  step 5  {:<16}{} of 2 right", "questions", right));
    return lines;
}

[[noreturn]] void fail(const std::string& summary, const ByHand& sheet, judge::Block lines = {}) {
    if (!lines.empty()) {
        lines.emplace_back();
    }
    const judge::Block all = overview(sheet);
    lines.insert(lines.end(), all.begin(), all.end());
    judge::session().fail({.summary = summary, .lines = lines});
}

/// Whether a wrong cell is this number, rounded or cut to one decimal or two.
bool cut_short(double cell, double number) {
    return std::ranges::any_of(std::array{0.1, 0.01}, [&](double unit) {
        return cell != std::round(cell) && (close(cell, std::round(number / unit) * unit, 1e-9) ||
                                            close(cell, std::floor(number / unit) * unit, 1e-9));
    });
}

/// Whether all wrong cells only have too few decimals.
bool all_cut_short(const ByHand& sheet, std::size_t step, const std::vector<Mark>& all) {
    const Matrix& cells = sheet.*steps[step].cells;
    const Matrix right = right_answer(step), own = steps[step].from(before(sheet, step));
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (all[k] == Mark::wrong && !cut_short(cells.flat(k), right.flat(k)) &&
            !cut_short(cells.flat(k), own.flat(k))) {
            return false;
        }
    }
    return count(all, Mark::wrong) > 0;
}

void expect_step(const ByHand& sheet, std::size_t step) {
    const Step& here = steps[step];
    if (!has_shape(sheet, step)) {
        fail(fmt::format("step {}: the {} should have the shape {}, but yours have {} (0,5 is "
                         "two numbers, 0.5 is one)",
                         step + 1, here.name, judge::index_text(sizes(right_answer(step))),
                         judge::index_text(sizes(sheet.*here.cells))),
             sheet);
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
    if (all_cut_short(sheet, step, all)) {
        fail(fmt::format("step {}: {} of the {} {} have too few decimals. Three are needed",
                         step + 1, wrong, all.size(), here.name),
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

std::string not_a_query(int query) {
    return fmt::format("there is no query {}: they count from 1 to 3, as the rows are labelled",
                       query);
}

void expect_most_uniform(const ByHand& sheet) {
    const int answer = sheet.most_uniform;
    if (!uniform_holds(sheet)) {
        fail(answer == lesson::unanswered
                 ? "most_uniform is not answered yet (if you mean query 0: they count from 1). "
                   "Look for the row of weights whose numbers lie closest together"
             : answer < 1 || answer > 3
                 ? not_a_query(answer)
                 : fmt::format("most_uniform is not query {}: the weights of another row are "
                               "closer together. The measure is the entropy, −Σ p ln p: it is "
                               "largest if all weights are equal",
                               answer),
             sheet, marked(sheet, 2));
    }
}

void expect_most_focused(const ByHand& sheet) {
    if (focused_holds(sheet)) {
        return;
    }
    const std::set<int> right = extreme(weights_to_judge_by(sheet), false);
    std::string summary = "most_focused is not answered yet. Look for the row, or the rows, where "
                          "the entropy, −Σ p ln p, is smallest";
    for (const int query : as_set(sheet.most_focused)) {
        if (query < 1 || query > 3) {
            fail(not_a_query(query), sheet);
        }
        summary = "that is not all: another row has the same entropy";
        if (!right.contains(query)) {
            fail(fmt::format("query {} is not one of most_focused: the weights of another row are "
                             "farther apart, and their entropy, −Σ p ln p, is smaller",
                             query),
                 sheet, marked(sheet, 2));
        }
    }
    fail(summary, sheet, marked(sheet, 2));
}

// ---- Which mistake it is: that of the first step that breaks

/// 0 … 3, 4 for the questions, 5 if nothing is wrong.
std::size_t first_broken(const ByHand& sheet) {
    std::size_t step = 0;
    while (step < steps.size() && step_holds(sheet, step)) {
        ++step;
    }
    return step == steps.size() && uniform_holds(sheet) && focused_holds(sheet) ? 5 : step;
}

/// Whether two sheets break in the same step with the same numbers, as far as they are filled in.
bool alike(const judge::Value& a, const judge::Value& b) {
    const ByHand x = from_value<ByHand>(a);
    const ByHand y = from_value<ByHand>(b);
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
    return std::ranges::equal(x.*steps[step].cells, y.*steps[step].cells, [](double p, double q) {
        return close(p, q, 0.002) || std::isnan(p) || std::isnan(q);
    });
}

const judge::About about("by_hand", {.alike = alike, .one_by_one = false});

TEST_CASE("04.4 by_hand: step 1, the raw scores") {
    expect_step(graded::by_hand(), 0);
}

TEST_CASE("04.4 by_hand: step 2, the scaled scores, from your raw scores") {
    expect_step(graded::by_hand(), 1);
}

TEST_CASE("04.4 by_hand: step 3, the weights, from your scaled scores") {
    expect_step(graded::by_hand(), 2);
}

TEST_CASE("04.4 by_hand: step 4, the output, from your weights") {
    expect_step(graded::by_hand(), 3);
}

TEST_CASE("04.4 by_hand: step 5, the query that attends most uniformly") {
    expect_most_uniform(graded::by_hand());
}

TEST_CASE("04.4 by_hand: step 5, the queries that are most focused") {
    expect_most_focused(graded::by_hand());
}

} // namespace marking
