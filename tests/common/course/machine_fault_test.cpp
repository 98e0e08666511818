// What is the machine's fault and what the exercise's, from what a compiler printed; and the
// verdicts that are kept.

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "course/commands/printing.hpp"
#include "course/grading/build.hpp"
#include "course/grading/verdict_cache.hpp"
#include "process/start.hpp"
#include "support/temporary_folder.hpp"

using namespace course;

namespace {

constexpr Machine full_disk{.has_no_room = true};
constexpr Machine limited{.limits_files = true};

std::string fault(const std::string& log, const Machine& machine = {}) {
    return machine_fault_in(log, machine);
}

} // namespace

TEST_CASE("machine_fault_in: a compiler that was killed, or found no room, is the machine's") {
    CHECK(fault("c++: fatal error: Killed signal terminated program cc1plus\n"
                "compilation terminated.\n") ==
          "the compiler was killed; most likely the machine had not enough memory");
    CHECK(fault("{standard input}: Fatal error: can't write 37 bytes to section .text of x.o: No "
                "space left on device\n",
                full_disk) == "there was no space left on the disk");
    CHECK(fault("c++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily "
                "unavailable\n") == "no process could be started");
    CHECK(
        fault("lessons/1_project.cpp:21:1: fatal error: error writing to /tmp/cc1.s: No space left "
              "on device\n   21 | } // namespace lesson\n",
              full_disk) == "there was no space left on the disk");
    CHECK(fault("collect2: fatal error: ld terminated with signal 9 [Killed]\n")
              .starts_with("the linker was killed"));
}

TEST_CASE("machine_fault_in: a limit below those that the course sets is the machine's") {
    CHECK(fault("prlimit: failed to set the FSIZE resource limit: Operation not permitted\n") ==
          "this shell or this machine has a limit below what a compiler needs; ulimit -a shows "
          "them");
    const std::string linked =
        "collect2: fatal error: ld terminated with signal 25 [File size limit "
        "exceeded]\n";
    const std::string files =
        "this shell or this machine limits how large a file may be; ulimit -f shows it";
    CHECK(fault(linked, limited) == files);
    CHECK(fault(linked).empty());
    CHECK(limit_in(linked).starts_with("The compiled file is too large: more than "));
    CHECK(fault("/usr/bin/ld: final link failed: File too large\n", limited) == files);
}

TEST_CASE("machine_fault_in: what the exercise has the compiler say is no evidence") {
    CHECK(fault("lessons/1_project.cpp:3:2: error: #error No space left on device\n"
                "    3 | #error No space left on device\n"
                "      |  ^~~~~\n")
              .empty());
    CHECK(fault("lessons/1_project.cpp:3:1: error: static assertion failed: Killed signal "
                "terminated program\n")
              .empty());
    CHECK(
        fault(
            "lessons/1_project.cpp:3:19: error: error writing to /tmp/x: No space left on device\n"
            "    3 | #pragma GCC error \"error writing to /tmp/x: No space left on device\"\n")
            .empty());
    CHECK(fault("lessons/1_project.cpp:9:5: error: 'x' was not declared in this scope\n").empty());
}

TEST_CASE("machine_fault_in: what the exercise has printed on lines of its own is no evidence") {
    const std::string killed = "c++: fatal error: Killed signal terminated program cc1plus";
    const std::string wrong = ":30:9: error: invalid conversion from 'const char*' to 'int'\n";
    // #line with that for a file's name, with and without an end of line in it
    CHECK(fault("In file included from " + killed + ":1:\n" + killed + wrong).empty());
    CHECK(fault("In file included from a\n" + killed + "\nb:1:\na\n" + killed + "\nb" + wrong)
              .empty());
    CHECK(fault("a\nNo space left on device" + wrong).empty());
    // static_assert, and __attribute__((error))
    CHECK(fault("1_project.cpp:28:15: error: static assertion failed: \nNo space left on device\n" +
                killed + "\n")
              .empty());
    CHECK(fault("1_project.cpp:28:5: error: call to 'boom' declared with attribute error: x\n" +
                killed + "\n")
              .empty());
    // the assembler's .print and .file
    CHECK(fault(killed + "\n/tmp/cc.s: Assembler messages:\n/tmp/cc.s:9: Error: no such "
                         "instruction: `bogus'\n")
              .empty());
    CHECK(fault(killed + ": Assembler messages:\n" + killed + ":9: Error: no such instruction\n")
              .empty());
    // a section of warnings that the linker reads
    CHECK(fault("1_project.cpp:(.text+0x5): warning: \n" + killed +
                "\n/usr/bin/ld: undefined reference to `lesson::project()'\n"
                "collect2: error: ld returned 1 exit status\n")
              .empty());
    // a compiler that the exercise itself has crash
    CHECK(fault(killed + "\nc++: internal compiler error: Segmentation fault signal terminated "
                         "program cc1plus\n")
              .empty());
}

TEST_CASE("machine_fault_in: of more than is let through nobody knows how it ends") {
    const std::string killed = "collect2: fatal error: ld terminated with signal 9 [Killed]\n";
    CHECK(fault(killed + "0123456789\n").starts_with("the linker was killed"));
    CHECK(fault(killed + "0123456789\nfirst_mebibyte: there was more\n").empty());
}

