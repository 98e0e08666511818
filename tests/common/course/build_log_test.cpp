// Output of ninja 1.11 and of compilers, with the file names of the course.

#include "course/grading/build_log.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "process/run.hpp"

using course::BuildResult;
using course::limit_in;
using course::machine_fault_in;
using course::read_build_log;

namespace {

using Texts = std::map<std::string, std::string>;

} // namespace

TEST_CASE("read_build_log: a build without failures is ok, warnings or not") {
    CHECK(read_build_log("").ok);
    CHECK(read_build_log("ninja: Entering directory `build'\nninja: no work to do.\n").ok);
    const BuildResult result = read_build_log("ninja: Entering directory `build'\n"
                                              "@step 1/2 Building a.o\n"
                                              "a.cpp:9:12: warning: unused variable 'n'\n"
                                              "@step 2/2 Linking submission_01.1\n");
    CHECK(result.ok);
    CHECK(result.warnings ==
          Texts{{"a.o", "a.cpp:9:12: warning: unused variable 'n'\n"}, {"submission_01.1", ""}});
}

TEST_CASE("read_build_log: the compiler's words go to the file that failed, without the command") {
    const BuildResult result = read_build_log(
        "ninja: Entering directory `build'\n"
        "@step 1/4 Building CXX object CMakeFiles/exercise_01.1.dir/1_project.cpp.o\n"
        "FAILED: CMakeFiles/exercise_01.1.dir/1_project.cpp.o \n"
        "/usr/bin/c++ -DX -O1 -c 1_project.cpp\n"
        "1_project.cpp:9:12: error: expected ';'\n"
        "    9 |     return X\n"
        "@step 2/4 Building CXX object b.o\n"
        "b.cpp:3:1: warning: not for us\n"
        "@step 3/4 Linking CXX executable submission_01.3\n"
        "FAILED: submission_01.3 \n"
        ": && /usr/bin/c++ -o submission_01.3 && :\n"
        "@step 4/4 Linking CXX executable submission_01.2\n"
        "FAILED: submission_01.2 \n"
        ": && /usr/bin/c++ -o submission_01.2 && :\n"
        "undefined reference to `lesson::compute_qkv'\n"
        "ninja: build stopped: cannot make progress due to previous errors.\n");
    CHECK(!result.ok);
    CHECK(result.failures ==
          Texts{{"CMakeFiles/exercise_01.1.dir/1_project.cpp.o",
                 "1_project.cpp:9:12: error: expected ';'\n    9 |     return X\n"},
                {"submission_01.3", ""},
                {"submission_01.2", "undefined reference to `lesson::compute_qkv'\n"}});
}

TEST_CASE("read_build_log: trouble of ninja itself belongs to no file") {
    const BuildResult result = read_build_log("ninja: error: '/x/1_project.cpp' is missing\n");
    CHECK(!result.ok);
    CHECK(result.failures == Texts{{"", "'/x/1_project.cpp' is missing\n"}});
}

TEST_CASE("machine_fault_in: a compiler that was killed or found no room is the machine's fault") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"c++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n",
         "the compiler was killed; most likely the machine ran out of memory"},
        {"clang: error: unable to execute command: Killed\nclang: error: clang frontend command "
         "failed due to signal (use -v to see invocation)\n",
         "the compiler was killed; most likely the machine ran out of memory"},
        {"collect2: fatal error: ld terminated with signal 9 [Killed]\n",
         "the linker was killed; most likely the machine ran out of memory"},
        {"c++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily unavailable\n",
         "no process could be started"},
        {"{standard input}: Fatal error: can't write 37 bytes to section .text of x.o: No space "
         "left on device\n",
         "there was no space left on the disk"},
        {"lessons/1_project.cpp:21:1: fatal error: error writing to /tmp/cc1.s: No space left on "
         "device\n   21 | } // namespace lesson\n",
         "there was no space left on the disk"},
        {"prlimit: failed to set the FSIZE resource limit: Operation not permitted\n",
         "this shell or this machine has a limit below what a compiler needs; ulimit -a shows "
         "them"}};
    for (const auto& [log, fault] : cases) {
        CHECK(machine_fault_in(log) == fault);
    }
}

TEST_CASE("limit_in: a compiler that was ended at a limit says which") {
    const std::string time = "Compiling it took too long, and was stopped after ";
    const std::string memory = "Compiling it needed too much memory: more than ";
    const std::string file = "The compiled file is too large: more than ";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"timeout: sending signal TERM to command 'prlimit'", time},
        {"c++: internal compiler error: CPU time limit exceeded signal terminated program cc1plus",
         time},
        {"/usr/bin/timeout: sending signal TERM to command ‘prlimit’", time},
        {"cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes", memory},
        {"/usr/bin/ld: final link failed: memory exhausted", memory},
        {"virtual memory exhausted: Cannot allocate memory", memory},
        {"c++: fatal error: cannot execute ‘cc1plus’: vfork: Cannot allocate memory", memory},
        {"LLVM ERROR: out of memory", memory},
        {"terminate called after throwing an instance of 'std::bad_alloc'", memory},
        {"c++: fatal error: File size limit exceeded signal terminated program as", file},
        {"collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]", file},
        {"File size limit exceeded", file}};
    for (const auto& [line, sentence] : cases) {
        const auto& this_line = line; // clang 14 captures no binding
        CAPTURE(this_line);
        const std::string log = "1_project.cpp:9:5: warning: unused\n" + line + "\n";
        CHECK(limit_in(log).starts_with(sentence));
        CHECK(machine_fault_in(log).empty());
    }
}

TEST_CASE("limit_in: a quotation of the exercise is not a limit") {
    for (const std::string line :
         {"1_project.cpp:9:5: error: no matching function for call to ‘std::bad_alloc::f(int)’",
          "   12 |     throw std::bad_alloc(\"out of memory\");",
          "/root/lessons/1_project.cpp: In function 'void f(std::bad_alloc)':",
          "/usr/bin/ld: exercise.o: in function `lesson::f(std::bad_alloc&)':",
          "1_project.cpp:3:15: error: static assertion failed: memory exhausted"}) {
        const auto& this_line = line; // clang 14 captures no binding
        CAPTURE(this_line);
        CHECK(limit_in(line + "\n").empty());
    }
}

TEST_CASE("first_mebibyte: a compiler's words pass, but no more than 1 MiB of them") {
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
