#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace training {

/// The largest size of an unpacked text, in millions of bytes; the data made from it are several
/// times larger.
constexpr std::size_t longest_text = 100;

/// A text file as it is; unpacked if it is compressed by gzip, without a byte-order mark. Throws
/// std::invalid_argument, in one line that names the file, if it cannot be read, is damaged, is
/// longer, or is not UTF-8, with the line where it is not.
std::string read_text(const std::filesystem::path& path, std::size_t longest = longest_text);

/// Where the first byte is that no UTF-8 text has there; text.size() if there is none.
std::size_t first_invalid_utf8(std::string_view text);

} // namespace training
