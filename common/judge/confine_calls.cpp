#include "judge/confine.hpp"

#ifdef COURSE_HAS_SECCOMP

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string>

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

namespace judge {

namespace {

constexpr std::uint32_t refused = SCMP_ACT_ERRNO(EPERM);
constexpr std::uint32_t unknown = SCMP_ACT_ERRNO(ENOSYS); // the C library then uses an older call

/// Argument `number` of a call, compared with a value; or, by SCMP_CMP_MASKED_EQ, its bits in the
/// mask `a` with `b`.
scmp_arg_cmp argument(unsigned number, scmp_compare how, std::uint64_t a, std::uint64_t b = 0) {
    return {number, how, a, b};
}

class Filter {
public:
    Filter() { seccomp_attr_set(filter_, SCMP_FLTATR_ACT_BADARCH, refused); } // 32-bit calls
    ~Filter() { seccomp_release(filter_); }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    void refuse(const std::string& calls, std::uint32_t how = refused) {
        std::istringstream names(calls);
        for (std::string call; names >> call;) {
            refuse_where(call.c_str(), {}, how);
        }
    }
    /// Refused if all these conditions on its arguments are true. A call that this machine lacks is
    /// skipped.
    void refuse_where(const char* call, std::initializer_list<scmp_arg_cmp> where,
                      std::uint32_t how = refused) {
        const int number = seccomp_syscall_resolve_name(call);
        if (number != __NR_SCMP_ERROR) {
            seccomp_rule_add_array(filter_, how, number, static_cast<unsigned>(where.size()),
                                   where.begin());
        }
    }
    /// Refused unless an argument is this value.
    void only(const char* call, unsigned number, std::uint64_t value) {
        refuse_where(call, {argument(number, SCMP_CMP_NE, value)});
    }
    void install() { seccomp_load(filter_); }

private:
    scmp_filter_ctx filter_ = seccomp_init(SCMP_ACT_ALLOW);
};

/// No signal to another process, no look into one, none started; threads are welcome. program:
/// where the name of the one program is that this process becomes.
void leave_processes_alone(Filter& filter, const char* program) {
    const auto self = static_cast<std::uint64_t>(getpid());
    filter.only("kill", 0, self);
    filter.only("tgkill", 0, self);
    // Whatever ends by SIGKILL was ended from outside: by the machine.
    filter.refuse_where("kill", {argument(1, SCMP_CMP_EQ, SIGKILL)});
    filter.refuse_where("tgkill", {argument(2, SCMP_CMP_EQ, SIGKILL)});
    for (const auto without : {CLONE_THREAD, CLONE_FILES}) { // a process, or descriptors of its own
        filter.refuse_where(
            "clone", {argument(0, SCMP_CMP_MASKED_EQ, static_cast<std::uint64_t>(without), 0)});
    }
    filter.refuse("clone3", unknown); // its flags are out of sight
    filter.only("execve", 0, reinterpret_cast<std::uintptr_t>(program));
    filter.refuse_where("prlimit64", {argument(2, SCMP_CMP_NE, 0)});
    filter.refuse("fork vfork execveat ptrace process_vm_readv process_vm_writev kcmp "
                  "migrate_pages move_pages pidfd_open pidfd_send_signal pidfd_getfd "
                  "process_madvise process_mrelease tkill rt_sigqueueinfo rt_tgsigqueueinfo "
                  "sched_setaffinity sched_setparam sched_setscheduler sched_setattr setpriority "
                  "ioprio_set setrlimit seccomp timer_create");
}

/// Changes to other files that landlock does not see: modes, owners, times, attributes, locks.
void leave_files_alone(Filter& filter, bool truncation_is_guarded) {
    filter.refuse("chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes "
                  "futimesat utimensat setxattr lsetxattr fsetxattr setxattrat removexattr "
                  "lremovexattr fremovexattr removexattrat file_setattr flock fallocate link "
                  "linkat symlink symlinkat mknod mknodat fanotify_init inotify_init "
                  "inotify_init1");
    if (!truncation_is_guarded) {
        filter.refuse("truncate");
        filter.refuse_where("open",
                            {argument(1, SCMP_CMP_MASKED_EQ, O_TRUNC | O_ACCMODE, O_TRUNC)});
        filter.refuse_where("openat",
                            {argument(2, SCMP_CMP_MASKED_EQ, O_TRUNC | O_ACCMODE, O_TRUNC)});
    }
}

/// The network, what outlives a process, and memory that no limit sees.
void leave_machine_alone(Filter& filter) {
    filter.refuse("socket socketpair shmget shmat shmctl semget semctl semop semtimedop msgget "
                  "msgctl msgsnd msgrcv mq_open mq_unlink add_key request_key keyctl "
                  "memfd_create memfd_secret");
    filter.refuse_where("mmap", {argument(3, SCMP_CMP_MASKED_EQ, MAP_SHARED, MAP_SHARED)});
}

} // namespace

void refuse_system_calls(bool truncation_is_guarded, const char* program) {
    Filter filter;
    leave_processes_alone(filter, program);
    leave_files_alone(filter, truncation_is_guarded);
    leave_machine_alone(filter);
    filter.install();
}

} // namespace judge

#else

namespace judge {

void refuse_system_calls(bool /*truncation_is_guarded*/, const char* /*program*/) {}

} // namespace judge

#endif
