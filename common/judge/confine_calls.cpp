#include "judge/confine_calls.hpp"

#ifdef __linux__

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace judge {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0;
#endif

constexpr std::uint32_t x32_bit = 0x40000000; // x86-64: the same calls with 32-bit pointers
constexpr long first_new_call = 424;          // from here on all machines share their numbers

// Calls that older headers do not know.
constexpr long pidfd_send_signal = 424;
constexpr long io_uring_setup = 425;
constexpr long io_uring_register = 427;
constexpr long clone3 = 435;
constexpr long openat2 = 437;
constexpr long pidfd_getfd = 438;
constexpr long process_madvise = 440;
constexpr long mount_setattr = 442;
constexpr long memfd_secret = 447;
constexpr long process_mrelease = 448;
constexpr long fchmodat2 = 452;
constexpr long setxattrat = 463;
constexpr long removexattrat = 466;
constexpr long file_setattr = 469;
static_assert(first_new_call == pidfd_send_signal);

constexpr std::uint32_t namespaces = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |
                                     CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

constexpr std::uint32_t thread = CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FILES;

/// A program that the kernel runs before each system call. The number of the call is loaded when an
/// entry begins; an entry that is about that call ends with a verdict.
class Filter {
public:
    Filter() {
        add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0));
        add(give(EPERM)); // the calls of 32-bit programs, numbered otherwise
        add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
#if defined(__x86_64__)
        add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32_bit, 0, 1));
        add(give(EPERM));
#endif
    }

    void refuse(std::initializer_list<long> calls, int error = EPERM) {
        for (const long call : calls) {
            entry(call, {give(error)});
        }
    }
    /// Allowed only where the low half of an argument is one of these.
    void only(long call, unsigned argument, std::initializer_list<std::uint32_t> values) {
        entry(call, one_of(argument, values, allow(), give(EPERM)));
    }
    /// Refused where it is one of these.
    void except(long call, unsigned argument, std::initializer_list<std::uint32_t> values) {
        entry(call, one_of(argument, values, give(EPERM), allow()));
    }
    /// Allowed only where, of the bits in mask, exactly these are set.
    void only_bits(long call, unsigned argument, std::uint32_t mask, std::uint32_t bits) {
        entry(call, {load(argument), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask), equal(bits, 1, 0),
                     give(EPERM), allow()});
    }
    /// Allowed unless, of the bits in mask, exactly these are set.
    void except_bits(long call, unsigned argument, std::uint32_t mask, std::uint32_t bits) {
        entry(call, {load(argument), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask), equal(bits, 0, 1),
                     give(EPERM), allow()});
    }
    /// Allowed only where the whole of one argument is null and another is one of these.
    void only_null(long call, unsigned null, unsigned argument,
                   std::initializer_list<std::uint32_t> values) {
        Code code{load(null),    equal(0, 1, 0), give(EPERM),
                  load(null, 4), equal(0, 1, 0), give(EPERM)};
        const Code rest = one_of(argument, values, allow(), give(EPERM));
        code.insert(code.end(), rest.begin(), rest.end());
        entry(call, code);
    }
    /// Allowed only where an argument is this address.
    void only_address(long call, unsigned argument, const void* address) {
        const auto bits = reinterpret_cast<std::uintptr_t>(address);
        entry(call, {load(argument), equal(static_cast<std::uint32_t>(bits), 1, 0), give(EPERM),
                     load(argument, 4), equal(static_cast<std::uint32_t>(bits >> 32), 1, 0),
                     give(EPERM), allow()});
    }
    /// Allowed where two arguments are each one of theirs: `which` first, then `who`.
    void only_both(long call, unsigned which, std::uint32_t kind, unsigned who,
                   std::initializer_list<std::uint32_t> values) {
        Code code{load(which), equal(kind, 1, 0), give(EPERM)};
        const Code rest = one_of(who, values, allow(), give(EPERM));
        code.insert(code.end(), rest.begin(), rest.end());
        entry(call, code);
    }
    /// Signals to these processes, but for one that none can survive: whoever dies of that was
    /// ended from outside.
    void only_signals(long call, unsigned signal, std::initializer_list<std::uint32_t> processes) {
        Code code{load(signal), equal(SIGKILL, 0, 1), give(EPERM)};
        const Code rest = one_of(0, processes, allow(), give(EPERM));
        code.insert(code.end(), rest.begin(), rest.end());
        entry(call, code);
    }

    void install() {
        add(allow());
        const sock_fprog filter{static_cast<unsigned short>(program_.size()), program_.data()};
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
    }

private:
    using Code = std::vector<sock_filter>;

    static sock_filter give(int error) {
        return BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
    }
    static sock_filter allow() {
        return BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    /// Skips some instructions if what was loaded is the value, others if it is not.
    static sock_filter equal(std::uint32_t value, std::uint8_t if_so, std::uint8_t if_not) {
        return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, if_so, if_not);
    }
    /// The low half of an argument, on a little-endian machine; the high one at byte 4.
    static sock_filter load(unsigned argument, unsigned byte = 0) {
        return BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                        static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                                   argument * sizeof(std::uint64_t) + byte));
    }
    static Code one_of(unsigned argument, std::initializer_list<std::uint32_t> values,
                       sock_filter then, sock_filter otherwise) {
        Code code{load(argument)};
        for (const std::uint32_t value : values) {
            code.push_back(equal(value, 0, 1));
            code.push_back(then);
        }
        code.push_back(otherwise);
        return code;
    }

    void add(sock_filter instruction) {
        program_.push_back(instruction);
    }
    void entry(long call, const Code& code) {
        add(equal(static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(code.size())));
        program_.insert(program_.end(), code.begin(), code.end());
    }

    Code program_;
};

