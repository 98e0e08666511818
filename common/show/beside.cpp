#include "show/beside.hpp"

#include "show/text.hpp"

#include <algorithm>
#include <sstream>

namespace show {

void beside(std::ostream& out, const std::vector<std::string>& drawings, const Terminal& terminal) {
    constexpr std::size_t gap = 4;
    std::vector<std::vector<std::string>> blocks;
    std::size_t height = 0, width = 0;
    for (const std::string& drawing : drawings) {
        std::istringstream stream(drawing);
        std::vector<std::string> lines;
        for (std::string line; std::getline(stream, line);) {
            lines.push_back(line);
        }
        height = std::max(height, lines.size());
        width += widest(lines) + (blocks.empty() ? 0 : gap);
        blocks.push_back(std::move(lines));
    }
    if (width > terminal.width) {
        for (std::size_t i = 0; i < drawings.size(); ++i) {
            out << (i == 0 ? "" : "\n") << drawings[i];
        }
        return;
    }
    for (std::size_t i = 0; i < height; ++i) {
        std::string line;
        std::size_t start = 0;
        for (const auto& lines : blocks) {
            line += std::string(start - display_width(line), ' ');
            line += i < lines.size() ? lines[i] : "";
            start += widest(lines) + gap;
        }
        write_line(out, line);
    }
}

} // namespace show
