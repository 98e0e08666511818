// The right answer with its rows or columns in another order, or with some of them alone.

#include <algorithm>
#include <string_view>

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

/// The same of a vector, which is one row.
Turn of_a_vector(const char* name, const char* explanation, std::string_view of_a_matrix) {
    const auto how = std::find_if(rearrangements.begin(), rearrangements.end(),
                                  [=](const auto& each) { return each.name == of_a_matrix; });
    return {name, explanation, moved(*how).turned};
}

} // namespace

std::vector<Turn> turns_of_order(bool matrix) {
    if (!matrix) {
        return {of_a_vector("backwards", "the right numbers stand in the reverse order.",
                            "columns_backwards"),
                of_a_vector("last_element_missing",
                            "the last element is missing: there is one less than there should be.",
                            "last_column_missing"),
                of_a_vector("first_element_everywhere",
                            "every element is what the first should be.",
                            "first_column_everywhere")};
    }
    std::vector<Turn> turns;
    for (const Rearrangement& how : rearrangements) {
        turns.push_back(moved(how));
    }
    return turns;
}

} // namespace judge
