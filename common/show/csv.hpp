#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace show {

/// A named column of a table: numbers or texts.
struct CsvColumn {
    std::string name;
    std::variant<std::vector<double>, std::vector<std::string>> values;
};

/// Writes columns as comma-separated values: a line of names, then a line a row, ended by "\n".
/// Texts are quoted as RFC 4180 says; numbers are the shortest that read back as the same double,
/// or nan, inf, -inf. The file appears whole or not at all: it is written beside its place and then
/// moved there. Throws std::invalid_argument if there is no column or they differ in length;
/// std::runtime_error "write_csv: cannot write out/x.csv: No space left on device" if any step
/// fails, the last included.
void write_csv(const std::filesystem::path& path, const std::vector<CsvColumn>& columns);

} // namespace show
