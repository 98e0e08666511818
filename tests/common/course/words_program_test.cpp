// The program's answers to right and wrong command lines.

#include "process/run.hpp"
#include "program.hpp"

TEST_CASE("an unknown lesson is refused in one line, with the nearest; so is an unknown option") {
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
    check_refused(
        course_program({"grade", "1", "--solutions"}),
        "The following argument was not expected: --solutions (see ./course grade --help)");
}

PROGRAM_TEST_CASE("--yes: every command takes it, before or after its name") {
    start_afresh();
    const Ended list = course_program({"list"});
    CHECK(course_program({"--yes", "list"}).out == list.out);
    CHECK(course_program({"list", "--yes"}).out == list.out);
    CHECK(course_program({"--yes"}).status == 0);
}

PROGRAM_TEST_CASE("doctor: reports what it found, and checks the folders that grading writes to") {
    const auto fine = process::run({COURSE_PROGRAM, "doctor"});
    CHECK(contains(fine.output, "OpenBLAS"));
    CHECK(fine.status == (contains(fine.output, "All is well.\n") ? 0 : 1));
    const auto ended = process::run({"sh", "-c", "TMPDIR=/nowhere exec " COURSE_PROGRAM " doctor"});
    CHECK(ended.status == 1);
    CHECK(contains(ended.output, "PROBLEM  folder       what TMPDIR names cannot be written: "
                                 "No such file or directory\n"));
}

PROGRAM_TEST_CASE("output that cannot be written is reported, with status 2") {
    start_afresh();
    for (const auto& words :
         {std::vector<std::string>{"list"}, {"grade", "1"}, {"hint", "01.1"}, {}}) {
        const Ended ended = course_program_into("/dev/full", words);
        CHECK(ended.status == 2);
        CHECK(ended.err == "course: the output could not be written\n");
    }
}

PROGRAM_TEST_CASE("NO_COLOR: there are no colours on a terminal either") {
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
    CHECK(contains(coloured.output, "\x1b[1m"));
    const auto plain = process::run(
        on_a_terminal,
        {.environment = {{"TERM", "xterm-256color"}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}}});
    CHECK(plain.status == 0);
    CHECK(!contains(plain.output, "\x1b[1m"));
}
