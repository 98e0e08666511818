#include <cerrno>
#include <csignal>
#include <fstream>

#include <sys/syscall.h>
#include <unistd.h>

#include "hostile_child.hpp"

using namespace hostile;
using judge::Crashed;
using judge::Returned;

namespace {

int error_of(Child& child, const char* how, const std::string& path = "") {
    return judge::from_value<int>(
        as<Returned>(child.call("reaches_out", list(text(how), path))).value);
}

/// Whether this kernel can keep a process from writing files.
bool files_are_guarded() {
    return syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) > 0; // 1: asks for its version
}

} // namespace

TEST_CASE("confine: a submission can signal nobody but itself") {
    const Traces traces;
    Child child(HOSTILE, patient());
    CHECK(error_of(child, "signals itself") == 0);
    CHECK(error_of(child, "signals its grader") == EPERM);
    CHECK(error_of(child, "signals everyone") == EPERM);
}

TEST_CASE("confine: a submission cannot look into its grader") {
    const Traces traces;
    Child child(HOSTILE, patient());
    CHECK(error_of(child, "traces its grader") == EPERM);
    CHECK(error_of(child, "reads its grader's memory") == EPERM);
}

TEST_CASE("confine: a submission writes in its own folder, and nowhere else") {
    if (!files_are_guarded()) {
        MESSAGE("skipped: this kernel has no landlock");
        return;
    }
    const Traces traces;
    const std::filesystem::path precious = traces.folder() / "precious";
    std::ofstream(precious) << "to be kept";
    {
        Child child(HOSTILE, patient());
        CHECK(error_of(child, "writes", "a file of its own") == 0);
        CHECK(error_of(child, "writes", traces.folder() / "left behind") == EACCES);
        CHECK(error_of(child, "writes", precious) == EACCES);
        CHECK(error_of(child, "removes", precious) == EACCES);
        CHECK(error_of(child, "writes", "/dev/null") == 0);
    }
    CHECK(std::filesystem::remove(precious));
}

TEST_CASE("confine: a file without end ends the submission, not the disk") {
    CHECK(
        ends_as<Crashed>(patient(), "reaches_out", list(text("fills the disk"), text(""))).signal ==
        SIGXFSZ);
}
