// ./course on a terminal: every key, and every way of saving.

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>
#include <utility>

#include "course/files.hpp"
#include "course/lessons.hpp"
#include "program.hpp"
#include "pseudo_terminal.hpp"
#include "support/temporary_folder.hpp"
#include "watching.hpp"

namespace fs = std::filesystem;

namespace {

std::vector<course::Lesson> lessons() {
    return course::read_lessons({COURSE_ROOT, COURSE_BUILD, COURSE_EXERCISES, COURSE_STATE});
}

std::string last_exercise() {
    return lessons().back().exercises.back().id;
}

/// passed(1), of all exercises.
std::string passed(int count) {
    std::size_t total = 0;
    for (const course::Lesson& lesson : lessons()) {
        total += lesson.exercises.size();
    }
    return std::to_string(count) + " of " + std::to_string(total);
}

} // namespace

PROGRAM_TEST_CASE("watch: shows the first exercise not passed, and checks it at every save") {
    start_afresh();
    PseudoTerminal terminal;
    CHECK(terminal.shows("01.1 project: not started"));
    CHECK(contains(terminal.screen(), "lessons/01_linear_projections/README.md"));
    CHECK(contains(terminal.screen(), "1_project.cpp"));
    CHECK(contains(terminal.screen(), passed(0)));

    save_in_place(1, project_with(element_wise));
    CHECK(terminal.shows("checking …"));
    CHECK(terminal.shows("01.1 project: wrong"));
    CHECK(contains(terminal.screen(), "element by element"));

    write_exercise(1, solution_of(1)); // another file renamed over it
    CHECK(terminal.shows("01.1 project: passed"));
    CHECK(contains(terminal.screen(), passed(1)));
    CHECK(contains(terminal.screen(), "n goes on to 01.2 compute_qkv"));

    terminal.press("n");
    CHECK(terminal.shows("01.2 compute_qkv: not started"));
    terminal.press("p");
    CHECK(terminal.shows("01.1 project: passed"));
    terminal.press("p");
    CHECK(terminal.shows("This is the first exercise."));
    quit(terminal);
}

PROGRAM_TEST_CASE("watch: a save in the middle of a check wins over it") {
    start_afresh();
    const support::TemporaryFolder temporary;
    setenv("TMPDIR", temporary.path().c_str(), 1);
    PseudoTerminal terminal;
    unsetenv("TMPDIR");
    CHECK(terminal.shows("not started"));
    for (int i = 0; i < 8; ++i) {
        save_in_place(1, project_with("    for (;;) {} // " + std::to_string(i)));
        CHECK(terminal.shows("checking …"));
    }
    write_exercise(1, solution_of(1));
    CHECK(terminal.shows("01.1 project: passed"));
    save_in_place(1, project_with("    for (;;) {}"));
    CHECK(terminal.shows("checking …"));
    quit(terminal);
    for (int i = 0; i < 100 && !fs::is_empty(temporary.path()); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100)); // a compiler ends after it
    }
    CHECK(fs::is_empty(temporary.path())); // every process that was ended has cleaned up
}

PROGRAM_TEST_CASE("watch: hints open one after the other, and stay") {
    start_afresh();
    PseudoTerminal terminal({}, 100, 60);
    CHECK(terminal.shows("not started"));
    terminal.press("h");
    CHECK(terminal.shows("Hint 1 of 3"));
    terminal.press("hh");
    CHECK(terminal.shows("Hint 3 of 3"));
    CHECK(contains(terminal.screen(), "Hint 1 of 3"));
    terminal.press("h");
    CHECK(terminal.shows("These are all the hints there are."));
    save_in_place(1, project_with(element_wise));
    CHECK(terminal.shows("01.1 project: wrong"));
    CHECK(contains(terminal.screen(), "Hint 3 of 3"));
    write_exercise(1, solution_of(1));
    CHECK(terminal.shows("01.1 project: passed"));
    CHECK_FALSE(contains(terminal.screen(), "Hint ")); // they have served
    quit(terminal);
}

