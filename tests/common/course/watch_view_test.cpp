#include <string>

#include <doctest/doctest.h>

#include "course/screen/watch_view.hpp"

namespace {

/// The screen while 01.1 is checked, as far as step says.
std::string screen_at(const std::string& step) {
    course::Exercise exercise;
    exercise.id = "01.1";
    exercise.title = "project";
    course::Lesson lesson;
    lesson.id = "01";
    lesson.title = "Linear projections";
    lesson.exercises = {exercise};
    course::Project project{};
    project.lessons = {lesson};
    course::Watched watched(project);
    watched.exercises = {exercise};
    watched.verdicts = {std::nullopt};
    watched.checking = true;
    watched.step = step;
    course::Scroll scroll;
    std::string text;
    for (const std::string& line : course::view(watched, {.columns = 90, .rows = 24}, scroll)) {
        text += line + "\n";
    }
    return text;
}

} // namespace

TEST_CASE("view: the first check of a lesson says that it builds more than those that follow") {
    const std::string first = screen_at("building 3/12 …");
    CHECK(first.find("checking … (building 3/12 …)") != std::string::npos);
    CHECK(first.find("The first check of a lesson builds its grader.") != std::string::npos);
    for (const std::string step : {"building 1/2 …", "checking …", ""}) {
        CAPTURE(step);
        CHECK(screen_at(step).find("checking …") != std::string::npos);
        CHECK(screen_at(step).find("The first check") == std::string::npos);
    }
}
