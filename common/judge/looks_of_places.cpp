#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "judge/looks_of_arrays.hpp"

namespace judge {

namespace {

/// Of another shape, its element (i, j) taken from the right answer; nothing where a place is not
/// there.
std::optional<Grid>
taken(const Pair& pair, std::size_t rows, std::size_t columns,
      const std::function<std::pair<std::size_t, std::size_t>(std::size_t, std::size_t)>& from) {
    if (rows * columns == 0) {
        return std::nullopt;
    }
    Grid result;
    result.shape = pair.expected.shape;
    if (result.shape.size() == 2) {
        result.shape = {rows, columns};
    } else if (!result.shape.empty()) {
        result.shape.back() = columns;
    }
    result.numbers.resize(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            const auto [row, column] = from(i, j);
            if (row >= pair.expected.rows() || column >= pair.expected.columns()) {
                return std::nullopt;
            }
            result.numbers[i * columns + j] = pair.expected.at(row, column);
        }
    }
    return result;
}

using Sizes = std::pair<std::size_t, std::size_t>;

struct Rearrangement {
    const char* name;
    const char* explanation;
    Sizes (*shape)(std::size_t rows, std::size_t columns);
    Sizes (*from)(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns);
};

Sizes same(std::size_t rows, std::size_t columns) {
    return {rows, columns};
}

using S = std::size_t;

const std::vector<Rearrangement> rearrangements{
    {"transposed",
     "these are the right numbers in a transposed matrix: rows and columns have "
     "changed places.",
     [](S n, S m) {
         return Sizes{m, n};
     },
     [](S i, S j, S, S) {
         return Sizes{j, i};
     }},
    {"written_by_columns",
     "the right numbers stand in memory column after column. It holds row after row: element (i, "
     "j) is number i * columns + j.",
     same,
     [](S i, S j, S n, S m) {
         const S k = i * m + j;
         return Sizes{k % n, k / n};
     }},
    {"rows_backwards", "the right rows stand in the reverse order.", same,
     [](S i, S j, S n, S) {
         return Sizes{n - 1 - i, j};
     }},
    {"columns_backwards", "the right columns stand in the reverse order.", same,
     [](S i, S j, S, S m) {
         return Sizes{i, m - 1 - j};
     }},
    {"first_row_everywhere", "every row is what the first should be.", same,
     [](S, S j, S, S) {
         return Sizes{0, j};
     }},
    {"last_row_everywhere", "every row is what the last should be.", same,
     [](S, S j, S n, S) {
         return Sizes{n - 1, j};
     }},
    {"first_column_everywhere", "every column is what the first should be.", same,
     [](S i, S, S, S) {
         return Sizes{i, 0};
     }},
    {"last_column_everywhere", "every column is what the last should be.", same,
     [](S i, S, S, S m) {
         return Sizes{i, m - 1};
     }},
    {"diagonal_in_rows", "every element of row i is what element (i, i) should be.", same,
     [](S i, S, S, S) {
         return Sizes{i, i};
     }},
    {"diagonal_in_columns", "every element of column j is what element (j, j) should be.", same,
     [](S, S j, S, S) {
         return Sizes{j, j};
     }},
    {"one_row_on", "each row stands one row too low, and the last one first.", same,
     [](S i, S j, S n, S) {
         return Sizes{(i + n - 1) % n, j};
     }},
    {"one_row_back", "each row stands one row too high, and the first one last.", same,
     [](S i, S j, S n, S) {
         return Sizes{(i + 1) % n, j};
     }},
    {"last_row_missing", "the last row is missing: there is one row less than there should be.",
     [](S n, S m) {
         return Sizes{n - 1, m};
     },
     [](S i, S j, S, S) {
         return Sizes{i, j};
     }},
    {"last_column_missing",
     "the last column is missing: there is one column less than there should be.",
     [](S n, S m) {
         return Sizes{n, m - 1};
     },
     [](S i, S j, S, S) {
         return Sizes{i, j};
     }},
    {"last_row_and_column_missing",
     "the last row and the last column are missing: one of each less than there should be.",
     [](S n, S m) {
         return Sizes{n - 1, m - 1};
     },
     [](S i, S j, S, S) {
         return Sizes{i, j};
     }},
    {"only_the_first_row", "only the first row is there.",
     [](S, S m) {
         return Sizes{1, m};
     },
     [](S i, S j, S, S) {
         return Sizes{i, j};
     }},
    {"only_the_last_row", "only the last row is there.",
     [](S, S m) {
         return Sizes{1, m};
     },
     [](S, S j, S n, S) {
         return Sizes{n - 1, j};
     }},
    {"only_the_first_column", "only the first column is there.",
     [](S n, S) {
         return Sizes{n, 1};
     },
     [](S i, S j, S, S) {
         return Sizes{i, j};
     }}};

Turn moved(const Rearrangement& how) {
    return {how.name, how.explanation, [how](const Pair& pair) -> std::optional<Grid> {
                const S n = pair.expected.rows();
                const S m = pair.expected.columns();
                const auto [rows, columns] = how.shape(n, m);
                return taken(pair, rows, columns, [&](S i, S j) { return how.from(i, j, n, m); });
            }};
}

/// The right answer, with each line (a row, or a column) changed by what the largest element that
/// is expected in it shows. Lines of less than `least` elements say little.
Turn line_by_line(const char* name, const std::string& explanation, bool rows, bool factor,
                  S least = 3) {
    return {name, explanation, [=](const Pair& pair) -> std::optional<Grid> {
                Grid result = pair.expected;
                const S lines = rows ? result.rows() : result.columns();
                const S length = rows ? result.columns() : result.rows();
                if (length < least || pair.got.shape != result.shape) {
                    return std::nullopt;
                }
                for (S line = 0; line < lines; ++line) {
                    const auto place = [&](S k) {
                        return rows ? line * result.columns() + k : k * result.columns() + line;
                    };
                    S largest = 0;
                    S others = 0;
                    for (S k = 0; k < length; ++k) {
                        const double size = std::abs(pair.expected.numbers[place(k)]);
                        others += size > 0 ? 1 : 0;
                        largest =
                            size > std::abs(pair.expected.numbers[place(largest)]) ? k : largest;
                    }
                    const double got = pair.got.numbers[place(largest)];
                    const double wanted = pair.expected.numbers[place(largest)];
                    if (others == 0 && factor) {
                        continue; // a row of 0 stays one
                    }
                    if (others < least || !std::isfinite(got) || (factor && got == 0)) {
                        return std::nullopt;
                    }
                    for (S k = 0; k < length; ++k) {
                        double& number = result.numbers[place(k)];
                        number = factor ? number * (got / wanted) : number + (got - wanted);
                    }
                }
                return result;
            }};
}

/// Each row a little smaller than it should be, by a factor of its own.
Turn a_little_less(const char* line) {
    const std::string explanation =
        std::string(line) + "factor a little below 1: something small, such as 1e-9, is added to "
                            "what they are divided by. Where that cannot be 0, nothing is needed.";
    const Turn by_factors = line_by_line("", "", true, true, 1);
    return {"something_small_in_the_divisor", explanation,
            [by_factors](const Pair& pair) -> std::optional<Grid> {
                std::optional<Grid> result = by_factors.turned(pair);
                for (S k = 0; result && k < result->numbers.size(); ++k) {
                    const double size = std::abs(pair.expected.numbers[k]);
                    const double got = std::abs(result->numbers[k]);
                    if (!(got <= size * (1 + 1e-15) && got >= 0.99 * size)) {
                        return std::nullopt;
                    }
                }
                return result;
            }};
}

enum class Along { rows, columns, all };

/// Each element with the ones before it added.
Turn added_up(const char* name, const char* explanation, Along along) {
    return {name, explanation, [=](const Pair& pair) {
                Grid result = pair.expected;
                const S m = result.columns();
                const S step = along == Along::columns ? m : 1;
                for (S k = step; k < result.numbers.size(); ++k) {
                    if (along != Along::rows || k % m != 0) {
                        result.numbers[k] += result.numbers[k - step];
                    }
                }
                return std::optional(result);
            }};
}

/// What becomes of a row by itself.
Turn row_by_row(const char* name, const char* explanation, void (*change)(double* row, S length)) {
    return {name, explanation, [=](const Pair& pair) {
                Grid result = pair.expected;
                for (S i = 0; i < result.rows(); ++i) {
                    change(result.numbers.data() + i * result.columns(), result.columns());
                }
                return std::optional(result);
            }};
}

void to_shares(double* row, S length) {
    double sum = 0;
    const double largest = *std::max_element(row, row + length);
    for (S j = 0; j < length; ++j) {
        row[j] = std::exp(row[j] - largest);
        sum += row[j];
    }
    std::for_each(row, row + length, [=](double& x) { x /= sum; });
}

void to_length_one(double* row, S length) {
    double squares = 0;
    std::for_each(row, row + length, [&](double x) { squares += x * x; });
    std::for_each(row, row + length, [=](double& x) { x /= std::sqrt(squares); });
}

Turn summed_to_one(const char* name, const char* explanation, int axis) {
    return {name, explanation, [=](const Pair& pair) -> std::optional<Grid> {
                Grid result = pair.expected;
                std::vector<double> sums(result.numbers.size() + 1);
                const auto line = [&](S k) {
                    return axis == 2 ? 0 : axis == 1 ? k / result.columns() : k % result.columns();
                };
                for (S k = 0; k < result.numbers.size(); ++k) {
                    sums[line(k)] += result.numbers[k];
                }
                for (S k = 0; k < result.numbers.size(); ++k) {
                    result.numbers[k] /= sums[line(k)];
                }
                return result;
            }};
}

Turn same_order_other_shape() {
    return {"same_order_in_another_shape",
            "these are the right numbers in the right order, in an array of another shape.",
            [](const Pair& pair) -> std::optional<Grid> {
                if (pair.got.numbers.size() != pair.expected.numbers.size()) {
                    return std::nullopt;
                }
                return Grid{pair.got.shape, pair.expected.numbers};
            }};
}

Turn one_number_everywhere() {
    return {"one_number_everywhere", "all elements of an answer are one and the same number.",
            [](const Pair& pair) -> std::optional<Grid> {
                if (pair.got.numbers.size() < 3 || !std::isfinite(pair.got.numbers[0])) {
                    return std::nullopt;
                }
                return Grid{pair.got.shape,
                            std::vector<double>(pair.got.numbers.size(), pair.got.numbers[0])};
            }};
}

Turn in_order_of_size() {
    return {"in_order_of_size", "these are the right numbers, sorted by their size.",
            [](const Pair& pair) {
                Grid result = pair.expected;
                std::sort(result.numbers.begin(), result.numbers.end());
                return std::optional(result);
            }};
}

void append(std::vector<Turn>& turns, std::vector<Turn> more) {
    std::move(more.begin(), more.end(), std::back_inserter(turns));
}

} // namespace

