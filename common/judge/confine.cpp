#include "judge/confine.hpp"

#ifdef __linux__

#include <cstdint>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace judge {

namespace {

// Landlock as of its version 6; older headers describe only a part of it. Each version adds a
// right, or a field, that earlier ones do not accept.
constexpr long create_ruleset = 444;
constexpr long add_rule = 445;
constexpr long restrict_self = 446;
constexpr std::uint64_t write_file = 1U << 1;
constexpr std::uint64_t remove_and_make = 0x1ff0; // folders, files, devices, sockets, pipes, links
constexpr std::uint64_t move = 1U << 13;          // from version 2 on: between folders
constexpr std::uint64_t truncate = 1U << 14;      // 3
constexpr std::uint64_t set_device = 1U << 15;    // 5: ioctl
constexpr std::uint64_t sockets_and_signals = 3;  // 6: signals that leave the confined process

struct Ruleset {
    std::uint64_t files = 0;
    std::uint64_t network = 0;
    std::uint64_t scopes = 0;
};
struct [[gnu::packed]] RuleBelow {
    std::uint64_t allowed = 0;
    std::int32_t folder = -1;
};

void allow(int rules, const char* path, std::uint64_t what) {
    RuleBelow rule{what, open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder >= 0) {
        syscall(add_rule, rules, 1, &rule, 0); // 1: below a path
        close(rule.folder);
    }
}

/// Returns the version of landlock that is now in force, 0 for none.
long write_only_below(const std::filesystem::path& folder) {
    const long version = syscall(create_ruleset, nullptr, 0, 1); // 1: returns the version
    if (version < 1) {
        return 0; // an older kernel, or one built without
    }
    Ruleset handled;
    handled.files =
        write_file | remove_and_make | (version >= 2 ? move : 0) | (version >= 3 ? truncate : 0);
    const std::uint64_t changes = handled.files;
    handled.files |= version >= 5 ? set_device : 0;
    handled.scopes = version >= 6 ? sockets_and_signals : 0;
    const auto rules = static_cast<int>(
        syscall(create_ruleset, &handled, version >= 6 ? sizeof handled : sizeof handled.files, 0));
    if (rules < 0) {
        return 0;
    }
    allow(rules, folder.c_str(), changes);
    for (const char* device : {"/dev/null", "/dev/zero", "/dev/full"}) {
        allow(rules, device, write_file | (version >= 3 ? truncate : 0));
    }
    const bool done = syscall(restrict_self, rules, 0) == 0;
    close(rules);
    return done ? version : 0;
}

} // namespace

void confine(const std::filesystem::path& folder, const char* program) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return;
    }
    const long landlock = write_only_below(folder);
    refuse_system_calls(landlock >= 3, program);
}

} // namespace judge

#else

namespace judge {

void confine(const std::filesystem::path& /*folder*/, const char* /*program*/) {}

} // namespace judge

#endif
