#include "course/screen/watch_view.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "course/files.hpp"
#include "course/page.hpp"
#include "course/screen/drawing.hpp"
#include "judge/text.hpp"
#include "show/terminal.hpp"
#include "show/text.hpp"

namespace course {

using judge::State;
using judge::Verdict;
using Lines = std::vector<std::string>;

namespace {

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

void append(Lines& lines, const Lines& more) {
    lines.insert(lines.end(), more.begin(), more.end());
}

/// "7 of 24 ██████░░░░░░░░░░░░░░"
std::string progress_bar(std::size_t done, std::size_t total, std::size_t width) {
    const bool unicode = show::terminal().unicode;
    const std::size_t filled = done * width / std::max<std::size_t>(1, total);
    return fmt::format("{} of {} ", done, total) +
           show::coloured(show::repeated(unicode ? "█" : "#", filled), show::Colour::green) +
           show::dim(show::repeated(unicode ? "░" : "-", width - filled));
}

Lines header(const Watched& watched, std::size_t width) {
    const Exercise& exercise = watched.exercise();
    const Lesson& lesson = lesson_of(*watched.project, exercise);
    const std::string bar =
        progress_bar(watched.count_passed(), watched.exercises.size(), width < 60 ? 8 : 24);
    std::string title =
        show::bold(fmt::format("Lesson {} {}", lesson.id, lesson.title)) + ": " + lesson.idea;
    const std::size_t bar_width = show::display_width(bar);
    title = clipped(title, width > bar_width + 2 ? width - bar_width - 2 : 0);
    const std::size_t gap = width - std::min(width, show::display_width(title) + bar_width);
    return {title + std::string(gap, ' ') + bar,
            fmt::format("Page  {}", short_path(*watched.project, lesson.page)),
            fmt::format("File  {}", short_path(*watched.project, exercise.file)), ""};
}

Lines hint_lines(const Watched& watched, std::size_t width) {
    const std::string page =
        read_file(lesson_of(*watched.project, watched.exercise()).page).value_or("");
    const std::vector<std::string> hints = hints_of(page, watched.exercise().id);
    Lines lines;
    for (std::size_t i = 0; i < std::min(watched.hints, hints.size()); ++i) {
        lines.emplace_back();
        lines.push_back(show::bold(fmt::format("Hint {} of {}", i + 1, hints.size())));
        for (const std::string& line : lines_of(hints[i])) {
            append(lines, line.size() < width ? Lines{line} : judge::wrap(line, "", width));
        }
    }
    return lines;
}

/// What to do next, in one line.
std::string next_step(const Watched& watched, const Verdict& verdict) {
    const bool last = watched.current + 1 == watched.exercises.size();
    switch (verdict.state) {
    case State::passed:
        if (watched.count_passed() == watched.exercises.size()) {
            return "You have passed every exercise there is. r walks through what you built.";
        }
        return last ? "Passed. l lists what is still open."
                    : fmt::format("Passed. n goes on to {} {}; s shows our solution beside yours.",
                                  watched.exercises[watched.current + 1].id,
                                  watched.exercises[watched.current + 1].title);
    case State::not_started:
        return "Read the page, write the file, save it: it is checked at once.";
    case State::grader_at_fault:
        return "This is our mistake, not yours. ./course doctor looks for its cause.";
    default:
        return "Mend the file and save it. h gives a hint.";
    }
}

Lines verdict_lines(const Watched& watched, std::size_t width) {
    if (watched.checking) {
        return {
            show::bold(fmt::format("{} {}: ", watched.exercise().id, watched.exercise().title)) +
            "checking …" + (watched.step.empty() ? "" : " (" + watched.step + ")")};
    }
    Lines lines;
    const auto& verdict = watched.verdicts[watched.current];
    if (!watched.trouble.empty()) {
        append(lines, judge::wrap(watched.trouble, "", width));
    } else if (verdict) {
        const bool colours = show::terminal().colours != show::Colours::none;
        append(lines, lines_of(judge::render(
                          *verdict,
                          {.name = watched.exercise().title, .colours = colours, .width = width})));
        if (const std::string picture = drawing(watched.exercise(), *verdict, width);
            !picture.empty()) {
            lines.emplace_back();
            append(lines, lines_of(picture));
        }
        lines.emplace_back();
        append(lines, judge::wrap(next_step(watched, *verdict), "", width));
    }
    append(lines, hint_lines(watched, width));
    return lines;
}

Lines list_lines(const Watched& watched) {
    const bool colours = show::terminal().colours != show::Colours::none;
    Lines lines;
    std::string lesson_id;
    for (std::size_t i = 0; i < watched.exercises.size(); ++i) {
        const Lesson& lesson = lesson_of(*watched.project, watched.exercises[i]);
        if (lesson.id != lesson_id) {
            if (i > 0) {
                lines.emplace_back();
            }
            lines.push_back(show::bold(lesson.id + " " + lesson.title) + ": " + lesson.idea);
            lesson_id = lesson.id;
        }
        Verdict verdict = watched.verdicts[i].value_or(Verdict{});
        verdict.exercise = watched.exercises[i].id;
        lines.push_back((i == watched.current ? "> " : "  ") +
                        judge::summary_line(verdict, watched.exercises[i].title, colours));
    }
    return lines;
}

Lines help_lines() {
    return {show::bold("Keys"),
            "",
            "  h   the next hint; there are three: a nudge, the method, almost the code",
            "  n   the next exercise          p   the one before",
            "  l   every exercise and its state",
            "  r   run the lesson's walk-through on your functions",
            "  s   our solution beside yours, once the exercise is passed (or asked twice)",
            "  x   put the exercise back to how it came; your file is kept as a copy",
            "  q   quit; everything is where you left it",
            "",
            "  ↑ ↓, Page Up and Page Down move through what does not fit the screen.",
            "",
            "Save a file and it is checked: there is nothing to press for that."};
}

std::string footer(Page page, std::size_t width) {
    const std::string keys =
        page != Page::verdict ? "any other key goes back   q quit"
        : width < 70          ? "h hint  n p next  l list  ? help  q quit"
                     : "h hint  n next  p back  l list  r run  s solution  x reset  ? help  q quit";
    return show::dim(keys);
}

} // namespace

std::size_t Watched::count_passed() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        count += passed(i) ? 1 : 0;
    }
    return count;
}

