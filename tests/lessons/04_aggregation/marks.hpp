#pragma once

// How the sheet of 04.4 is marked. A cell is right if it is, or if it follows from the learner's
// own step before: one mistake costs one step.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "aggregation.hpp"
#include "judge/text.hpp"
#include "support/oracle_attention.hpp"

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

/// A step of the sheet: its relation to the one before, as numbers and in words for one cell.
struct Step {
    const char* name;
    Matrix ByHand::*cells;
    const char* column;
    Matrix (*from)(const Matrix& before);
    std::string (*recipe)(const Matrix& before, std::size_t i, std::size_t j);
};

inline const std::array<Step, 4> steps{{
    {"raw scores", &ByHand::raw_scores, "key",
     [](const Matrix&) { return oracle::matmul_transposed(Q, K); },
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

/// The queries with extreme entropy, and those that are almost as extreme: {3}, {1, 2}.
inline std::set<int> extreme(const Matrix& weights, bool most_uniform) {
    const attention::Vector entropies = (most_uniform ? -1 : 1) * oracle::entropy(weights);
    std::set<int> found;
    for (std::size_t i = 0; i < entropies.size(); ++i) {
        if (close(entropies(i), xt::amin(entropies)(), 0.005)) {
            found.insert(static_cast<int>(i) + 1);
        }
    }
    return found;
}

/// The learner's own weights if they are valid, otherwise the right ones.
inline Matrix weights_to_judge_by(const ByHand& sheet) {
    return has_shape(sheet, 2) && xt::all(sheet.weights >= 0) &&
                   xt::all(xt::abs(xt::sum(sheet.weights, {1}) - 1) <= 0.01)
               ? sheet.weights
               : right_answer(2);
}

inline std::set<int> as_set(const std::vector<int>& queries) {
    return {queries.begin(), queries.end()};
}

inline bool uniform_holds(const ByHand& sheet) {
    return extreme(right_answer(2), true).contains(sheet.most_uniform) ||
           extreme(weights_to_judge_by(sheet), true).contains(sheet.most_uniform);
}

inline bool focused_holds(const ByHand& sheet) {
    const std::set<int> answer = as_set(sheet.most_focused);
    return answer == extreme(right_answer(2), false) ||
           answer == extreme(weights_to_judge_by(sheet), false);
}

} // namespace marking
