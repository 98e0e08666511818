#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace process {

struct Program {
    std::vector<std::string> command;
    std::function<void()> prepare = [] {}; // run in the new process, before it is the program
    std::optional<std::vector<std::string>> environment = {}; // "NAME=value" each, in place of ours
};

/// Starts a program, found through PATH, and returns its process once it runs. None of our signal
/// handlers ever runs there. Throws std::system_error, "cannot run NAME: why", if there can be no
/// process or no such program, or if prepare throws one.
pid_t start(const Program& program);

// For prepare:

/// Gives descriptors the numbers that the program expects; these stay open across exec. Throws
/// std::system_error.
void place(std::initializer_list<std::pair<int, int>> from_to);
/// Of our open descriptors, the program gets only standard input, output and errors.
void keep_standard_descriptors_only();
/// Sends this process a signal when its parent dies, where the system can (Linux).
void die_with_parent(int signal);

/// Waits until a child has ended, and returns its status as waitpid gives it.
int wait_for(pid_t child);
/// Whether a child still runs; its status can still be waited for.
bool is_running(pid_t child);

} // namespace process
