#include "judge/text.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, text_width(text)), ' ');
}

/// A rank-1 array is one row; of a higher rank than 2, the slice that holds the mark is shown.
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
        if (shown > 0 && text_width(items) + text_width(item) > most_columns) {
            break;
        }
        items += item;
    }
    return shown == list.size()
               ? Block{fmt::format("{} = [{}]", name, items)}
               : Block{fmt::format("{}, a list of {} = [{}, …]", name, list.size(), items)};
}

Block list_block(const std::string& name, const List& list) {
    if (std::all_of(list.begin(), list.end(), is_scalar)) {
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

std::string printable(const std::string& text) {
    using nlohmann::json;
    // Bytes that are no UTF-8 become U+FFFD.
    const std::string whole =
        json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
    std::string kept;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const auto byte = static_cast<unsigned char>(whole[i]);
        const auto next = static_cast<unsigned char>(i + 1 < whole.size() ? whole[i + 1] : '\0');
        const std::string_view three = std::string_view(whole).substr(i, 3);
        if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
            ++i; // the control characters beyond ASCII, in UTF-8
        } else if ((three >= "\u202a" && three <= "\u202e") ||
                   (three >= "\u2066" && three <= "\u2069")) {
            i += 2; // what changes the direction of writing
        } else if ((byte >= 32 && byte != 127) || byte == '\t') {
            kept += whole[i];
        }
    }
    return kept;
}

Block beside(const std::vector<Block>& blocks, std::size_t width) {
    Block all;   // rows of blocks that are complete
    Block lines; // the row being filled
    std::size_t used = 0;
    const auto finish = [&] {
        for (std::string& line : lines) {
            line.erase(line.find_last_not_of(' ') + 1);
            all.push_back(line);
        }
        lines.clear();
        used = 0;
    };
    for (const Block& next : blocks) {
        std::size_t wide = 0;
        for (const std::string& line : next) {
            wide = std::max(wide, text_width(line));
        }
        if (used > 0 && used + wide > width) {
            finish();
            all.emplace_back();
        }
        lines.resize(std::max(lines.size(), next.size()));
        for (std::size_t i = 0; i < next.size(); ++i) {
            lines[i] = padded(lines[i], used) + next[i];
        }
        used += wide + 4;
    }
    finish();
    return all;
}

Block wrap(const std::string& paragraph, const std::string& indent, std::size_t width) {
    Block lines;
    std::string line;
    for (std::size_t begin = 0; begin <= paragraph.size();) {
        const std::size_t end = std::min(paragraph.find(' ', begin), paragraph.size());
        const std::string word = paragraph.substr(begin, end - begin);
        if (!line.empty() && text_width(line) + 1 + text_width(word) > width) {
            lines.push_back(indent + line);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    lines.push_back(indent + line);
    return lines;
}

std::size_t text_width(const std::string& text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool continues = (byte & 0xC0) == 0x80;
        const bool combining = byte == 0xCC || (byte == 0xCD && i + 1 < text.size() &&
                                                static_cast<unsigned char>(text[i + 1]) < 0xB0);
        width += continues || combining ? 0 : 1;
    }
    return width;
}

} // namespace judge
