// What shows in all answers of a softmax together, and is no one function.

#include <cmath>

#include "exports.hpp"
#include "judge/session.hpp"

namespace grader_recognised {

namespace {

using judge::Session;

/// One row of weights, as it is and as it should be.
struct Row {
    std::vector<double> actual;
    std::vector<double> expected;

    bool is_off(std::size_t j) const {
        return !(std::abs(actual[j] - expected[j]) <= 1e-10 * expected[j] + 1e-300);
    }
};

/// All weights of a row but the one at that place are right, and that is what they leave of 1.
bool leaves_the_rest(const Row& row, std::size_t place) {
    double others = 0;
    for (std::size_t j = 0; j < row.actual.size(); ++j) {
        if (j != place) {
            others += row.actual[j];
            if (row.is_off(j)) {
                return false;
            }
        }
    }
    const double rounding = 1e-15 * static_cast<double>(row.actual.size());
    return std::abs(1 - others - row.actual[place]) <= rounding;
}

std::vector<Row> rows_of(const judge::Value& actual, const judge::Value& expected) {
    const auto& a = std::get<judge::Array>(actual.data);
    const auto& b = std::get<judge::Array>(expected.data);
    const std::size_t size = b.shape.back();
    std::vector<Row> rows(size == 0 ? 0 : b.count() / size);
    for (std::size_t k = 0; k < b.count(); ++k) {
        rows[k / size].actual.push_back(a.at(k));
        rows[k / size].expected.push_back(b.at(k));
    }
    return rows;
}

/// In every row the first weight, or in every row the last, is 1 minus the others.
bool one_minus_the_others(const std::vector<Session::Answer>& answers) {
    for (const bool last : {true, false}) {
        bool always = true, shown = false;
        for (const auto& [actual, expected] : answers) {
            for (const Row& row : rows_of(actual, expected)) {
                const std::size_t place = last ? row.actual.size() - 1 : 0;
                always = always && leaves_the_rest(row, place);
                // What is cut off is exactly 0; of rounding little is left, and seldom nothing.
                shown = shown || (row.is_off(place) && row.actual[place] != 0);
            }
        }
        if (always && shown) {
            return true;
        }
    }
    return false;
}

const bool registered = [] {
    judge::session().recognise("softmax", "one_minus_the_others", one_minus_the_others);
    judge::session().recognise("softmax_rows", "one_minus_the_others_in_each_row",
                               one_minus_the_others);
    return true;
}();

} // namespace

} // namespace grader_recognised
