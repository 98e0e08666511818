#include <cerrno>
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hostile_child.hpp"

using namespace hostile;
using judge::Crashed;
using judge::NotStarted;
using judge::Returned;

namespace {

int error_of(Child& child, const char* how, const std::string& path = "") {
    return judge::from_value<int>(
        as<Returned>(child.call("reaches_out", list(text(how), path))).value);
}

/// Which version of landlock this kernel has; 0: none, so that files are not guarded.
long landlock() {
    return std::max(0L, syscall(SYS_landlock_create_ruleset, nullptr, 0, 1));
}

/// A file that is not the submission's, and all that could be changed about it.
struct Precious {
    explicit Precious(const std::filesystem::path& folder) : path(folder / "precious") {
        std::ofstream(path) << "to be kept";
        const timespec times[2]{{1000000000, 0}, {1000000000, 0}};
        utimensat(AT_FDCWD, path.c_str(), times, 0);
    }
    ~Precious() {
        struct stat now {};
        CHECK(stat(path.c_str(), &now) == 0);
        CHECK(now.st_size == 10);
        CHECK((now.st_mode & 0777) != 0);
        CHECK(now.st_nlink == 1);
        CHECK(now.st_mtim.tv_sec == 1000000000);
        std::filesystem::remove(path);
    }
    Precious(const Precious&) = delete;
    Precious& operator=(const Precious&) = delete;

    std::filesystem::path path;
};

} // namespace

TEST_CASE("confine: a submission reaches no other process, by any call") {
    const Traces traces;
    Child child(HOSTILE, patient());
    for (const char* how : {"kill", "kill everyone", "ptrace", "prlimit"}) {
        INFO(std::string(how));
        CHECK(error_of(child, how) == EPERM);
    }
    CHECK(error_of(child, "signals itself") == 0);
    answers(child);
}

TEST_CASE("confine: a submission cannot read its grader's memory through /proc") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const bool hidden =
        landlock() > 0 || getuid() != 0; // a process of root's may look, without landlock
    CHECK((error_of(child, "its memory") == EACCES || !hidden));
}

TEST_CASE("confine: a file outside keeps its mode, owner, times, attributes and locks") {
    const Traces traces;
    const Precious precious(traces.folder());
    Child child(HOSTILE, patient());
    for (const char* how : {"chmod", "utime", "flock"}) {
        INFO(std::string(how));
        CHECK(error_of(child, how, precious.path) == EPERM);
    }
}

TEST_CASE("confine: a submission changes files in its own folder only") {
    if (landlock() == 0) {
        MESSAGE("skipped: this kernel has no landlock");
        return;
    }
    const Traces traces;
    const Precious precious(traces.folder());
    Child child(HOSTILE, patient());
    for (const char* how : {"write", "truncate by opening", "truncate", "remove", "rename", "link",
                            "folder beside it", "/dev/shm"}) {
        INFO(std::string(how));
        const int error = error_of(child, how, precious.path);
        CHECK((error == EACCES || error == EXDEV || error == EPERM));
    }
    CHECK(error_of(child, "make", traces.folder() / "left behind") == EACCES);
    CHECK(error_of(child, "make", "a file of its own") == 0);
    CHECK(error_of(child, "truncate by opening", "a file of its own") == 0);
    CHECK(error_of(child, "write", "/dev/null") == 0);
}

TEST_CASE("confine: a submission starts no process, leaves nothing, and has no network") {
    const Traces traces;
    Child child(HOSTILE, patient());
    for (const char* how : {"fork", "exec", "system", "shmget", "shared mapping", "socket",
                            "its own limits", "kills itself"}) {
        INFO(std::string(how));
        CHECK(error_of(child, how) == EPERM);
    }
    answers(child);
}

TEST_CASE("confine: threads, files of its own and reading work as ever") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const auto works =
        judge::from_value<std::vector<int>>(as<Returned>(child.call("works_honestly", {})).value);
    for (std::size_t i = 0; i < works.size(); ++i) {
        CAPTURE(i);
        CHECK(works[i] == 1);
    }
}

TEST_CASE("confine: a submission finds nothing of the grader's environment that it needs not") {
    const Traces traces;
    setenv("COURSE_TEST_TOKEN", "secret", 1);
    Child child(HOSTILE, patient());
    const auto value = [&](const char* name) {
        return judge::from_value<std::string>(
            as<Returned>(child.call("environment", list(text(name)))).value);
    };
    CHECK(value("COURSE_TEST_TOKEN").empty());
    CHECK(value("PATH") == std::getenv("PATH"));
    CHECK(value("TMPDIR") != std::getenv("TMPDIR"));
    unsetenv("COURSE_TEST_TOKEN");
}

TEST_CASE("confine: files without end end the submission, not the disk") {
    for (const char* how : {"one file", "many files", "small files"}) {
        INFO(std::string(how));
        CHECK(ends_as<Crashed>(patient(), "fills_its_folder", list(text(how))).signal == SIGXFSZ);
    }
}

TEST_CASE("confine: a submission that is killed from outside is not at fault") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const int process = judge::from_value<int>(as<Returned>(child.call("process_id", {})).value);
    std::thread killer([process] {
        usleep(200000);
        kill(process, SIGKILL);
    });
    const std::string why = as<NotStarted>(child.call("loops", list(true))).why;
    killer.join();
    CHECK(why == "the program was killed (SIGKILL); most likely the machine ran out of memory");
    answers(child);
}
