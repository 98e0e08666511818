#include "course/commands/commands.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "course/commands/junit.hpp"
#include "course/commands/printing.hpp"
#include "course/commands/solution.hpp"
#include "course/files.hpp"
#include "course/grading/grade.hpp"
#include "course/page.hpp"
#include "course/screen/check.hpp"
#include "course/screen/place.hpp"
#include "course/screen/watch.hpp"
#include "judge/text.hpp"
#include "process/run.hpp"
#include "show/terminal.hpp"
#include "show/text.hpp"

namespace course {

namespace fs = std::filesystem;
using judge::State;
using judge::Verdict;

namespace {

std::vector<Exercise> chosen(const Project& project, const std::vector<std::string>& words) {
    std::vector<Exercise> exercises;
    std::set<std::string> seen;
    for (const std::string& word : words.empty() ? std::vector<std::string>{"all"} : words) {
        for (const Exercise& exercise : find_exercises(project, word)) {
            if (seen.insert(exercise.id).second) {
                exercises.push_back(exercise);
            }
        }
    }
    return exercises;
}

/// Throws BadUse for the first exercise whose file cannot be graded.
void require_files(const Project& project, const std::vector<Exercise>& exercises) {
    for (const Exercise& exercise : exercises) {
        if (const std::string trouble = trouble_with_file(project, exercise); !trouble.empty()) {
            throw BadUse(trouble);
        }
    }
}

std::vector<Verdict> grade_quietly(const Project& project, const std::vector<Exercise>& exercises) {
    Progress progress;
    std::size_t done = 0;
    return grade(project, exercises,
                 {.progress = progress.build(), .on_verdict = [&](const auto&, const auto&) {
                      progress.graded(++done, exercises.size());
                  }});
}

int status_of(const std::vector<Verdict>& verdicts, int not_started_status) {
    if (std::any_of(verdicts.begin(), verdicts.end(),
                    [](const Verdict& v) { return v.state == State::grader_at_fault; })) {
        return 3;
    }
    if (count_passed(verdicts) == verdicts.size()) {
        return 0;
    }
    const bool only_not_started = std::all_of(verdicts.begin(), verdicts.end(), [](const auto& v) {
        return v.state == State::passed || v.state == State::not_started;
    });
    return only_not_started ? not_started_status : 1;
}

/// The one exercise that a word names; throws BadUse if it names several.
Exercise one_exercise(const Project& project, const char* command, const std::string& word) {
    const std::vector<Exercise> exercises = find_exercises(project, word);
    if (exercises.size() != 1) {
        throw BadUse(
            fmt::format("say which exercise, as in ./course {} {}", command, exercises.front().id));
    }
    return exercises.front();
}

/// Whether the user agrees: on the terminal, by --yes, or because nobody is there to answer.
bool agreed(const std::string& question, bool yes) {
    if (yes || isatty(STDIN_FILENO) == 0) {
        return true;
    }
    std::cout << question << " [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

} // namespace

int start(const Project& project, const std::string& word) {
    const std::size_t place = place_to_begin(project, word);
    const char* const kind = std::getenv("TERM");
    if (isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && kind != nullptr &&
        std::string_view(kind) != "dumb") {
        return Watch(project, place).run();
    }
    const std::vector<Exercise> all = find_exercises(project, "all");
    const std::vector<Verdict> verdicts = grade_quietly(project, all);
    print_table(project, all, verdicts);
    const auto open = std::find_if(verdicts.begin(), verdicts.end(),
                                   [](const Verdict& each) { return each.state != State::passed; });
    if (word.empty() && open == verdicts.end()) {
        std::cout << "You have passed every exercise there is. ./course run all walks through what "
                     "you built.\n";
        return 0;
    }
    const std::size_t next =
        word.empty() ? static_cast<std::size_t>(open - verdicts.begin()) : place;
    std::cout << "\nNext: " << all[next].id << " " << all[next].title << "\n"
              << indented(next_step(project, all[next], verdicts[next].state));
    return 0;
}

int list(const Project& project) {
    const std::vector<Exercise> all = find_exercises(project, "all");
    print_table(project, all, grade_quietly(project, all));
    return 0;
}

int grade_command(const Project& project, const GradeCommand& command) {
    const std::vector<Exercise> exercises = chosen(project, command.words);
    if (command.prepare) {
        Progress progress(command.progress);
        prepare(project, exercises, command.solution, progress.build());
        return 0;
    }
    if (!command.solution && exercises.size() == 1) {
        require_files(project, exercises);
    }
    Progress progress(command.progress);
    const char* const ci = std::getenv("CI"); // set where a grade counts
    GradeOptions options{.solution = command.solution,
                         .fresh = command.fresh || (ci != nullptr && *ci != '\0'),
                         .seed = command.seed};
    const bool text = command.format == "text";
    std::vector<Timed> timed;
    auto before = std::chrono::steady_clock::now();
    options.progress = [&, build = progress.build()](int done, int total) {
        build(done, total);
        before = std::chrono::steady_clock::now(); // building is nobody's time
    };
    options.on_verdict = [&](const Exercise& exercise, const Verdict& verdict) {
        const auto now = std::chrono::steady_clock::now();
        timed.push_back({verdict, std::chrono::duration<double>(now - before).count()});
        before = now;
        if (text) {
            progress.show("");
            std::cout << (timed.size() == 1 ? "" : "\n");
            print_verdict(project, exercise, verdict);
        }
        progress.graded(timed.size(), exercises.size());
    };
    const std::vector<Verdict> verdicts = grade(project, exercises, options);
    if (command.format == "json") {
        std::cout << nlohmann::json(verdicts).dump(2, ' ', false,
                                                   nlohmann::json::error_handler_t::replace)
                  << "\n";
    } else if (command.format == "junit") {
        std::cout << junit(project, exercises, timed,
                           fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(std::time(nullptr))));
    } else if (verdicts.size() > 1) {
        std::cout << fmt::format("\n{} of {} exercises passed.\n", count_passed(verdicts),
                                 verdicts.size());
    }
    if (!command.solution) {
        require_files(project,
                      exercises); // a missing file is bad use, once all the others are graded
    }
    return status_of(verdicts, command.not_started_status);
}

namespace {

std::string walkthrough_of(const Lesson& lesson, bool solution) {
    return "walkthrough_" + lesson.folder + (solution ? "_solution" : "");
}

/// Grades what a walk-through is about to run: false, with the verdict, if something does not
/// compile. Warns of wrong answers: the walk-through's explanations are written for right ones.
bool check_exercises(const Project& project, const Lesson& lesson) {
    std::vector<std::string> wrong;
    const std::vector<Verdict> verdicts = grade_quietly(project, lesson.exercises);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const State state = verdicts[i].state;
        if (state == State::does_not_compile) {
            print_verdict(project, lesson.exercises[i], verdicts[i]);
            return false;
        }
        if (state != State::passed && state != State::not_started &&
            state != State::grader_at_fault) {
            wrong.push_back(verdicts[i].exercise);
        }
    }
    if (!wrong.empty()) {
        std::cerr << fmt::format("({} {} not pass yet: the text below may not fit your numbers.)\n",
                                 fmt::join(wrong, ", "), wrong.size() == 1 ? "does" : "do");
    }
    return true;
}

/// Runs what has been built. Returns its exit status, or 128 + the signal that ended it.
int run_built(const Project& project, const Lesson& lesson, bool solution,
              const std::vector<std::string>& options) {
    std::vector<std::string> words{project.build / walkthrough_of(lesson, solution)};
    words.insert(words.end(), options.begin(), options.end());
    process::RunOptions patiently{.capture = false, .patience = std::chrono::seconds(10)};
    if (lesson.short_options.empty()) { // else it shows how far it is
        patiently.on_late = [] {
            std::cerr << "\n(It has computed for 10 s: a loop may never end. Ctrl-C stops it.)\n";
        };
    }
    return process::run(words, patiently).status;
}

bool asks_for_help(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option == "-h" || option == "--help";
    });
}

} // namespace

