// The program around the server: a port in use, wrong options, Ctrl-C.

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "process/run.hpp"
#include "running.hpp"

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST_CASE("program: a port in use is refused, with one line") {
    const Running running;
    const std::string expected = fmt::format(
        "port {} cannot be opened: Address already in use; without --port a free one is "
        "chosen",
        running.port);
    const auto program =
        process::run({BOOK_PROGRAM, "--no-open", "--port", std::to_string(running.port)});
    CHECK(program.status == 2);
    CHECK(program.output == "course: " + expected + "\n");
    const auto unknown = process::run({BOOK_PROGRAM, "99", "--no-open"});
    CHECK(unknown.status == 2);
    CHECK(unknown.output.starts_with("course: there is no lesson or exercise 99; "));
    const auto bad = process::run({BOOK_PROGRAM, "--port", "0"});
    CHECK(bad.status == 2);
    CHECK(bad.output.find("(see ./course book --help)\n") != std::string::npos);
}

TEST_CASE("program: Ctrl-C ends the program within a second, whoever is connected") {
    process::Pipe output;
    const auto started = Clock::now();
    const pid_t program =
        process::start({.command = {BOOK_PROGRAM, "03", "--no-open"}, .prepare = [&] {
                            process::place({{output.write_end.number(), STDOUT_FILENO}});
                        }});
    output.write_end.close();
    std::string url;
    for (char c = 0; read(output.read_end.number(), &c, 1) == 1 && c != '\n';) {
        url += c;
    }
    CHECK(Clock::now() - started < 3s);
    REQUIRE(url.starts_with("http://127.0.0.1:"));
    REQUIRE(url.find("/lessons/03_softmax/?token=") != std::string::npos);
    const int port = std::stoi(url.substr(17));
    std::vector<Connection> clients;
    for (int i = 0; i < 10; ++i) {
        clients.emplace_back(port);
        clients.back().send(fmt::format("GET /api/events HTTP/1.1\r\nHost: "
                                        "127.0.0.1:{0}\r\nCookie: course_token_{0}={1}\r\n\r\n",
                                        port, url.substr(url.find('=') + 1)));
        CHECK(contains(clients.back().receive(4s, "event: ping"), "200 OK"));
    }
    // By now it builds in the background; the processes that do so must be open to signals, and end
    // as well.
    const auto children = [&] {
        std::ifstream list(fmt::format("/proc/{0}/task/{0}/children", program));
        return std::vector<pid_t>(std::istream_iterator<pid_t>(list), {});
    };
    std::vector<pid_t> started_by_it = children();
    for (int turn = 0; turn < 100 && started_by_it.empty(); ++turn) {
        std::this_thread::sleep_for(10ms);
        started_by_it = children();
    }
    REQUIRE(!started_by_it.empty());
    const auto interrupted = Clock::now();
    kill(program, SIGINT);
    const int status = process::wait_for(program);
    CHECK(Clock::now() - interrupted < 1s);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    const auto one_runs = [&] {
        return std::any_of(started_by_it.begin(), started_by_it.end(),
                           [](const pid_t child) { return kill(child, 0) == 0; });
    };
    for (int turn = 0; turn < 200 && one_runs(); ++turn) {
        std::this_thread::sleep_for(10ms);
    }
    CHECK_FALSE(one_runs());
}
