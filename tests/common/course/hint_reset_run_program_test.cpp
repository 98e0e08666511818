#include <regex>

#include "course/files.hpp"
#include "program.hpp"

namespace fs = std::filesystem;
using course::read_file;

namespace {

/// The paths that reset says it kept copies at.
std::vector<fs::path> kept(const Ended& ended) {
    std::vector<fs::path> paths;
    const std::regex line("kept   (.+)");
    for (std::sregex_iterator each(ended.out.begin(), ended.out.end(), line), end; each != end;
         ++each) {
        paths.push_back(fs::path(COURSE_ROOT) / (*each)[1].str());
    }
    return paths;
}

} // namespace

TEST_CASE("hint: one level at a time, the first by default, and how to get the next") {
    start_afresh();
    const Ended first = course_program({"hint", "01.1"});
    CHECK(first.status == 0);
    CHECK(first.err == "");
    CHECK(first.out.starts_with("01.1 project, hint 1 of 3\n\n"));
    CHECK(first.out.ends_with("\nMore: ./course hint 01.1 --level 2\n"));
    CHECK(course_program({"hint", "1.1", "--level", "1"}).out == first.out);
    CHECK(course_program({"hint"}).out == first.out); // where one begins
    const Ended last = course_program({"hint", "01.1", "--level", "3"});
    CHECK(last.out.starts_with("01.1 project, hint 3 of 3\n\n"));
    CHECK(!contains(last.out, "More:"));
    CHECK(!contains(first.out + last.out, "<"));
}

TEST_CASE("hint: an invalid level, or a lesson instead of an exercise, is bad use") {
    for (const char* level : {"0", "4", "two"}) {
        CAPTURE(level);
        const Ended ended = course_program({"hint", "01.1", "--level", level});
        CHECK(ended.status == 2);
        CHECK(ended.out == "");
        CHECK(ended.err.starts_with("course: --level: "));
        CHECK(ended.err.ends_with(" (see ./course hint --help)\n"));
        CHECK(count(ended.err, "\n") == 1);
    }
    for (const char* word : {"1", "all"}) {
        check_refused(course_program({"hint", word}),
                      "say which exercise, as in ./course hint 01.1");
    }
}

PROGRAM_TEST_CASE("reset: the stub comes back, and an exact copy is kept at the reported place") {
    start_afresh();
    const Ended none = course_program({"reset", "all"});
    CHECK(none.status == 0);
    CHECK(none.out == "Nothing to reset: the stub is there already.\n");
    CHECK(!fs::exists(state()));
    std::string mine = "mine: é\r\n";
    mine += '\0';
    write_exercise(1, mine);
    const std::string file = fs::path(file_of(1)).lexically_relative(COURSE_ROOT);
    const Ended first = course_program({"reset", "1"});
    CHECK(first.status == 0);
    CHECK(first.out.starts_with(file + "\nkept   "));
    CHECK(first.out.ends_with("\nreset  " + file + "\n"));
    REQUIRE(kept(first).size() == 1);
    CHECK(read_file(kept(first)[0]) == mine);
    CHECK(read_file(file_of(1)) == stub_of(1));

    // Probably within the same second: both copies are kept.
    write_exercise(1, "mine, again");
    write_exercise(3, "another");
    const Ended second = course_program({"--yes", "reset", "01"});
    REQUIRE(kept(second).size() == 2);
    CHECK(read_file(kept(second)[0]) == "mine, again");
    CHECK(read_file(kept(second)[1]) == "another");
    CHECK(read_file(kept(first)[0]) == mine);
    CHECK(kept(first)[0] != kept(second)[0]);
    CHECK(read_file(file_of(3)) == stub_of(3));
}

PROGRAM_TEST_CASE("reset: if no copy can be kept, nothing is changed") {
    start_afresh();
    write_exercise(1, "mine");
    course::write_file(state(), "a file");
    const Ended ended = course_program({"reset", "01.1", "--yes"});
    CHECK(ended.status == 2);
    CHECK(count(ended.err, "\n") == 1);
    CHECK(contains(ended.err, "Not a directory"));
    CHECK(read_file(file_of(1)) == "mine");
    fs::remove(state());
}

PROGRAM_TEST_CASE(
    "run: on stubs it stops at the first that is missing, and names file and function") {
    start_afresh();
    const Ended ended = course_program({"run", "1"});
    CHECK(ended.status == 1);
    CHECK(contains(ended.out, "1. One position, one map"));
    CHECK(contains(ended.err, "Here the walk-through needs 01.1, which is not written yet.\nWrite "
                              "project in "));
    CHECK(contains(ended.err, "01_linear_projections/1_project.cpp,\nthen run this again."));

    write_exercise(1, project_with("    return quux;"));
    const Ended broken = course_program({"run", "1"});
    CHECK(broken.status == 1);
    CHECK(contains(broken.out, "✗ 01.1 project: does not compile\n"));
    CHECK(contains(broken.out, "Nothing here is called quux"));

    write_exercise(1, project_with("    return X;"));
    const Ended wrong = course_program({"run", "1"});
    CHECK(contains(wrong.out, "1. One position, one map"));
    CHECK(contains(wrong.err,
                   "(01.1 does not pass yet: the text below may not fit your numbers.)\n"));
}

TEST_CASE("run --solution: walks through a lesson, and passes options on") {
    const Ended one = course_program({"run", "1", "--solution"});
    CHECK(one.status == 0);
    CHECK(one.err == "");
    CHECK(contains(one.out, "1. One position, one map"));
    CHECK(!contains(one.out, "\x1b"));
    const Ended odd = course_program({"run", "1", "--solution", "--", "--fast"});
    CHECK(odd.status == 2);
    CHECK(odd.out == "");
    CHECK(count(odd.err, "\n") == 1);
    CHECK(odd.err == "course: this walk-through has no options, got --fast\n");
    if (!COURSE_BRIEF) { // which would build another walk-through
        const Ended help = course_program({"run", "6", "--solution", "--", "--help"});
        CHECK(help.status == 0);
        CHECK(contains(help.out, "the options are --trials N, --keys N and --max-dk N."));
    }
    const Ended full = course_program_into("/dev/full", {"run", "1", "--solution"});
    CHECK(full.status == 2);
    CHECK(full.err == "course: the output could not be written\n");
}

PROGRAM_TEST_CASE("solution: unasked, it is shown only once the exercise is passed") {
    start_afresh();
    check_refused(course_program({"solution", "01.1"}), // nobody is there to answer
                  "01.1 is not passed yet; ./course solution 01.1 --yes shows the solution anyway");
    const Ended before = course_program({"solution", "01.1", "--yes"});
    CHECK(before.status == 0);
    CHECK(contains(before.out, "01.1 project, our solution: one possibility of many"));
    CHECK(!contains(before.out, "// solution"));
    write_exercise(1, solution_of(1));
    CHECK(contains(course_program({"solution", "01.1"}).out, "-    // solution"));
    check_refused(course_program({"solution", "1"}),
                  "say which exercise, as in ./course solution 01.1");
}
