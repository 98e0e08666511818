#include "course/grading/grade.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "course/explain/compile_error.hpp"
#include "course/files.hpp"
#include "course/grading/explain_verdict.hpp"
#include "course/grading/run_grader.hpp"
#include "course/grading/sources.hpp"
#include "course/grading/stub.hpp"
#include "course/grading/verdict_cache.hpp"

namespace course {

namespace fs = std::filesystem;
using judge::State;
using judge::Verdict;

namespace {

bool is_stub(const std::string& text, const Exercise& exercise) {
    const auto solution = read_file(exercise.solution);
    return solution && text == cut_stub(*solution);
}

/// How one exercise is graded, decided once, before anything is built.
struct Plan {
    Exercise exercise;
    Programs programs;
    bool ours = false;       // our solution: its verdict is neither explained nor kept
    std::string source;      // the learner's text
    std::string not_started; // why there is nothing to build or run, or ""
};

Plan plan_for(const Project& project, const Exercise& exercise, const GradeOptions& options) {
    Plan plan{exercise, programs_for(project, exercise, options.solution, options.seed),
              options.solution, "", ""};
    if (!plan.ours) {
        plan.source = read_file(exercise.file).value_or("");
        plan.not_started = trouble_with_file(project, exercise);
        if (plan.not_started.empty() && is_stub(plan.source, exercise)) {
            plan.not_started = exercise.id + " is not written yet.";
        }
    }
    return plan;
}

std::vector<Plan> plans_for(const Project& project, const std::vector<Exercise>& exercises,
                            const GradeOptions& options) {
    std::vector<Plan> plans;
    for (const Exercise& exercise : exercises) {
        plans.push_back(plan_for(project, exercise, options));
    }
    return plans;
}

/// Whether a file was saved since its plan was made.
bool saved_since(const Plan& plan) {
    return !plan.ours && read_file(plan.exercise.file).value_or("") != plan.source;
}

/// The result of building: the messages about exercises that failed on their own, never empty; and
/// why the others are not built, or "".
struct Built {
    std::map<std::string, std::string> failures; // by the exercise's id
    std::string fault;
};

/// The messages about the learner's file if it failed; "" if it did not.
std::string failure_of(const Plan& plan, const BuildResult& result) {
    const std::string& id = plan.exercise.id;
    for (const auto& [file, log] : result.failures) {
        if (!plan.ours && (file.find("exercise_" + id + ".dir") != std::string::npos ||
                           fs::path(file).filename() == "submission_" + id)) {
            return log.empty() ? "\n" : log;
        }
    }
    return "";
}

/// The mistakes, which only a wrong answer needs: the first verdict of all does not wait for them.
bool mistakes_are_built(const Project& project, const Plan& plan) {
    return fs::exists(project.build / plan.programs.mistakes);
}

/// Builds what the plans need. A fault of the machine is tried once more. A program without a known
/// failure may be an old one, so only ninja's status says whether it is built.
Built build_for(const Project& project, const std::vector<Plan>& plans,
                const BuildProgress& progress) {
    Built built;
    for (int round = 0; round < 3; ++round) {
        std::vector<std::string> targets;
        for (const Plan& plan : plans) {
            if (plan.not_started.empty() && !built.failures.contains(plan.exercise.id)) {
                targets.insert(targets.end(), {plan.programs.grader, plan.programs.submission});
                if (mistakes_are_built(project, plan)) {
                    targets.push_back(plan.programs.mistakes);
                }
            }
        }
        const BuildResult result =
            targets.empty() ? BuildResult{} : build(project, targets, progress);
        if (result.ok) {
            return {built.failures, ""};
        }
        const auto& [file, said] = *result.failures.begin();
        built.fault = fmt::format("{} {}", file, said.substr(0, 2000));
        for (const Plan& plan : plans) {
            const std::string log = failure_of(plan, result);
            if (!log.empty() && (round > 0 || machine_fault_in(log).empty())) {
                built.failures[plan.exercise.id] = log;
            }
        }
    }
    return built;
}

/// The place, "  12 |     return X + ;" and the compiler's message.
Verdict does_not_compile(const Project& project, const Plan& plan, const std::string& log) {
    const Exercise& exercise = plan.exercise;
    const std::string contract = read_file(lesson_of(project, exercise).contract).value_or("");
    const CompileError error = explain_compile_error(log, exercise, contract, plan.source);
    const std::string limit = limit_in(log);
    Verdict verdict =
        with_summary(exercise, State::does_not_compile, limit.empty() ? error.advice : limit);
    const std::string path = short_path(project, exercise.file);
    verdict.details.push_back(error.line > 0 ? fmt::format("{}:{}", path, error.line) : path);
    if (!error.source.empty()) {
        verdict.details.push_back(fmt::format("{:>5} | {}", error.line, error.source));
    }
    if (limit.empty() || error.line > 0) { // else the limit says it all
        verdict.details.push_back(error.message);
    }
    return verdict;
}

/// The verdict that needs no run, if there is one.
std::optional<Verdict> not_run(const Project& project, const Plan& plan, const Built& built) {
    if (!plan.not_started.empty()) {
        return with_summary(plan.exercise, State::not_started, plan.not_started);
    }
    if (const auto failed = built.failures.find(plan.exercise.id); failed != built.failures.end()) {
        const std::string machine = machine_fault_in(failed->second);
        return machine.empty() ? does_not_compile(project, plan, failed->second)
                               : with_summary(plan.exercise, State::grader_at_fault,
                                              "It could not be compiled: " + machine + ".");
    }
    if (!built.fault.empty()) {
        return with_summary(plan.exercise, State::grader_at_fault,
                            "The course itself could not be built: " + built.fault);
    }
    return std::nullopt;
}

/// Runs the grader, and explains its verdict on a learner's file. warnings: the compiler's.
Verdict run(const Project& project, const Plan& plan, const std::string& warnings,
            const BuildProgress& progress) {
    Verdict verdict = run_grader_patiently(project, plan.exercise, plan.programs);
    const bool failed = verdict.state == State::wrong || verdict.state == State::crashed;
    if (failed && !mistakes_are_built(project, plan)) {
        if (build(project, {plan.programs.mistakes}, progress).ok) {
            verdict = run_grader_patiently(project, plan.exercise, plan.programs);
        } else {
            verdict.summary += " The usual mistakes could not be built, so none is named.";
        }
    }
    if (!plan.ours) {
        explain(verdict, project, plan.exercise, plan.programs, plan.source, warnings);
    }
    return verdict;
}

/// The kept verdict, or a new one, which is then kept.
Verdict run_or_recall(const Project& project, const Plan& plan, bool fresh,
                      const BuildProgress& progress) {
    if (plan.ours) {
        return run(project, plan, "", progress);
    }
    const std::string key = fingerprint(project, plan.programs.all());
    if (const auto known = fresh ? std::nullopt : kept_verdict(project, plan.exercise, key)) {
        return *known;
    }
    Verdict verdict = run(project, plan, warnings_about(project, plan.exercise), progress);
    if (plan.programs.seed == 0) {
        keep_verdict(project, plan.exercise, key, verdict);
    }
    return verdict;
}

} // namespace

std::string trouble_with_file(const Project& project, const Exercise& exercise) {
    std::error_code error; // of a link that leads nowhere, or to itself
    const auto text = read_file(exercise.file);
    const char* const trouble = fs::is_directory(exercise.file, error) ? "is a folder, not a file"
                                : !fs::exists(exercise.file, error)    ? "is missing"
                                : !text                                ? "cannot be read"
                                : text->find_first_not_of(" \t\r\n") == std::string::npos
                                    ? "is empty"
                                    : nullptr;
    return trouble == nullptr
               ? ""
               : fmt::format("{} {}: `./course reset {}` brings the exercise back",
                             short_path(project, exercise.file), trouble, exercise.id);
}

Verdict grade_compiled(const Project& project, const Exercise& exercise,
                       const std::function<Compiled()>& compile, std::uint64_t seed) {
    Plan plan = plan_for(project, exercise, {.seed = seed});
    const Compiled compiled = plan.not_started.empty() ? compile() : Compiled{};
    Built built;
    if (!compiled.ok) {
        built.failures[exercise.id] = compiled.log;
    }
    if (const auto verdict = not_run(project, plan, built)) {
        return *verdict;
    }
    plan.programs.submission = compiled.submission;
    return run(project, plan, compiled.log, {});
}

bool is_untouched(const Exercise& exercise) {
    const auto text = read_file(exercise.file);
    return text && is_stub(*text, exercise);
}

std::optional<Verdict> last_verdict(const Project& project, const Exercise& exercise) {
    if (is_untouched(exercise) || !trouble_with_file(project, exercise).empty()) {
        return with_summary(exercise, State::not_started, exercise.id + " is not written yet.");
    }
    return kept_verdict(project, exercise, "");
}

void prepare(const Project& project, const std::vector<Exercise>& exercises, bool solution,
             const BuildProgress& progress) {
    std::vector<std::string> targets;
    for (const Exercise& exercise : exercises) {
        const Programs programs = programs_for(project, exercise, solution);
        if (solution) {
            targets.push_back(programs.submission);
        } else {
            targets.insert(targets.end(), {programs.grader, programs.mistakes});
        }
    }
    const BuildResult built = build(project, targets, progress);
    if (!built.ok) {
        throw MachineFault("the course itself could not be built: " +
                           built.failures.begin()->second.substr(0, 400));
    }
}

std::vector<Verdict> grade(const Project& project, const std::vector<Exercise>& exercises,
                           const GradeOptions& options) {
    const BuildLock lock(project);
    const bool fresh = options.fresh || options.seed != 0;
    std::vector<Plan> plans = plans_for(project, exercises, options);
    Built built = build_for(project, plans, options.progress);
    // If a file was saved during the build, plan and build again, at most twice.
    for (int round = 0; round < 2 && std::ranges::any_of(plans, saved_since); ++round) {
        plans = plans_for(project, exercises, options);
        built = build_for(project, plans, options.progress);
    }
    std::vector<Verdict> verdicts;
    for (const Plan& plan : plans) {
        const auto verdict = not_run(project, plan, built);
        verdicts.push_back(verdict ? *verdict
                                   : run_or_recall(project, plan, fresh, options.progress));
        if (options.on_verdict) {
            options.on_verdict(plan.exercise, verdicts.back());
        }
    }
    return verdicts;
}

} // namespace course
