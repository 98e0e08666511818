#include <fstream>
#include <string>
#include <system_error>

#include <doctest/doctest.h>
#include <poll.h>

#include "course/screen/walkthrough.hpp"
#include "course/screen/watch_view.hpp"
#include "support/temporary_folder.hpp"

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

TEST_CASE("a walk-through that cannot be started says why, and one that ends has a terminal") {
    const support::TemporaryFolder folder;
    const course::Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    course::Walkthrough walkthrough;
    CHECK_THROWS_WITH_AS(
        walkthrough.start(project, {}, {}),
        ("cannot run " + (folder / "course").string() + ": No such file or directory").c_str(),
        std::system_error);
    CHECK(!walkthrough.running());
    CHECK(walkthrough.output() == -1);

    std::ofstream(folder / "course") << "#!/bin/sh\necho \"$@\" $(stty size) $(tty | cut -c 1-8)\n";
    std::filesystem::permissions(folder / "course", std::filesystem::perms::owner_all);
    course::Lesson lesson;
    lesson.id = "03";
    walkthrough.start(project, lesson, {.columns = 70, .rows = 20});
    for (int turn = 0; turn < 5000 && walkthrough.running(); ++turn) {
        walkthrough.advance();
        poll(nullptr, 0, 1);
    }
    CHECK(walkthrough.lines().at(0) == "run 03 -- --no-stops 20 70 /dev/pts");
}
