#include "show/csv.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
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

/// 0, or the errno of the step that failed.
int write_file(const fs::path& path, const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) {
        return errno;
    }
    // Buffered bytes may meet the full disk only when they are flushed or the file is closed.
    const bool written =
        std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    const int error = written ? 0 : errno;
    const int closed = std::fclose(file) == 0 ? 0 : errno;
    return error != 0 ? error : closed;
}

int write_whole(const fs::path& path, const std::string& text) {
    std::error_code ignored;
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
        return write_file(path, text); // /dev/stdout, a pipe: nothing to replace
    }
    // A link stays a link: what it points to is replaced.
    const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path) : path;
    fs::path part = target;
    part += fmt::format(".{}.part", getpid());
    int error = write_file(part, text);
    if (error == 0 && std::rename(part.c_str(), target.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        fs::remove(part, ignored);
    }
    return error;
}

} // namespace

void write_csv(const fs::path& path, const std::vector<CsvColumn>& columns) {
    check(columns);
    if (const int error = write_whole(path, table_text(columns)); error != 0) {
        throw std::runtime_error(fmt::format("write_csv: cannot write {}: {}", path.string(),
                                             std::generic_category().message(error)));
    }
}

} // namespace show
