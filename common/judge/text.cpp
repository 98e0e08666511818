#include "judge/text.hpp"

#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace judge {

namespace {

constexpr std::size_t most = 8;          // rows and columns of an array that are shown
constexpr std::size_t most_columns = 60; // of a list on one line

struct Window {
    std::size_t begin = 0;
    std::size_t end = 0;
};

Window window(std::size_t size, std::size_t centre) {
    if (size <= most) {
        return {0, size};
    }
    const std::size_t begin = std::min(centre - std::min(centre, most / 2), size - most);
    return {begin, begin + most};
}

/// A rank-1 array is one row; of a higher rank than 2, the slice with the mark is shown.
Block array_block(const std::string& name, const Array& array, std::vector<std::size_t> mark,
                  int digits) {
    const std::size_t rank = array.shape.size();
    const bool marked = mark.size() == rank && rank > 0;
    mark.resize(rank, 0);
    const std::size_t rows = rank < 2 ? 1 : array.shape[rank - 2];
    const std::size_t columns = rank == 0 ? 1 : array.shape[rank - 1];
    std::string head = name + " " + index_text(array.shape);
    std::size_t offset = 0;
    if (rank > 2) {
        std::string slice;
        std::size_t leading = 0;
        for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
            leading = leading * array.shape[axis] + mark[axis];
            slice += std::to_string(mark[axis]) + ", ";
        }
        offset = leading * rows * columns;
        head += ", [" + slice + ":, :]";
    }
    const std::size_t marked_row = rank < 2 ? 0 : mark[rank - 2];
    const std::size_t marked_column = rank == 0 ? 0 : mark[rank - 1];
    const Window row_window = window(rows, marked_row);
    const Window column_window = window(columns, marked_column);
    if (array.count() == 0) {
        return {head, "(empty)"};
    }
    if (rows > most || columns > most) {
        head += rank < 2
                    ? fmt::format(", elements {}-{}", column_window.begin, column_window.end - 1)
                    : fmt::format(", rows {}-{}, columns {}-{}", row_window.begin,
                                  row_window.end - 1, column_window.begin, column_window.end - 1);
    }
    Block lines{head};
    std::vector<std::vector<std::string>> cells;
    std::size_t width = 0;
    for (std::size_t row = row_window.begin; row < row_window.end; ++row) {
        cells.emplace_back();
        for (std::size_t column = column_window.begin; column < column_window.end; ++column) {
            const std::string text = number_text(array.at(offset + row * columns + column), digits);
            const bool here = marked && row == marked_row && column == marked_column;
            cells.back().push_back(here ? "[" + text + "]" : text + " ");
            width = std::max(width, cells.back().back().size());
        }
    }
    for (const auto& row : cells) {
        std::string line;
        for (const std::string& cell : row) {
            line += std::string(width + 1 - cell.size(), ' ') + cell;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(line);
    }
    return lines;
}

/// A list of words or numbers on one line, as much of it as fits there.
Block line_of(const std::string& name, const List& list) {
    std::string items;
    std::size_t shown = 0;
    for (; shown < list.size(); ++shown) {
        const std::string item = (shown > 0 ? ", " : "") + scalar_text(list[shown]);
        if (shown > 0 && show::display_width(items) + show::display_width(item) > most_columns) {
            break;
        }
        items += item;
    }
    return shown == list.size()
               ? Block{fmt::format("{} = [{}]", name, items)}
               : Block{fmt::format("{}, a list of {} = [{}, …]", name, list.size(), items)};
}

Block list_block(const std::string& name, const List& list) {
    if (std::ranges::all_of(list, is_scalar)) {
        return line_of(name, list);
    }
    Block lines{fmt::format("{}, a list of {}", name, list.size())};
    for (std::size_t i = 0; i < std::min(list.size(), most); ++i) {
        for (const std::string& line : block(fmt::format("[{}]", i), list[i])) {
            lines.push_back("  " + line);
        }
    }
    if (list.size() > most) {
        lines.emplace_back("  …");
    }
    return lines;
}

} // namespace

std::string number_text(double number, int digits) {
    if (std::isnan(number)) {
        return "nan"; // the sign of a NaN means nothing
    }
    return fmt::format("{:.{}g}", number == 0 ? 0.0 : number, digits);
}

Block block(const std::string& name, const Value& value, const std::vector<std::size_t>& mark,
            int digits) {
    if (const Array* array = std::get_if<Array>(&value.data)) {
        return array_block(name, *array, mark, digits);
    }
    if (const List* list = std::get_if<List>(&value.data)) {
        return list_block(name, *list);
    }
    if (const Record* record = std::get_if<Record>(&value.data)) {
        std::vector<Block> members;
        for (std::size_t i = 0; i < record->members.size(); ++i) {
            members.push_back(block(name + "." + record->names[i], record->members[i]));
        }
        return beside(members);
    }
    return {name + " = " + scalar_text(value)};
}

std::vector<NumberInText> whole_numbers_in(const std::string& text) {
    const auto is_digit = [&](std::size_t i) {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    std::vector<NumberInText> numbers;
    std::string before;
    for (std::size_t i = 0; i < text.size();) {
        if (!is_digit(i)) {
            before += text[i++];
            continue;
        }
        std::size_t value = 0;
        for (; is_digit(i); ++i) {
            value = 10 * value + static_cast<std::size_t>(text[i] - '0');
        }
        numbers.push_back({value, before});
        before.clear();
    }
    return numbers;
}

bool is_scalar(const Value& value) {
    return !std::holds_alternative<Array>(value.data) &&
           !std::holds_alternative<List>(value.data) && !std::holds_alternative<Record>(value.data);
}

std::string scalar_text(const Value& value) {
    return std::visit(
        [](const auto& scalar) -> std::string {
            using T = std::decay_t<decltype(scalar)>;
            if constexpr (std::is_same_v<T, bool>) {
                return scalar ? "true" : "false";
            } else if constexpr (std::is_floating_point_v<T>) {
                return number_text(scalar);
            } else if constexpr (std::is_integral_v<T>) {
                return std::to_string(scalar);
            } else if constexpr (std::is_same_v<T, std::string>) {
                return '"' + scalar + '"';
            } else {
                return "none";
            }
        },
        value.data);
}

} // namespace judge
