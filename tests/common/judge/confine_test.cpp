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
    for (const char* how : {"kill",
                            "kill its group",
                            "kill everyone",
                            "tkill",
                            "tgkill",
                            "rt_sigqueueinfo",
                            "pidfd_open",
                            "pidfd_send_signal",
                            "ptrace",
                            "process_vm_readv",
                            "process_vm_writev",
                            "prlimit",
                            "setpriority",
                            "setpriority of the user",
                            "ioprio_set",
                            "sched_setscheduler",
                            "sched_setparam",
                            "sched_setaffinity",
                            "sched_setattr",
                            "kcmp",
                            "migrate_pages",
                            "F_SETOWN",
                            "F_SETOWN_EX",
                            "F_SETSIG",
                            "FIOSETOWN",
                            "SIOCSPGRP",
                            "int 0x80",
                            "x32"}) {
        INFO(std::string(how));
        CHECK(error_of(child, how) == EPERM);
    }
    CHECK(error_of(child, "signals itself") == 0);
    answers(child);
}

TEST_CASE("confine: a submission cannot read its grader's memory or descriptors through /proc") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const bool hidden = landlock() > 0 || getuid() != 0; // root's own may look, but for landlock
    for (const char* how : {"its memory", "its descriptors"}) {
        INFO(std::string(how));
        CHECK((error_of(child, how) == EACCES || !hidden));
    }
}

TEST_CASE("confine: a file outside keeps its mode, owner, times, attributes and locks") {
    const Traces traces;
    const Precious precious(traces.folder());
    Child child(HOSTILE, patient());
    for (const char* how :
         {"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "utime", "futimens",
          "setxattr", "fsetxattr", "removexattr", "flock", "record lock", "FS_IOC_SETFLAGS"}) {
        INFO(std::string(how));
        CHECK(error_of(child, how, precious.path) == EPERM);
    }
}

TEST_CASE("confine: a submission changes files in its own folder, and nowhere else") {
    if (landlock() == 0) {
        MESSAGE("skipped: this kernel has no landlock");
        return;
    }
    const Traces traces;
    const Precious precious(traces.folder());
    Child child(HOSTILE, patient());
    for (const char* how : {"write", "append", "truncate by opening", "truncate by opening to read",
                            "truncate", "remove", "rename", "link", "link to it, then write",
                            "fifo beside it", "folder beside it", "/dev/shm"}) {
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
    for (const char* how : {"fork",
                            "posix_spawn",
                            "exec",
                            "execveat",
                            "a larger pipe",
                            "room beyond a file",
                            "system",
                            "shmget",
                            "memfd_create",
                            "shared mapping",
                            "semget",
                            "msgget",
                            "mq_open",
                            "keyctl",
                            "add_key",
                            "socket",
                            "unix socket",
                            "userfaultfd",
                            "bpf",
                            "perf_event_open",
                            "mount",
                            "unshare",
                            "setns",
                            "chroot",
                            "personality",
                            "inotify",
                            "its own limits",
                            "outlives its grader",
                            "strict seccomp",
                            "kills itself",
                            "has a timer kill it",
                            "datagrams",
                            "a pair of sockets",
                            "a thread with descriptors of its own"}) {
        INFO(std::string(how));
        CHECK(error_of(child, how) == EPERM);
    }
    CHECK(error_of(child, "io_uring") == ENOSYS);
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
    for (const char* how : {"one file", "many files", "small files", "deep files"}) {
        INFO(std::string(how));
        CHECK(ends_as<Crashed>(patient(), "fills_its_folder", list(text(how))).signal == SIGXFSZ);
    }
}

TEST_CASE(
    "confine: folders in each other are removed, more than we may have open, and closed ones") {
    const Traces traces;
    rlimit descriptors{};
    getrlimit(RLIMIT_NOFILE, &descriptors);
    const rlimit few{256, descriptors.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    {
        Child child(HOSTILE, patient());
        child.call("fills_its_folder", list(text("folders in each other"))); // however it ends
    }
    setrlimit(RLIMIT_NOFILE, &descriptors);
}

// The sanitizers end a program that has no descriptor left for their own pipe.
TEST_CASE("confine: descriptors run out, and the submission goes on" * doctest::skip(sanitized())) {
    const Traces traces;
    Child child(HOSTILE, patient());
    CHECK(judge::from_value<int>(
              as<Returned>(child.call("fills_its_folder", list(text("descriptors")))).value) ==
          EMFILE);
    answers(child);
}

TEST_CASE("confine: a submission that is killed from outside is no fault of its own") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const int process = judge::from_value<int>(as<Returned>(child.call("process_id", {})).value);
    std::thread killer([process] {
        usleep(200000);
        kill(process, SIGKILL);
    });
    const std::string why = as<NotStarted>(child.call("loops", list(true))).why;
    killer.join();
    CHECK(why == "the program was killed (SIGKILL); most likely the machine had not enough memory");
    answers(child);
}
