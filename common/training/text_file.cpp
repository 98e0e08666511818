#include "training/text_file.hpp"

#include "show/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <zlib.h>

namespace training {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
    throw std::invalid_argument(file.string() + ": " + what);
}

// The whole file, unpacked if it is packed.
std::string read_file(const fs::path& path, std::size_t longest) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        fail(path, "cannot be read: it is a folder");
    }
    errno = 0;
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (file == nullptr) {
        fail(path, std::string("cannot be read: ") + std::strerror(errno));
    }
    std::string text;
    std::array<char, 1 << 16> block{};
    int n = 0;
    while ((n = gzread(file.get(), block.data(), block.size())) > 0) {
        text.append(block.data(), static_cast<std::size_t>(n));
        if (text.size() > longest * 1000000) {
            fail(path, "has more than " + std::to_string(longest) + " MB; use a part of it");
        }
    }
    int status = Z_OK;
    gzerror(file.get(), &status);
    if (n < 0 || status == Z_BUF_ERROR) { // Z_BUF_ERROR: the packed stream ends too early
        fail(path, "cannot be unpacked: the file is damaged or cut off");
    }
    return text;
}

void require_utf8(const fs::path& path, const std::string& text) {
    const std::size_t bad = first_invalid_utf8(text);
    if (bad == text.size()) {
        return;
    }
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
    std::array<char, 8> hex{};
    std::snprintf(hex.data(), hex.size(), "0x%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(text[bad])));
    fail(path, "line " + std::to_string(line + 1) + ": not UTF-8, got byte " +
                   std::string(hex.data()) + "; convert the file with iconv");
}

} // namespace

std::string read_text(const fs::path& path, std::size_t longest) {
    std::string text = read_file(path, longest);
    if (text.rfind("\xEF\xBB\xBF", 0) == 0) {
        text.erase(0, 3);
    }
    require_utf8(path, text);
    return text;
}

std::size_t first_invalid_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const auto [value, bytes] = show::first_code_point(text.substr(at));
        if (value == 0xFFFD && bytes == 1) {
            break;
        }
        at += bytes;
    }
    return at;
}

} // namespace training