std::vector<Turn> turns_of_places(const std::vector<Pair>& wrong) {
    std::vector<Turn> turns;
    const bool matrix = !wrong.empty() && wrong.front().expected.shape.size() >= 2;
    if (matrix) {
        for (const Rearrangement& how : rearrangements) {
            turns.push_back(moved(how));
        }
    } else {
        turns.push_back({"backwards", "the right numbers stand in the reverse order.",
                         moved(rearrangements[3]).turned});
        turns.push_back({"last_element_missing",
                         "the last element is missing: there is one less than there should be.",
                         moved(rearrangements[13]).turned});
        turns.push_back({"first_element_everywhere", "every element is what the first should be.",
                         moved(rearrangements[6]).turned});
    }
    turns.push_back(in_order_of_size());
    append(turns, turns_of_zeros(wrong));
    turns.push_back(added_up("sums_within_rows",
                             "each element still holds the ones before it in its row: a sum is not "
                             "set back to 0 for each of them.",
                             Along::rows));
    turns.push_back(added_up("sums_over_all",
                             "each element still holds all those before it: a sum is not set back "
                             "to 0 for each of them.",
                             Along::all));
    if (matrix) {
        turns.push_back(added_up("sums_within_columns",
                                 "each element still holds the ones above it in its column: a sum "
                                 "is not set back to 0 for each of them.",
                                 Along::columns));
    }
    turns.push_back(
        row_by_row("softmax_of_rows", "softmax is applied to each row of the answer.", to_shares));
    turns.push_back(row_by_row("rows_of_length_one",
                               "each row is divided by its length, the root of the sum of its "
                               "squares.",
                               to_length_one));
    turns.push_back(summed_to_one("rows_sum_to_one",
                                  "each row is divided by its sum, so that it sums to 1.", 1));
    if (matrix) {
        turns.push_back(summed_to_one(
            "columns_sum_to_one", "each column is divided by its sum, so that it sums to 1.", 0));
        turns.push_back(summed_to_one(
            "all_sum_to_one", "all is divided by its sum, so that it sums to 1 together.", 2));
    }
    append(turns, turns_of_parts(wrong));
    const char* line =
        matrix ? "in each row all elements are off by one " : "all elements are off by one ";
    turns.push_back(a_little_less(line));
    turns.push_back(line_by_line("a_factor_in_each_row",
                                 std::string(line) +
                                     "factor: they are in the right proportion to each other, and "
                                     "what they are divided by is wrong.",
                                 true, true));
    turns.push_back(line_by_line("a_difference_in_each_row",
                                 std::string(line) +
                                     "number: what is added to them or subtracted is wrong, and "
                                     "the differences between them are right.",
                                 true, false));
    if (matrix) {
        turns.push_back(line_by_line("a_factor_in_each_column",
                                     "in each column all elements are off by one factor: they are "
                                     "multiplied or divided by what belongs elsewhere.",
                                     false, true));
        turns.push_back(line_by_line("a_difference_in_each_column",
                                     "in each column all elements are off by one number: what is "
                                     "added or subtracted belongs elsewhere.",
                                     false, false));
    }
    if (auto tiny = turn_of_tiny_ones(wrong)) {
        turns.push_back(std::move(*tiny));
    }
    if (auto digits = turn_of_digits(wrong)) {
        turns.push_back(std::move(*digits));
    }
    append(turns, turns_of_other_places());
    append(turns, turns_of_most(wrong));
    turns.push_back(same_order_other_shape());
    turns.push_back(one_number_everywhere());
    return turns;
}

} // namespace judge
