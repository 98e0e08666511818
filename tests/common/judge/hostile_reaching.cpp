#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <map>
#include <thread>

#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <spawn.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "hostile.hpp"

extern char** environ;

namespace lesson {

namespace {

namespace fs = std::filesystem;

/// With a file opened for reading, which everybody may.
void with_open(const std::string& path, const std::function<void(int)>& act) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        act(file);
        const int error = errno;
        close(file);
        errno = error;
    }
}

/// A file of its own that says it is somebody else's to signal.
void with_pipe(const std::function<void(int)>& act) {
    int ends[2];
    if (pipe(ends) == 0) {
        act(ends[0]);
        const int error = errno;
        close(ends[0]);
        close(ends[1]);
        errno = error;
    }
}

void spawn() {
    pid_t process = 0;
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    errno = posix_spawn(&process, "/bin/true", nullptr, nullptr, arguments, environ);
}

#ifdef __x86_64__
long interrupt_0x80(long number) {
    asm volatile("int $0x80"
                 : "+a"(number)
                 : "b"(getppid()), "c"(0)
                 : "memory", "r8", "r9", "r10", "r11");
    return number;
}
#endif

/// The numbers of 32-bit programs: 37 is kill, 20 getpid. A kernel built without them answers with
/// SIGSEGV, which refuses as well.
void calls_as_32_bit() {
#ifdef __x86_64__
    static sigjmp_buf refused;
    struct sigaction until_now;
    struct sigaction jump = {};
    jump.sa_handler = [](int) { siglongjmp(refused, 1); };
    sigaction(SIGSEGV, &jump, &until_now);
    volatile long result = 37;
    if (sigsetjmp(refused, 1) != 0) {
        result = -EPERM;
    } else {
        result = interrupt_0x80(result);
    }
    sigaction(SIGSEGV, &until_now, nullptr);
    errno = result < 0 ? static_cast<int>(-result) : 0;
#else
    errno = EPERM;
#endif
}

constexpr int x32 = 0x40000000;
#ifdef __x86_64__
constexpr int kill_as_x32 = x32 | SYS_kill;
#else
constexpr int kill_as_x32 = -1;
#endif

using Act = std::function<void(const std::string& path)>;
using P = const std::string&;

const pid_t& grader() {
    static const pid_t parent = getppid();
    return parent;
}

/// What is aimed at its grader.
std::map<std::string, Act> at_the_grader() {
    static const rlimit none{0, 0};
    static const sched_param batch{0};
    return {
        {"kill", [](P) { kill(grader(), 0); }},
        {"kill its group", [](P) { kill(-getpgid(grader()), 0); }},
        {"kill everyone", [](P) { kill(-1, 0); }},
        {"tkill", [](P) { syscall(SYS_tkill, grader(), 0); }},
        {"tgkill", [](P) { syscall(SYS_tgkill, grader(), grader(), 0); }},
        {"rt_sigqueueinfo",
         [](P) {
             siginfo_t info{};
             info.si_code = -1;
             syscall(SYS_rt_sigqueueinfo, grader(), 0, &info);
         }},
        {"pidfd_open", [](P) { syscall(434, grader(), 0); }},
        {"pidfd_send_signal",
         [](P) {
             // The folder of a process in /proc does as a descriptor of it.
             with_open("/proc/" + std::to_string(grader()),
                       [](int process) { syscall(424, process, 0, nullptr, 0); });
         }},
        {"ptrace", [](P) { ptrace(PTRACE_SEIZE, grader(), nullptr, nullptr); }},
        {"process_vm_readv",
         [](P) {
             char byte = 0;
             iovec here{&byte, 1};
             process_vm_readv(grader(), &here, 1, &here, 1, 0);
         }},
        {"process_vm_writev",
         [](P) {
             char byte = 0;
             iovec here{&byte, 1};
             process_vm_writev(grader(), &here, 1, &here, 1, 0);
         }},
        {"its memory",
         [](P) {
             const std::string memory = "/proc/" + std::to_string(grader()) + "/mem";
             const int file = open(memory.c_str(), O_RDWR);
             close(file < 0 ? dup(0) : file);
         }},
        {"its descriptors",
         [](P) {
             const std::string input = "/proc/" + std::to_string(grader()) + "/fd/0";
             const int file = open(input.c_str(), O_RDONLY);
             close(file < 0 ? dup(0) : file);
         }},
        {"prlimit", [](P) { prlimit(grader(), RLIMIT_CORE, &none, nullptr); }},
        {"setpriority", [](P) { setpriority(PRIO_PROCESS, static_cast<id_t>(grader()), 19); }},
        {"setpriority of the user", [](P) { setpriority(PRIO_USER, 0, 19); }},
        {"ioprio_set", [](P) { syscall(SYS_ioprio_set, 1, grader(), 3 << 13); }},
        {"sched_setscheduler", [](P) { sched_setscheduler(grader(), SCHED_BATCH, &batch); }},
        {"sched_setparam", [](P) { sched_setparam(grader(), &batch); }},
        {"sched_setaffinity",
         [](P) {
             cpu_set_t all;
             CPU_ZERO(&all);
             CPU_SET(0, &all);
             sched_setaffinity(grader(), sizeof all, &all);
         }},
        {"sched_setattr",
         [](P) {
             std::uint32_t attributes[14] = {56, 3};
             syscall(SYS_sched_setattr, grader(), attributes, 0);
         }},
        {"kcmp", [](P) { syscall(SYS_kcmp, getpid(), grader(), 0, 0, 0); }},
        {"migrate_pages", [](P) { syscall(SYS_migrate_pages, grader(), 0, nullptr, nullptr); }},
        {"F_SETOWN", [](P) { with_pipe([](int end) { fcntl(end, F_SETOWN, grader()); }); }},
        {"F_SETOWN_EX",
         [](P) {
             with_pipe([](int end) {
                 f_owner_ex owner{F_OWNER_PID, grader()};
                 fcntl(end, F_SETOWN_EX, &owner);
             });
         }},
        {"F_SETSIG", [](P) { with_pipe([](int end) { fcntl(end, F_SETSIG, SIGTERM); }); }},
        {"FIOSETOWN", [](P) { with_pipe([](int end) { ioctl(end, 0x8901, &grader()); }); }},
        {"SIOCSPGRP", [](P) { with_pipe([](int end) { ioctl(end, 0x8902, &grader()); }); }},
        {"int 0x80", [](P) { calls_as_32_bit(); }},
        {"x32", [](P) { syscall(kill_as_x32, grader(), 0); }},
    };
}

