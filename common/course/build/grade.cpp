#include "course/build/grade.hpp"

#include <algorithm>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/build/stub.hpp"
#include "course/build/trial.hpp"
#include "course/build/verdict_cache.hpp"
#include "course/explain/advice.hpp"
#include "course/explain/compile_error.hpp"
#include "course/explain/traps.hpp"
#include "course/files.hpp"
#include "process/run.hpp"

namespace course {

namespace fs = std::filesystem;
using judge::State;
using judge::Verdict;

namespace {

constexpr std::chrono::seconds grader_time{120}; // every call has its own limit

/// The programs that one verdict comes from.
struct Programs {
    std::string grader;
    std::string submission;
    std::string misconceptions;

    std::vector<std::string> all() const { return {grader, submission, misconceptions}; }
};

Programs programs_for(const Project& project, const Exercise& exercise, bool solution) {
    const std::string& folder = lesson_of(project, exercise).folder;
    return {"grader_" + folder,
            solution ? "submission_" + folder + "_solutions" : "submission_" + exercise.id,
            "submission_" + folder + "_misconceptions"};
}

std::string read_if_regular(const fs::path& file) {
    std::error_code error; // anything else may have no end
    return fs::is_regular_file(file, error) ? read_file(file).value_or("") : "";
}

/// How one exercise is graded, decided once, before anything is built.
struct Plan {
    Exercise exercise;
    Programs programs;
    bool ours = false;       // our solution: it is neither explained nor kept
    std::uint64_t seed = 0;  // of the grader
    std::string source;      // the learner's text that this plan is about
    std::string not_started; // why there is nothing to build or run, or ""
};

Plan plan_for(const Project& project, const Exercise& exercise, const GradeOptions& options) {
    Plan plan{exercise,
              programs_for(project, exercise, options.solution),
              options.solution,
              options.seed,
              "",
              ""};
    if (!plan.ours) {
        plan.source = read_if_regular(exercise.file);
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
    return !plan.ours && read_if_regular(plan.exercise.file) != plan.source;
}

Verdict with_summary(const Exercise& exercise, State state, const std::string& summary) {
    Verdict verdict;
    verdict.exercise = exercise.id;
    verdict.state = state;
    verdict.summary = summary;
    return verdict;
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
    verdict.details.push_back(error.message);
    return verdict;
}

/// Whether a file of the build is made from the learner's exercise.
bool is_from(const std::string& file, const Exercise& exercise) {
    return file.find("exercise_" + exercise.id + ".dir") != std::string::npos ||
           fs::path(file).filename() == "submission_" + exercise.id;
}

/// Something of ours could not be built: no learner's mistake.
std::string fault_of_ours(const BuildResult& built, const std::vector<Exercise>& exercises) {
    for (const auto& failure : built.failures) { // no binding: clang 14 captures none
        const bool theirs =
            std::any_of(exercises.begin(), exercises.end(),
                        [&](const Exercise& each) { return is_from(failure.first, each); });
        if (!theirs && failure.second.find("cannot make progress") == std::string::npos) {
            return fmt::format("{} {}", failure.first, failure.second.substr(0, 2000));
        }
    }
    return "";
}

std::string log_of(const BuildResult& built, const Exercise& exercise, bool solution) {
    for (const auto& [file, log] : built.failures) {
        if (!solution && is_from(file, exercise)) {
            return log;
        }
    }
    return "";
}

/// What a grader that was ended from outside could not remove.
void remove_folders_of(pid_t grader) {
    std::error_code error;
    const std::string prefix = fmt::format("course-{}-", grader);
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(error), error)) {
        if (entry.path().filename().string().starts_with(prefix)) {
            fs::remove_all(entry.path(), error);
        }
    }
}

Verdict run_grader(const Project& project, const Exercise& exercise, const Programs& programs,
                   std::uint64_t seed) {
    const process::Finished finished =
        process::run({project.build / programs.grader, "--json", "--exercise", exercise.id,
                      "--submission", project.build / programs.submission, "--misconceptions",
                      project.build / programs.misconceptions, "--seed", std::to_string(seed)},
                     {.merge_errors = false, .time = grader_time});
    if (finished.status > 128) {
        remove_folders_of(finished.process);
    }
    if (finished.late) {
        return with_summary(exercise, State::grader_at_fault, "The grader itself did not finish.");
    }
    try {
        auto verdict = nlohmann::json::parse(finished.output).get<Verdict>();
        if ((verdict.state == State::passed) == (finished.status == 0)) {
            return verdict;
        }
    } catch (const nlohmann::json::exception&) {
        // It ended before it had said anything, or while it did.
    }
    return with_summary(
        exercise, State::grader_at_fault,
        fmt::format("The grader itself ended without a verdict (status {}).", finished.status));
}

/// A todo() that was left in a file that has been worked on; "" if there is none.
std::string todo_left(const Plan& plan) {
    std::istringstream lines(plan.source);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const bool stays = line.find("this stays") != std::string::npos; // as in the sheet of 04.4
        if (!stays && line.find("todo(\"") < line.find("//")) {
            return fmt::format(
                "Line {} still calls todo(\"{}\", …), which stops the function there: "
                "delete that line when your code takes its place.",
                number, plan.exercise.id);
        }
    }
    return "";
}

