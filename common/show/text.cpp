#include "show/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

namespace show {
namespace {

struct Block {
    char32_t first, last;
};
constexpr std::array zero_width = {Block{0x300, 0x36F}, Block{0x200B, 0x200D},
                                   Block{0xFE00, 0xFE0F}, Block{0x3099, 0x309A},
                                   Block{0x1160, 0x11FF}};
constexpr std::array double_width = {
    Block{0x1100, 0x115F},   Block{0x2E80, 0x303E},   Block{0x3041, 0xA4CF},  Block{0xAC00, 0xD7A3},
    Block{0xF900, 0xFAFF},   Block{0xFE30, 0xFE6F},   Block{0xFF00, 0xFF60},  Block{0xFFE0, 0xFFE6},
    Block{0x1F300, 0x1F64F}, Block{0x1F900, 0x1F9FF}, Block{0x20000, 0x3FFFD}};

constexpr std::array obeyed_or_unseen = {
    Block{0x61C, 0x61C},   Block{0x200E, 0x200F}, Block{0x2028, 0x202E},  Block{0x2066, 0x2069},
    Block{0xFFF9, 0xFFFB}, Block{0xFFFE, 0xFFFF}, Block{0xE0000, 0xE007F}};

template <std::size_t n>
bool is_in(const std::array<Block, n>& blocks, char32_t point) {
    return std::any_of(blocks.begin(), blocks.end(), [point](const Block& block) {
        return block.first <= point && point <= block.last;
    });
}

std::size_t columns_of(char32_t point) {
    return is_in(zero_width, point) ? 0 : is_in(double_width, point) ? 2 : 1;
}

bool is_control(char32_t point) {
    return point < 0x20 || (0x7F <= point && point < 0xA0);
}

/// Bytes of the colour escape at the start of the text, 0 if there is none.
std::size_t escape_length(std::string_view text) {
    if (!text.starts_with("\x1b[")) {
        return 0;
    }
    const std::size_t end = text.find('m');
    return end == std::string_view::npos ? 0 : end + 1;
}

} // namespace

CodePoint first_code_point(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = lead < 0x80             ? 1
                              : (lead & 0xE0) == 0xC0 ? 2
                              : (lead & 0xF0) == 0xE0 ? 3
                              : (lead & 0xF8) == 0xF0 ? 4
                                                      : 0;
    if (bytes == 1) {
        return {lead, 1};
    }
    if (bytes == 0 || bytes > text.size()) {
        return {0xFFFD, 1};
    }
    char32_t value = lead & (0x7Fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0) != 0x80) {
            return {0xFFFD, 1};
        }
        value = (value << 6) | (next & 0x3F);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = 0xD800 <= value && value <= 0xDFFF;
    if (value < least.at(bytes) || value > 0x10FFFF || is_surrogate) {
        return {0xFFFD, 1};
    }
    return {value, bytes};
}

bool is_control_or_direction(char32_t point) {
    return is_control(point) || is_in(obeyed_or_unseen, point);
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        std::size_t bytes = escape_length(text);
        if (bytes == 0) {
            const CodePoint point = first_code_point(text);
            width += columns_of(point.value);
            bytes = point.bytes;
        }
        text.remove_prefix(bytes);
    }
    return width;
}

std::vector<std::string> characters(std::string_view text) {
    std::vector<std::string> result;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        const std::string piece =
            is_control_or_direction(point.value) ? "?" : std::string(text.substr(0, point.bytes));
        if (columns_of(point.value) == 0 && !result.empty()) {
            result.back() += piece;
        } else {
            result.push_back(piece);
        }
        text.remove_prefix(point.bytes);
    }
    return result;
}

std::string fit(std::string_view text, std::size_t width, const Terminal& terminal) {
    const std::vector<std::string> all = characters(text);
    std::size_t total = 0;
    for (const std::string& character : all) {
        total += display_width(character);
    }
    std::string result;
    std::size_t used = 0;
    for (const std::string& character : all) {
        const std::size_t columns = display_width(character);
        if (total > width && used + columns + 1 > width) {
            return width == 0 ? "" : result + (terminal.unicode ? "…" : "~");
        }
        result += character;
        used += columns;
    }
    return result;
}

std::string printable(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        const std::string_view bytes = text.substr(0, point.bytes);
        if (point.value == 0xFFFD) {
            kept += "\ufffd";
        } else if (point.value == '\t' || !is_control_or_direction(point.value)) {
            kept += bytes;
        }
        text.remove_prefix(bytes.size());
    }
    return kept;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == '&'   ? "&amp;"
                  : c == '<' ? "&lt;"
                  : c == '>' ? "&gt;"
                  : c == '"' ? "&quot;"
                             : std::string(1, c);
    }
    return result;
}

std::vector<std::string> wrap(const std::string& paragraph, const std::string& indent,
                              std::size_t width) {
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t begin = 0; begin <= paragraph.size();) {
        const std::size_t end = std::min(paragraph.find(' ', begin), paragraph.size());
        const std::string word = paragraph.substr(begin, end - begin);
        if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
            lines.push_back(indent + line);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    lines.push_back(indent + line);
    return lines;
}

std::string right_aligned(std::string_view text, std::size_t width) {
    const std::size_t used = display_width(text);
    return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

std::string left_aligned(std::string_view text, std::size_t width) {
    const std::size_t used = display_width(text);
    return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string centred(std::string_view text, std::size_t width) {
    const std::size_t used = display_width(text);
    return left_aligned(std::string(used < width ? (width - used) / 2 : 0, ' ') + std::string(text),
                        width);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::string repeated(std::string_view text, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) {
        result += text;
    }
    return result;
}

void write_line(std::ostream& out, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

void write_title(std::ostream& out, std::string_view title, std::string_view note,
                 const Terminal& terminal) {
    const std::string text = fit(title, std::numeric_limits<std::size_t>::max(), terminal);
    const std::string gap = text.empty() || note.empty() ? "" : " ";
    if (!text.empty() || !note.empty()) {
        write_line(out, bold(text, terminal) + gap + dim(note, terminal));
    }
}

std::size_t widest(const std::vector<std::string>& labels) {
    std::size_t result = 0;
    for (const std::string& label : labels) {
        result = std::max(result, display_width(label));
    }
    return result;
}

} // namespace show