Lines view(const Watched& watched, Page page, Size size, std::size_t& scroll) {
    const std::size_t width = std::max<std::size_t>(20, size.columns);
    Lines top = header(watched, width);
    Lines middle;
    if (!watched.output.empty()) {
        middle = lines_of(watched.output);
    } else {
        middle = page == Page::list ? list_lines(watched)
                 : page == Page::help
                     ? help_lines()
                     : verdict_lines(watched, std::min<std::size_t>(width, 100) - 3);
    }
    const Page keys = watched.output.empty() ? page : Page::list;
    std::string foot = footer(keys, width);
    if (size.rows < 12) { // no room for more than the verdict
        top.clear();
        foot.clear();
    }
    // One line below says what was done last, or what does not fit.
    const std::size_t around = top.size() + 1 + (foot.empty() ? 0 : 1);
    const std::size_t room = size.rows > around ? size.rows - around : 1;
    const std::size_t hidden = middle.size() > room ? middle.size() - room : 0;
    scroll = std::min(scroll, hidden);
    Lines screen = top;
    for (std::size_t i = scroll; i < std::min(middle.size(), scroll + room); ++i) {
        screen.push_back(middle[i]);
    }
    screen.resize(top.size() + room);
    const std::size_t below = hidden - scroll;
    const std::string where =
        hidden == 0 ? ""
        : below > 0 ? fmt::format("↓ {} more line{}", below, below == 1 ? "" : "s")
                    : fmt::format("↑ {} line{} above", scroll, scroll == 1 ? "" : "s");
    screen.push_back(watched.message.empty() ? show::dim(where) : watched.message);
    if (!foot.empty()) {
        screen.push_back(foot);
    }
    for (std::string& line : screen) {
        line = clipped(line, width);
    }
    return screen;
}

} // namespace course