PROGRAM_TEST_CASE("watch: before the pass the solution needs a second key, after it is a diff") {
    start_afresh();
    PseudoTerminal terminal({}, 100, 50);
    CHECK(terminal.shows("not started"));
    terminal.press("s");
    CHECK(terminal.shows("01.1 is not passed yet. See the solution anyway?"));
    terminal.press("n"); // anything but a yes
    CHECK(terminal.shows("Nothing was changed."));
    terminal.press("sy");
    CHECK(terminal.shows("01.1 project, our solution: one possibility of many"));
    CHECK_FALSE(contains(terminal.screen(), "// solution"));
    write_exercise(1, solution_of(1) + "// mine\n");
    CHECK(terminal.shows("01.1 project: passed"));
    terminal.press("s");
    CHECK(terminal.shows("-// mine"));
    terminal.press("q"); // closes the page over the verdict, and nothing else
    CHECK(terminal.shows("01.1 project: passed"));
    terminal.press("?");
    CHECK(terminal.shows("Keys"));
    terminal.press("\x1b"); // so does Escape
    CHECK(terminal.shows("01.1 project: passed"));
    quit(terminal);
}

PROGRAM_TEST_CASE("watch: x puts the stub back when it is sure, and keeps a copy") {
    start_afresh();
    const std::string mine = project_with(element_wise);
    write_exercise(1, mine);
    PseudoTerminal terminal;
    CHECK(terminal.shows("01.1 project: wrong"));
    terminal.press("x");
    CHECK(terminal.shows("Put the stub back?"));
    terminal.press("q"); // not a yes, and not the end of the program either
    CHECK(terminal.shows("Nothing was changed."));
    CHECK(course::read_file(file_of(1)) == mine);
    terminal.press("xy");
    CHECK(terminal.shows("Your file is kept as "));
    CHECK(terminal.shows("01.1 project: not started"));
    CHECK(course::read_file(file_of(1)) == stub_of(1));
    CHECK(backups() == std::set{mine});
    fs::remove(file_of(1));
    CHECK(terminal.shows("is missing"));
    terminal.press("xy");
    CHECK(terminal.shows("The file was missing; the stub is back."));
    quit(terminal);
}

PROGRAM_TEST_CASE(
    "watch: a file that is deleted, emptied or does not compile is reported as such") {
    start_afresh();
    PseudoTerminal terminal;
    CHECK(terminal.shows("not started"));
    fs::remove(file_of(1));
    CHECK(terminal.shows("is missing"));
    save_in_place(1, "\n");
    CHECK(terminal.shows("is empty"));
    save_in_place(1, project_with("    return X +;"));
    CHECK(terminal.shows("01.1 project: does not compile"));
    quit(terminal);
}

PROGRAM_TEST_CASE("watch: fits whatever size the terminal has, and follows when that changes") {
    start_afresh();
    write_exercise(1, project_with(element_wise));
    PseudoTerminal terminal({}, 200, 50);
    CHECK(terminal.shows("01.1 project: wrong"));
    using Size = std::pair<unsigned short, unsigned short>; // columns, rows
    for (const Size& size : {Size{40, 10}, {20, 5}, {1, 1}, {80, 24}, {300, 100}}) {
        CAPTURE(size.first);
        terminal.resize(size.first, size.second);
        CHECK(terminal.draws());
    }
    CHECK(terminal.shows("s solution"));
    quit(terminal);
}

PROGRAM_TEST_CASE("watch: another exercise's file is saved, and the screen goes there") {
    start_afresh();
    PseudoTerminal terminal({}, 100, 40);
    CHECK(terminal.shows("01.1 project: not started"));
    save_in_place(2, compute_qkv_with("    return {X, X, X};"));
    CHECK(terminal.shows("01.2 compute_qkv: wrong"));
    write_exercise(1, solution_of(1));
    CHECK(terminal.shows("01.1 project: passed"));
    fs::remove(file_of(2)); // that is not a save
    CHECK(terminal.draws());
    CHECK(contains(terminal.screen(), "01.1 project: passed"));
    quit(terminal);
}

PROGRAM_TEST_CASE("watch: the next start opens what was open, and a word opens what it names") {
    start_afresh();
    {
        PseudoTerminal terminal;
        CHECK(terminal.shows("01.1 project: not started"));
        terminal.press("n");
        CHECK(terminal.shows("01.2 compute_qkv: not started"));
        quit(terminal);
    }
    using Words = std::vector<std::string>;
    for (const auto& [words, exercise] : std::vector<std::pair<Words, std::string>>{
             {{}, "01.2 compute_qkv"},
             {{"3.2"}, "03.2 softmax_rows"},
             {{"lessons/03_softmax/2_softmax_rows.cpp"}, "03.2 softmax_rows"},
             {{"05"}, "05.1 causal_mask"}}) {
        const auto& this_exercise = exercise; // clang 14 captures no binding
        CAPTURE(this_exercise);
        PseudoTerminal terminal(words);
        CHECK(terminal.shows(exercise + ": not started"));
        quit(terminal);
    }
    const Ended piped = course_program({"03.2"});
    CHECK(piped.status == 0);
    CHECK(contains(piped.out, "Next: 03.2 softmax_rows"));
}

