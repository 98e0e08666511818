// How a grader (here a script) is run; what is added to its verdict, and what is kept.

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "course/commands/printing.hpp"
#include "course/files.hpp"
#include "course/grading/build.hpp"
#include "course/grading/explain_verdict.hpp"
#include "course/grading/grade.hpp"
#include "course/grading/run_grader.hpp"
#include "course/grading/verdict_cache.hpp"
#include "process/start.hpp"
#include "support/temporary_folder.hpp"

using namespace course;
namespace fs = std::filesystem;

namespace {

void write_program(const fs::path& path, const std::string& text) {
    std::ofstream(path) << "#!/bin/sh\n" << text;
    fs::permissions(path, fs::perms::owner_all);
}

} // namespace

TEST_CASE("run_grader: OpenBLAS starts no threads, which would hang under a memory limit") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    const Exercise exercise{"01.1", "project", "", "", {"project"}};
    write_program(folder.path() / "grader", "echo \"$OPENBLAS_NUM_THREADS\" >>\"$0.threads\"\n"
                                            "exit 7\n");

    const judge::Verdict verdict =
        run_grader_patiently(project, exercise, {"grader", "submission", "mistakes"});

    CHECK(verdict.state == judge::State::grader_at_fault);
    CHECK(verdict.summary == "The grader itself ended without a verdict (status 7).");
    CHECK(read_file(folder.path() / "grader.threads") == "1\n1\n"); // it was tried once more
}

TEST_CASE("run_grader: the variant is passed on, and a grader that does not end is stopped") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    const Exercise exercise{"01.1", "project", "", "", {"project"}};
    write_program(folder.path() / "grader", "echo \"$@\" >\"$0.asked\"\nexec sleep 60\n");

    const judge::Verdict verdict =
        run_grader(project, exercise, {"grader", "submission", "mistakes", 3, "transposed"},
                   std::chrono::seconds(1));

    CHECK(verdict.state == judge::State::grader_at_fault);
    CHECK(verdict.summary == "The grader itself did not finish.");
    CHECK(read_file(folder.path() / "grader.asked")
              .value_or("")
              .ends_with(" --seed 3 --variant transposed\n"));
}

TEST_CASE("grade: the first wrong answer has the usual mistakes built, and is then named") {
    const support::TemporaryFolder folder;
    const fs::path here = folder.path();
    const Exercise exercise{"01.1", "project", here / "1_project.cpp", "", {"project"}};
    Lesson lesson;
    lesson.id = "01";
    lesson.folder = "01_x";
    lesson.exercises = {exercise};
    const Project project{here, here, here, here / "state", {lesson}};
    fs::create_directories(here / "tests" / "golden");
    write_file(exercise.file, "int answer;\n");
    judge::Verdict wrong;
    wrong.exercise = "01.1";
    wrong.state = judge::State::wrong;
    wrong.summary = "It is wrong.";
    write_file(here / "unnamed", judge::json_text(wrong));
    wrong.mistake = "transposed";
    wrong.explanation = "This multiplies by the transpose.";
    write_file(here / "named", judge::json_text(wrong));
    write_program(here / "script", "cd \"${0%/*}\"\ncase \"$*\" in *--mistakes*) cat named ;; "
                                   "*) cat unnamed ;; esac\nexit 1\n");
    const auto rules = [&](const char* command) {
        write_file(here / "build.ninja",
                   std::string("rule copy\n  command = cp $in $out\n"
                               "rule mistakes\n  command = ") +
                       command +
                       "\nbuild grader_01_x: copy script\nbuild submission_01.1: copy script\n"
                       "build mistakes_01.1: mistakes script\n");
    };
    rules("false");
    const auto unnamed = grade(project, {exercise}).at(0);
    CHECK(unnamed.mistake == "");
    CHECK(unnamed.summary ==
          "It is wrong. The usual mistakes could not be built, so none is named.");
    rules("cp $in $out");
    CHECK(grade(project, {exercise}, {.fresh = true}).at(0) == wrong);
    CHECK(fs::exists(here / "mistakes_01.1"));
}

TEST_CASE("BuildLock: a program that is started meanwhile, and does not end, does not keep it") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    pid_t child = -1;
    {
        const BuildLock lock(project);
        child = process::start({{"sleep", "60"}});
    }
    const int file = open((folder / "course.lock").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(file >= 0);
    CHECK(flock(file, LOCK_EX | LOCK_NB) == 0);
    close(file);
    kill(child, SIGKILL);
    process::wait_for(child);
}