/// Other processes: no signal to them, no look or hand into them, no limit or priority of theirs,
/// and none started. Threads are this process. program: where the name of the one program stands
/// that it becomes: it cannot know that place afterwards, and so becomes no other.
void leave_processes_alone(Filter& filter, const char* program) {
    const auto self = static_cast<std::uint32_t>(getpid());
    filter.only_signals(SYS_kill, 1, {self, 0}); // 0: its own group, of which it is all
    filter.only_signals(SYS_tkill, 1, {self});
    filter.only_signals(SYS_tgkill, 2, {self});
    filter.only_signals(SYS_rt_sigqueueinfo, 1, {self});
    filter.only_signals(SYS_rt_tgsigqueueinfo, 2, {self});
    filter.refuse({SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
                   SYS_migrate_pages, SYS_move_pages, SYS_pidfd_open, pidfd_send_signal,
                   pidfd_getfd, process_madvise, process_mrelease});
    for (const long call :
         {SYS_sched_setaffinity, SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setattr}) {
        filter.only(call, 0, {self, 0});
    }
    filter.only_both(SYS_setpriority, 0, PRIO_PROCESS, 1, {self, 0});
    filter.only_both(SYS_ioprio_set, 0, 1, 1, {self, 0}); // 1: a process
    filter.only_null(SYS_prlimit64, 2, 0, {self, 0});     // reading its own limits
    // Threads that have descriptors in common: each with its own could hold as much as a process.
    filter.only_bits(SYS_clone, 0, thread | namespaces, thread);
    filter.refuse({clone3}, ENOSYS); // its flags are out of sight: the C library then uses clone
    filter.refuse({SYS_setrlimit, SYS_seccomp});
    filter.refuse({SYS_timer_create}); // its signal may be SIGKILL, which looks like the machine's
    filter.except(SYS_prctl, 0, {PR_SET_PDEATHSIG, PR_SET_SECCOMP});
    filter.only_address(SYS_execve, 0, program);
    filter.refuse({SYS_execveat});
#ifdef SYS_fork
    filter.refuse({SYS_fork, SYS_vfork});
#endif
}

/// What landlock does not see of files outside the process's folder: their modes, owners, times,
/// attributes and locks; devices' settings; and signals that descriptors can send. And in its own
/// folder what no limit on files knows of: links, and room that is taken beyond a file's size.
void leave_files_alone(Filter& filter, bool truncation_is_guarded) {
    filter.refuse({SYS_fchmod,        SYS_fchmodat,      fchmodat2,        SYS_fchown,
                   SYS_fchownat,      SYS_utimensat,     SYS_setxattr,     SYS_lsetxattr,
                   SYS_fsetxattr,     setxattrat,        SYS_removexattr,  SYS_lremovexattr,
                   removexattrat,     file_setattr,      SYS_fremovexattr, SYS_flock,
                   SYS_fanotify_init, SYS_inotify_init1, SYS_symlinkat,    SYS_linkat,
                   SYS_mknodat});
    filter.only(SYS_fallocate, 1, {0});
#ifdef SYS_chmod
    filter.refuse({SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
                   SYS_inotify_init, SYS_symlink, SYS_link, SYS_mknod});
#endif
    filter.except(SYS_fcntl, 1,
                  {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY, F_SETLK, F_SETLKW,
                   F_OFD_SETLK, F_OFD_SETLKW,
                   F_SETPIPE_SZ}); // what a pipe holds is in no memory of its own
    filter.only(SYS_ioctl, 1, {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX});
    filter.refuse({openat2}, ENOSYS);
    if (!truncation_is_guarded) {
        filter.refuse({SYS_truncate});
        // Where landlock knows no truncation, it sees only files opened for writing.
#ifdef SYS_open
        filter.except_bits(SYS_open, 1, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY);
#endif
        filter.except_bits(SYS_openat, 2, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY);
    }
}

/// The network, what outlives a process (shared memory, queues, keys), and the machine itself.
void leave_machine_alone(Filter& filter) {
    filter.refuse({SYS_socket, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semctl, SYS_semop,
                   SYS_semtimedop, SYS_msgget, SYS_msgctl, SYS_msgsnd, SYS_msgrcv, SYS_mq_open,
                   SYS_mq_unlink, SYS_add_key, SYS_request_key, SYS_keyctl});
    // Memory that no process holds, or that is in none's resident set: no limit knows of it. What a
    // socket holds is a hundred times what a pipe does, and it can hold others.
    filter.refuse({SYS_memfd_create, memfd_secret, SYS_socketpair});
    filter.except_bits(SYS_mmap, 3, MAP_SHARED, MAP_SHARED);
    filter.refuse({io_uring_setup, io_uring_setup + 1, io_uring_register}, ENOSYS);
    filter.refuse({SYS_userfaultfd, SYS_bpf, SYS_perf_event_open, SYS_open_by_handle_at});
    filter.only(SYS_personality, 0, {0xffffffff}); // asking
    filter.refuse({SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
                   mount_setattr, 428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */,
                   431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */});
    filter.refuse({SYS_reboot, SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module,
                   SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_syslog, SYS_sethostname,
                   SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
                   SYS_clock_adjtime, SYS_vhangup, SYS_sync});
}

} // namespace

void refuse_system_calls(bool truncation_is_guarded, const char* program) {
    if constexpr (machine != 0) {
        Filter filter;
        leave_processes_alone(filter, program);
        leave_files_alone(filter, truncation_is_guarded);
        leave_machine_alone(filter);
        filter.install();
    }
}

} // namespace judge

#else

namespace judge {

void refuse_system_calls(bool /*truncation_is_guarded*/, const char* /*program*/) {}

} // namespace judge

#endif
