#include "show/csv.hpp"

#include <cerrno>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace show {
namespace {

namespace fs = std::filesystem;

std::size_t length_of(const CsvColumn& column) {
    return std::visit([](const auto& values) { return values.size(); }, column.values);
}

std::string field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted(1, '"');
    for (const char c : text) {
        quoted.append(c == '"' ? 2 : 1, c);
    }
    return quoted + '"';
}

std::string field(double value) {
    // A NaN's sign means nothing, and "-nan" is not read everywhere.
    return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::string table_text(const std::vector<CsvColumn>& columns) {
    std::string text;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        text += j == 0 ? "" : ",";
        text += field(columns[j].name);
    }
    text += '\n';
    for (std::size_t i = 0; i < length_of(columns[0]); ++i) {
        for (std::size_t j = 0; j < columns.size(); ++j) {
            text += j == 0 ? "" : ",";
            text +=
                std::visit([i](const auto& values) { return field(values[i]); }, columns[j].values);
        }
        text += '\n';
    }
    return text;
}

void check(const std::vector<CsvColumn>& columns) {
    if (columns.empty()) {
        throw std::invalid_argument("write_csv: a table must have a column, got none");
    }
    for (const CsvColumn& column : columns) {
        if (length_of(column) != length_of(columns[0])) {
            throw std::invalid_argument(fmt::format(
                "write_csv: columns must be equally long, got {} in '{}' and {} in '{}'",
                length_of(columns[0]), columns[0].name, length_of(column), column.name));
        }
    }
}

} // namespace

void write_csv(const fs::path& path, const std::vector<CsvColumn>& columns) {
    check(columns);
    fs::path part = path;
    part += fmt::format(".{}.part", getpid());
    std::ofstream file(part, std::ios::binary);
    file << table_text(columns);
    file.close();
    std::error_code error;
    if (!file) {
        error = std::error_code(errno, std::generic_category());
    } else {
        fs::rename(part, path, error);
    }
    if (error) {
        const std::string reason = error.message();
        fs::remove(part, error);
        throw std::runtime_error(
            fmt::format("write_csv: cannot write {}: {}", path.string(), reason));
    }
}

} // namespace show
