// Grades each exercise's stub, solution, lazy versions and mistakes. The build cuts stubs from the
// solutions: it never looks at a learner's files.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "course/files.hpp"
#include "course/grading/stub.hpp"
#include "course/grading/trial.hpp"
#include "judge/child.hpp"
#include "judge/protocol.hpp"
#include "judge/verdict.hpp"
#include "process/run.hpp"
#include "project.hpp"

using course::Exercise;
using course::Lesson;
using course::Project;
using judge::State;
using judge::state_text;
using judge::Verdict;

namespace {

struct Graded {
    int status; // of the grader: the worst, if several variants were graded
    Verdict verdict;
};

/// One exercise of one of the lesson's programs: "solutions", "stubs" and so on. seed != 0: with
/// other random inputs.
struct Task {
    const Lesson* lesson;
    const Exercise* exercise;
    std::string program;
    std::string variant = "";
    unsigned seed = 0;
    bool named = true; // false: only whether it passes
};

/// The program that holds an exercise's "mistakes", or another of its lesson's.
std::filesystem::path program_of(const Project& project, const Lesson& lesson,
                                 const Exercise& exercise, const std::string& program) {
    return project.build / (program == "mistakes" ? "mistakes_" + exercise.id
                                                  : "submission_" + lesson.folder + "_" + program);
}

/// The grader's verdicts on these variants of a task's program, one by one.
std::vector<Graded> grade(const Project& project, const Task& task,
                          const std::vector<std::string>& variants) {
    std::vector<std::string> command{
        project.build / ("grader_" + task.lesson->folder),
        "--json",
        "--exercise",
        task.exercise->id,
        "--submission",
        program_of(project, *task.lesson, *task.exercise, task.program),
        "--seed",
        std::to_string(task.seed),
        "--time", // for those that never end
        "2"};
    const std::filesystem::path known =
        program_of(project, *task.lesson, *task.exercise, "mistakes");
    if (task.seed != 0 || !task.named) {
        command.emplace_back("--until-failure");
    } else {
        command.insert(command.end(), {"--mistakes", known});
    }
    for (const std::string& variant : variants) {
        if (!variant.empty()) {
            command.insert(command.end(), {"--variant", variant});
        }
    }
    const process::Finished finished = process::run(command, {.merge_errors = false});
    std::istringstream output(finished.output);
    std::vector<Graded> graded;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        nlohmann::json verdict;
        output >> verdict;
        graded.push_back({finished.status, verdict.get<Verdict>()});
    }
    return graded;
}

std::string described(const Task& task) {
    return task.exercise->id + " " + task.program + " " + task.variant + " seed " +
           std::to_string(task.seed);
}

/// A task for every exercise of the course.
std::vector<Task> every_exercise(const Project& project, const std::string& program,
                                 const std::string& variant = "", unsigned seed = 0) {
    std::vector<Task> tasks;
    for (const Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            tasks.push_back({&lesson, &exercise, program, variant, seed});
        }
    }
    return tasks;
}

/// The graders' verdicts, in the order of the tasks: one grader runs on each processor at a time.
/// One grader grades several variants of an exercise in a row, and calls the known mistakes once.
std::vector<Graded> grade_all(const Project& project, const std::vector<Task>& tasks) {
    constexpr std::size_t most_in_a_row = 40;
    std::vector<std::vector<std::size_t>> rows; // of indices of tasks
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const bool goes_on = i > 0 && rows.back().size() < most_in_a_row &&
                             tasks[i].exercise == tasks[i - 1].exercise &&
                             tasks[i].program == tasks[i - 1].program &&
                             tasks[i].seed == tasks[i - 1].seed &&
                             tasks[i].named == tasks[i - 1].named && !tasks[i].variant.empty();
        if (!goes_on) {
            rows.emplace_back();
        }
        rows.back().push_back(i);
    }
    std::vector<Graded> graded(tasks.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t row = next++; row < rows.size(); row = next++) {
            std::vector<std::string> variants;
            for (const std::size_t i : rows[row]) {
                variants.push_back(tasks[i].variant);
            }
            const std::vector<Graded> verdicts = grade(project, tasks[rows[row].front()], variants);
            for (std::size_t k = 0; k < verdicts.size(); ++k) {
                graded[rows[row][k]] = verdicts[k];
            }
        }
    };
    std::vector<std::future<void>> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        workers.push_back(std::async(std::launch::async, work));
    }
    for (std::future<void>& worker : workers) {
        worker.get();
    }
    return graded;
}

