// Submissions that cannot be started, or not for long, and a grader in difficulties of its own.

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

TEST_CASE("child: a program that the system cannot load was made so by its source") {
    const Traces traces;
    const std::filesystem::path file = traces.folder() / "file";
    for (const std::string text : {"neither a program nor a script", "#!/no/such/loader\n"}) {
        CAPTURE(text);
        std::ofstream(file) << text;
        chmod(file.c_str(), 0755);
        Child child(file, patient());
        CHECK(
            as<Garbled>(child.call("add", list(2.0, 3.0))).why ==
            "the system cannot load the program: is there assembler (asm) or a section attribute in the file?");
    }
    std::filesystem::remove(file);
}

TEST_CASE("child: a missing place for its folder is reported") {
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
    // More arguments than fit into a pipe, which nobody reads.
    const attention::Matrix X(std::array<std::size_t, 2>{1000, 1000}, 1.0);
    CHECK(as<EndedEarly>(child.call("echo", list(X))).status == 3);
}