/// Whether more checks pass once traps are mended.
bool would_help(const Project& project, const Plan& plan, const Verdict& verdict,
                const std::vector<Trap>& traps) {
    const Trial trial(project, plan.exercise, mended(plan.source, traps));
    const auto submission = trial.submission();
    if (!submission) {
        return false;
    }
    Programs instead = plan.programs;
    instead.submission = fs::relative(*submission, project.build);
    const Verdict other = run_grader(project, plan.exercise, instead, plan.seed);
    return other.state == State::passed ||
           (other.state != State::grader_at_fault && other.checks_passed > verdict.checks_passed);
}

/// The trap in the source without which the answers would be better; "" if there is none.
std::string explain_by_trap(const Project& project, const Plan& plan, const Verdict& verdict) {
    constexpr std::size_t most = 8; // each costs a second where there are several
    const auto traps = find_traps(plan.source);
    if (traps.empty() || !would_help(project, plan, verdict, traps)) {
        return "";
    }
    for (std::size_t i = 0; traps.size() > 1 && i < std::min(traps.size(), most); ++i) {
        if (would_help(project, plan, verdict, {traps[i]})) {
            return traps[i].text;
        }
    }
    return traps.size() == 1
               ? traps.front().text
               : "of several places that have to change, the first is this: " + traps.front().text;
}

/// Where no misconception explains what is wrong, C++ or xtensor may.
std::string explain_otherwise(const Project& project, const Plan& plan, const Verdict& verdict,
                              const std::string& warnings) {
    std::string outcome = verdict.output + "\n" + verdict.summary;
    for (const std::string& line : verdict.details) {
        outcome += "\n" + line;
    }
    const std::string warned = explain_warnings(warnings, plan.exercise.file.filename());
    const bool only_a_look = warned.starts_with("Look");
    for (std::string text : {advice_on_outcome(outcome), only_a_look ? "" : warned}) {
        if (!text.empty()) {
            return text;
        }
    }
    const std::string trap = explain_by_trap(project, plan, verdict);
    return trap.empty() ? warned : trap;
}

/// Adds to a learner's verdict what can be said beyond it.
void explain(Verdict& verdict, const Project& project, const Plan& plan,
             const std::string& warnings) {
    const bool failed = verdict.state == State::wrong || verdict.state == State::crashed ||
                        verdict.state == State::ran_too_long;
    if (verdict.state == State::not_started) {
        const std::string left = todo_left(plan);
        verdict.summary = left.empty() ? verdict.summary : left;
    } else if (failed && verdict.explanation.empty()) {
        verdict.explanation = explain_otherwise(project, plan, verdict, warnings);
    }
}

/// A fault of the machine may be gone the next moment: tried once more.
Verdict run_grader_patiently(const Project& project, const Plan& plan) {
    try {
        Verdict verdict = run_grader(project, plan.exercise, plan.programs, plan.seed);
        return verdict.state == State::grader_at_fault
                   ? run_grader(project, plan.exercise, plan.programs, plan.seed)
                   : verdict;
    } catch (const std::system_error& error) { // no process, or no pipe
        return with_summary(plan.exercise, State::grader_at_fault, error.what());
    }
}

