#include "classroom/grade_class.hpp"

#include <atomic>
#include <iostream>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "classroom/reports.hpp"
#include "classroom/workshop.hpp"
#include "course/commands/printing.hpp"
#include "course/files.hpp"
#include "course/grading/verdict_cache.hpp"
#include "process/interruption.hpp"
#include "show/text.hpp"

namespace classroom {

namespace fs = std::filesystem;
using judge::Verdict;
using process::Interruption;

namespace {

/// Reports a step that takes long: on a terminal in the progress line, elsewhere in a line.
void say(course::Progress& line, const std::string& text) {
    line.show(text);
    if (isatty(STDERR_FILENO) == 0) {
        std::cerr << text << "\n" << std::flush;
    }
}

/// Prints a hand-in's points and remarks.
void print(course::Progress& line, const Result& result, const Points& worth) {
    line.show("");
    std::cout << fmt::format("{:<32} {:>5g} of {:g}{}{}\n", show::printable(result.hand_in.student),
                             points_of(result, worth), points_in_all(worth),
                             result.late ? ", late" : "",
                             is_graded(result) ? "" : ", not all of it could be graded");
    for (const std::string& remark : result.hand_in.remarks) {
        std::cout << "    " << show::printable(remark) << "\n";
    }
    std::cout << std::flush;
}

fs::path record_of(const Class& graded, const Result& result) {
    return graded.out / "json" / (file_name(result.hand_in.student) + ".json");
}

void keep(const fs::path& record, const Result& result, const std::string& key) {
    course::write_file(record, nlohmann::json{{"student", result.hand_in.student},
                                              {"key", is_graded(result) ? key : ""},
                                              {"remarks", result.hand_in.remarks},
                                              {"verdicts", result.verdicts}}
                                   .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// A text of an exercise, and the hand-ins that have it.
struct Task {
    std::size_t exercise;
    std::string text;
    std::vector<std::size_t> owners;
};

/// The distinct texts, in the order of hand-ins; none of hand-ins that have their verdicts.
std::vector<Task> tasks_of(const Class& graded, const std::vector<course::Exercise>& exercises,
                           const Workshop& workshop) {
    std::vector<Task> tasks;
    std::map<std::pair<std::size_t, std::string>, std::size_t> known;
    for (std::size_t i = 0; i < graded.results.size(); ++i) {
        const bool is_done = graded.results[i].verdicts.size() == exercises.size();
        for (std::size_t j = 0; j < exercises.size() && !is_done; ++j) {
            const std::string& text = workshop.text_of(graded.results[i].hand_in, exercises[j].id);
            const auto [task, is_new] = known.try_emplace({j, text}, tasks.size());
            if (is_new) {
                tasks.push_back({j, text, {}});
            }
            tasks[task->second].owners.push_back(i);
        }
    }
    return tasks;
}

/// Does so many tasks, `jobs` at a time, until an interruption is noted. Rethrows a task's
/// exception.
void work_off(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& task) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr trouble;
    const auto work = [&] {
        for (std::size_t n = next++; n < count && !Interruption::noted(); n = next++) {
            try { // nothing may leave a thread: it would end the program
                task(n);
            } catch (...) {
                const std::lock_guard lock(mutex);
                trouble = std::current_exception();
                next = count;
            }
        }
    };
    { // their destructors wait for them
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < jobs; ++i) {
            threads.emplace_back(work);
        }
    }
    if (trouble && !Interruption::noted()) { // an interruption causes some itself
        std::rethrow_exception(trouble);
    }
}

} // namespace

void grade(Class& graded) {
    course::Progress line;
    say(line, "building the graders …");
    const Workshop workshop(graded.project, graded.seed, line.build());
    say(line, "testing the graders …");
    work_off(graded.project.lessons.size(), graded.jobs,
             [&](std::size_t n) { workshop.prove(graded.project.lessons[n]); });
    std::vector<Result>& results = graded.results;
    say(line,
        fmt::format("grading {} hand-in{} …", results.size(), results.size() == 1 ? "" : "s"));
    const std::vector<course::Exercise> exercises = find_exercises(graded.project, "all");
    for (Result& result : results) {
        if (graded.resume) {
            result.verdicts =
                course::verdicts_in(record_of(graded, result), workshop.key_of(result.hand_in));
        }
        if (result.verdicts.size() == exercises.size()) {
            print(line, result, graded.worth);
        }
    }
    const std::vector<Task> tasks = tasks_of(graded, exercises, workshop);
    std::vector<std::size_t> missing(results.size(), exercises.size());
    for (Result& result : results) {
        result.verdicts.resize(exercises.size());
    }
    const fs::path rooms = graded.project.build / "classroom_work";
    fs::remove_all(rooms);
    std::mutex mutex;
    std::size_t done = 0;
    work_off(tasks.size(), graded.jobs, [&](std::size_t n) {
        const Task& task = tasks[n];
        const Verdict verdict =
            workshop.grade(exercises[task.exercise], task.text, rooms / std::to_string(n));
        const std::lock_guard lock(mutex);
        ++done;
        for (const std::size_t owner : task.owners) {
            Result& result = results[owner];
            result.verdicts[task.exercise] = verdict;
            if (--missing[owner] == 0 &&
                !Interruption::noted()) { // an interrupted verdict says nothing
                keep(record_of(graded, result), result, workshop.key_of(result.hand_in));
                print(line, result, graded.worth);
            }
        }
        line.show(fmt::format("grading, {} of {} files …", done, tasks.size()));
    });
    fs::remove_all(rooms);
}

} // namespace classroom