struct Variant {
    std::string name;
    std::string explanation;
};

/// A decoy may be named by what it looks like.
bool is_named(const Variant& variant) {
    return variant.explanation != judge::decoy;
}

/// Graded, and not passed.
bool is_refused(const Verdict& verdict) {
    return verdict.state != State::passed && verdict.state != State::not_started &&
           verdict.state != State::grader_at_fault;
}

/// Those of an exercise's functions.
std::vector<Variant> variants_of(const Project& project, const Lesson& lesson,
                                 const Exercise& exercise, const std::string& program) {
    judge::Child child(program_of(project, lesson, exercise, program));
    const judge::Outcome outcome = child.call(judge::variants_query, {});
    std::vector<Variant> found;
    for (const auto& row : judge::from_value<std::vector<std::vector<std::string>>>(
             std::get<judge::Returned>(outcome).value)) {
        const auto known = std::ranges::find(found, row.at(1), &Variant::name);
        const bool own =
            std::ranges::find(exercise.functions, row.at(0)) != exercise.functions.end();
        if (own && known == found.end()) {
            found.push_back({row.at(1), row.at(2)});
        }
    }
    CHECK_MESSAGE(!found.empty(), exercise.id << " has " << program);
    return found;
}

/// One variant of an exercise, and the grader's verdict on it.
struct Tried {
    std::string exercise;
    Variant variant;
    Graded graded;
};

/// Grades every step-th variant of every exercise.
std::vector<Tried> grade_variants(const Project& project, const std::string& program,
                                  std::size_t step, unsigned seed = 0) {
    std::vector<Task> tasks;
    std::vector<Tried> tried;
    for (const Task& task : every_exercise(project, program, "", seed)) {
        std::vector<Variant> all = variants_of(project, *task.lesson, *task.exercise, program);
        std::stable_partition(all.begin(), all.end(), is_named);
        for (std::size_t i = 0; i < all.size(); i += step) {
            tasks.push_back(task);
            tasks.back().variant = all[i].name;
            tasks.back().named = is_named(all[i]);
            tried.push_back({task.exercise->id, all[i], {}});
        }
    }
    const std::vector<Graded> graded = grade_all(project, tasks);
    for (std::size_t i = 0; i < tried.size(); ++i) {
        tried[i].graded = graded[i];
    }
    return tried;
}

} // namespace

TEST_CASE("every solution passes, whatever inputs the graders draw") {
    const Project project = shipped_project();
    std::vector<Task> tasks;
    // With seed 0 each was graded by a test of its own, solution_NN.k.
    for (unsigned seed = 1; seed <= (COURSE_THOROUGH ? 5U : 1U); ++seed) {
        std::ranges::copy(every_exercise(project, "solutions", "", seed),
                          std::back_inserter(tasks));
    }
    const std::vector<Graded> graded = grade_all(project, tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const int status = graded[i].status;
        const Verdict& verdict = graded[i].verdict;
        CAPTURE(described(tasks[i]));
        CAPTURE(verdict.summary);
        CHECK(verdict.state == State::passed);
        CHECK(verdict.checks_total >= 3);
        CHECK(status == 0);
    }
}

