// Each exercise put to its grader as a stub, as the solution, as the lazy versions of it and as
// every misconception. Stubs are cut from the solutions by the build: a learner's files are never
// looked at.

#include <cstdlib>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "course/files.hpp"
#include "course/process.hpp"
#include "course/stub.hpp"
#include "judge/child.hpp"
#include "judge/protocol.hpp"
#include "judge/verdict.hpp"
#include "project.hpp"

using course::Exercise;
using course::Lesson;
using course::Project;
using judge::State;
using judge::Verdict;

namespace {

struct Graded {
    int status;
    Verdict verdict;
};

Graded grade(const Project& project, const Lesson& lesson, const Exercise& exercise,
             const std::string& submission, const std::string& variant = "") {
    std::vector<std::string> command{project.build / ("grader_" + lesson.folder),
                                     "--json",
                                     "--exercise",
                                     exercise.id,
                                     "--submission",
                                     project.build / submission,
                                     "--misconceptions",
                                     project.build /
                                         ("submission_" + lesson.folder + "_misconceptions")};
    if (!variant.empty()) {
        command.insert(command.end(), {"--variant", variant});
    }
    const course::Finished finished = course::run(command, {.merge_errors = false});
    return {finished.status, nlohmann::json::parse(finished.output).get<Verdict>()};
}

/// Calls check(lesson, exercise) for every exercise of the course.
template <class Check>
void for_every_exercise(const Project& project, const Check& check) {
    for (const Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            CAPTURE(exercise.id);
            check(lesson, exercise);
        }
    }
}

/// {name, function} of every misconception that a lesson knows.
std::vector<std::pair<std::string, std::string>> misconceptions_of(const Project& project,
                                                                   const Lesson& lesson) {
    judge::Child child(project.build / ("submission_" + lesson.folder + "_misconceptions"));
    const judge::Outcome outcome = child.call(judge::misconceptions_query, {});
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& row : judge::from_value<std::vector<std::vector<std::string>>>(
             std::get<judge::Returned>(outcome).value)) {
        CHECK_MESSAGE(row[2].size() > 30, row[1] << " explains itself");
        found.emplace_back(row[1], row[0]);
    }
    return found;
}

} // namespace

TEST_CASE("every solution passes") {
    const Project project = shipped_project();
    for_every_exercise(project, [&](const Lesson& lesson, const Exercise& exercise) {
        const Graded graded =
            grade(project, lesson, exercise, "submission_" + lesson.folder + "_solutions");
        CAPTURE(graded.verdict.summary);
        CHECK(graded.verdict.state == State::passed);
        CHECK(graded.verdict.checks_total >= 3);
        CHECK(graded.status == 0);
    });
}

TEST_CASE("every stub is not started, and names its exercise") {
    const Project project = shipped_project();
    for_every_exercise(project, [&](const Lesson& lesson, const Exercise& exercise) {
        const auto [status, verdict] =
            grade(project, lesson, exercise, "submission_" + exercise.id + "_stub");
        CHECK(verdict.state == State::not_started);
        CHECK(verdict.summary == exercise.id + " is not written yet.");
        CHECK(status == 77);
    });
}

TEST_CASE("a lazy version passes nothing: an empty answer, zeros, the input itself") {
    const Project project = shipped_project();
    for_every_exercise(project, [&](const Lesson& lesson, const Exercise& exercise) {
        for (const std::string lazy : {"lazy:empty", "lazy:zeros", "lazy:input"}) {
            CAPTURE(lazy);
            const auto [status, verdict] = grade(
                project, lesson, exercise, "submission_" + lesson.folder + "_solutions", lazy);
            CHECK(verdict.state != State::passed);
            CHECK(verdict.state != State::grader_at_fault);
            CHECK(status == 1);
        }
    });
}

TEST_CASE("every misconception fails, and it alone is named") {
    const Project project = shipped_project();
    for (const Lesson& lesson : project.lessons) {
        const auto known = misconceptions_of(project, lesson);
        for (const Exercise& exercise : lesson.exercises) {
            std::size_t about_it = 0;
            for (const auto& misconception : known) {
                const std::string& name = misconception.first;
                if (std::find(exercise.functions.begin(), exercise.functions.end(),
                              misconception.second) == exercise.functions.end()) {
                    continue;
                }
                ++about_it;
                CAPTURE(exercise.id);
                CAPTURE(name);
                const auto [status, verdict] =
                    grade(project, lesson, exercise,
                          "submission_" + lesson.folder + "_misconceptions", name);
                CHECK(status == 1);
                CHECK(verdict.misconception == name);
                CHECK(!verdict.explanation.empty());
            }
            CHECK_MESSAGE(about_it >= 3, exercise.id << " has misconceptions");
        }
    }
}

TEST_CASE("lessons/ as shipped is what cutting the solutions gives") {
    // Only where the files are known to be as shipped: a learner's are the learner's.
    if (std::getenv("COURSE_AS_SHIPPED") == nullptr) {
        MESSAGE("skipped: set COURSE_AS_SHIPPED to check lessons/ itself");
        return;
    }
    const Project project = shipped_project();
    for_every_exercise(project, [&](const Lesson&, const Exercise& exercise) {
        const auto shipped = course::read_file(exercise.file);
        const auto solution = course::read_file(exercise.solution);
        REQUIRE(shipped);
        REQUIRE(solution);
        CHECK(*shipped == course::cut_stub(*solution));
    });
}
