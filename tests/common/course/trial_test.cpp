// A text in the place of an exercise's file, made into a program by ninja's own commands.

#include "course/grading/trial.hpp"

#include <filesystem>

#include <doctest/doctest.h>

#include "course/files.hpp"
#include "support/temporary_folder.hpp"

using namespace course;
namespace fs = std::filesystem;

TEST_CASE("shell_words: as a shell takes a command apart, with the quotes and without") {
    const std::vector<ShellWord> words =
        shell_words(R"(c++  -I"/a b/it's \$1" -c '/a b/it'\''s $1.cpp' two\ words && :)");
    const std::vector<std::pair<std::string, std::string>> expected{
        {"c++", "c++"},
        {R"(-I"/a b/it's \$1")", "-I/a b/it's $1"},
        {"-c", "-c"},
        {R"('/a b/it'\''s $1.cpp')", "/a b/it's $1.cpp"},
        {R"(two\ words)", "two words"},
        {"&&", "&&"},
        {":", ":"}};
    REQUIRE(words.size() == expected.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        CHECK(words[i].written == expected[i].first);
        CHECK(words[i].plain == expected[i].second);
    }
    CHECK(shell_words(quoted("/a b/it's $1")).at(0).plain == "/a b/it's $1");
}

TEST_CASE("Trial: in a folder whose name a shell would take apart") {
    const support::TemporaryFolder folder;
    const fs::path build = folder / "it's $1 -c with space";
    const Project project{build, build, build, build};
    const Exercise exercise{"01.1", "project", build / "my file.cpp", "", {"project"}};
    write_file(exercise.file, "the exercise");
    // What copies stands for what compiles and links.
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
