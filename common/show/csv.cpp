#include "show/csv.hpp"

#include "process/files.hpp"

#include <cmath>
#include <fmt/format.h>

namespace show {

CsvCell::CsvCell(const std::string& words) : text(words) {
    if (words.find_first_of(",\"\r\n") != std::string::npos) {
        text = '"';
        for (const char c : words) {
            text.append(c == '"' ? 2 : 1, c);
        }
        text += '"';
    }
}

// A NaN's sign means nothing, and "-nan" is not read everywhere.
CsvCell::CsvCell(double number) : text(std::isnan(number) ? "nan" : fmt::format("{}", number)) {}

void write_csv(const std::filesystem::path& path, const std::vector<CsvRow>& rows) {
    std::string text;
    for (const CsvRow& row : rows) {
        for (const CsvCell& cell : row) {
            text += cell.text + ',';
        }
        text.back() = '\n';
    }
    process::write_file(path, text);
}

void write_csv(const std::filesystem::path& path, const std::vector<CsvColumn>& columns) {
    std::vector<CsvRow> rows(columns.at(0).values.size() + 1);
    for (const CsvColumn& column : columns) {
        rows[0].emplace_back(column.name);
        for (std::size_t i = 0; i < column.values.size(); ++i) {
            rows.at(i + 1).emplace_back(column.values[i]);
        }
    }
    write_csv(path, rows);
}

} // namespace show
