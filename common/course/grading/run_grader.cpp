#include "course/grading/run_grader.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "process/interruption.hpp"
#include "process/run.hpp"

namespace course {

namespace fs = std::filesystem;
using judge::State;
using judge::Verdict;

namespace {

constexpr const char* did_not_finish = "The grader itself did not finish.";

/// Removes the folders that a grader left because it was killed.
void remove_folders_of(pid_t grader) {
    std::error_code error;
    const std::string prefix = fmt::format("course-{}-", grader);
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(error), error)) {
        if (entry.path().filename().string().starts_with(prefix)) {
            fs::remove_all(entry.path(), error);
        }
    }
}

} // namespace

Programs programs_for(const Project& project, const Exercise& exercise, bool solution,
                      std::uint64_t seed) {
    const std::string& folder = lesson_of(project, exercise).folder;
    return {"grader_" + folder,
            solution ? "submission_" + folder + "_solutions" : "submission_" + exercise.id,
            "mistakes_" + exercise.id, seed};
}

Verdict with_summary(const Exercise& exercise, State state, const std::string& summary) {
    Verdict verdict;
    verdict.exercise = exercise.id;
    verdict.state = state;
    verdict.summary = summary;
    return verdict;
}

Verdict run_grader(const Project& project, const Exercise& exercise, const Programs& programs,
                   std::chrono::seconds time) {
    std::vector<std::string> command{project.build / programs.grader,
                                     "--json",
                                     "--exercise",
                                     exercise.id,
                                     "--submission",
                                     project.build / programs.submission,
                                     "--source",
                                     exercise.file,
                                     "--seed",
                                     std::to_string(programs.seed)};
    const fs::path mistakes = project.build / programs.mistakes;
    if (fs::exists(mistakes)) { // they may be built later
        command.insert(command.end(), {"--mistakes", mistakes});
    }
    if (!programs.variant.empty()) {
        command.insert(command.end(), {"--variant", programs.variant});
    }
    const process::Finished finished = process::run(
        command, {.merge_errors = false,
                  // Its threads would try for ever to allocate memory beyond the limit.
                  .environment = {{"OPENBLAS_NUM_THREADS", "1"}},
                  .time = time,
                  .stop = process::Interruption::noted,
                  .grace = std::chrono::seconds(1)});
    if (finished.status > 128) {
        remove_folders_of(finished.process);
    }
    if (finished.late) {
        return with_summary(exercise, State::grader_at_fault, did_not_finish);
    }
    try {
        auto verdict = nlohmann::json::parse(finished.output).get<Verdict>();
        if ((verdict.state == State::passed) == (finished.status == 0)) {
            return verdict;
        }
    } catch (const nlohmann::json::exception&) {
        // It ended before it had printed a whole verdict.
    }
    return with_summary(
        exercise, State::grader_at_fault,
        fmt::format("The grader itself ended without a verdict (status {}).", finished.status));
}

Verdict run_grader_patiently(const Project& project, const Exercise& exercise,
                             const Programs& programs) {
    try {
        Verdict verdict = run_grader(project, exercise, programs);
        const bool again = verdict.state == State::grader_at_fault &&
                           verdict.summary != did_not_finish && !process::Interruption::noted();
        return again ? run_grader(project, exercise, programs) : verdict;
    } catch (const std::system_error& error) { // no process, or no pipe
        return with_summary(exercise, State::grader_at_fault, error.what());
    }
}

} // namespace course
