// How a grader is run: here a script in its place.

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "course/files.hpp"
#include "course/grading/explain_verdict.hpp"
#include "course/grading/run_grader.hpp"
#include "process/run.hpp"
#include "support/temporary_folder.hpp"

using namespace course;
namespace fs = std::filesystem;

namespace {

void write_program(const fs::path& path, const std::string& text) {
    std::ofstream(path) << "#!/bin/sh\n" << text;
    fs::permissions(path, fs::perms::owner_all);
}

} // namespace

TEST_CASE("run_grader: OpenBLAS starts no threads, which a limit of memory would hold for ever") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    const Exercise exercise{"01.1", "project", "", "", {"project"}};
    write_program(folder.path() / "grader", "echo \"$OPENBLAS_NUM_THREADS\" >>\"$0.threads\"\n"
                                            "exit 7\n");

    const judge::Verdict verdict =
        run_grader_patiently(project, exercise, {"grader", "submission", "misconceptions"});

    CHECK(verdict.state == judge::State::grader_at_fault);
    CHECK(verdict.summary == "The grader itself ended without a verdict (status 7).");
    CHECK(read_file(folder.path() / "grader.threads") == "1\n1\n"); // it was tried once more
}

TEST_CASE("run_grader: of a program with several answers the one that is asked, and not for ever") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    const Exercise exercise{"01.1", "project", "", "", {"project"}};
    write_program(folder.path() / "grader", "echo \"$@\" >\"$0.asked\"\nexec sleep 60\n");

    const judge::Verdict verdict =
        run_grader(project, exercise, {"grader", "submission", "misconceptions", 3, "transposed"},
                   std::chrono::seconds(1));

    CHECK(verdict.state == judge::State::grader_at_fault);
    CHECK(verdict.summary == "The grader itself did not finish.");
    CHECK(read_file(folder.path() / "grader.asked")
              .value_or("")
              .ends_with(" --seed 3 --variant transposed\n"));
}

TEST_CASE("remove_left_folders: those of graders that are gone, and no others") {
    const support::TemporaryFolder folder;
    const auto name_of = [](pid_t process, const std::string& drawn) {
        return "course-" + std::to_string(process) + drawn;
    };
    const pid_t gone = process::run({"true"}).process;
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    const std::string left = name_of(gone, "-aB3dEf");
    const std::vector<std::string> others{
        name_of(gone, "-aB3dE"), name_of(gone, "-aB3dEfg"),    name_of(gone, ""),
        name_of(0, "-aB3dEf"),   name_of(getpid(), "-aB3dEf"), "course--aB3dEf",
        "course-x-aB3dEf"};
    const std::string young = name_of(gone, "-young1");
    const std::string file = name_of(gone, "-a_file");
    const std::string link = name_of(gone, "-a_link");
    write_file(folder / left / "within/it", "");
    for (const std::string& name : others) {
        fs::create_directory(folder / name);
        fs::last_write_time(folder / name, long_ago);
    }
    fs::create_directory(folder / young);
    write_file(folder / file, "");
    fs::create_symlink(folder / others[0], folder / link);
    fs::last_write_time(folder / file, long_ago);
    fs::last_write_time(folder / left, long_ago);

    remove_left_folders(folder.path());
    remove_left_folders(folder / "none");

    CHECK(!fs::exists(folder / left));
    for (const std::string& name : others) {
        CHECK_MESSAGE(fs::exists(folder / name), name);
    }
    CHECK(fs::exists(folder / young));
    CHECK(fs::exists(folder / file));
    CHECK(fs::exists(folder / link));
}

TEST_CASE("explain: the trials of what may be the cause have one sum of time") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder.path(), folder.path(), folder.path()};
    const Exercise exercise{"01.1", "project", folder.path() / "x.cpp", "", {"project"}};
    // What makes a submission, and a grader that is slow with every one that is tried.
    write_program(folder.path() / "make", "touch \"$2\"\n");
    write_program(folder.path() / "grader", "echo >>\"$0.runs\"\nexec sleep 60\n");
    write_file(folder.path() / "build.ninja",
               "rule compile\n  command = ./make -o a/exercise_01.1.dir/x.o -c x.cpp\n"
               "rule link\n  command = ./make -o submission_01.1 a/exercise_01.1.dir/x.o\n"
               "build a/exercise_01.1.dir/x.o: compile\n"
               "build submission_01.1: link a/exercise_01.1.dir/x.o\n");
    const std::string source = "Vector softmax(const Vector& s) {\n    auto a = xt::exp(s);\n"
                               "    auto b = xt::exp(s) * 2.0;\n    return a + b;\n}\n";
    judge::Verdict verdict;
    verdict.state = judge::State::wrong;
    const auto begin = std::chrono::steady_clock::now();

    explain(verdict, project, exercise, {"grader", "submission_01.1", "misconceptions"}, source, "",
            std::chrono::seconds(2));

    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK(read_file(folder.path() / "grader.runs") == "\n");
    CHECK(verdict.explanation.empty());
}

TEST_CASE("explain: what a library saw when it ended the program goes before any guess") {
    const Project project;
    const Exercise exercise{"01.1", "project", "x.cpp", "", {"project"}};
    judge::Verdict verdict;
    verdict.state = judge::State::crashed;
    verdict.misconception = "remembers_earlier_calls";
    verdict.explanation = "it remembers earlier calls";
    const judge::Verdict guessed = verdict;
    const auto explained = [&](const char* output) {
        verdict = guessed;
        verdict.output = output;
        explain(verdict, project, exercise, {}, "", "", std::chrono::seconds(1));
        return verdict;
    };

    CHECK(explained("stl_vector.h:1123: … Assertion '__n < this->size()' failed.\n")
              .explanation.starts_with("an index is out of range"));
    CHECK(verdict.misconception.empty());
    CHECK(explained("maximum: 3\n") == [&] {
        judge::Verdict same = guessed;
        same.output = "maximum: 3\n";
        return same;
    }());
}

TEST_CASE("explain: a todo() that is left is told with its line") {
    const Exercise exercise{"09.1", "heads", "x.cpp", "", {"split_heads", "merge_heads"}};
    judge::Verdict verdict;
    const auto told = [&](const char* source) {
        explain(verdict, {}, exercise, {}, source, "", std::chrono::seconds(1));
        return verdict.summary;
    };
    verdict.state = judge::State::not_started;
    CHECK(told("int a;\n// todo(\"09.1\")\n  todo(\"09.1\", X);\n") ==
          "Line 3 still calls todo(\"09.1\", …), which stops the function there: replace that line "
          "by your code.");
    verdict.summary = "09.1 is not written yet";
    CHECK(told("todo(\"09.1\"); // this stays\n") == "09.1 is not written yet");
    verdict.state = judge::State::wrong;
    verdict.misconception = judge::half_written;
    verdict.summary = "merge_heads is not written yet.";
    CHECK(told("    todo(\"09.1\", heads);\n") ==
          "merge_heads is not written yet. Line 1 still calls todo(\"09.1\", …), which stops the "
          "function there: replace that line by your code.");
    CHECK(verdict.misconception == judge::half_written);
    CHECK(verdict.explanation.empty());
}
