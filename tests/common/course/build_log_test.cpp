// What ninja 1.11 printed, with the file names of the course.

#include "course/grading/build.hpp"

#include <doctest/doctest.h>

#include "process/run.hpp"

using course::BuildResult;

namespace {

BuildResult read_build_log(const std::string& log) {
    return course::read_build_log(log, "@step ");
}

} // namespace

TEST_CASE("read_build_log: a build without failures is ok, warnings or not") {
    CHECK(read_build_log("").ok);
    CHECK(read_build_log("ninja: Entering directory `build'\nninja: no work to do.\n").ok);
    CHECK(read_build_log("ninja: Entering directory `build'\n"
                         "@step 1/2 Building CXX object exercise_01.1.dir/1_project.cpp.o\n"
                         "1_project.cpp:9:12: warning: unused variable 'n'\n"
                         "@step 2/2 Linking CXX executable submission_01.1\n")
              .ok);
}

TEST_CASE(
    "read_build_log: what the compiler said goes to the file that failed, without the command") {
    const BuildResult result = read_build_log(
        "ninja: Entering directory `build'\n"
        "@step 1/4 Building CXX object CMakeFiles/exercise_01.1.dir/1_project.cpp.o\n"
        "FAILED: CMakeFiles/exercise_01.1.dir/1_project.cpp.o \n"
        "/usr/bin/c++ -DX -O1 -c 1_project.cpp\n"
        "1_project.cpp:9:12: error: expected ';'\n"
        "    9 |     return X\n"
        "@step 2/4 Building CXX object CMakeFiles/exercise_01.2.dir/2_compute_qkv.cpp.o\n"
        "2_compute_qkv.cpp:3:1: warning: not for us\n"
        "@step 3/4 Linking CXX executable submission_01.3\n"
        "FAILED: submission_01.3 \n"
        ": && /usr/bin/c++ -o submission_01.3 && :\n"
        "undefined reference to `lesson::check_projection'\n"
        "ninja: build stopped: cannot make progress due to previous errors.\n");
    CHECK(!result.ok);
    REQUIRE(result.failures.size() == 2);
    CHECK(result.failures.at("CMakeFiles/exercise_01.1.dir/1_project.cpp.o") ==
          "1_project.cpp:9:12: error: expected ';'\n    9 |     return X\n");
    CHECK(result.failures.at("submission_01.3") ==
          "undefined reference to `lesson::check_projection'\n");
}

TEST_CASE("read_build_log: what is said about files that were made is kept as warnings") {
    const BuildResult result = read_build_log(
        "@step 1/3 Building a.o\na.cpp:1:1: warning: unused\n@step 2/3 Building b.o\nFAILED: b.o "
        "\ng++ -c b.cpp\n"
        "b.cpp:1:1: error: no\n@step 3/3 Building c.o\nc.cpp:1:1: warning: shadow\n");
    CHECK(result.warnings ==
          std::map<std::string, std::string>{{"a.o", "a.cpp:1:1: warning: unused\n"},
                                             {"b.o", ""},
                                             {"c.o", "c.cpp:1:1: warning: shadow\n"}});
    CHECK(result.failures.at("b.o") == "b.cpp:1:1: error: no\n");
}

TEST_CASE("read_build_log: a failure that says nothing is still a failure") {
    const BuildResult result = read_build_log("@step 1/1 Linking\nFAILED: a.o \ng++ -c a.cpp\n");
    CHECK(!result.ok);
    CHECK(result.failures.at("a.o").empty());
}

TEST_CASE("read_build_log: trouble of ninja itself belongs to no file") {
    const BuildResult result =
        read_build_log("ninja: error: '/x/1_project.cpp', needed by 'a.o', missing and no known "
                       "rule to make it\n");
    CHECK(!result.ok);
    CHECK(result.failures.at("") ==
          "'/x/1_project.cpp', needed by 'a.o', missing and no known rule to make it\n");
}

TEST_CASE("read_build_log: what a compiler prints is never taken for ninja's") {
    const BuildResult result = course::read_build_log(
        "@step 5eed 1/3 Building a.o\n"
        "FAILED: a.o \n"
        "g++ -c a.cpp\n"
        "FAILED: grader \n"
        "g++ -c grader.cpp\n"
        "ninja: error: no more\n"
        "ninja: build stopped.\n"
        "@step 1/3 Building grader\n"
        "FAILED: grader \n"
        "g++ -c grader.cpp\n"
        "a.cpp:1:1: error: no@step 5eed 2/3 Building b.o\n"
        "FAILED: b.o \n"
        "g++ -c b.cpp\n"
        "b.cpp:1:1: error: no\n"
        "@step 5eed 3/3 Building c.o\n"
        "c.cpp:1:1: warning: unused\n"
        "FAILED: c.o \n"
        "ninja: build stopped: cannot make progress due to previous errors.\n",
        "@step 5eed ");
    REQUIRE(result.failures.size() == 2);
    CHECK(result.failures.at("a.o") == "FAILED: grader \ng++ -c grader.cpp\nninja: error: no more\n"
                                       "ninja: build stopped.\n@step 1/3 Building grader\n"
                                       "FAILED: grader \ng++ -c grader.cpp\n"
                                       "a.cpp:1:1: error: no\n");
    CHECK(result.failures.at("b.o") == "b.cpp:1:1: error: no\n");
    CHECK(result.warnings.at("c.o") == "c.cpp:1:1: warning: unused\nFAILED: c.o \n");
}

TEST_CASE("last_lines: why the build tool stopped, not the steps before") {
    std::string log = "ninja: Entering directory `build'\n";
    for (int i = 0; i < 1000; ++i) {
        log += "@step 1/1000 CXX a.o\n";
    }
    log += "warning: é\n";
    CHECK(course::last_lines(log + "ninja: build stopped: interrupted by user.\n", "@step ") ==
          "ninja: Entering directory `build'\nwarning: é\n"
          "ninja: build stopped: interrupted by user.\n");
    for (int i = 0; i < 1000; ++i) {
        log += "what a compiler said\n";
    }
    const std::string last =
        course::last_lines(log + "ninja: build stopped: interrupted.\n", "@step ");
    CHECK(last.size() <= 2000);
    CHECK(last.starts_with("what a compiler said\n"));
    CHECK(last.ends_with("\nninja: build stopped: interrupted.\n"));
}

TEST_CASE("first_mebibyte: of what a compiler says, all that is ordinary and no more than 1 MiB") {
    const auto let_through = [](const std::string& command) {
        return process::run({"bash", COURSE_ROOT "/cmake/first_mebibyte", "sh", "-c", command});
    };
    const process::Finished ordinary = let_through("echo said; echo of errors >&2; exit 3");
    CHECK(ordinary.output == "said\nof errors\n");
    CHECK(ordinary.status == 3);
    const process::Finished endless = let_through("yes");
    const std::string last = "\nfirst_mebibyte: there was more\n";
    CHECK(endless.output.size() == (std::size_t{1} << 20) + last.size());
    CHECK(endless.output.ends_with(last));
    CHECK(endless.status != 0);
}
