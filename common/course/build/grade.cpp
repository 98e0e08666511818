#include "course/build/grade.hpp"

#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/build/stub.hpp"
#include "course/build/trial.hpp"
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

constexpr std::chrono::seconds grader_time{120}; // every call has its own limit; this is for ours

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

Verdict with_summary(const Exercise& exercise, State state, const std::string& summary) {
    Verdict verdict;
    verdict.exercise = exercise.id;
    verdict.state = state;
    verdict.summary = summary;
    return verdict;
}

/// "  12 |     return X + ;" under the place, then what the compiler says.
Verdict does_not_compile(const Project& project, const Exercise& exercise, const std::string& log) {
    const std::string source = read_file(exercise.file).value_or("");
    const std::string contract = read_file(lesson_of(project, exercise).contract).value_or("");
    const CompileError error = explain_compile_error(log, exercise, contract, source);
    Verdict verdict = with_summary(exercise, State::does_not_compile, error.advice);
    const std::string path = short_path(project, exercise.file);
    verdict.details.push_back(error.line > 0 ? fmt::format("{}:{}", path, error.line) : path);
    if (!error.source.empty()) {
        verdict.details.push_back(fmt::format("{:>5} | {}", error.line, error.source));
    }
    verdict.details.push_back(error.message);
    return verdict;
}

Verdict run_grader(const Project& project, const Exercise& exercise, const Programs& programs) {
    const process::Finished finished =
        process::run({project.build / programs.grader, "--json", "--exercise", exercise.id,
                      "--submission", project.build / programs.submission, "--misconceptions",
                      project.build / programs.misconceptions},
                     {.merge_errors = false, .time = grader_time});
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
std::string todo_left(const Exercise& exercise) {
    std::istringstream lines(read_file(exercise.file).value_or(""));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const bool stays = line.find("this stays") != std::string::npos; // as in the sheet of 04.4
        if (!stays && line.find("todo(\"") < line.find("//")) {
            return fmt::format(
                "Line {} still calls todo(\"{}\", …), which stops the function there: "
                "delete that line when your code takes its place.",
                number, exercise.id);
        }
    }
    return "";
}

/// Whether more checks pass once traps are mended.
bool would_help(const Project& project, const Exercise& exercise, const Programs& programs,
                const Verdict& verdict, const std::vector<Trap>& traps) {
    const Trial trial(project, exercise, mended(read_file(exercise.file).value_or(""), traps));
    const auto submission = trial.submission();
    if (!submission) {
        return false;
    }
    Programs instead = programs;
    instead.submission = fs::relative(*submission, project.build);
    const Verdict other = run_grader(project, exercise, instead);
    return other.state == State::passed ||
           (other.state != State::grader_at_fault && other.checks_passed > verdict.checks_passed);
}

/// The trap in the source without which the answers would be better; "" if there is none.
std::string explain_by_trap(const Project& project, const Exercise& exercise,
                            const Programs& programs, const Verdict& verdict) {
    constexpr std::size_t most = 8; // each costs a second where there are several
    const auto traps = find_traps(read_file(exercise.file).value_or(""));
    if (traps.empty() || !would_help(project, exercise, programs, verdict, traps)) {
        return "";
    }
    for (std::size_t i = 0; traps.size() > 1 && i < std::min(traps.size(), most); ++i) {
        if (would_help(project, exercise, programs, verdict, {traps[i]})) {
            return traps[i].text;
        }
    }
    return traps.size() == 1
               ? traps.front().text
               : "of several places that have to change, the first is this: " + traps.front().text;
}

/// Where no misconception explains what is wrong, C++ or xtensor may.
std::string explain_otherwise(const Project& project, const Exercise& exercise,
                              const Programs& programs, const Verdict& verdict,
                              const std::string& warnings) {
    std::string outcome = verdict.output + "\n" + verdict.summary;
    for (const std::string& line : verdict.details) {
        outcome += "\n" + line;
    }
    const std::string warned = explain_warnings(warnings, exercise.file.filename());
    const bool only_a_look = warned.starts_with("Look");
    for (std::string text : {advice_on_outcome(outcome), only_a_look ? "" : warned}) {
        if (!text.empty()) {
            return text;
        }
    }
    const std::string trap = explain_by_trap(project, exercise, programs, verdict);
    return trap.empty() ? warned : trap;
}

/// What a verdict depends on, in one number: the very programs it comes from, and the tensors that
/// graders read.
std::string fingerprint(const Project& project, const Programs& programs) {
    std::string contents;
    for (const std::string& program : programs.all()) {
        contents += read_file(project.build / program).value_or("") + '\0';
    }
    static const std::string goldens = [&] {
        std::set<fs::path> files;
        for (const auto& file :
             fs::recursive_directory_iterator(project.root / "tests" / "golden")) {
            files.insert(file.path());
        }
        std::string all;
        for (const fs::path& file : files) {
            all += read_file(file).value_or("") + '\0';
        }
        return all;
    }();
    contents += goldens;
    return fmt::format("{:016x}", std::hash<std::string>{}(contents));
}

