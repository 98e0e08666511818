#pragma once

// How the sheet of 04.4 is marked. A cell counts as right if it is, or if it follows rightly from
// the learner's own step before: one mistake costs one step.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "aggregation.hpp"
#include "judge/text.hpp"
#include "support/oracle.hpp"

namespace marking {

using judge::number_text;
using lesson::ByHand;
using lesson::Matrix;

inline const Matrix Q{{1, 0}, {0, 1}, {1, 1}};
inline const Matrix K{{1, 0}, {0, 1}, {0.5, 0.5}};
inline const Matrix V = K;

inline bool close(double a, double b, double tolerance = 0.001 + 1e-9) {
    return std::abs(a - b) <= tolerance; // never for NaN
}

inline std::string cell_text(double cell) {
    return std::isnan(cell) ? "blank" : number_text(cell);
}

/// "[1, 0.5]": a row of A, or a column.
inline std::string line_text(const Matrix& A, std::size_t index, bool column = false) {
    std::string text;
    for (std::size_t k = 0; k < A.shape(column ? 0 : 1); ++k) {
        text += (k == 0 ? "" : ", ") + cell_text(column ? A(k, index) : A(index, k));
    }
    return "[" + text + "]";
}

/// A step of the sheet: how it comes from the one before, as numbers and in words for one cell.
struct Step {
    const char* name;
    Matrix ByHand::*cells;
    const char* column;
    Matrix (*from)(const Matrix& before);
    std::string (*recipe)(const Matrix& before, std::size_t i, std::size_t j);
};

inline const std::array<Step, 4> steps{{
    {"raw scores", &ByHand::raw_scores, "key",
     [](const Matrix&) { return oracle::raw_scores(Q, K); },
     [](const Matrix&, std::size_t i, std::size_t j) {
         return fmt::format("query {0} is {1} and key {2} is {3}: multiply component by component, "
                            "and add up",
                            i + 1, line_text(Q, i), j + 1, line_text(K, j));
     }},
    {"scaled scores", &ByHand::scaled_scores, "key",
     [](const Matrix& raw) -> Matrix { return raw / std::sqrt(2.0); },
     [](const Matrix& raw, std::size_t i, std::size_t j) {
         return fmt::format("the raw score there ({}) divided by √d_k, and d_k is the number of "
                            "columns of Q",
                            cell_text(raw(i, j)));
     }},
    {"weights", &ByHand::weights, "key",
     [](const Matrix& scaled) { return oracle::softmax_rows(scaled); },
     [](const Matrix& scaled, std::size_t i, std::size_t j) {
         return fmt::format("e to the power of the scaled score there ({}), divided by the sum of "
                            "such powers over its row, {}",
                            cell_text(scaled(i, j)), line_text(scaled, i));
     }},
    {"output", &ByHand::output, "component",
     [](const Matrix& weights) { return oracle::matmul(weights, V); },
     [](const Matrix& weights, std::size_t i, std::size_t j) {
         return fmt::format("row {} of the weights, {}, with column {} of V, {}: multiply number "
                            "by number, and add up",
                            i + 1, line_text(weights, i), j + 1, line_text(V, j, true));
     }},
}};

inline Matrix right_answer(std::size_t step) {
    return steps[step].from(step == 0 ? Matrix() : right_answer(step - 1));
}

inline bool has_shape(const ByHand& sheet, std::size_t step) {
    return (sheet.*steps[step].cells).shape() == right_answer(step).shape();
}

/// The step before as the learner has it; the right one where that has not even the shape.
inline Matrix before(const ByHand& sheet, std::size_t step) {
    return step == 0                    ? Matrix()
           : has_shape(sheet, step - 1) ? sheet.*steps[step - 1].cells
                                        : right_answer(step - 1);
}

enum class Mark { right, follows, wrong, blank };

/// A mark for each cell, row by row; the step has its shape.
inline std::vector<Mark> marks(const ByHand& sheet, std::size_t step) {
    const Matrix& cells = sheet.*steps[step].cells;
    const Matrix right = right_answer(step);
    const Matrix own = steps[step].from(before(sheet, step));
    std::vector<Mark> all;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const double cell = cells.flat(k);
        all.push_back(close(cell, right.flat(k)) ? Mark::right
                      : close(cell, own.flat(k)) ? Mark::follows
                      : std::isnan(cell)         ? Mark::blank
                                                 : Mark::wrong);
    }
    return all;
}

inline std::size_t count(const std::vector<Mark>& all, Mark wanted) {
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), wanted));
}

inline bool step_holds(const ByHand& sheet, std::size_t step) {
    return has_shape(sheet, step) && count(marks(sheet, step), Mark::wrong) == 0 &&
           count(marks(sheet, step), Mark::blank) == 0;
}

// ---- Step 5, the two questions

/// The queries that are extreme in entropy, and those within a hair of them: {3}, {1, 2}.
inline std::vector<int> extreme(const Matrix& weights, bool most_uniform) {
    std::vector<double> entropies;
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        double entropy = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            entropy -= weights(i, j) > 0 ? weights(i, j) * std::log(weights(i, j)) : 0;
        }
        entropies.push_back(most_uniform ? -entropy : entropy);
    }
    const double least = *std::min_element(entropies.begin(), entropies.end());
    std::vector<int> found;
    for (std::size_t i = 0; i < entropies.size(); ++i) {
        if (close(entropies[i], least, 0.005)) {
            found.push_back(static_cast<int>(i) + 1);
        }
    }
    return found;
}

/// The learner's own weights if they are some, else the right ones.
inline Matrix weights_to_judge_by(const ByHand& sheet) {
    if (!has_shape(sheet, 2)) {
        return right_answer(2);
    }
    for (std::size_t i = 0; i < sheet.weights.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < sheet.weights.shape(1); ++j) {
            sum += sheet.weights(i, j) >= 0 ? sheet.weights(i, j) : lesson::blank;
        }
        if (!close(sum, 1, 0.01)) {
            return right_answer(2);
        }
    }
    return sheet.weights;
}

inline std::vector<int> as_set(std::vector<int> queries) {
    std::sort(queries.begin(), queries.end());
    queries.erase(std::unique(queries.begin(), queries.end()), queries.end());
    return queries;
}

inline bool contains(const std::vector<int>& queries, int query) {
    return std::find(queries.begin(), queries.end(), query) != queries.end();
}

inline bool uniform_holds(const ByHand& sheet) {
    return contains(extreme(right_answer(2), true), sheet.most_uniform) ||
           contains(extreme(weights_to_judge_by(sheet), true), sheet.most_uniform);
}

inline bool focused_holds(const ByHand& sheet) {
    const std::vector<int> answer = as_set(sheet.most_focused);
    return answer == extreme(right_answer(2), false) ||
           answer == extreme(weights_to_judge_by(sheet), false);
}

} // namespace marking
