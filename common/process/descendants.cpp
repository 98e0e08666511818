#include "process/descendants.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "process/start.hpp"

namespace process {

namespace {

std::set<pid_t>& exempt() {
    static std::set<pid_t> children;
    return children;
}

} // namespace

void keep_from_ending(pid_t child) {
    exempt().insert(child);
}
void keep_no_longer(pid_t child) {
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
void end_orphans() {}

#endif

} // namespace process
