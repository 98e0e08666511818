// How a grader is run: here a script in its place.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "course/build/run_grader.hpp"
#include "course/files.hpp"
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
