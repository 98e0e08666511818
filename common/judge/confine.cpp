#include "judge/confine.hpp"

#ifdef __linux__

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

namespace judge {

namespace {

#ifdef LANDLOCK_CREATE_RULESET_VERSION

/// Everything that changes the file system, as of the first version of landlock.
constexpr std::uint64_t changes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

void allow(int rules, const char* path, std::uint64_t what) {
    landlock_path_beneath_attr rule{};
    rule.allowed_access = what;
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd >= 0) {
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        close(rule.parent_fd);
    }
}

void write_only_below(const std::filesystem::path& folder) {
    landlock_ruleset_attr handled{};
    handled.handled_access_fs = changes;
    const auto rules =
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
    if (rules < 0) {
        return; // an older kernel, or one built without
    }
    allow(rules, folder.c_str(), changes);
    for (const char* device : {"/dev/null", "/dev/zero", "/dev/full"}) {
        allow(rules, device, LANDLOCK_ACCESS_FS_WRITE_FILE);
    }
    syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}

#else

void write_only_below(const std::filesystem::path& /*folder*/) {}

#endif

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0;
#endif

/// The low half of a system call's argument, on a little-endian machine.
constexpr std::uint32_t first_argument = offsetof(seccomp_data, args);

constexpr sock_filter load(std::uint32_t offset) {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
}
/// Goes on with the next instruction if what was loaded is `value`, else skips some.
constexpr sock_filter unless_equal(long value, std::uint8_t skipped) {
    return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, skipped);
}
constexpr sock_filter give(std::uint32_t verdict) {
    return BPF_STMT(BPF_RET | BPF_K, verdict);
}

/// Signals go to the process itself or to its own group; other processes' memory is out of reach.
void signal_only_itself() {
    constexpr std::uint32_t allowed = SECCOMP_RET_ALLOW;
    constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
    std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)),
                                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0),
                                     give(allowed), // system calls of another numbering
                                     load(offsetof(seccomp_data, nr))};
    for (const long call : {SYS_kill, SYS_tgkill, SYS_tkill, SYS_ptrace, SYS_rt_sigqueueinfo,
                            SYS_rt_tgsigqueueinfo}) {
        // By its first argument, a process; 0 is its own group, and ptrace's PTRACE_TRACEME.
        program.insert(program.end(),
                       {unless_equal(call, 6), load(first_argument), unless_equal(getpid(), 1),
                        give(allowed), unless_equal(0, 1), give(allowed), give(refused)});
    }
    for (const long call : {SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open}) {
        program.insert(program.end(), {unless_equal(call, 1), give(refused)});
    }
    program.push_back(give(allowed));
    const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

} // namespace

void confine(const std::filesystem::path& folder) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return;
    }
    write_only_below(folder);
    if constexpr (machine != 0) {
        signal_only_itself();
    }
}

void hide_memory() {
    prctl(PR_SET_DUMPABLE, 0);
}

} // namespace judge

#else

namespace judge {

void confine(const std::filesystem::path& /*folder*/) {}
void hide_memory() {}

} // namespace judge

#endif
