// What the program answers to its words, right ones and wrong ones.

#include "process/run.hpp"
#include "program.hpp"

namespace {

const std::vector<std::string> commands{"list", "grade", "run", "hint", "reset", "doctor"};

} // namespace

TEST_CASE("--help: of everything, on standard output") {
    const Ended all = course_program({"--help"});
    CHECK(all.status == 0);
    CHECK(all.err == "");
    for (const std::string& command : commands) {
        CAPTURE(command);
        CHECK(contains(all.out, "  " + command + " "));
        const Ended one = course_program({command, "--help"});
        CHECK(one.status == 0);
        CHECK(one.err == "");
        CHECK(contains(one.out, "Usage: ./course " + command));
    }
}

TEST_CASE(
    "an unknown lesson, command or option is answered in one line, with the nearest there is") {
    for (const char* command : {"grade", "run", "hint", "reset"}) {
        check_refused(course_program({command, "01_linear_projection"}),
                      "there is no lesson or exercise 01_linear_projection: did you mean "
                      "01_linear_projections? ./course list shows them all");
    }
    const Ended number = course_program({"grade", "99"});
    CHECK(number.status == 2);
    CHECK(number.err.starts_with(
        "course: there is no lesson or exercise 99; lessons go from 01 to "));
    check_refused(course_program({"grade", "3.7"}),
                  "lesson 03 has no exercise 03.7; it has 03.1 to 03.4");
    check_refused(course_program({"grad"}), "there is no command grad: did you mean grade? "
                                            "./course --help lists what there is");
    check_refused(course_program({"grade", "1", "--solutions"}),
                  "there is no option --solutions: did you mean --solution? ./course grade --help "
                  "lists what there is");
    check_refused(course_program({"list", "--xyzzyxyzzy"}),
                  "there is no option --xyzzyxyzzy; ./course list --help lists what there is");
    check_refused(course_program({"list", "01"}),
                  "list takes no 01; ./course list --help lists what there is");
}

TEST_CASE("a format that there is not is bad use") {
    const Ended ended = course_program({"grade", "1", "--format", "xml"});
    CHECK(ended.status == 2);
    CHECK(ended.out == "");
    CHECK(count(ended.err, "\n") == 1);
    CHECK(contains(ended.err, "xml"));
    CHECK(contains(ended.err, "(see ./course grade --help)"));
}

PROGRAM_TEST_CASE("--yes: every command takes it, before or after its name") {
    start_afresh();
    const Ended list = course_program({"list"});
    CHECK(course_program({"--yes", "list"}).out == list.out);
    CHECK(course_program({"list", "--yes"}).out == list.out);
    CHECK(course_program({"--yes"}).status == 0);
}

TEST_CASE("--yes: plot, a program of its own as are bench, book and class, takes it" *
          doctest::skip(!COURSE_EXPERIMENTS || !has_own_files())) {
    // Its own complaint is about --keys.
    const Ended plot = course_program({"plot", "--yes", "--keys", "0"});
    CHECK(plot.status == 2);
    CHECK(contains(plot.err, "--keys"));
    CHECK(!contains(plot.err, "--yes"));
}

PROGRAM_TEST_CASE("doctor: says what it found, and looks at the folders that grading writes in") {
    const auto fine = process::run({COURSE_PROGRAM, "doctor"});
    CHECK(contains(fine.output, "OpenBLAS"));
    CHECK(fine.status == (contains(fine.output, "All is well.\n") ? 0 : 1));
    const auto ended = process::run({"sh", "-c", "TMPDIR=/nowhere exec " COURSE_PROGRAM " doctor"});
    CHECK(ended.status == 1);
    CHECK(contains(ended.output, "PROBLEM  folder       what TMPDIR names cannot be written: "
                                 "No such file or directory\n"));
}

PROGRAM_TEST_CASE("output that cannot be written is told, with status 2") {
    start_afresh();
    for (const auto& words : {std::vector<std::string>{"list"},
                              {"grade", "1"},
                              {"hint", "01.1"},
                              {"--help"},
                              {"list", "--help"},
                              {}}) {
        const Ended ended = course_program_into("/dev/full", words);
        CHECK(ended.status == 2);
        CHECK(ended.err == "course: the output could not be written\n");
    }
}

PROGRAM_TEST_CASE("NO_COLOR: there are no escape codes on a terminal either") {
    if (process::run({"sh", "-c", "command -v script"}).status != 0) {
        MESSAGE("skipped: there is no script(1) to make a terminal with");
        return;
    }
    start_afresh();
    const std::vector<std::string> on_a_terminal{"script", "-qec", COURSE_PROGRAM " list",
                                                 "/dev/null"};
    const auto coloured = process::run(
        on_a_terminal, {.environment = {{"TERM", "xterm-256color"}, {"LC_ALL", "C.UTF-8"}}});
    CHECK(coloured.status == 0);
    CHECK(contains(coloured.output, "\x1b["));
    const auto plain = process::run(
        on_a_terminal,
        {.environment = {{"TERM", "xterm-256color"}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}}});
    CHECK(plain.status == 0);
    CHECK(!contains(plain.output, "\x1b"));
}