TEST_CASE("BuildLock: what the screen does in the background makes way for a person's command") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    const std::string path = folder / "course.lock";
    const pid_t behind = process::start(
        {.command = {"flock", path, "sleep", "60"}, .prepare = [] { setpgid(0, 0); }});
    const auto is_held = [&] {
        const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        const bool held = flock(file, LOCK_EX | LOCK_NB) != 0;
        close(file);
        return held;
    };
    while (!is_held()) {
        poll(nullptr, 0, 10);
    }
    std::ofstream(path) << -behind;
    const BuildLock lock(project);
    const int status = process::wait_for(behind);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGINT);
    CHECK(read_file(path) == std::to_string(getpid()));
}

TEST_CASE("explain: a library's message about a crash is preferred to any guess") {
    const Project project;
    const Exercise exercise{"01.1", "project", "x.cpp", "", {"project"}};
    judge::Verdict verdict;
    verdict.state = judge::State::crashed;
    verdict.mistake = "remembers_earlier_calls";
    verdict.explanation = "it remembers earlier calls";
    const judge::Verdict guessed = verdict;
    const auto explained = [&](const char* output) {
        verdict = guessed;
        verdict.output = output;
        explain(verdict, project, exercise, {}, "", "");
        return verdict;
    };

    CHECK(explained("stl_vector.h:1123: … Assertion '__n < this->size()' failed.\n")
              .explanation.starts_with("an index is out of range"));
    CHECK(verdict.mistake.empty());
    CHECK(explained("maximum: 3\n") == [&] {
        judge::Verdict same = guessed;
        same.output = "maximum: 3\n";
        return same;
    }());
}

TEST_CASE("explain: a remaining todo() is reported with its line") {
    const Exercise exercise{"09.1", "heads", "x.cpp", "", {"split_heads", "merge_heads"}};
    judge::Verdict verdict;
    const auto told = [&](const char* source) {
        explain(verdict, {}, exercise, {}, source, "");
        return verdict.summary;
    };
    verdict.state = judge::State::not_started;
    CHECK(told("int a;\n// todo(\"09.1\")\n  todo(\"09.1\", X);\n") ==
          "Line 3 still calls todo(\"09.1\", …), which stops the function there: replace that line "
          "with your code.");
    verdict.summary = "09.1 is not written yet";
    CHECK(told("todo(\"09.1\"); // this stays\n") == "09.1 is not written yet");
    verdict.state = judge::State::wrong;
    verdict.mistake = judge::half_written;
    verdict.summary = "merge_heads is not written yet.";
    CHECK(told("    todo(\"09.1\", heads);\n") ==
          "merge_heads is not written yet. Line 1 still calls todo(\"09.1\", …), which stops the "
          "function there: replace that line with your code.");
    CHECK(verdict.mistake == judge::half_written);
    CHECK(verdict.explanation.empty());
}

TEST_CASE("kept_verdict: a verdict comes back by its key; one with an unknown state does not") {
    const support::TemporaryFolder folder;
    Project project;
    project.state = folder.path();
    Exercise exercise;
    exercise.id = "03.2";
    judge::Verdict verdict;
    verdict.exercise = "03.2";
    verdict.state = judge::State::wrong;
    keep_verdict(project, exercise, "key", verdict);
    CHECK(kept_verdict(project, exercise, "key") == verdict);
    CHECK(kept_verdict(project, exercise, "") == verdict);
    CHECK_FALSE(kept_verdict(project, exercise, "another"));
    verdict.state = judge::State::grader_at_fault;
    keep_verdict(project, exercise, "fault", verdict);
    CHECK_FALSE(kept_verdict(project, exercise, "fault"));
    const auto file = project.state / "verdicts" / "03.2.json";
    std::string text = read_file(file).value();
    write_file(file, text.replace(text.find("\"wrong\""), 7, "\"great\""));
    CHECK_FALSE(kept_verdict(project, exercise, "key"));
}

TEST_CASE("ended_by_signal: what may have killed a program; nothing if a user ended it") {
    CHECK(course::ended_by_signal(137) ==
          "was ended by signal 9 (Killed): the memory may not have been enough");
    CHECK(course::ended_by_signal(139) == "was ended by signal 11 (Segmentation fault)");
    for (const int status : {0, 1, 2, 128, 130, 143}) {
        CHECK(course::ended_by_signal(status).empty());
    }
}
