#include "course/grading/grade.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "course/explain/compile_error.hpp"
#include "course/explain/said.hpp"
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

/// How one exercise is graded, decided once, before anything is built.
struct Plan {
    Exercise exercise;
    Programs programs;
    bool ours = false;       // our solution: it is neither explained nor kept
    std::string source;      // the learner's text that this plan is about
    std::string not_started; // why there is nothing to build or run, or ""
};

Plan plan_for(const Project& project, const Exercise& exercise, const GradeOptions& options) {
    Plan plan{exercise, programs_for(project, exercise, options.solution, options.seed),
              options.solution, "", ""};
    if (!plan.ours) {
        plan.source = read_exercise(exercise.file).value_or("");
        plan.not_started = trouble_with_file(project, exercise);
        if (plan.not_started.empty() && is_untouched(exercise)) {
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
    return !plan.ours && read_exercise(plan.exercise.file).value_or("") != plan.source;
}

/// "  12 |     return X + ;" under the place, then what the compiler says.
Verdict does_not_compile(const Project& project, const Exercise& exercise,
                         const std::string& source, const std::string& log) {
    const std::string contract = read_file(lesson_of(project, exercise).contract).value_or("");
    const CompileError error = explain_compile_error(log, exercise, contract, source);
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

/// Whether a file of the build is made from the learner's exercise.
bool is_from(const std::string& file, const Exercise& exercise) {
    return file.find("exercise_" + exercise.id + ".dir") != std::string::npos ||
           fs::path(file).filename() == "submission_" + exercise.id;
}

/// What was said of the learner's file where it failed, a line at least; "" where it did not.
std::string log_of(const BuildResult& built, const Exercise& exercise, bool solution) {
    for (const auto& [file, log] : built.failures) {
        if (!solution && is_from(file, exercise)) {
            return log.empty() ? "\n" : log;
        }
    }
    return "";
}

Verdict graded(const Project& project, const Plan& plan, bool fresh) {
    if (plan.ours) {
        return run_grader_patiently(project, plan.exercise, plan.programs);
    }
    const std::string key = fingerprint(project, plan.programs.all());
    if (const auto known = fresh ? std::nullopt : kept_verdict(project, plan.exercise, key)) {
        return *known;
    }
    Verdict verdict = run_grader_patiently(project, plan.exercise, plan.programs);
    explain(verdict, project, plan.exercise, plan.programs, plan.source,
            warnings_about(project, plan.exercise));
    if (plan.programs.seed == 0) {
        keep_verdict(project, plan.exercise, key, verdict);
    }
    return verdict;
}

/// What plans take, built; and why what has no failure of its own is not, or "".
struct Built {
    BuildResult result;
    std::string fault;
};

/// The targets of the plans that are to be built, but of those that have a failure of their own.
std::vector<std::string> targets_of(const std::vector<Plan>& plans, const BuildResult& built) {
    std::vector<std::string> targets;
    for (const Plan& plan : plans) {
        if (plan.not_started.empty() && log_of(built, plan.exercise, plan.ours).empty()) {
            const auto programs = plan.programs.all();
            targets.insert(targets.end(), programs.begin(), programs.end());
        }
    }
    return targets;
}

/// Builds what the plans take. What the machine kept from being built is tried once more, each
/// exercise by itself.
Built build_for(const Project& project, const std::vector<Plan>& plans,
                const BuildProgress& progress) {
    const std::vector<std::string> targets = targets_of(plans, {});
    if (targets.empty()) {
        return {};
    }
    Built built{build(project, targets, progress), ""};
    for (const Plan& plan : plans) {
        const std::string log = log_of(built.result, plan.exercise, plan.ours);
        if (!log.empty() && !machine_fault_in(log, ask_machine(project)).empty()) {
            std::erase_if(built.result.failures,
                          [&](const auto& each) { return is_from(each.first, plan.exercise); });
            built.result.failures.merge(
                build(project, {plan.programs.submission}, progress).failures);
        }
    }
    // What no failure is known of may be there from before: ninja's status has to say that it is
    // built, whatever was printed.
    const std::vector<std::string> others = targets_of(plans, built.result);
    if (!built.result.ok && !others.empty()) {
        BuildResult again = build(project, others, progress);
        if (!again.ok) {
            const auto& [file, said] = *again.failures.begin();
            built.fault = fmt::format("{} {}", file, said.substr(0, 2000));
        }
        built.result.failures.merge(again.failures);
    }
    return built;
}

Verdict verdict_of(const Project& project, const Plan& plan, const Built& built, bool fresh) {
    if (!plan.not_started.empty()) {
        return with_summary(plan.exercise, State::not_started, plan.not_started);
    }
    if (const std::string log = log_of(built.result, plan.exercise, plan.ours); !log.empty()) {
        const std::string machine = machine_fault_in(log, ask_machine(project));
        return machine.empty() || !limit_in(log).empty()
                   ? does_not_compile(project, plan.exercise, plan.source, log)
                   : with_summary(plan.exercise, State::grader_at_fault,
                                  "It could not be compiled: " + machine + ".");
    }
    if (!built.fault.empty()) {
        return with_summary(plan.exercise, State::grader_at_fault,
                            "The course itself could not be built: " + built.fault);
    }
    return graded(project, plan, fresh);
}

} // namespace

std::string trouble_with_file(const Project& project, const Exercise& exercise) {
    const std::string path = short_path(project, exercise.file);
    const std::string remedy =
        fmt::format("`./course reset {}` brings the exercise back", exercise.id);
    std::error_code error; // of a link that leads nowhere, or to itself
    const fs::file_status status = fs::status(exercise.file, error);
    if (status.type() == fs::file_type::not_found) {
        return fmt::format("{} is missing: {}", path, remedy);
    }
    if (status.type() == fs::file_type::directory) {
        return fmt::format("{} is a folder, not a file: {}", path, remedy);
    }
    if (status.type() != fs::file_type::regular) {
        return fmt::format("{} is not a file: {}", path, remedy);
    }
    if (is_too_large(exercise.file)) {
        return fmt::format("{} is larger than {} MiB: {}", path, most_of_an_exercise >> 20, remedy);
    }
    const auto text = read_exercise(exercise.file);
    if (!text) {
        return fmt::format("{} cannot be read: look at its permissions, or {}", path, remedy);
    }
    if (text->find_first_not_of(" \t\r\n") == std::string::npos) {
        return fmt::format("{} is empty: {}", path, remedy);
    }
    return "";
}

Verdict grade_compiled(const Project& project, const Exercise& exercise, const Compiled& compiled,
                       std::uint64_t seed) {
    GradeOptions options;
    options.seed = seed;
    Plan plan = plan_for(project, exercise, options);
    if (!plan.not_started.empty() || !compiled.ok) {
        Built failed;
        failed.result.failures["submission_" + exercise.id] = said_in(compiled.log);
        return verdict_of(project, plan, failed, true);
    }
    plan.programs.submission = compiled.submission;
    Verdict verdict = run_grader_patiently(project, exercise, plan.programs);
    explain(verdict, project, exercise, plan.programs, plan.source, said_in(compiled.log));
    return verdict;
}

bool is_untouched(const Exercise& exercise) {
    const auto text = read_exercise(exercise.file);
    const auto solution = read_file(exercise.solution);
    return text && solution && *text == cut_stub(*solution);
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
    if (solution) { // figures wait for it
        for (const Exercise& exercise : exercises) {
            targets.push_back(programs_for(project, exercise, true).submission);
        }
        build(project, targets, progress);
    }
    for (const Exercise& exercise : exercises) {
        const Programs programs = programs_for(project, exercise, false);
        targets.insert(targets.end(), {programs.grader, programs.misconceptions});
    }
    build(project, targets, progress);
}

std::vector<Verdict> grade(const Project& project, const std::vector<Exercise>& exercises,
                           const GradeOptions& options) {
    const BuildLock lock(project);
    std::error_code none;
    remove_left_folders(fs::temp_directory_path(none));
    std::vector<Plan> plans = plans_for(project, exercises, options);
    Built built = build_for(project, plans, options.progress);
    // What was saved while it was built is planned and built anew; who saves all the time waits.
    for (int round = 0; round < 2 && std::any_of(plans.begin(), plans.end(), saved_since);
         ++round) {
        plans = plans_for(project, exercises, options);
        built = build_for(project, plans, options.progress);
    }
    std::vector<Verdict> verdicts;
    for (const Plan& plan : plans) {
        verdicts.push_back(verdict_of(project, plan, built, options.fresh || options.seed != 0));
        if (options.on_verdict) {
            options.on_verdict(plan.exercise, verdicts.back());
        }
    }
    return verdicts;
}

} // namespace course
