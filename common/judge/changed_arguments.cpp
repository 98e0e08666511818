#include "judge/changed_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace judge {

namespace {

template <double (*of)(double)>
std::optional<Grid> each(Grid grid) {
    for (double& number : grid.numbers) {
        number = of(number);
    }
    return grid;
}

std::optional<Grid> turned_over(Grid grid) {
    if (grid.shape.size() != 2) {
        return std::nullopt;
    }
    Grid result{{grid.columns(), grid.rows()}, std::vector<double>(grid.numbers.size())};
    for (std::size_t i = 0; i < grid.rows(); ++i) {
        for (std::size_t j = 0; j < grid.columns(); ++j) {
            result.at(j, i) = grid.at(i, j);
        }
    }
    return result;
}

/// Part of a matrix, or of a vector: without the line of that number, or with it alone as 0.
std::optional<Grid> with_zero(Grid grid, bool row, bool last) {
    if (grid.numbers.empty() || (row && grid.shape.size() < 2)) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < grid.rows(); ++i) {
        for (std::size_t j = 0; j < grid.columns(); ++j) {
            const std::size_t at = row ? i : j;
            const std::size_t size = row ? grid.rows() : grid.columns();
            if (at == (last ? size - 1 : 0)) {
                grid.at(i, j) = 0;
            }
        }
    }
    return grid;
}

std::optional<Grid> first_row_in_all(Grid grid) {
    if (grid.shape.size() != 2) {
        return std::nullopt;
    }
    for (std::size_t k = grid.columns(); k < grid.numbers.size(); ++k) {
        grid.numbers[k] = grid.numbers[k - grid.columns()];
    }
    return grid;
}

/// A matrix whose memory, which holds row after row, is read as if it held column after column.
std::optional<Grid> read_by_columns(Grid grid) {
    if (grid.shape.size() != 2) {
        return std::nullopt;
    }
    Grid result = grid;
    for (std::size_t i = 0; i < grid.rows(); ++i) {
        for (std::size_t j = 0; j < grid.columns(); ++j) {
            result.at(i, j) = grid.numbers[j * grid.rows() + i];
        }
    }
    return result;
}

std::optional<Grid> first_column_in_all(Grid grid) {
    if (grid.shape.size() != 2) {
        return std::nullopt;
    }
    for (std::size_t k = 0; k < grid.numbers.size(); ++k) {
        grid.numbers[k] = grid.numbers[k - k % grid.columns()];
    }
    return grid;
}

std::optional<Grid> columns_backwards(Grid grid) {
    for (std::size_t i = 0; i < grid.rows(); ++i) {
        const auto begin = grid.numbers.begin() + static_cast<std::ptrdiff_t>(i * grid.columns());
        std::reverse(begin, begin + static_cast<std::ptrdiff_t>(grid.columns()));
    }
    return grid;
}

/// The lines of a matrix, its rows or its columns, each changed by a number made of its elements.
template <double (*number_of)(const std::vector<double>& line), double (*of)(double x, double n)>
std::optional<Grid> lines_changed(Grid grid, bool rows) {
    if (grid.shape.size() != 2) {
        return std::nullopt;
    }
    for (std::size_t a = 0; a < (rows ? grid.rows() : grid.columns()); ++a) {
        std::vector<double> line;
        for (std::size_t b = 0; b < (rows ? grid.columns() : grid.rows()); ++b) {
            line.push_back(rows ? grid.at(a, b) : grid.at(b, a));
        }
        const double number = number_of(line);
        for (std::size_t b = 0; b < line.size(); ++b) {
            (rows ? grid.at(a, b) : grid.at(b, a)) = of(line[b], number);
        }
    }
    return grid;
}

double sum_of(const std::vector<double>& line) {
    return std::accumulate(line.begin(), line.end(), 0.0);
}

double mean_of(const std::vector<double>& line) {
    return sum_of(line) / static_cast<double>(line.size());
}

double length_of(const std::vector<double>& line) {
    return std::sqrt(std::inner_product(line.begin(), line.end(), line.begin(), 0.0));
}

double divided(double x, double n) {
    return x / n;
}

double less(double x, double n) {
    return x - n;
}

