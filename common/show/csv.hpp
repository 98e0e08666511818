#pragma once

#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace show {

/// A cell of a table: a text, quoted as RFC 4180 says, or a number, the shortest that reads back as
/// the same double, or nan, inf, -inf.
struct CsvCell {
    std::string text;

    CsvCell(const std::string& words);
    CsvCell(const char* words) : CsvCell(std::string(words)) {}
    CsvCell(double number);
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    CsvCell(T number) : CsvCell(static_cast<double>(number)) {}
};
using CsvRow = std::vector<CsvCell>;

/// A named column of numbers.
struct CsvColumn {
    std::string name;
    std::vector<double> values;
};

/// Writes rows, the first of which names the columns, as comma-separated values, each ended by
/// "\n". Throws as process::write_file does.
void write_csv(const std::filesystem::path& path, const std::vector<CsvRow>& rows);

/// The same of columns, equally long.
void write_csv(const std::filesystem::path& path, const std::vector<CsvColumn>& columns);

} // namespace show
