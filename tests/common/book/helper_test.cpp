#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "book/helper.hpp"

using namespace std::chrono_literals;

TEST_CASE("helper: a program answers line by line, and is kept between questions") {
    book::Helper helper({"sh", "-c", "while read -r line; do echo \"$$ $line\"; done"});
    const auto first = helper.ask("one", 5s);
    const auto second = helper.ask("two", 5s);
    REQUIRE(first);
    REQUIRE(second);
    const std::string process = first->substr(0, first->find(' '));
    CHECK(*first == process + " one");
    CHECK(*second == process + " two");
    CHECK(helper.running());
    helper.stop();
    CHECK_FALSE(helper.running());
    CHECK(helper.ask("three", 5s)->ends_with(" three")); // another
}

TEST_CASE("helper: one that ends or says nothing gives no answer, and the next question another") {
    book::Helper ends({"sh", "-c", "read -r line; [ \"$line\" = end ] || echo fine; exit 0"});
    CHECK_FALSE(ends.ask("end", 5s));
    CHECK(ends.ask("go", 5s) == "fine");
    book::Helper silent({"sleep", "60"});
    const auto start = std::chrono::steady_clock::now();
    CHECK_FALSE(silent.ask("question", 50ms));
    CHECK(std::chrono::steady_clock::now() - start < 2s);
    CHECK_FALSE(silent.running());
}

TEST_CASE("queue: of the questions that wait in one slot, only the newest is sent") {
    book::Queue queue;
    std::atomic<bool> go = false;
    std::atomic<int> asked = 0;
    std::atomic<int> superseded = 0;
    std::thread running([&] {
        queue.in_turn("bars", [&] {
            while (!go) {
                std::this_thread::sleep_for(1ms);
            }
        });
    });
    std::this_thread::sleep_for(20ms); // it has the turn
    const auto ask = [&](const std::string& slot) {
        superseded += queue.in_turn(slot, [&] { ++asked; }) == book::Turn::superseded ? 1 : 0;
    };
    std::vector<std::thread> waiting;
    for (int i = 0; i < 5; ++i) {
        waiting.emplace_back([&] { ask("bars"); });
    }
    waiting.emplace_back([&] { ask("lines"); });
    for (int turn = 0; turn < 2000 && superseded < 4; ++turn) {
        std::this_thread::sleep_for(1ms); // four of the five return at once
    }
    CHECK(superseded == 4);
    CHECK(asked == 0);
    go = true;
    running.join();
    for (std::thread& each : waiting) {
        each.join();
    }
    CHECK(superseded == 4);
    CHECK(asked == 2);
}
