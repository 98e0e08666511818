// Ways to reach beyond one's own process and folder: one of each kind that README.md names.

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.hpp"

namespace lesson {

namespace {

using P = const std::string&; // the path of a file that is not its own
using Act = std::function<void(P)>;

Act opens(int flags) {
    return [=](P path) {
        const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
        if (file >= 0) {
            close(file);
        }
    };
}

void starts_a_process() {
    const pid_t process = fork();
    if (process == 0) {
        std::_Exit(0);
    }
    if (process > 0) {
        waitpid(process, nullptr, 0);
    }
}

const rlimit second{1, 1};

const std::map<std::string, Act> acts{
    // at its grader
    {"kill", [](P) { kill(getppid(), 0); }},
    {"kill everyone", [](P) { kill(-1, 0); }},
    {"ptrace", [](P) { ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr); }},
    {"prlimit", [](P) { syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, &second, nullptr); }},
    {"its memory", [](P) { opens(O_RDONLY)("/proc/" + std::to_string(getppid()) + "/mem"); }},
    // at a file's properties besides its text
    {"chmod", [](P path) { chmod(path.c_str(), 0); }},
    {"utime", [](P path) { utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }},
    {"flock", [](P path) { flock(open(path.c_str(), O_RDONLY), LOCK_EX | LOCK_NB); }},
    // at its text and its name
    {"write", opens(O_WRONLY)},
    {"make", opens(O_WRONLY | O_CREAT)},
    {"truncate by opening", opens(O_WRONLY | O_TRUNC)},
    {"truncate", [](P path) { errno = truncate(path.c_str(), 0) == 0 ? 0 : errno; }},
    {"remove", [](P path) { unlink(path.c_str()); }},
    {"rename", [](P path) { rename(path.c_str(), "mine"); }},
    {"link", [](P path) { errno = link(path.c_str(), "mine") == 0 ? 0 : errno; }},
    {"folder beside it", [](P path) { mkdir((path + ".folder").c_str(), 0700); }},
    {"/dev/shm", [](P) { shm_open("/course_left", O_CREAT | O_RDWR, 0600); }},
    // at what outlives it, or is the machine's
    {"fork", [](P) { starts_a_process(); }},
    {"exec", [](P) { execl("/bin/true", "true", nullptr); }},
    {"system", [](P) { errno = std::system("true") == 0 ? 0 : EPERM; }},
    {"shmget", [](P) { shmget(IPC_PRIVATE, std::size_t{1} << 30, 0600); }},
    {"shared mapping",
     [](P) { mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }},
    {"socket", [](P) { socket(AF_INET, SOCK_STREAM, 0); }},
    {"its own limits", [](P) { setrlimit(RLIMIT_CPU, &second); }},
    {"kills itself", [](P) { std::raise(SIGKILL); }},
    {"signals itself",
     [](P) { errno = kill(getpid(), 0) == 0 && std::raise(0) == 0 ? 0 : errno; }}};

} // namespace

int reaches_out(const std::string& how, const std::string& path) {
    errno = 0;
    acts.at(how)(path);
    return errno;
}

} // namespace lesson