TEST_CASE("machine_fault_in: clang's driver is believed, too") {
    CHECK(fault("clang: error: unable to execute command: Killed\nclang: error: clang frontend "
                "command failed due to signal (use -v to see invocation)\n")
              .starts_with("the compiler was killed"));
}

TEST_CASE("ask_machine: a disk with room for a build has room") {
    Project project;
    project.build = COURSE_BUILD;
    CHECK_FALSE(ask_machine(project).has_no_room);
}

TEST_CASE("limit_in: a compiler that was ended at a limit says which") {
    CHECK(limit_in("timeout: sending signal TERM to command 'prlimit'\n")
              .starts_with("Compiling it took too long, and was stopped after "));
    CHECK(limit_in("cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes\n")
              .starts_with("Compiling it needed too much memory: more than "));
    CHECK(limit_in("/usr/bin/ld: final link failed: memory exhausted\n")
              .starts_with("Compiling it needed too much memory: more than "));
    CHECK(limit_in("c++: fatal error: File size limit exceeded signal terminated program as\n")
              .starts_with("The compiled file is too large: more than "));
    for (const std::string line : {
             "/usr/bin/timeout: sending signal TERM to command ‘prlimit’",
             "virtual memory exhausted: Cannot allocate memory",
             "/usr/bin/ld.gold: out of memory",
             "c++: fatal error: cannot execute ‘cc1plus’: vfork: Cannot allocate memory",
             "LLVM ERROR: out of memory",
             "terminate called after throwing an instance of 'std::bad_alloc'",
             "collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]",
             "g++: internal compiler error: File size limit exceeded signal terminated program as",
             "File size limit exceeded",
         }) {
        CAPTURE(line);
        CHECK(!limit_in("1_project.cpp:9:5: warning: unused\n" + line + "\n").empty());
    }
    CHECK(limit_in("1_project.cpp:9:5: error: expected ';'\n").empty());
}

TEST_CASE("limit_in: what a compiler quotes of the exercise is no limit") {
    for (const std::string words :
         {"std::bad_alloc", "memory exhausted", "out of memory allocating",
          "Cannot allocate memory", "timeout: sending signal", "File size limit exceeded"}) {
        for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
                 {"1_project.cpp:9:5: error: no matching function for call to ‘", "::f(int)’"},
                 {"   12 |     throw ", "(\"too large\");"},
                 {"    throw ", "(\"too large\");"},
                 {"1_project.cpp: In function ‘void lesson::f(const ", "&)’:"},
                 {"/root/lessons/1_project.cpp: In function 'void f(", " g = 'x')':"},
                 {"/usr/bin/ld: exercise.o: in function `lesson::f(", "&)':"},
                 {"1_project.cpp:3:2: error: #error ", ""},
                 {"1_project.cpp:3:15: error: static assertion failed: ", ""},
                 {"In file included from ", ".hpp:1:"}}) {
            const std::string line = before + words + after;
            CAPTURE(line);
            CHECK(limit_in(line + "\n").empty());
        }
    }
}

TEST_CASE("BuildLock: what is started while it is held, and does not end, does not keep it") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    pid_t child = -1;
    {
        const BuildLock lock(project);
        child = process::start({{"sleep", "60"}});
    }
    const int file = open((folder / "course.lock").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(file >= 0);
    CHECK(flock(file, LOCK_EX | LOCK_NB) == 0);
    close(file);
    kill(child, SIGKILL);
    process::wait_for(child);
}

TEST_CASE("kept_verdict: a verdict comes back by its key; one with an unknown state does not") {
    std::string pattern = (std::filesystem::temp_directory_path() / "kept-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    Project project;
    project.state = pattern;
    Exercise exercise;
    exercise.id = "03.2";
    judge::Verdict verdict;
    verdict.exercise = "03.2";
    verdict.state = judge::State::wrong;
    keep_verdict(project, exercise, "key", verdict);
    CHECK(kept_verdict(project, exercise, "key") == verdict);
    CHECK(kept_verdict(project, exercise, "") == verdict);
    CHECK_FALSE(kept_verdict(project, exercise, "another"));
    verdict.state = judge::State::grader_at_fault;
    keep_verdict(project, exercise, "fault", verdict);
    CHECK_FALSE(kept_verdict(project, exercise, "fault"));
    const auto file = project.state / "verdicts" / "03.2.json";
    std::string text;
    std::getline(std::ifstream(file), text, '\0');
    text.replace(text.find("\"wrong\""), 7, "\"great\"");
    std::ofstream(file) << text;
    CHECK_FALSE(kept_verdict(project, exercise, "key"));
    std::filesystem::remove_all(pattern);
}

TEST_CASE("ended_by_signal: what may have killed a program; nothing where somebody ended it") {
    CHECK(course::ended_by_signal(137) ==
          "was ended by signal 9 (Killed): the memory may not have been enough");
    CHECK(course::ended_by_signal(139) == "was ended by signal 11 (Segmentation fault)");
    for (const int status : {0, 1, 2, 128, 130, 143}) {
        CHECK(course::ended_by_signal(status).empty());
    }
}
