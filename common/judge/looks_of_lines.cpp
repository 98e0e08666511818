// What wrong answers look like, each row, column or matrix by itself.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/looks_table.hpp"

namespace judge {

namespace {

using S = std::size_t;
using Numbers = std::vector<double>;

/// Makes yours of the right numbers in a line; false where there is no telling.
using Change = bool (*)(Numbers& line, const Numbers& yours);

LookTest each_line(Lines kind, Change change) {
    return [=](const Pair& pair) -> std::optional<Grid> {
        Grid result = pair.expected;
        if (!pair.same_shape()) {
            return result;
        }
        for (const std::vector<S>& places : result.lines(kind)) {
            Numbers line, yours;
            for (const S k : places) {
                line.push_back(result.numbers[k]);
                yours.push_back(pair.yours.numbers[k]);
            }
            if (!change(line, yours)) {
                return std::nullopt;
            }
            for (S k = 0; k < places.size(); ++k) {
                result.numbers[places[k]] = line[k];
            }
        }
        return result;
    };
}

void scale(Numbers& line, double factor) {
    std::ranges::for_each(line, [=](double& x) { x *= factor; });
}

bool to_running_sums(Numbers& line, const Numbers&) {
    std::partial_sum(line.begin(), line.end(), line.begin());
    return true;
}

bool to_sum_one(Numbers& line, const Numbers&) {
    const double sum = std::accumulate(line.begin(), line.end(), 0.0);
    scale(line, 1 / sum);
    return sum != 0; // other divisions give NaN, too
}

bool to_softmax(Numbers& line, const Numbers& yours) {
    const double largest = *std::ranges::max_element(line);
    std::ranges::for_each(line, [=](double& x) { x = std::exp(x - largest); });
    return to_sum_one(line, yours);
}

/// Where the largest element of a line is; nothing if too few are not 0.
std::optional<S> largest_in(const Numbers& line, const Numbers& yours) {
    const auto size = [](double x) { return std::abs(x); };
    const auto place = std::ranges::max_element(line, {}, size) - line.begin();
    const auto count = std::ranges::count_if(line, [](double x) { return x != 0; });
    return count >= 3 && std::isfinite(yours[static_cast<S>(place)])
               ? std::optional(static_cast<S>(place))
               : std::nullopt;
}

bool times_a_factor(Numbers& line, const Numbers& yours) {
    const auto largest = largest_in(line, yours);
    if (!largest || yours[*largest] == 0) {
        return line.size() >= 3 && is_all_zero({{}, line}); // it stays 0
    }
    scale(line, yours[*largest] / line[*largest]);
    return true;
}

bool plus_a_number(Numbers& line, const Numbers& yours) {
    const auto largest = largest_in(line, yours);
    const double difference = largest ? yours[*largest] - line[*largest] : 0;
    std::ranges::for_each(line, [=](double& x) { x += difference; });
    return largest.has_value();
}

struct LineRow {
    const char* name;
    const char* sentence;
    Lines lines;
    Change change;
};

const std::vector<LineRow> line_rows{
    {"sums_within_rows",
     "each element also contains the ones before it in its row: the sum is not reset to 0 for each element.",
     Lines::rows, to_running_sums},
    {"sums_over_all",
     "each element also contains all those before it: the sum is not reset to 0 for each element.",
     Lines::all, to_running_sums},
    {"sums_within_columns",
     "each element also contains the ones above it in its column: the sum is not reset to 0 for each element.",
     Lines::columns, to_running_sums},
    {"softmax_of_rows", "softmax is applied to each row.", Lines::rows, to_softmax},
    {"rows_sum_to_one", "each row is divided by its sum, so that it sums to 1.", Lines::rows,
     to_sum_one},
    {"columns_sum_to_one", "each column is divided by its sum, so that it sums to 1.",
     Lines::columns, to_sum_one}};

const std::vector<LineRow> scaled_line_rows{
    {"a_factor_in_each_row",
     "in each row all elements are off by the same factor: they are in the right proportion to each other, but divided or multiplied by something wrong, or not at all.",
     Lines::rows, times_a_factor},
    {"a_difference_in_each_row",
     "in each row all elements are off by the same number: something added or subtracted is wrong or missing, and the differences between them are right.",
     Lines::rows, plus_a_number},
    {"a_factor_in_each_column",
     "in each column all elements are off by the same factor: they are multiplied or divided by something wrong, or not at all.",
     Lines::columns, times_a_factor}};

} // namespace

std::vector<LookRow> looks_of_lines(S rank, bool scaled) {
    std::vector<LookRow> rows;
    for (const LineRow& row : scaled ? scaled_line_rows : line_rows) {
        std::string sentence = row.sentence;
        const S each_row = sentence.find("each row");
        if (rank == 1 && each_row != std::string::npos) { // it is one
            sentence.replace(each_row, 8, "the vector");
        }
        if (rank >= 2 || (rank == 1 && (row.lines == Lines::all || each_row != sentence.npos))) {
            rows.push_back({row.name, sentence, each_line(row.lines, row.change)});
        }
    }
    return rows;
}

} // namespace judge
