// Submissions that cannot be started, or not for long, and a grader in difficulties of its own.

#include <csignal>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "hostile_child.hpp"

using namespace judge;
using namespace hostile;

namespace {

std::string not_started(const std::filesystem::path& program) {
    Child child(program, patient());
    return as<NotStarted>(child.call("add", list(2.0, 3.0))).why;
}

} // namespace

TEST_CASE("child: a program that does not exist cannot be started") {
    const Traces traces;
    CHECK(not_started("no/such/program") == "cannot start program: No such file or directory");
}

TEST_CASE("child: a file that is no program cannot be started") {
    const Traces traces;
    const std::filesystem::path file = traces.folder() / "file";
    std::ofstream(file) << "neither a program nor a script";
    CHECK(not_started(file) == "cannot start file: Permission denied");
    std::filesystem::remove(file);
}

TEST_CASE("child: a program that the system cannot load was made so by its source") {
    const Traces traces;
    const std::filesystem::path file = traces.folder() / "file";
    for (const std::string text : {"neither a program nor a script", "#!/no/such/loader\n"}) {
        CAPTURE(text);
        std::ofstream(file) << text;
        chmod(file.c_str(), 0755);
        Child child(file, patient());
        CHECK(as<Garbled>(child.call("add", list(2.0, 3.0))).why ==
              "the system cannot load the program: is there assembler (asm) or a section attribute "
              "in the file?");
    }
    std::filesystem::remove(file);
}

TEST_CASE("child: no place for its folder is said to be just that") {
    const Traces traces;
    setenv("TMPDIR", (traces.folder() / "none").c_str(), 1);
    CHECK(not_started(HOSTILE) == "cannot make a temporary folder: No such file or directory");
}

TEST_CASE("child: a static initialiser that exits ends early, at every call") {
    const Traces traces;
    Child child(ENDS_AT_START, patient());
    for (int i = 0; i < 3; ++i) {
        CHECK(as<EndedEarly>(child.call("add", list(2.0, 3.0))).status == 3);
    }
    // More arguments than a pipe holds, which nobody reads.
    const attention::Matrix X(std::array<std::size_t, 2>{1000, 1000}, 1.0);
    CHECK(as<EndedEarly>(child.call("echo", list(X))).status == 3);
}

TEST_CASE("child: a grader without descriptors to spare says so, and loses none") {
    const Traces traces;
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit few = before;
    few.rlim_cur = 64;
    Child child(HOSTILE, patient());
    for (std::size_t spare = 0; spare <= 8; ++spare) {
        CAPTURE(spare);
        std::vector<int> filled;
        REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
        for (int next = dup(STDIN_FILENO); next >= 0; next = dup(STDIN_FILENO)) {
            filled.push_back(next);
        }
        for (std::size_t i = 0; i < spare; ++i) {
            close(filled.back());
            filled.pop_back();
        }
        const Outcome outcome = child.call("add", list(2.0, 3.0));
        for (const int descriptor : filled) {
            close(descriptor);
        }
        REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
        const std::string why = spare < 6 ? "cannot make a pipe: " : "cannot start hostile: ";
        CHECK(as<NotStarted>(outcome).why == why + "Too many open files");
    }
    answers(child);
}

TEST_CASE("child: a grader that was started with ignored signals grades as ever") {
    const Traces traces;
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    {
        Child child(HOSTILE, patient());
        CHECK(as<EndedEarly>(child.call("exits", list(text("with 7")))).status == 7);
        CHECK(as<Crashed>(child.call("crashes", list(text("abort")))).signal == SIGABRT);
        answers(child);
    }
    std::signal(SIGCHLD, before);
}

TEST_CASE("child: a grader without standard input and output grades as ever") {
    const Traces traces;
    std::vector<int> saved;
    for (const int descriptor : {0, 1, 2}) {
        saved.push_back(fcntl(descriptor, F_DUPFD, 10));
        close(descriptor);
    }
    std::string output;
    double sum = 0;
    {
        Child child(HOSTILE, patient());
        const Outcome printing = child.call("print", list(text("once")));
        output = child.output();
        const Outcome adding = child.call("add", list(2.0, 3.0));
        if (const Returned* returned = std::get_if<Returned>(&adding)) {
            sum = from_value<double>(returned->value);
        }
    }
    for (const int descriptor : {0, 1, 2}) {
        dup2(saved[static_cast<std::size_t>(descriptor)], descriptor);
        close(saved[static_cast<std::size_t>(descriptor)]);
    }
    CHECK(output.find("cout once\n") != std::string::npos);
    CHECK(sum == 5);
}
