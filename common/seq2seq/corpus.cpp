#include "seq2seq/corpus.hpp"

#include "seq2seq/bleu.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <zlib.h>

namespace seq2seq {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
    throw std::invalid_argument(file.string() + ": " + what);
}
[[noreturn]] void fail(const fs::path& file, std::size_t line, const std::string& what) {
    fail(file, "line " + std::to_string(line + 1) + ": " + what);
}

// The whole file, unpacked if it is packed.
std::string read_file(const fs::path& path) {
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
    }
    int status = Z_OK;
    gzerror(file.get(), &status);
    if (n < 0 || status == Z_BUF_ERROR) { // Z_BUF_ERROR: the packed stream ends too early
        fail(path, "cannot be unpacked: the file is damaged or cut off");
    }
    return text;
}

std::vector<std::string> read_lines(const fs::path& path) {
    std::string text = read_file(path);
    if (text.rfind("\xEF\xBB\xBF", 0) == 0) {
        text.erase(0, 3);
    }
    std::vector<std::string> lines;
    for (std::size_t first = 0; first < text.size();) {
        const std::size_t end = std::min(text.find('\n', first), text.size());
        const bool windows = end > first && text[end - 1] == '\r';
        lines.push_back(text.substr(first, end - first - (windows ? 1 : 0)));
        const std::size_t bad = first_invalid_utf8(lines.back());
        if (bad < lines.back().size()) {
            std::array<char, 8> hex{};
            std::snprintf(hex.data(), hex.size(), "0x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(lines.back()[bad])));
            fail(path, lines.size() - 1,
                 "not UTF-8, got byte " + std::string(hex.data()) +
                     "; convert the file with iconv");
        }
        first = end + 1;
    }
    if (lines.empty()) {
        fail(path, "has no lines");
    }
    return lines;
}

Words cut(const std::string& line, Tokenization tokenization, const fs::path& file,
          std::size_t number, const char* what) {
    Words words = tokenization == Tokenization::none ? split(line) : tokenize_13a(line);
    if (words.empty()) {
        fail(file, number, std::string(what) + " is empty; take the pair out");
    }
    return words;
}

} // namespace

std::vector<SentencePair> read_parallel(const std::vector<fs::path>& files,
                                        Tokenization tokenization) {
    std::vector<SentencePair> pairs;
    if (files.size() == 1) {
        const std::vector<std::string> lines = read_lines(files[0]);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::size_t tab = lines[i].find('\t');
            if (tab == std::string::npos || lines[i].find('\t', tab + 1) != std::string::npos) {
                fail(files[0], i,
                     std::string("must be source, tab, target, got ") +
                         (tab == std::string::npos ? "no tab" : "more than one tab"));
            }
            const std::string source = lines[i].substr(0, tab), target = lines[i].substr(tab + 1);
            pairs.push_back({cut(source, tokenization, files[0], i, "the source"),
                             cut(target, tokenization, files[0], i, "the target"),
                             {}});
        }
        return pairs;
    }
    if (files.size() != 2) {
        throw std::invalid_argument("read_parallel: there must be one file or two, got " +
                                    std::to_string(files.size()));
    }
    const std::vector<std::string> sources = read_lines(files[0]), targets = read_lines(files[1]);
    if (sources.size() != targets.size()) {
        throw std::invalid_argument(
            files[0].string() + " and " + files[1].string() + " must have as many lines, got " +
            std::to_string(sources.size()) + " and " + std::to_string(targets.size()));
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        pairs.push_back({cut(sources[i], tokenization, files[0], i, "the sentence"),
                         cut(targets[i], tokenization, files[1], i, "the sentence"),
                         {}});
    }
    return pairs;
}

std::size_t first_invalid_utf8(const std::string& text) {
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned lead = byte(i);
        std::size_t n = 1;                  // bytes of this character
        unsigned least = 0x80, most = 0xBF; // of its second (Unicode 15, table 3-7)
        if (lead >= 0xC2 && lead <= 0xDF) {
            n = 2;
        } else if (lead >= 0xE0 && lead <= 0xEF) {
            n = 3;
            least = lead == 0xE0 ? 0xA0 : least; // not longer than needed
            most = lead == 0xED ? 0x9F : most;   // no half of a surrogate pair
        } else if (lead >= 0xF0 && lead <= 0xF4) {
            n = 4;
            least = lead == 0xF0 ? 0x90 : least;
            most = lead == 0xF4 ? 0x8F : most; // nothing beyond U+10FFFF
        } else if (lead >= 0x80) {
            return i;
        }
        for (std::size_t k = 1; k < n; ++k, least = 0x80, most = 0xBF) {
            if (i + k >= text.size() || byte(i + k) < least || byte(i + k) > most) {
                return i;
            }
        }
        i += n;
    }
    return text.size();
}

} // namespace seq2seq
