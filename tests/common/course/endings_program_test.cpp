// ./course on a terminal: every way to end, nothing lost; and a first session, as the README shows
// it.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <utility>

#include "course/files.hpp"
#include "program.hpp"
#include "pseudo_terminal.hpp"
#include "support/temporary_folder.hpp"
#include "watching.hpp"

namespace fs = std::filesystem;

PROGRAM_TEST_CASE("watch: Ctrl-C, a hang-up and a termination all leave the terminal as it was") {
    start_afresh();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(signal);
        PseudoTerminal terminal;
        CHECK(terminal.shows("not started"));
        if (signal == SIGINT) {
            terminal.press("\x03");
        } else {
            terminal.signal(signal);
        }
        CHECK(terminal.wait() == 128 + signal);
        CHECK(terminal.is_restored());
        CHECK(contains(terminal.everything(), "\x1b[?1049l"));
    }
}

PROGRAM_TEST_CASE("watch: Ctrl-Z stops it, and fg restores it") {
    start_afresh();
    PseudoTerminal terminal(
        {"bash", "-c",
         "set -m; \"$COURSE\"; echo \"stopped: $?\"; stty -a; read -r line; fg; "
         "echo \"ended: $?\""});
    CHECK(terminal.shows("01.1 project: not started"));
    terminal.press("\x1a");
    CHECK(terminal.shows("stopped: 148")); // 128 + SIGTSTP
    CHECK(terminal.shows(" icanon"));
    CHECK(terminal.shows(" echo "));
    terminal.press("\n");
    CHECK(terminal.draws());
    CHECK(terminal.shows("01.1 project: not started"));
    terminal.press("q");
    CHECK(terminal.wait() == 0);
    CHECK(contains(terminal.everything(), "ended: 0"));
}

PROGRAM_TEST_CASE("watch: q and Ctrl-C are answered at once, whatever is being checked") {
    start_afresh();
    for (const char* key : {"q", "\x03"}) {
        CAPTURE(key);
        save_in_place(1, project_with("    for (;;) {}"));
        PseudoTerminal terminal;
        CHECK(terminal.shows("checking …"));
        usleep(500000); // the exercise runs now
        const auto before = std::chrono::steady_clock::now();
        terminal.press(key);
        CHECK(terminal.wait() == (*key == 'q' ? 0 : 128 + SIGINT));
        CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(1));
        CHECK(terminal.is_restored());
    }
}

namespace {

const std::string session_begins =
    "<!-- session: made by the test \"the README's first session is what the screen shows\" -->\n";
const std::string session_ends = "<!-- end of session -->\n";

/// The screen as a block of a page, with the files where a learner has them.
std::string screenshot(const PseudoTerminal& terminal) {
    std::string text = terminal.screen();
    const std::string ours = fs::relative(fs::path(COURSE_EXERCISES), COURSE_ROOT);
    for (std::size_t at = 0; (at = text.find(ours)) != std::string::npos;) {
        text.replace(at, ours.size(), "lessons");
    }
    std::string block = "```\n";
    std::string blanks; // lines without anything, kept back until something follows
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(" \r") + 1);
        blanks += line.empty() ? "\n" : "";
        block += line.empty() ? "" : std::exchange(blanks, "").substr(0, 1) + line + "\n";
    }
    return block + "```\n\n";
}

/// A stub with these lines where it has "// TODO …" and the call of todo().
std::string with_the_hole_filled(const std::string& stub, const std::string& lines) {
    const std::size_t begin = stub.find("    // TODO");
    const std::size_t call = stub.find("todo(\"", begin);
    REQUIRE(call != std::string::npos);
    const std::size_t end = stub.find('\n', call);
    return stub.substr(0, begin) + lines + stub.substr(end);
}

} // namespace

// With COURSE_RECORD=1 the README is written, not checked.
PROGRAM_TEST_CASE("the README's first session is what the screen shows") {
    start_afresh();
    PseudoTerminal terminal({}, 90, 32);
    REQUIRE(terminal.shows("01.1 project: not started"));
    std::string session = session_begins + "It starts:\n\n" + screenshot(terminal);
    save_in_place(1, with_the_hole_filled(stub_of(1), element_wise));
    REQUIRE(terminal.shows("01.1 project: wrong"));
    session += "You have written `return X * W;` and saved:\n\n" + screenshot(terminal);
    write_exercise(1, solution_of(1));
    REQUIRE(terminal.shows("01.1 project: passed"));
    session += "You have found the three loops, perhaps with `h` for a hint:\n\n" +
               screenshot(terminal) + session_ends;
    quit(terminal);

    const fs::path readme = COURSE_ROOT "/README.md";
    const std::string page = course::read_file(readme).value();
    const std::size_t begin = page.find(session_begins);
    const std::size_t end = page.find(session_ends);
    REQUIRE(begin < end);
    const std::size_t size = end + session_ends.size() - begin;
    if (std::getenv("COURSE_RECORD") != nullptr) {
        course::write_file(readme, std::string(page).replace(begin, size, session));
    } else {
        CHECK(page.substr(begin, size) == session);
    }
}