PROGRAM_TEST_CASE("watch: in the list arrows choose, and Enter opens") {
    start_afresh();
    PseudoTerminal terminal;
    CHECK(terminal.shows("01.1 project: not started"));
    terminal.press("l");
    CHECK(terminal.shows("> · 01.1  project"));
    terminal.press("\x1b[Bj");
    CHECK(terminal.shows("> · 01.3  check_projection"));
    terminal.press("\x1b[6~\x1b[6~"); // further than fits the screen
    CHECK(terminal.shows("> · 07.2"));
    terminal.press("\x1b[F");
    CHECK(terminal.shows("> · " + last_exercise()));
    terminal.press("z\x1b[2~\x1b[15~"); // what means nothing closes nothing
    CHECK(terminal.draws());
    CHECK(contains(terminal.screen(), "> · " + last_exercise()));
    terminal.press("\x1b[H");
    CHECK(terminal.shows("> · 01.1  project"));
    terminal.press("?");
    CHECK(terminal.shows("Keys"));
    terminal.press("?");
    CHECK(terminal.shows("01.1 project: not started"));
    terminal.press("ljj\x1b[A\r");
    CHECK(terminal.shows("01.2 compute_qkv: not started"));
    quit(terminal);
}

PROGRAM_TEST_CASE("watch: earlier passes are known at once, and changed files are checked") {
    start_afresh();
    write_exercise(1, solution_of(1));
    write_exercise(2, solution_of(2));
    REQUIRE(course_program({"grade", "01.1", "01.2"}).status == 0);
    write_exercise(2, compute_qkv_with("    return {X, X, X};"));
    write_exercise(3, "#include \"linear_projections.hpp\"\n"); // never graded
    PseudoTerminal terminal({"01.1"}, 100, 40);
    CHECK(terminal.shows("01.1 project: passed"));
    CHECK(terminal.shows(passed(1))); // the others are graded in the background
    terminal.press("l");
    CHECK(terminal.shows("✗ 01.2"));
    CHECK(terminal.shows("✗ 01.3"));
    terminal.press("q");
    quit(terminal);
    PseudoTerminal checking({"01.2"}, 100, 40);
    CHECK(checking.shows("01.2 compute_qkv: checking …"));
    CHECK(checking.shows("01.2 compute_qkv: wrong"));
    quit(checking);
}

PROGRAM_TEST_CASE("watch: a short terminal shows the cause first, and scrolls") {
    start_afresh();
    write_exercise(1, project_with(element_wise));
    PseudoTerminal terminal({}, 80, 14); // too few lines for all of it
    CHECK(terminal.shows("01.1 project: wrong"));
    CHECK(terminal.shows("more lines: Space continues"));
    CHECK(contains(terminal.screen(),
                   "Most likely: The two matrices are multiplied element by element"));
    CHECK_FALSE(contains(terminal.screen(), "Change the file"));
    terminal.press("    ");
    CHECK(terminal.shows("Change the file"));
    CHECK(contains(terminal.screen(), "This is the end"));
    terminal.press("\x1b[5~\x1b[5~\x1b[5~");
    CHECK(terminal.shows("01.1 project: wrong"));
    quit(terminal);
}

LONG_PROGRAM_TEST_CASE("watch: the walk-through runs on the terminal, and Space comes back") {
    start_afresh();
    for (const int exercise : {1, 2, 3}) {
        write_exercise(exercise, solution_of(exercise));
    }
    PseudoTerminal terminal({"01.1"}, 90, 60);
    CHECK(terminal.shows("01.1 project: passed"));
    terminal.press("r");
    CHECK(terminal.shows("? X · W has three numbers. Which is the last?"));
    CHECK_FALSE(contains(terminal.screen(), "1  2  8"));
    terminal.press(" "); // the answer
    CHECK(terminal.shows("1  2  8"));
    terminal.press("\x03");
    CHECK(terminal.shows("Press Space to continue with 01.1."));
    save_in_place(1, stub_of(1));
    terminal.press(" ");
    CHECK(terminal.shows("01.1 project: not started"));
    quit(terminal);
}
