#include "course/screen/narrow.hpp"

#include <algorithm>

#include "judge/text.hpp"
#include "show/text.hpp"

namespace course {

namespace {

using Cells = std::vector<std::string>; // the characters of a line
using Lines = std::vector<std::string>;

constexpr std::size_t gap = 4; // between what stands side by side

bool is_blank(const Cells& line, std::size_t begin, std::size_t end) {
    return std::all_of(line.begin() + static_cast<std::ptrdiff_t>(std::min(begin, line.size())),
                       line.begin() + static_cast<std::ptrdiff_t>(std::min(end, line.size())),
                       [](const std::string& each) { return each == " "; });
}

/// Where blocks begin: their names stand in the first line, and a gap before them in every line.
std::vector<std::size_t> beginnings(const std::vector<Cells>& lines) {
    const Cells& names = lines.front();
    std::size_t margin = 0;
    while (margin < names.size() && names[margin] == " ") {
        ++margin;
    }
    std::vector<std::size_t> begins{margin};
    for (std::size_t i = margin + gap; i < names.size(); ++i) {
        const bool everywhere = std::all_of(lines.begin(), lines.end(), [&](const Cells& line) {
            return is_blank(line, i - gap, i);
        });
        if (names[i] != " " && everywhere) {
            begins.push_back(i);
        }
    }
    return begins;
}

/// The columns from begin to end of every line, from the margin on, and a blank line.
void add_part(Lines& result, const std::vector<Cells>& lines, std::size_t margin, std::size_t begin,
              std::size_t end) {
    for (const Cells& line : lines) {
        std::string text(margin, ' ');
        for (std::size_t i = begin; i < std::min(end, line.size()); ++i) {
            text += line[i];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        if (!text.empty()) {
            result.push_back(text);
        }
    }
    result.emplace_back();
}

/// The lines of one paragraph, in as few rows of blocks as fit.
Lines stack(const Lines& paragraph, std::size_t width) {
    std::vector<Cells> lines;
    for (const std::string& line : paragraph) {
        lines.push_back(show::characters(line));
    }
    std::vector<std::size_t> edges = beginnings(lines);
    const std::size_t margin = edges.front();
    if (edges.size() == 1 && lines.size() == 1) { // a sentence
        return judge::wrap(paragraph.front().substr(margin), std::string(margin, ' '), width);
    }
    edges.push_back(
        std::max_element(lines.begin(), lines.end(),
                         [](const Cells& a, const Cells& b) { return a.size() < b.size(); })
            ->size() +
        gap);
    Lines result;
    for (std::size_t first = 0; first + 1 < edges.size();) {
        std::size_t last = first + 1;
        while (last + 1 < edges.size() && margin + edges[last + 1] - gap - edges[first] <= width) {
            ++last;
        }
        add_part(result, lines, margin, edges[first], edges[last]);
        first = last;
    }
    result.pop_back();
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
