// Starting programs, their descriptors, and pipes that close themselves.

#include "process/start.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/pipe.hpp"

using namespace process;

TEST_CASE("start: a program gets its descriptors under their numbers, whatever ours are") {
    Pipe one;
    Pipe other;
    const pid_t child =
        start({.command = {"sh", "-c", "echo one >&3; echo other >&4"}, .prepare = [&] {
                   // Each in the other's place.
                   place({{one.write_end.number(), 3}, {other.write_end.number(), 4}});
               }});
    one.write_end.close();
    other.write_end.close();
    CHECK(WEXITSTATUS(wait_for(child)) == 0);
    std::string text;
    one.read_end.do_not_wait();
    CHECK_FALSE(take(one.read_end, text));
    other.read_end.do_not_wait();
    CHECK_FALSE(take(other.read_end, text));
    CHECK(text == "one\nother\n");
}

TEST_CASE("start: a missing descriptor is reported with the reason") {
    CHECK_THROWS_WITH_AS(start({.command = {"true"},
                                .prepare =
                                    [] {
                                        place({{999, 3}});
                                    }}),
                         "cannot run true: Bad file descriptor", std::system_error);
    CHECK_THROWS_WITH_AS(start({.command = {"true"},
                                .prepare =
                                    [] {
                                        const rlimit few{8, 8};
                                        setrlimit(RLIMIT_NOFILE, &few);
                                        place({{1, 1}});
                                    }}),
                         "cannot run true: Too many open files", std::system_error);
    CHECK(waitpid(-1, nullptr, WNOHANG) == -1); // nobody is left
}

TEST_CASE("start: signals reach the program as they would have before") {
    const pid_t child = start({.command = {"sleep", "1000"}});
    CHECK(is_running(child));
    kill(child, SIGTERM);
    const int status = wait_for(child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGTERM);
    CHECK_FALSE(is_running(child));
}

TEST_CASE("pipe: a descriptor is closed with its owner, once, and none remains open") {
    const int before = dup(STDIN_FILENO);
    close(before);
    {
        Pipe pipe;
        Descriptor moved = std::move(pipe.read_end);
        CHECK_FALSE(pipe.read_end.open());
        CHECK(moved.number() == before);
        moved = std::move(pipe.write_end);
        CHECK(fcntl(before, F_GETFD) == -1); // the number that was moved
        CHECK(fcntl(moved.number(), F_GETFD) == FD_CLOEXEC);
    }
    const int after = dup(STDIN_FILENO);
    CHECK(after == before);
    close(after);
}