fs::path cache_of(const Project& project, const Exercise& exercise) {
    return project.state / "verdicts" / (exercise.id + ".json");
}

/// key: which verdict it must be; "" takes any.
std::optional<Verdict> cached(const Project& project, const Exercise& exercise,
                              const std::string& key) {
    try {
        const auto json =
            nlohmann::json::parse(read_file(cache_of(project, exercise)).value_or(""));
        if (key.empty() || json.at("key") == key) {
            return json.at("verdict").get<Verdict>();
        }
    } catch (const nlohmann::json::exception&) {
        // No verdict yet, or a damaged one: it is computed again.
    }
    return std::nullopt;
}

void remember(const Project& project, const Exercise& exercise, const std::string& key,
              const Verdict& verdict) {
    try {
        write_file(cache_of(project, exercise),
                   nlohmann::json{{"key", key}, {"verdict", verdict}}.dump(
                       1, ' ', false, nlohmann::json::error_handler_t::replace));
    } catch (const std::runtime_error&) {
        // A cache that cannot be written costs time, not a verdict.
    }
}

/// Whether a file of the build is made from the learner's exercise.
bool is_from(const std::string& file, const Exercise& exercise) {
    return file.find("exercise_" + exercise.id + ".dir") != std::string::npos ||
           fs::path(file).filename() == "submission_" + exercise.id;
}

/// Something of ours could not be built: no learner's mistake.
std::string trouble_of_ours(const BuildResult& built, const std::vector<Exercise>& exercises) {
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
    return cached(project, exercise, "");
}

void prepare(const Project& project, const std::vector<Exercise>& exercises,
             const BuildProgress& progress) {
    std::vector<std::string> targets;
    for (const Exercise& exercise : exercises) {
        const Programs programs = programs_for(project, exercise, false);
        targets.insert(targets.end(), {programs.grader, programs.misconceptions});
    }
    build(project, targets, progress);
}

std::vector<Verdict> grade(const Project& project, const std::vector<Exercise>& exercises,
                           const GradeOptions& options) {
    std::vector<std::string> targets;
    std::vector<Exercise> to_run;
    for (const Exercise& exercise : exercises) {
        const bool ready = options.solution || (trouble_with_file(project, exercise).empty() &&
                                                !is_untouched(exercise));
        if (ready) {
            to_run.push_back(exercise);
            const auto programs = programs_for(project, exercise, options.solution).all();
            targets.insert(targets.end(), programs.begin(), programs.end());
        }
    }
    const BuildResult built =
        targets.empty() ? BuildResult{} : build(project, targets, options.progress);
    const std::string ours = built.ok ? "" : trouble_of_ours(built, to_run);

    std::vector<Verdict> verdicts;
    for (const Exercise& exercise : exercises) {
        const Programs programs = programs_for(project, exercise, options.solution);
        const std::string trouble = trouble_with_file(project, exercise);
        const std::string log = log_of(built, exercise, options.solution);
        Verdict verdict;
        if (!options.solution && !trouble.empty()) {
            verdict = with_summary(exercise, State::not_started, trouble);
        } else if (!options.solution && is_untouched(exercise)) {
            verdict =
                with_summary(exercise, State::not_started, exercise.id + " is not written yet.");
        } else if (!log.empty()) {
            verdict = does_not_compile(project, exercise, log);
        } else if (!ours.empty()) {
            verdict = with_summary(exercise, State::grader_at_fault,
                                   "The course itself could not be built: " + ours);
        } else {
            const std::string key = fingerprint(project, programs);
            const auto known = options.solution ? std::nullopt : cached(project, exercise, key);
            verdict = known ? *known : run_grader(project, exercise, programs);
            if (!options.solution && verdict.state == State::not_started) {
                const std::string left = todo_left(exercise);
                verdict.summary = left.empty() ? verdict.summary : left;
            }
            const bool failed = verdict.state == State::wrong || verdict.state == State::crashed ||
                                verdict.state == State::ran_too_long;
            if (!known && !options.solution && failed && verdict.explanation.empty()) {
                verdict.explanation =
                    explain_otherwise(project, exercise, programs, verdict, built.warnings);
            }
            if (!known && !options.solution && verdict.state != State::grader_at_fault) {
                remember(project, exercise, key, verdict);
            }
        }
        if (options.on_verdict) {
            options.on_verdict(exercise, verdict);
        }
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

} // namespace course
