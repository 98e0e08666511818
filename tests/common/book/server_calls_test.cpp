// What a figure may request from the server, and its answer for a function that does not return.

#include <doctest/doctest.h>

#include <thread>

#include "course/files.hpp"
#include "running.hpp"

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

TEST_CASE(
    "server: a function that does not answer is reported in the verdict's words, and the next "
    "call is answered") {
    Running running;
    judge::Verdict passed;
    passed.exercise = "03.1";
    passed.state = judge::State::passed;
    running.board.set("03.1", passed);
    CHECK(running.call("add", {1, 2}) ==
          json{{"ok", true}, {"side", "theirs"}, {"value", 3.0}, {"printed", ""}});
    CHECK(running.call("add", {1, 2}, "ours")["side"] == "ours");
    const auto failure = [&](const std::string& function, const json& arguments) {
        const json answer = running.call(function, arguments);
        CHECK(answer["ok"] == false);
        CHECK(running.call("add", {1, 2})["value"] == 3.0);
        return answer["state"].get<std::string>() + ": " + answer["words"].get<std::string>();
    };
    CHECK(failure("throws", {"a rule"}) == "threw: throws threw std::invalid_argument: a rule");
    CHECK(failure("crashes", {"segfault"}).starts_with("crashed: crashes crashed with SIGSEGV"));
    CHECK(failure("exits", {"_Exit"})
              .starts_with("ended_early: exits ended the whole program, with status 0"));
    CHECK(contains(running.call("print", {"hello"})["printed"].get<std::string>(), "hello"));
    std::thread page([&] { // while it loops
        std::this_thread::sleep_for(200ms);
        const auto start = Clock::now();
        CHECK(running.get("/").status == 200);
        CHECK(running.call("add", {1, 2}, "ours")["value"] == 3.0);
        CHECK(Clock::now() - start < 1s);
    });
    CHECK(failure("loops", {true}) == "ran_too_long: loops did not return within 2 s");
    page.join();
}

TEST_CASE("server: only functions of the lesson are called, with what they take") {
    Running running;
    const auto refusal = [&](const std::string& function, const json& arguments,
                             const std::string& side = "ours") {
        const json answer = running.call(function, arguments, side);
        CHECK(answer["ok"] == false);
        CHECK(answer["state"] == "bad_request");
        return answer["words"].get<std::string>();
    };
    CHECK(refusal("allocates", {1, true}) == "no exercise of 03_softmax has a function allocates");
    CHECK(refusal("absent", json::array()) == "no exercise of 03_softmax has a function absent");
    CHECK(refusal("add", {1}) == "add takes 2 arguments, got 1");
    CHECK(refusal("add", {1, "cat"}) == "add, argument 2: wanted a number, got \"cat\"");
    CHECK(refusal("echo", json::array({{{"shape", {2}}, {"data", {1, 2}}}})) ==
          "echo, argument 1: wanted an array of rank 2, got rank 1");
    CHECK(refusal("add", {1, 2}, "mine") == "side must be auto, ours or theirs, got mine");
    CHECK(running.post("{}").status == 400);
    CHECK(running.post("{\"arguments\": 1}").status == 400);
    CHECK(running.post(std::string(1000, '[')).status == 400);
    CHECK(running.post("no JSON").body.find(
              "a call must be a JSON object with a list of arguments") != std::string::npos);
}

TEST_CASE("server: many calls of a function are one, and a kept argument is named later") {
    Running running;
    const json array{{"shape", {1, 2}}, {"data", {3.0, 4.0}}};
    json kept = array;
    kept["keep"] = "W";
    const auto echo = [&](const json& each) {
        const json question{{"lesson", "03_softmax"}, {"function", "echo"}, {"side", "ours"}};
        json asked = question;
        asked["each"] = each;
        return json::parse(running.post(asked.dump()).body);
    };
    const json by_name{{"kept", "W"}};
    CHECK(echo({{kept}, {by_name}})["value"] == json{array, array});
    CHECK(echo({{by_name}, {{{"kept", "V"}}}})["state"] == "forgotten");
    CHECK(echo({{array}, {array, array}})["words"] == "echo takes 1 arguments, got 2");
    CHECK(echo(1)["state"] == "bad_request");
}

TEST_CASE("server: a call of the learner's that cannot be made says why") {
    Running running;
    judge::Verdict verdict;
    verdict.exercise = "03.1";
    verdict.state = judge::State::not_started;
    verdict.summary = "03.1 is not written yet.";
    running.board.set("03.1", verdict);
    CHECK(running.call("add", {1, 2}, "theirs") == json{{"ok", false},
                                                        {"side", "theirs"},
                                                        {"state", "not_started"},
                                                        {"words", "03.1 is not written yet."}});
    verdict.state = judge::State::does_not_compile;
    verdict.summary = "lessons/1_softmax.cpp, line 3";
    running.board.set("03.1", verdict);
    CHECK(running.call("add", {1, 2}, "theirs")["words"] ==
          "03.1 does not compile: lessons/1_softmax.cpp, line 3");
    CHECK(running.call("add", {1, 2}) == running.call("add", {1, 2}, "theirs"));
    verdict.state = judge::State::wrong; // one that was passed does not turn to ours in silence
    running.board.set("03.1", verdict);
    CHECK(running.call("add", {1, 2})["side"] == "theirs");
    CHECK(running.call("add", {1, 2}, "ours")["side"] == "ours");
    std::filesystem::remove(running.tree.root / "build/submission_03_softmax_solutions");
    CHECK(running.call("add", {1, 2}, "ours") ==
          json{{"ok", false},
               {"side", "ours"},
               {"state", "building"},
               {"words", "our solution of this lesson is being built; that takes a moment."}});
    running.trouble = "the disk is full";
    const auto half_linked = running.tree.root / "build/submission_03_softmax_solutions";
    course::write_file(half_linked, "half of it"); // not executable yet
    CHECK(running.call("add", {1, 2}, "ours")["words"] ==
          "our solution of this lesson could not be built, and is tried again: the disk is full");
    std::filesystem::remove(running.tree.root / "build/submission_03.1");
    CHECK(running.call("add", {1, 2})["words"] ==
          "03.1 could not be built, and is tried again: the disk is full");
}

TEST_CASE("server: a translation needs a model, then a program, which gets the whole question") {
    Running running;
    const auto translate = [&] {
        return running.call("translate", json::array({{{"sentence", "the cat"}}}));
    };
    CHECK(translate()["words"] ==
          "There is no trained model yet: ./course run 07 trains them in a minute or two.");
    course::write_file(running.tree.root / "out/comparison/additive-1.checkpoint", "");
    CHECK(translate()["words"] == "the translator is being built; that takes a moment.");
    const auto program = running.tree.root / "build/book_translator";
    course::write_file(program, "#!/bin/sh\nread -r line\necho \"{\\\"asked\\\": $line}\"\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    CHECK(translate()["asked"] == json{{"sentence", "the cat"}});
    course::write_file(program, "#!/bin/sh\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    CHECK(translate()["state"] == "fault");
}
