#include "show/beside.hpp"

#include "show/text.hpp"

#include <algorithm>

namespace show {

std::vector<std::string> beside(const std::vector<std::vector<std::string>>& blocks,
                                std::size_t width) {
    constexpr std::size_t gap = 4;
    std::vector<std::string> all;   // rows of blocks that are complete
    std::vector<std::string> lines; // the row being filled
    std::size_t used = 0;
    const auto finish = [&] {
        for (std::string& line : lines) {
            line.erase(line.find_last_not_of(' ') + 1);
            all.push_back(line);
        }
        lines.clear();
        used = 0;
    };
    for (const std::vector<std::string>& block : blocks) {
        if (used > 0 && used + widest(block) > width) {
            finish();
            all.emplace_back();
        }
        lines.resize(std::max(lines.size(), block.size()));
        for (std::size_t i = 0; i < block.size(); ++i) {
            lines[i] = left_aligned(lines[i], used) + block[i];
        }
        used += widest(block) + gap;
    }
    finish();
    return all;
}

void beside(std::ostream& out, const std::vector<std::string>& drawings, const Terminal& terminal) {
    std::vector<std::vector<std::string>> blocks;
    for (const std::string& drawing : drawings) {
        blocks.push_back(lines_of(drawing));
    }
    for (const std::string& line : beside(blocks, terminal.width)) {
        out << line << '\n';
    }
}

} // namespace show
