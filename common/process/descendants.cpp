#include "process/descendants.hpp"

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

/// The processes that a process has started itself, on its first thread.
std::vector<pid_t> children_of(pid_t process) {
    std::vector<pid_t> found;
    const std::string number = std::to_string(process);
    std::ifstream list("/proc/" + number + "/task/" + number + "/children");
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
    // Killing one gives us its children, so repeat until there are none; bounded, because a process
    // that forks faster than we kill must not keep us for ever.
    for (int turn = 0; turn < 1000; ++turn) {
        std::vector<pid_t> orphans = children_of(getpid());
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

void end_with_descendants(pid_t child) {
    const std::vector<pid_t> started = children_of(child);
    kill(child, SIGKILL);
    for (const pid_t each : started) {
        end_with_descendants(each);
    }
}

#else

void adopt_orphans() {}
void end_orphans() {}
void end_with_descendants(pid_t child) {
    kill(child, SIGKILL);
}

#endif

} // namespace process