int run_walkthroughs(const Project& project, const RunCommand& command) {
    const bool all = command.word == "all";
    for (const Lesson& lesson :
         all ? project.lessons : std::vector{find_lesson(project, command.word)}) {
        if (command.prepare) {
            build(project, {walkthrough_of(lesson, true)});
            continue;
        }
        if (!command.solution) {
            require_files(project, lesson.exercises);
            if (!asks_for_help(command.options) && !check_exercises(project, lesson)) {
                return 1;
            }
        }
        const std::string program = walkthrough_of(lesson, command.solution);
        build_or_throw(project, program, program);
        if (all) {
            std::cout << show::bold(fmt::format("Lesson {} {}", lesson.id, lesson.title)) << "\n"
                      << std::flush;
        }
        // With all lessons, each takes seconds.
        const auto& options =
            all && command.options.empty() ? lesson.short_options : command.options;
        const int status = run_built(project, lesson, command.solution, options);
        if (const std::string ended = ended_by_signal(status); !ended.empty()) {
            const bool ours = command.solution || status == 128 + SIGKILL;
            std::cerr << fmt::format("\nHere the walk-through {}{}.\n", ended,
                                     ours ? "" : "; ./course grade " + lesson.id + " says more");
        }
        if (status != 0) {
            return status == 2 || status == 130 ? status : 1;
        }
    }
    return 0;
}

