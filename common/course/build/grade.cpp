#include "course/build/grade.hpp"

#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/build/stub.hpp"
#include "course/explain/compile_error.hpp"
#include "course/explain/traps.hpp"
#include "course/files.hpp"
#include "course/process.hpp"

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
    const Finished finished = run({project.build / programs.grader, "--json", "--exercise",
                                   exercise.id, "--submission", project.build / programs.submission,
                                   "--misconceptions", project.build / programs.misconceptions},
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

/// Where no misconception explains what is wrong, C++ or xtensor may: a missing return, which is
/// only a warning, or one of xtensor's traps.
std::string explain_by_source(const Exercise& exercise, const std::string& warnings) {
    const std::string file = exercise.file.filename();
    std::smatch match;
    if (std::regex_search(warnings, match,
                          std::regex(file + R"(:(\d+):\d+: warning: .*\[-Wreturn-type\])"))) {
        return fmt::format(
            "the function that ends in line {} can end without a return. C++ lets that "
            "compile; what comes back is whatever happens to be there.",
            match[1].str());
    }
    if (std::string trap = find_trap(read_file(exercise.file).value_or("")); !trap.empty()) {
        return trap;
    }
    // Only warnings about what a program computes; most are about style, and explain nothing.
    const std::string telling =
        R"((?:(?:maybe-)?uninitialized|parentheses|unused-(?:value|parameter|but-set-\w+)|)"
        R"(div-by-zero|empty-body|return-local-addr|dangling[\w-]*|sequence-point|shift[\w-]*|)"
        R"(logical[\w-]*|bool[\w-]*|array-bounds|unsequenced|tautological[\w-]*))";
    if (std::regex_search(
            warnings, match,
            std::regex(file + R"(:(\d+):\d+: warning: (.*?)\.* \[-W)" + telling + "[=\\]]"))) {
        return fmt::format("the compiler warned about line {}: {}.", match[1].str(),
                           match[2].str());
    }
    return "";
}

/// What the assertions of the C++ library say, in words.
std::string explain_by_output(const std::string& output) {
    if (output.find("Assertion '__n < this->size()' failed") != std::string::npos) {
        return "an index is out of range: [] of a std::vector, a std::array or a std::string was "
               "given a number that is not below its size(). A loop may run too far, or over the "
               "size of another array.";
    }
    if (output.find("Assertion '!this->empty()' failed") != std::string::npos) {
        return "something was taken from a container that is empty, by front(), back() or "
               "pop_back(). Ask empty() first.";
    }
    return "";
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
                verdict.explanation = explain_by_output(verdict.output);
                if (verdict.explanation.empty()) {
                    verdict.explanation = explain_by_source(exercise, built.warnings);
                }
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
