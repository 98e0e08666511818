#include "course/commands/junit.hpp"

#include <doctest/doctest.h>

using course::Exercise;
using course::junit;
using course::Lesson;
using course::Project;
using course::Timed;
using judge::State;
using judge::Verdict;

namespace {

/// A course of two lessons, the first with three exercises, the second with one.
Project project() {
    Project result{"/clone", "/clone/build", "/clone/lessons", "/clone/.course"};
    const auto exercise = [](const char* id, const char* title) {
        return Exercise{id, title, "", "", {title}};
    };
    result.lessons = {
        Lesson{"01",
               "01_one",
               "One & only",
               "",
               {},
               "",
               "",
               {exercise("01.1", "first"), exercise("01.2", "second"), exercise("01.3", "third")}},
        Lesson{"02", "02_two", "Two", "", {}, "", "", {exercise("02.1", "fourth")}}};
    return result;
}

Timed timed(State state, const std::string& summary, double seconds) {
    Verdict verdict;
    verdict.state = state;
    verdict.summary = summary;
    return {verdict, seconds};
}

} // namespace

TEST_CASE("junit: a suite per lesson, a test case per exercise, each with its result") {
    const Project course = project();
    const auto exercises = course::find_exercises(course, "all");
    const std::string text =
        junit(course, exercises,
              {timed(State::passed, "", 0.25), timed(State::wrong, "a < b \"is\" wrong.", 0.5),
               timed(State::not_started, "01.3 is not written yet.", 0),
               timed(State::grader_at_fault, "ours", 1)},
              "2026-11-21T09:30:00");
    CHECK(text.starts_with(R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="01 One &amp; only" package="lessons" id="0" timestamp="2026-11-21T09:30:00" hostname="localhost" tests="3" failures="1" errors="0" skipped="1" time="0.750">
    <properties/>
    <testcase classname="01_one" name="01.1 first" time="0.250"/>
    <testcase classname="01_one" name="01.2 second" time="0.500">
      <failure message="a &lt; b &quot;is&quot; wrong." type="wrong">)"));
    CHECK(text.find(R"(    <testcase classname="01_one" name="01.3 third" time="0.000">
      <skipped message="01.3 is not written yet."/>
    </testcase>
    <system-out/>
    <system-err/>
  </testsuite>
  <testsuite name="02 Two" package="lessons" id="1" )") != std::string::npos);
    CHECK(text.find(R"(<error message="ours" type="grader at fault">)") != std::string::npos);
    CHECK(text.ends_with("  </testsuite>\n</testsuites>\n"));
}