/// What is aimed at a file outside its folder, which it may open for reading.
std::map<std::string, Act> at_a_file() {
    static const char* const attribute = "user.course";
    return {
        {"chmod", [](P path) { chmod(path.c_str(), 0); }},
        {"fchmod", [](P path) { with_open(path, [](int file) { fchmod(file, 0); }); }},
        {"fchmodat", [](P path) { fchmodat(AT_FDCWD, path.c_str(), 0, 0); }},
        {"fchmodat2", [](P path) { syscall(452, AT_FDCWD, path.c_str(), 0, 0); }},
        {"chown", [](P path) { errno = chown(path.c_str(), getuid(), getgid()) == 0 ? 0 : errno; }},
        {"lchown",
         [](P path) { errno = lchown(path.c_str(), getuid(), getgid()) == 0 ? 0 : errno; }},
        {"utime", [](P path) { utimes(path.c_str(), nullptr); }},
        {"futimens", [](P path) { with_open(path, [](int file) { futimens(file, nullptr); }); }},
        {"setxattr", [](P path) { setxattr(path.c_str(), attribute, "1", 1, 0); }},
        {"fsetxattr",
         [](P path) { with_open(path, [](int file) { fsetxattr(file, attribute, "1", 1, 0); }); }},
        {"removexattr", [](P path) { removexattr(path.c_str(), attribute); }},
        {"flock", [](P path) { with_open(path, [](int file) { syscall(SYS_flock, file, 2); }); }},
        {"record lock",
         [](P path) {
             with_open(path, [](int file) {
                 struct flock whole {};
                 whole.l_type = F_RDLCK;
                 fcntl(file, F_SETLK, &whole);
             });
         }},
        {"FS_IOC_SETFLAGS",
         [](P path) {
             with_open(path, [](int file) {
                 const long flags = 0;
                 ioctl(file, 0x40086602, &flags);
             });
         }},
    };
}

/// The same, where landlock says no.
std::map<std::string, Act> at_a_guarded_file() {
    const auto opens = [](int how) {
        return [how](P path) {
            const int file = open(path.c_str(), how, 0600);
            close(file < 0 ? dup(0) : file); // keeps errno
        };
    };
    return {
        {"write", opens(O_WRONLY)},
        {"append", opens(O_WRONLY | O_APPEND)},
        {"make", opens(O_WRONLY | O_CREAT)},
        {"truncate by opening", opens(O_WRONLY | O_TRUNC)},
        {"truncate by opening to read", opens(O_RDONLY | O_TRUNC)},
        {"truncate", [](P path) { errno = truncate(path.c_str(), 0) == 0 ? 0 : errno; }},
        {"remove", [](P path) { unlink(path.c_str()); }},
        {"rename", [](P path) { rename(path.c_str(), "mine"); }},
        {"link", [](P path) { errno = link(path.c_str(), "mine") == 0 ? 0 : errno; }},
        {"link to it, then write",
         [opens](P path) {
             std::error_code error;
             fs::remove("a link", error);
             fs::create_symlink(path, "a link", error);
             if (error) {
                 errno = error.value();
                 return;
             }
             opens(O_WRONLY)("a link");
         }},
        {"fifo beside it", [](P path) { mkfifo((path + ".fifo").c_str(), 0600); }},
        {"folder beside it", [](P path) { mkdir((path + ".folder").c_str(), 0700); }},
        {"/dev/shm", [](P) { shm_open("/course_left", O_CREAT | O_RDWR, 0600); }},
    };
}

