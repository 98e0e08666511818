// Each exercise put to its grader as a stub, as the solution, as the lazy versions of it and as
// every misconception. Stubs are cut from the solutions by the build: a learner's files are never
// looked at.

#include <cstdlib>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "course/build/stub.hpp"
#include "course/files.hpp"
#include "judge/child.hpp"
#include "judge/protocol.hpp"
#include "judge/verdict.hpp"
#include "process/run.hpp"
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
    const process::Finished finished = process::run(command, {.merge_errors = false});
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

struct Variant {
    std::string name;
    std::string explanation;
};

/// What a lesson's program of "misconceptions" or "alternatives" holds for an exercise's functions.
std::vector<Variant> variants_of(const Project& project, const Lesson& lesson,
                                 const Exercise& exercise, const std::string& program) {
    judge::Child child(project.build / ("submission_" + lesson.folder + "_" + program));
    const judge::Outcome outcome = child.call(judge::variants_query, {});
    std::vector<Variant> found;
    for (const auto& row : judge::from_value<std::vector<std::vector<std::string>>>(
             std::get<judge::Returned>(outcome).value)) {
        if (std::find(exercise.functions.begin(), exercise.functions.end(), row.at(0)) !=
            exercise.functions.end()) {
            found.push_back({row.at(1), row.at(2)});
        }
    }
    CHECK_MESSAGE(found.size() >= 3, exercise.id << " has " << program);
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
    for_every_exercise(project, [&](const Lesson& lesson, const Exercise& exercise) {
        for (const Variant& variant : variants_of(project, lesson, exercise, "misconceptions")) {
            CAPTURE(variant.name);
            CHECK(variant.explanation.size() > 30);
            const auto [status, verdict] =
                grade(project, lesson, exercise, "submission_" + lesson.folder + "_misconceptions",
                      variant.name);
            CHECK(status == 1);
            CHECK(verdict.misconception == variant.name);
            CHECK(verdict.explanation == variant.explanation);
        }
    });
}

TEST_CASE("a right solution passes, however it is written" * doctest::skip(!COURSE_THOROUGH)) {
    const Project project = shipped_project();
    for_every_exercise(project, [&](const Lesson& lesson, const Exercise& exercise) {
        for (const Variant& variant : variants_of(project, lesson, exercise, "alternatives")) {
            CAPTURE(variant.name);
            const Graded graded =
                grade(project, lesson, exercise, "submission_" + lesson.folder + "_alternatives",
                      variant.name);
            CAPTURE(graded.verdict.failed_check);
            CAPTURE(graded.verdict.summary);
            CHECK(graded.verdict.state == State::passed);
        }
    });
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
