#include "judge/descendants.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace judge {

namespace {

std::set<pid_t>& exempt() {
    static std::set<pid_t> children;
    return children;
}

} // namespace

int wait_for(pid_t child) {
    int status = 0;
    // A child that asked to be traced is reported when it stops, too.
    while (waitpid(child, &status, 0) < 0 ? errno == EINTR : WIFSTOPPED(status)) {
    }
    return status;
}

void keep_alive(pid_t child) {
    exempt().insert(child);
}
void let_die(pid_t child) {
    exempt().erase(child);
}

#ifdef __linux__

namespace {

/// The direct children of this process, on all its threads.
std::vector<pid_t> children() {
    std::vector<pid_t> found;
    std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
    for (pid_t child = 0; list >> child;) {
        found.push_back(child);
    }
    return found;
}

} // namespace

void adopt_orphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}
void die_with_parent() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void end_orphans() {
    // Killing one hands us its children, so go on until a look finds nobody; bounded, because a
    // process that forks faster than we kill must not hold us for ever.
    for (int turn = 0; turn < 1000; ++turn) {
        std::vector<pid_t> orphans = children();
        std::erase_if(orphans, [](pid_t child) { return exempt().contains(child); });
        if (orphans.empty()) {
            return;
        }
        for (const pid_t orphan : orphans) {
            kill(orphan, SIGKILL);
            wait_for(orphan);
        }
    }
}

#else

void adopt_orphans() {}
void die_with_parent() {}
void end_orphans() {}

#endif

} // namespace judge
