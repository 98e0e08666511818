#include "process/run.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

#include "process/pipe.hpp"

using process::Finished;
using process::run;

namespace {

std::vector<std::string> shell(const std::string& script) {
    return {"sh", "-c", script};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool has_ended(pid_t process) {
    if (kill(process, 0) != 0) {
        return true;
    }
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(status, text);
    // nobody's, until init looks
    return text.find(") Z ") != std::string::npos || text.find(") X ") != std::string::npos;
}

/// A killed process exists until the machine has had time to end it.
bool ends(pid_t process) {
    const auto start = std::chrono::steady_clock::now();
    while (!has_ended(process) && seconds_since(start) < 10) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return has_ended(process);
}

} // namespace

TEST_CASE("run: returns the exit status and the output, with errors merged in by default") {
    const Finished merged = run(shell("echo out; echo err >&2; exit 3"));
    CHECK(merged.status == 3);
    CHECK(merged.output == "out\nerr\n");
    CHECK(!merged.late);
    const Finished apart = run(shell("echo out; echo not shown here >&2"), {.merge_errors = false});
    CHECK(apart.status == 0);
    CHECK(apart.output == "out\n");
}

TEST_CASE("run: a program whose output is captured gets no input, and leaves ours alone") {
    const process::Descriptor before(dup(STDIN_FILENO));
    process::Pipe input;
    REQUIRE(write(input.write_end.number(), "ours\n", 5) == 5);
    input.write_end.close();
    dup2(input.read_end.number(), STDIN_FILENO);
    CHECK(run(shell("cat")).output.empty());
    CHECK(run(shell("cat"), {.merge_errors = false}).output.empty());
    CHECK(run(shell("read line; test \"$line\" = ours"), {.capture = false}).status == 0);
    dup2(before.number(), STDIN_FILENO);
}

TEST_CASE("run: a program ended by a signal has status 128 and its number") {
    CHECK(run(shell("kill -SEGV $$")).status == 128 + SIGSEGV);
    CHECK(run(shell("kill -KILL $$")).status == 128 + SIGKILL);
}

TEST_CASE("run: a program whose output is captured gets little of our environment, and what is "
          "requested") {
    for (const char* name : {"LANGUAGE", "CLICOLOR_FORCE", "GIT_DIR", "NINJA_STATUS"}) {
        setenv(name, "ours", 1);
    }
    CHECK(run(shell("echo $COURSE_A $COURSE_B $LC_ALL; test -n \"$PATH\" && env | grep =ours"),
              {.environment = {{"COURSE_A", "1"}, {"COURSE_B", "x y"}}})
              .output == "1 x y C.UTF-8\n");
    for (const char* name : {"LANGUAGE", "CLICOLOR_FORCE", "GIT_DIR", "NINJA_STATUS"}) {
        unsetenv(name);
    }
}

TEST_CASE("run: each finished line is reported, without its newline") {
    std::vector<std::string> lines;
    const Finished finished =
        run(shell("printf 'one\\n\\nthree\\nunfinished'"),
            {.on_line = [&](const std::string& line) { lines.push_back(line); }});
    CHECK(lines == std::vector<std::string>{"one", "", "three"});
    CHECK(finished.output == "one\n\nthree\nunfinished");
}

TEST_CASE("run: what a late program has started ends with it, in any group" *
          doctest::skip(!std::filesystem::exists("/proc/self/task"))) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("run_test_" + std::to_string(getpid()) + "_written_late");
    const std::string later = "setsid sh -c 'sleep 2; touch " + file.string() + "' & wait";
    CHECK(run(shell(later), {.time = std::chrono::seconds(1)}).late);
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    CHECK_FALSE(std::filesystem::exists(file));
    std::filesystem::remove(file);
}

TEST_CASE("run: the time limit and stop hold, also for a program that has closed its output") {
    const auto start = std::chrono::steady_clock::now();
    const auto silent = shell("echo begun; exec sleep 60 >&- 2>&-");
    for (const auto& command : {shell("echo begun; exec sleep 60"), silent}) {
        const Finished late = run(command, {.time = std::chrono::seconds(1)});
        CHECK(late.late);
        CHECK(late.status == 128 + SIGKILL);
        CHECK(late.output == "begun\n");
    }
    const Finished stopped = run(silent, {.stop = [&] { return seconds_since(start) > 2.5; }});
    CHECK(!stopped.late);
    CHECK(stopped.status == 128 + SIGTERM);
    CHECK(seconds_since(start) < 20);
}

TEST_CASE("run: does not wait for processes that the program leaves behind, silent or not") {
    const auto start = std::chrono::steady_clock::now();
    for (const std::string then : {"sleep 60", "yes"}) {
        pid_t child = 0;
        const Finished finished =
            run(shell("sh -c 'echo $$; exec " + then + "' & sleep 0.5; exit 3"),
                {.on_line = [&](const std::string& line) {
                    child = child == 0 ? std::stoi(line) : child;
                }});
        CHECK(finished.status == 3);
        CHECK(!finished.late);
        REQUIRE(child > 0);
        kill(child, SIGKILL);
    }
    CHECK(seconds_since(start) < 20);
}

TEST_CASE("run: a program that does not exist is a system_error that names it") {
    CHECK_THROWS_WITH_AS(run({"./no-such-program"}),
                         "cannot run ./no-such-program: No such file or directory",
                         std::system_error);
    CHECK_THROWS_WITH_AS(run({"/"}), "cannot run /: Permission denied", std::system_error);
}

TEST_CASE("run: reports once that a program takes long, and only if it does") {
    int called = 0;
    process::RunOptions options{.capture = false};
    options.on_late = [&] { ++called; };
    CHECK(process::run({"sleep", "0.2"}, options).status == 0);
    CHECK(called == 1);
    options.patience = std::chrono::seconds(1);
    CHECK(process::run({"sleep", "1.2"}, options).status == 0); // as one that waits for Enter
    CHECK(called == 1);
    CHECK(process::run(shell("ulimit -t 2; while :; do :; done"), options).status > 128);
    CHECK(called == 2);
}

TEST_CASE("run: a program that does not stop in time is killed, with its children") {
    const auto start = std::chrono::steady_clock::now();
    for (const int grace : {0, 100}) {
        pid_t child = 0; // of the shell, both of which hear no signal
        const Finished finished =
            run(shell("trap '' TERM; sh -c 'echo $$; sleep 60; true'; true"),
                {.on_line = [&](const std::string& line) { child = std::stoi(line); },
                 .stop = [&] { return child != 0; },
                 .grace = std::chrono::milliseconds(grace)});
        CHECK(finished.status == 128 + SIGKILL);
        CHECK(ends(child));
    }
    CHECK(seconds_since(start) < 20);
}
