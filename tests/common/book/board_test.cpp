#include <doctest/doctest.h>

#include <thread>

#include "book/board.hpp"

namespace {

using namespace std::chrono_literals;

course::Project project() {
    course::Project found{COURSE_ROOT, COURSE_BUILD, COURSE_ROOT "/lessons", ""};
    found.lessons = course::read_lessons(found);
    return found;
}

judge::Verdict verdict(judge::State state) {
    judge::Verdict made;
    made.exercise = "03.2";
    made.state = state;
    made.summary = "the rows do not sum to 1";
    return made;
}

} // namespace

TEST_CASE("board: an exercise shows its verdict in the terminal's words") {
    const course::Project here = project();
    book::Board board(here);
    const auto exercise = [&] { return board.state()["lessons"][2]["exercises"][1]; };
    CHECK(exercise()["id"] == "03.2");
    CHECK(exercise()["state"] == "not_graded");
    CHECK(exercise()["verdict"].is_null());
    CHECK(exercise()["file"] == "lessons/03_softmax/2_softmax_rows.cpp");

    board.set("03.2", verdict(judge::State::wrong));
    CHECK(exercise()["state"] == "wrong");
    CHECK(exercise()["verdict"]["words"] ==
          "✗ 03.2 softmax_rows: wrong\n\n  the rows do not sum to 1\n\n"
          "File   lessons/03_softmax/2_softmax_rows.cpp\nPage   lessons/03_softmax/README.md\n"
          "Hint   ./course hint 03.2\n");

    board.set("03.2", verdict(judge::State::passed));
    CHECK(exercise()["verdict"]["state"] == "passed");
    board.set("03.2", std::nullopt);
    CHECK(exercise()["state"] == "not_graded");
}

TEST_CASE("board: every listener gets what happened since, in order") {
    const course::Project here = project();
    book::Board board(here);
    const auto before = board.latest();
    board.set_checking("03.2");
    CHECK(board.state()["lessons"][2]["exercises"][1]["checking"] == true);
    board.set("03.2", verdict(judge::State::wrong));
    const auto events = board.after(before, 0ms);
    REQUIRE(events.size() == 2);
    CHECK(events[0].name == "checking");
    CHECK(events[0].data == R"({"exercise":"03.2"})");
    CHECK(events[1].name == "verdict");
    const auto told = nlohmann::json::parse(events[1].data);
    CHECK(told == board.state()["lessons"][2]["exercises"][1]);
    CHECK(events[1].data.find('\n') == std::string::npos); // it has to fit a line
    CHECK(board.after(board.latest(), 0ms).empty());
}

TEST_CASE("board: an event wakes a waiting page, and so does the end") {
    const course::Project here = project();
    book::Board board(here);
    const auto start = std::chrono::steady_clock::now();
    std::thread later([&] {
        std::this_thread::sleep_for(20ms);
        board.tell("built", nlohmann::json::object());
    });
    CHECK(board.after(board.latest(), 10s).size() == 1);
    later.join();
    board.close();
    CHECK(board.after(board.latest(), 10s).empty());
    CHECK(std::chrono::steady_clock::now() - start < 5s);
}
