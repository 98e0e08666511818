#include "course/screen/watch_view.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "course/commands/printing.hpp"
#include "course/files.hpp"
#include "course/page.hpp"
#include "course/screen/drawing.hpp"
#include "judge/text.hpp"
#include "show/terminal.hpp"
#include "show/text.hpp"

namespace course {

using judge::State;
using judge::Verdict;
using show::lines_of;
using Lines = std::vector<std::string>;

namespace {

void append(Lines& lines, const Lines& more) {
    lines.insert(lines.end(), more.begin(), more.end());
}

/// "7 of 24 ██████░░░░░░░░░░░░░░"
std::string progress_bar(std::size_t done, std::size_t total, std::size_t width) {
    const bool unicode = show::terminal().unicode;
    const std::size_t filled =
        std::max(done * width / std::max<std::size_t>(1, total), std::min<std::size_t>(done, 1));
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
    const std::size_t space = width - std::min(width, show::display_width(title) + bar_width);
    return {title + std::string(space, ' ') + bar,
            fmt::format("Page  {}  or ./course book", short_path(*watched.project, lesson.page)),
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
        append(lines, wrapped_lines(hints[i], width));
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
        return "Change the file and save it. h gives a hint.";
    }
}

/// A verdict that is too long for the screen has the most likely mistake before the numbers.
Lines rendered(const Watched& watched, Verdict verdict, Size room) {
    const judge::RenderOptions options{.name = watched.exercise().title,
                                       .colours = show::terminal().colours != show::Colours::none,
                                       .width = room.columns};
    Lines lines = lines_of(judge::render(verdict, options));
    if (lines.size() + 2 <= room.rows || verdict.explanation.empty()) { // 2: what to do next
        return lines;
    }
    const std::string likely = "Most likely: " + std::exchange(verdict.explanation, "");
    Lines result = lines_of(judge::render(verdict, options));
    Lines first{""};
    for (const std::string& line : judge::wrap(likely, "  ", room.columns)) {
        first.push_back(show::bold(line));
    }
    result.insert(std::find(result.begin(), result.end(), ""), first.begin(), first.end());
    return result;
}

/// A save takes two steps to build; the first save of a lesson also builds its grader.
Lines while_checking(const Watched& watched, Size room) {
    const bool building = watched.step.starts_with("building");
    Lines lines{
        show::bold(fmt::format("{} {}: ", watched.exercise().id, watched.exercise().title)) +
        "checking …" + (building ? " (" + watched.step + ")" : "")};
    int built = 0, steps = 0;
    if (std::sscanf(watched.step.c_str(), "building %d/%d", &built, &steps) == 2 && steps > 4) {
        append(lines,
               judge::wrap("The first check of a lesson builds its grader. Those that follow "
                           "take a second or two.",
                           "", room.columns));
    }
    return lines;
}

Lines verdict_lines(const Watched& watched, Size room) {
    if (watched.checking) {
        return while_checking(watched, room);
    }
    Lines lines;
    const auto& verdict = watched.verdicts[watched.current];
    if (!watched.trouble.empty()) {
        append(lines, judge::wrap(watched.trouble, "", room.columns));
    } else if (verdict) {
        append(lines, rendered(watched, *verdict, room));
        if (const std::string picture = drawing(watched.exercise(), *verdict, room.columns);
            !picture.empty()) {
            lines.emplace_back();
            append(lines, lines_of(picture));
        }
        lines.emplace_back();
        append(lines, judge::wrap(next_step(watched, *verdict), "", room.columns));
    }
    append(lines, hint_lines(watched, room.columns));
    return lines;
}

/// The list. chosen: set to the line of the chosen exercise.
Lines list_lines(const Watched& watched, std::size_t& chosen) {
    const bool colours = show::terminal().colours != show::Colours::none;
    Lines lines = table_of(*watched.project, watched.exercises, [&](std::size_t i) {
        const Exercise& exercise = watched.exercises[i];
        const auto& verdict = watched.verdicts[i];
        return (i == watched.chosen ? "> " : "  ") +
               (verdict ? judge::summary_line(*verdict, exercise.title, colours)
                        : fmt::format("· {}  {:<28}  not graded yet", exercise.id, exercise.title));
    });
    const auto at = std::find_if(lines.begin(), lines.end(),
                                 [](const std::string& line) { return line.starts_with("> "); });
    chosen = static_cast<std::size_t>(at - lines.begin());
    return lines;
}

Lines help_lines() {
    return {
        show::bold("Keys"),
        "",
        "  h   the next hint; there are three: a nudge, the method, almost the code",
        "  n   the next exercise          p   the previous one",
        "  l   every exercise and its state; arrows choose one, Enter opens it",
        "  r   run the lesson's walk-through on your functions",
        "  s   our solution beside yours, once the exercise is passed; before that, press it twice",
        "  x   put the exercise's stub back; your file is kept as a copy",
        "  q   quit; the next ./course opens the same exercise",
        "",
        "  Space continues where a text does not fit the screen; so do ↑ ↓ Page Up Page Down.",
        "",
        "./course book, in another terminal, opens the page in a browser at this exercise: its",
        "figures run on your functions and follow what you save.",
        "",
        "Every file that you save is checked at once; no key is needed. If it belongs to another",
        "exercise, the screen goes there."};
}

const char* footer(Page page) {
    switch (page) {
    case Page::verdict:
        return "h hint  n next  p previous  l list  r run  s solution  x reset  ? help  q quit";
    case Page::list:
        return "↑ ↓ choose  Enter open  q close";
    default:
        return "Space continue  q close";
    }
}

/// What does not fit.
std::string where(const Scroll& scroll) {
    if (scroll.at < scroll.most) {
        const std::size_t below = scroll.most - scroll.at;
        return fmt::format("{} more line{}: Space continues", below, below == 1 ? "" : "s");
    }
    return "This is the end; ↑ goes back up.";
}

Lines middle_lines(const Watched& watched, Size room, Scroll& scroll) {
    std::size_t chosen = 0;
    Lines lines;
    switch (watched.page) {
    case Page::verdict:
        return verdict_lines(watched, {std::min<std::size_t>(room.columns, 100) - 3, room.rows});
    case Page::help:
        return help_lines();
    case Page::solution:
        return watched.solution;
    case Page::list:
        break;
    }
    lines = list_lines(watched, chosen);
    const std::size_t least = chosen < room.rows ? 0 : chosen + 1 - room.rows;
    const std::size_t most = std::max(least, chosen - std::min<std::size_t>(chosen, 1));
    scroll.at = std::clamp(scroll.at, least, most); // the chosen one in sight
    return lines;
}

} // namespace

std::size_t Watched::count_passed() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        count += passed(i) ? 1 : 0;
    }
    return count;
}

Lines view(const Watched& watched, Size size, Scroll& scroll) {
    const std::size_t width = std::max<std::size_t>(20, size.columns);
    const bool tiny = size.rows < 12; // no room for more than the verdict
    Lines screen = tiny ? Lines{} : header(watched, width);
    // One line below reports the last action, or what does not fit.
    const std::size_t top = screen.size();
    const std::size_t around = top + (tiny ? 1 : 2);
    const std::size_t room = size.rows > around ? size.rows - around : 1;
    const Lines middle = middle_lines(watched, {width, room}, scroll);
    scroll.most = middle.size() > room ? middle.size() - room : 0;
    scroll.at = std::min(scroll.at, scroll.most);
    for (std::size_t i = scroll.at; i < std::min(middle.size(), scroll.at + room); ++i) {
        screen.push_back(middle[i]);
    }
    screen.resize(top + room);
    screen.push_back(!watched.message.empty() ? watched.message
                     : scroll.most > 0        ? show::dim(where(scroll))
                                              : show::dim(watched.behind));
    if (!tiny) {
        screen.push_back(show::dim(footer(watched.page)));
    }
    for (std::string& line : screen) {
        line = clipped(line, width);
    }
    return screen;
}

} // namespace course