Verdict graded(const Project& project, const Plan& plan, const std::string& warnings, bool fresh) {
    if (plan.ours) {
        return run_grader_patiently(project, plan);
    }
    const std::string key = fingerprint(project, plan.programs.all());
    if (const auto known = fresh ? std::nullopt : kept_verdict(project, plan.exercise, key)) {
        return *known;
    }
    Verdict verdict = run_grader_patiently(project, plan);
    explain(verdict, project, plan, warnings);
    if (plan.seed == 0) {
        keep_verdict(project, plan.exercise, key, verdict);
    }
    return verdict;
}

/// Builds what the plans take. What the machine kept from being built is tried once more, each
/// exercise by itself.
BuildResult build_for(const Project& project, const std::vector<Plan>& plans,
                      const BuildProgress& progress) {
    std::vector<std::string> targets;
    std::vector<Exercise> exercises;
    for (const Plan& plan : plans) {
        if (plan.not_started.empty()) {
            const auto programs = plan.programs.all();
            targets.insert(targets.end(), programs.begin(), programs.end());
            exercises.push_back(plan.exercise);
        }
    }
    if (targets.empty()) {
        return {};
    }
    BuildResult built = build(project, targets, progress);
    if (!fault_of_ours(built, exercises).empty()) {
        built = build(project, targets, progress);
    }
    for (const Plan& plan : plans) {
        const std::string log = log_of(built, plan.exercise, plan.ours);
        if (!machine_fault_in(log, plan.exercise.file.filename()).empty()) {
            std::erase_if(built.failures,
                          [&](const auto& each) { return is_from(each.first, plan.exercise); });
            built.failures.merge(build(project, {plan.programs.submission}, progress).failures);
        }
    }
    return built;
}

Verdict verdict_of(const Project& project, const Plan& plan, const BuildResult& built,
                   const std::string& fault, bool fresh) {
    if (!plan.not_started.empty()) {
        return with_summary(plan.exercise, State::not_started, plan.not_started);
    }
    if (const std::string log = log_of(built, plan.exercise, plan.ours); !log.empty()) {
        const std::string machine = machine_fault_in(log, plan.exercise.file.filename());
        return machine.empty() || !limit_in(log).empty()
                   ? does_not_compile(project, plan.exercise, plan.source, log)
                   : with_summary(plan.exercise, State::grader_at_fault,
                                  "It could not be compiled: " + machine + ".");
    }
    if (!fault.empty()) {
        return with_summary(plan.exercise, State::grader_at_fault,
                            "The course itself could not be built: " + fault);
    }
    return graded(project, plan, built.warnings, fresh);
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
    const auto text = read_file(exercise.file);
    if (!text) {
        return fmt::format("{} cannot be read: look at its permissions, or {}", path, remedy);
    }
    if (text->find_first_not_of(" \t\r\n") == std::string::npos) {
        return fmt::format("{} is empty: {}", path, remedy);
    }
    return "";
}

bool is_untouched(const Exercise& exercise) {
    const auto text = read_file(exercise.file);
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
    std::vector<Plan> plans = plans_for(project, exercises, options);
    BuildResult built = build_for(project, plans, options.progress);
    // What was saved while it was built is planned and built anew; who saves all the time waits.
    for (int round = 0; round < 2 && std::any_of(plans.begin(), plans.end(), saved_since);
         ++round) {
        plans = plans_for(project, exercises, options);
        built = build_for(project, plans, options.progress);
    }
    const std::string fault = built.ok ? "" : fault_of_ours(built, exercises);
    std::vector<Verdict> verdicts;
    for (const Plan& plan : plans) {
        verdicts.push_back(
            verdict_of(project, plan, built, fault, options.fresh || options.seed != 0));
        if (options.on_verdict) {
            options.on_verdict(plan.exercise, verdicts.back());
        }
    }
    return verdicts;
}

} // namespace course