const std::vector<NamedChange> all_of_them{
    {"argument_transposed", "this is the right answer for {} transposed.", turned_over},
    {"argument_negated", "this is the right answer for -{}.",
     each<[](double x) -> double { return -x; }>},
    {"argument_without_sign", "this is the right answer for |{}|: its signs are lost.",
     each<[](double x) -> double { return std::abs(x); }>},
    {"argument_cut_off", "this is the right answer for {} with 0 where it is negative.",
     each<[](double x) -> double { return std::max(x, 0.0); }>},
    {"argument_cut",
     "this is the right answer for {} cut to whole numbers. Does an integer type hold it?",
     each<[](double x) -> double { return std::trunc(x); }>},
    {"argument_rounded", "this is the right answer for {} rounded to whole numbers.",
     each<[](double x) -> double { return std::round(x); }>},
    {"argument_squared", "this is the right answer for the squares of {}.",
     each<[](double x) -> double { return x * x; }>},
    {"argument_twice", "this is the right answer for 2 times {}.",
     each<[](double x) -> double { return 2 * x; }>},
    {"argument_half", "this is the right answer for half of {}.",
     each<[](double x) -> double { return x / 2; }>},
    {"argument_all_one", "this is the right answer if every element of {} were 1. Is it not used?",
     each<[](double) -> double { return 1; }>},
    {"argument_all_zero", "this is the right answer if every element of {} were 0.",
     each<[](double) -> double { return 0; }>},
    {"argument_exponential", "this is the right answer for exp of {}.",
     each<[](double x) -> double { return std::exp(x); }>},
    {"last_column_of_argument",
     "this is the right answer if the last column of {} were 0. Does a "
     "loop end one too early?",
     [](Grid grid) {
         return grid.shape.size() < 2 ? std::nullopt : with_zero(std::move(grid), false, true);
     }},
    {"first_column_of_argument",
     "this is the right answer if the first column of {} were 0. Does "
     "a loop start at 1?",
     [](Grid grid) {
         return grid.shape.size() < 2 ? std::nullopt : with_zero(std::move(grid), false, false);
     }},
    {"last_row_of_argument",
     "this is the right answer if the last row of {} were 0. Does a loop end one too early?",
     [](Grid grid) { return with_zero(std::move(grid), true, true); }},
    {"first_row_of_argument",
     "this is the right answer if the first row of {} were 0. Does a loop start at 1?",
     [](Grid grid) { return with_zero(std::move(grid), true, false); }},
    {"first_row_of_argument_in_all", "this is the right answer if every row of {} were its first.",
     first_row_in_all},
    {"first_column_of_argument_in_all",
     "this is the right answer if every column of {} were its first.", first_column_in_all},
    {"argument_read_by_columns",
     "this is the right answer for {} with its memory read as if it held column after column. It "
     "holds row after row: element (i, j) is number i * columns + j, and reshape changes no order.",
     read_by_columns},
    {"argument_root", "this is the right answer for the roots of {}.",
     each<[](double x) -> double { return std::sqrt(x); }>},
    {"every_second_column_of_argument",
     "this is the right answer if every second column of {} were 0. Does an index grow by 2?",
     [](Grid grid) {
         for (std::size_t k = 0; grid.shape.size() == 2 && k < grid.numbers.size(); ++k) {
             grid.numbers[k] = k % grid.columns() % 2 == 1 ? 0 : grid.numbers[k];
         }
         return std::optional(grid);
     }},
    {"rows_of_argument_of_length_one",
     "this is the right answer for {} with each row divided by its length.",
     [](Grid grid) { return lines_changed<length_of, divided>(std::move(grid), true); }},
    {"rows_of_argument_divided_by_sums",
     "this is the right answer for {} with each row divided by its sum.",
     [](Grid grid) { return lines_changed<sum_of, divided>(std::move(grid), true); }},
    {"columns_of_argument_divided_by_sums",
     "this is the right answer for {} with each column divided by its sum.",
     [](Grid grid) { return lines_changed<sum_of, divided>(std::move(grid), false); }},
    {"rows_of_argument_centred",
     "this is the right answer for {} with the mean of each row subtracted from it.",
     [](Grid grid) { return lines_changed<mean_of, less>(std::move(grid), true); }},
    {"columns_of_argument_centred",
     "this is the right answer for {} with the mean of each column subtracted from it.",
     [](Grid grid) { return lines_changed<mean_of, less>(std::move(grid), false); }},
    {"argument_backwards", "this is the right answer for {} read backwards along its rows.",
     columns_backwards}};

} // namespace

const std::vector<NamedChange>& changes_of_arguments() {
    return all_of_them;
}

} // namespace judge