TEST_CASE("every stub is not started, and names its exercise") {
    const Project project = shipped_project();
    const std::vector<Task> tasks = every_exercise(project, "stubs");
    const std::vector<Graded> graded = grade_all(project, tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const int status = graded[i].status;
        const Verdict& verdict = graded[i].verdict;
        CAPTURE(described(tasks[i]));
        CHECK(verdict.state == State::not_started);
        CHECK(verdict.summary == tasks[i].exercise->id + " is not written yet.");
        CHECK(status == 77);
    }
}

TEST_CASE("a lazy version passes nothing: an empty answer, zeros, the input itself") {
    const Project project = shipped_project();
    std::vector<Task> tasks;
    for (const std::string lazy : {"lazy:empty", "lazy:zeros", "lazy:input"}) {
        for (Task& task : every_exercise(project, "solutions", lazy)) {
            task.named = false;
            tasks.push_back(task);
        }
    }
    const std::vector<Graded> graded = grade_all(project, tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const int status = graded[i].status;
        const Verdict& verdict = graded[i].verdict;
        CAPTURE(described(tasks[i]));
        CHECK(is_refused(verdict));
        CHECK(status == 1);
    }
}

TEST_CASE("every mistake fails, and is the only one named") {
    const Project project = shipped_project();
    for (const Tried& tried : grade_variants(project, "mistakes", 1)) {
        CAPTURE(tried.exercise);
        CAPTURE(tried.variant.name);
        CAPTURE(tried.graded.verdict.failed_check);
        CHECK_MESSAGE(is_refused(tried.graded.verdict),
                      "this mistake is " << state_text(tried.graded.verdict.state));
        if (is_named(tried.variant)) {
            CHECK(tried.graded.verdict.mistake == tried.variant.name);
            CHECK(tried.graded.verdict.explanation == tried.variant.explanation);
        }
    }
}

TEST_CASE("no mistake passes, whatever inputs the graders draw" * doctest::skip(!COURSE_THOROUGH)) {
    const Project project = shipped_project();
    for (const unsigned seed : {1U, 2U, 3U}) {
        for (const Tried& tried : grade_variants(project, "mistakes", 20, seed)) {
            CAPTURE(seed);
            CAPTURE(tried.exercise);
            CAPTURE(tried.variant.name);
            CHECK(is_refused(tried.graded.verdict));
        }
    }
}

TEST_CASE("a right solution passes, however it is written" * doctest::skip(!COURSE_THOROUGH)) {
    const Project project = shipped_project();
    for (const Tried& tried : grade_variants(project, "alternatives", 1)) {
        CAPTURE(tried.exercise);
        CAPTURE(tried.variant.name);
        CAPTURE(tried.graded.verdict.failed_check);
        CAPTURE(tried.graded.verdict.summary);
        CHECK(tried.graded.verdict.state == State::passed);
    }
}

TEST_CASE("a learner's file cannot change how it is linked, and its compiler leaves no file") {
    const Project project = shipped_project();
    for (const Lesson& lesson : project.lessons) {
        const course::Recipe recipe = course::recipe_of(project, lesson.exercises.front().id);
        CAPTURE(lesson.id);
        CHECK(recipe.compile.find(" -pipe ") != std::string::npos);
        CHECK(recipe.link.find(" -fno-lto ") != std::string::npos);
    }
}

TEST_CASE("lessons/ as shipped is what cutting the solutions gives") {
    // Only where the files are known to be as shipped: a learner's are the learner's.
    if (std::getenv("COURSE_AS_SHIPPED") == nullptr) {
        MESSAGE("skipped: set COURSE_AS_SHIPPED to check lessons/ itself");
        return;
    }
    const Project project = shipped_project();
    for (const Task& task : every_exercise(project, "stubs")) {
        CAPTURE(task.exercise->id);
        const auto shipped = course::read_file(task.exercise->file);
        const auto solution = course::read_file(task.exercise->solution);
        REQUIRE(shipped);
        REQUIRE(solution);
        CHECK(*shipped == course::cut_stub(*solution));
    }
}