int hint(const Project& project, const std::string& word, std::size_t level) {
    const Exercise exercise = word.empty() ? all_exercises(project).at(place_to_begin(project, ""))
                                           : one_exercise(project, "hint", word);
    const fs::path& page = lesson_of(project, exercise).page;
    const std::vector<std::string> hints = hints_of(read_file(page).value_or(""), exercise.id);
    const std::size_t wanted = level == 0 ? 1 : level;
    if (wanted > hints.size()) {
        throw BadUse(
            fmt::format("{} has {} hints, got level {}", exercise.id, hints.size(), level));
    }
    std::cout << show::bold(fmt::format("{} {}, hint {} of {}", exercise.id, exercise.title, wanted,
                                        hints.size()))
              << "\n\n";
    for (const std::string& line : wrapped_lines(hints[wanted - 1], 76)) {
        std::cout << line << "\n";
    }
    if (wanted < hints.size()) {
        std::cout << fmt::format("\nMore: ./course hint {} --level {}\n", exercise.id, wanted + 1);
    }
    return 0;
}

int solution(const Project& project, const std::string& word, bool yes) {
    const Exercise exercise = one_exercise(project, "solution", word);
    if (is_student_edition(project)) {
        throw BadUse("this edition of the course comes without solutions: ask your teacher");
    }
    const bool readable = trouble_with_file(project, exercise).empty();
    const bool passed =
        readable && grade_quietly(project, {exercise}).front().state == State::passed;
    if (!passed && !yes && isatty(STDIN_FILENO) == 0) {
        throw BadUse(fmt::format("{0} is not passed yet; ./course solution {0} --yes shows the "
                                 "solution anyway",
                                 exercise.id));
    }
    if (!passed &&
        !agreed(fmt::format("{} is not passed yet. Show the solution anyway?", exercise.id), yes)) {
        return 1;
    }
    std::cout << solution_text(project, exercise, passed);
    return 0;
}

int reset(const Project& project, const std::string& word, bool yes) {
    std::vector<Exercise> exercises = find_exercises(project, word);
    std::erase_if(exercises, is_untouched);
    if (exercises.empty()) {
        std::cout << "Nothing to reset: the stub is there already.\n";
        return 0;
    }
    for (const Exercise& exercise : exercises) {
        std::cout << short_path(project, exercise.file) << "\n";
    }
    if (!agreed(fmt::format("Put the stub{} back? What is there now is kept as a copy.",
                            exercises.size() == 1 ? "" : "s"),
                yes)) {
        std::cout << "Nothing was changed.\n";
        return 1;
    }
    for (const Exercise& exercise : exercises) {
        if (const fs::path backup = reset_exercise(project, exercise); !backup.empty()) {
            std::cout << "kept   " << short_path(project, backup) << "\n";
        }
        std::cout << "reset  " << short_path(project, exercise.file) << "\n";
    }
    return 0;
}

} // namespace course
