// Programs that figures wait for, and that cannot be built.

#include <doctest/doctest.h>

#include <thread>

#include <unistd.h>

#include "book/grading.hpp"
#include "course/files.hpp"
#include "tree.hpp"

using namespace std::chrono_literals;

TEST_CASE(
    "grading: a program that cannot be built is reported, whoever wrote it, and built when it "
    "can be") {
    const Tree tree;
    const auto course = tree.project.build / "course"; // what builds
    const auto write_course = [&](const std::string& script) {
        course::write_file(course, "#!/bin/sh\n" + script);
        std::filesystem::permissions(course, std::filesystem::perms::owner_all);
    };
    write_course("echo 'course: the disk is full' >&2\nexit 3\n");
    book::Board board(tree.project);
    book::Grading grading(tree.project, board);
    process::Pipe stop;
    std::thread running([&] { grading.run(stop.read_end.number()); });
    for (const char* const what : {"03", "03.1", "translator"}) {
        std::string words;
        for (int turn = 0; turn < 500 && words.empty(); ++turn) {
            words = grading.want(what);
            std::this_thread::sleep_for(10ms);
        }
        CHECK(words == "the disk is full");
    }
    const auto built = tree.root / "built";
    write_course("echo \"$*\" >>" + built.string() + "\n");
    const std::string command = "grade --prepare --solution --progress 03\n";
    const auto is_built = [&] {
        return course::read_file(built).value_or("").find(command) != std::string::npos;
    };
    for (int turn = 0; turn < 1500 && !is_built(); ++turn) {
        grading.want("03"); // some ten seconds later it is tried again
        std::this_thread::sleep_for(10ms);
    }
    CHECK(is_built());
    CHECK(write(stop.write_end.number(), "", 1) == 1);
    running.join();
}
