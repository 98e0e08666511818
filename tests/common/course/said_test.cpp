#include "course/explain/said.hpp"

#include <doctest/doctest.h>

#include "course/grading/build.hpp"

using course::said_in;

namespace {

std::string times(int number, const std::string& text) {
    std::string all;
    for (int i = 0; i < number; ++i) {
        all += text;
    }
    return all;
}

const std::string error = "x.cpp:1:1: error: ";

} // namespace

TEST_CASE("said_in: what is as long as what compilers say stays as it is") {
    for (const std::string text : {"", "\n", "one\n\nthree\n"}) {
        CHECK(said_in(text) == text);
    }
    CHECK(said_in("no end of line") == "no end of line\n");
    const std::string many = times(4000, error + "no\n");
    CHECK(said_in(many) == many);
}

TEST_CASE("said_in: of a line its beginning stays, and that it was about an error") {
    CHECK(said_in(error + times(2'000'000, "é") + "\nthen\n").size() < 20'000);
    CHECK(said_in(error + times(20'000, "é") + "\nthen\n").ends_with("é …\nthen\n"));
    CHECK(said_in(times(30'000, "x") + ": error: no\n").ends_with("x … error: …\n"));
}

TEST_CASE("said_in: of many lines the first, the last and the first error between them stay") {
    const std::string warnings = times(30'000, "x.cpp:1:1: warning: w\n");
    const std::string said = said_in("first\n" + warnings + error + "this\n" + warnings + error +
                                     "another\n" + warnings + "timeout: sending signal\n");
    CHECK(said.size() < 600'000);
    CHECK(said.starts_with("first\nx.cpp:1:1: warning: w\n"));
    CHECK(said.find("\n…\n" + error + "this\nx.cpp:1:1: warning: w\n") != std::string::npos);
    CHECK(said.find("another") == std::string::npos);
    CHECK(said.ends_with("x.cpp:1:1: warning: w\ntimeout: sending signal\n"));
}

TEST_CASE("read_build_log, last_lines: a message of megabytes is cut") {
    const std::string message = error + times(2'000'000, "‘") + "\n";
    const std::string log = "@step 1/2 Building a.o\nFAILED: a.o \ng++ -c a.cpp\n" + message +
                            times(30'000, "x") + "@step 2/2 Building b.o\nx.cpp: a warning\n";
    const course::BuildResult result = course::read_build_log(log, "@step ");
    CHECK(result.failures.at("a.o").starts_with(error + "‘‘‘"));
    CHECK(result.failures.at("a.o").size() < 40'000);
    CHECK(result.warnings.at("b.o") == "x.cpp: a warning\n");
    CHECK(course::last_lines(message + "ninja: build stopped: interrupted.\n", "@step ") ==
          "ninja: build stopped: interrupted.\n");
}
