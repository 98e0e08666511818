#include "course/screen/narrow.hpp"

#include <algorithm>

#include "show/beside.hpp"
#include "show/text.hpp"

namespace course {

namespace {

using Cells = std::vector<std::string>; // the characters of a line
using Lines = std::vector<std::string>;

/// Where blocks begin: where a name in the first line does, after a gap of four columns.
std::vector<std::size_t> beginnings(const Cells& names) {
    std::vector<std::size_t> begins;
    std::size_t blanks = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] != " " && (begins.empty() || blanks >= 4)) {
            begins.push_back(i);
        }
        blanks = names[i] == " " ? blanks + 1 : 0;
    }
    return begins;
}

/// The columns from begin to end of every line, without the blank lines at the end.
Lines block(const std::vector<Cells>& lines, std::size_t begin, std::size_t end) {
    Lines result;
    for (const Cells& line : lines) {
        std::string text;
        for (std::size_t i = begin; i < std::min(end, line.size()); ++i) {
            text += line[i];
        }
        result.push_back(text.erase(text.find_last_not_of(' ') + 1));
    }
    while (!result.empty() && result.back().empty()) {
        result.pop_back();
    }
    return result;
}

/// The lines of one paragraph, in as few rows of blocks as fit.
Lines stack(const Lines& paragraph, std::size_t width) {
    std::vector<Cells> lines;
    for (const std::string& line : paragraph) {
        lines.push_back(show::characters(line));
    }
    std::vector<std::size_t> edges = beginnings(lines.front());
    const std::string margin(edges.front(), ' ');
    if (lines.size() == 1) { // a sentence
        return show::wrap(paragraph.front().substr(margin.size()), margin, width);
    }
    edges.push_back(std::string::npos);
    std::vector<Lines> blocks;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        blocks.push_back(block(lines, edges[i], edges[i + 1]));
    }
    Lines result = show::beside(blocks, width - std::min(width, margin.size()));
    for (std::string& line : result) {
        if (!line.empty()) {
            line.insert(0, margin);
        }
    }
    return result;
}

} // namespace

Lines stacked(const Lines& lines, std::size_t width) {
    Lines result;
    for (auto begin = lines.begin(); begin != lines.end();) {
        const auto end =
            std::find_if(begin, lines.end(), [](const std::string& each) { return each.empty(); });
        const Lines paragraph(begin, end);
        const bool fits = std::all_of(begin, end, [&](const std::string& line) {
            return show::display_width(line) <= width;
        });
        const Lines shown = fits ? paragraph : stack(paragraph, width);
        result.insert(result.end(), shown.begin(), shown.end());
        begin = end;
        if (begin != lines.end()) {
            result.emplace_back();
            ++begin;
        }
    }
    return result;
}

} // namespace course
