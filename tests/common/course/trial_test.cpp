// A text in the place of an exercise's file, made into a program by ninja's own commands.

#include "course/grading/trial.hpp"

#include <filesystem>

#include <doctest/doctest.h>

#include "course/files.hpp"
#include "support/temporary_folder.hpp"

using namespace course;
namespace fs = std::filesystem;

TEST_CASE("Trial: in a folder whose name a shell would take apart") {
    const support::TemporaryFolder folder;
    const fs::path build = folder / "it's $1 with space";
    const Project project{build, build, build, build};
    const Exercise exercise{"01.1", "project", build / "my file.cpp", "", {"project"}};
    write_file(exercise.file, "the exercise");
    // A copy takes the place of compiling and linking.
    write_file(build / "build.ninja",
               "rule compile\n  command = sh copy -I\"with space\" -o $out -c $in\n"
               "rule link\n  command = : && sh copy -g -o submission_01.1 -c $in && :\n"
               "build a/exercise_01.1.dir/my+file.o: compile my$ file.cpp\n"
               "build submission_01.1: link a/exercise_01.1.dir/my+file.o\n");
    write_file(build / "copy", "cp \"$5\" \"$3\"\n");

    const Trial trial(project, exercise, "another text", std::chrono::seconds(20));

    REQUIRE(trial.submission());
    CHECK(read_file(*trial.submission()) == "another text");
    CHECK(read_file(exercise.file) == "the exercise");
    CHECK(!fs::exists(build / "submission_01.1"));

    write_file(build / "copy", "cp \"$5\" \"$3\"; test \"$1\" != -g # the linker fails, late\n");
    CHECK(!Trial(project, exercise, "a third text", std::chrono::seconds(20)).submission());
}