/// What outlives it, or is the machine's.
std::map<std::string, Act> at_the_machine() {
    return {
        {"fork",
         [](P) {
             const pid_t process = fork();
             if (process == 0) {
                 std::_Exit(0);
             }
             if (process > 0) {
                 waitpid(process, nullptr, 0);
             }
         }},
        {"posix_spawn", [](P) { spawn(); }},
        {"exec", [](P) { execl("/bin/true", "true", nullptr); }},
        {"execveat",
         [](P) {
             const char* const nothing[] = {nullptr};
             syscall(SYS_execveat, AT_FDCWD, "/bin/true", nothing, nothing, 0);
         }},
        {"a larger pipe",
         [](P) {
             int ends[2];
             if (pipe(ends) == 0) {
                 fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
             }
         }},
        {"room beyond a file",
         [](P) {
             const int file = open("a file of its own", O_RDWR | O_CREAT, 0600);
             fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 1 << 30);
         }},
        {"system", [](P) { errno = std::system("true") == 0 ? 0 : EPERM; }},
        {"shmget", [](P) { shmget(IPC_PRIVATE, std::size_t{1} << 30, 0600); }},
        {"memfd_create", [](P) { memfd_create("left", 0); }},
        {"shared mapping",
         [](P) { mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }},
        {"semget", [](P) { semget(IPC_PRIVATE, 1, 0600); }},
        {"msgget", [](P) { msgget(IPC_PRIVATE, 0600); }},
        {"mq_open", [](P) { mq_open("/course_left", O_CREAT | O_RDWR, 0600, nullptr); }},
        {"keyctl", [](P) { syscall(SYS_keyctl, 0, -3, 0); }},
        {"add_key", [](P) { syscall(SYS_add_key, "user", "course", "1", 1, -3); }},
        {"socket", [](P) { socket(AF_INET, SOCK_STREAM, 0); }},
        {"unix socket", [](P) { socket(AF_UNIX, SOCK_STREAM, 0); }},
        {"userfaultfd", [](P) { syscall(SYS_userfaultfd, 1); }},
        {"bpf", [](P) { syscall(SYS_bpf, 0, nullptr, 0); }},
        {"perf_event_open", [](P) { syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
        {"mount", [](P) { syscall(SYS_mount, "none", "/", "tmpfs", 0, nullptr); }},
        {"unshare", [](P) { unshare(CLONE_NEWUSER); }},
        {"setns", [](P) { setns(0, 0); }},
        {"chroot", [](P) { errno = chroot(".") == 0 ? 0 : errno; }},
        {"personality", [](P) { personality(ADDR_NO_RANDOMIZE); }},
        {"inotify", [](P) { inotify_init(); }},
        {"its own limits",
         [](P) {
             const rlimit second{1, 1};
             setrlimit(RLIMIT_CPU, &second);
         }},
        {"outlives its grader", [](P) { prctl(PR_SET_PDEATHSIG, 0); }},
        {"strict seccomp", [](P) { prctl(PR_SET_SECCOMP, 1); }},
        {"kills itself", [](P) { std::raise(SIGKILL); }},
        {"datagrams",
         [](P) {
             int ends[2];
             socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
         }},
        {"a pair of sockets",
         [](P) {
             int ends[2];
             socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
         }},
        {"a thread with descriptors of its own",
         [](P) {
             syscall(SYS_clone, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND, nullptr, nullptr, nullptr,
                     0);
         }},
        {"has a timer kill it",
         [](P) {
             sigevent event{};
             event.sigev_notify = SIGEV_SIGNAL;
             event.sigev_signo = SIGKILL;
             timer_t timer{};
             const itimerspec at_once{{0, 0}, {0, 1}};
             if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
                 timer_settime(timer, 0, &at_once, nullptr);
             }
         }},
    };
}

} // namespace

int reaches_out(const std::string& how, const std::string& path) {
    for (const auto& kinds :
         {at_the_grader(), at_a_file(), at_a_guarded_file(), at_the_machine()}) {
        if (const auto found = kinds.find(how); found != kinds.end()) {
            errno = 0;
            found->second(path);
            return errno;
        }
    }
    if (how == "io_uring") {
        syscall(425, 1, nullptr);
    } else if (how == "signals itself") {
        errno = kill(getpid(), 0) == 0 && std::raise(0) == 0 ? 0 : errno;
    } else {
        return -1;
    }
    return errno;
}

} // namespace lesson
