#pragma once

// The submission's side of where.hpp: prints where it is when a signal is about to end it, and
// where it throws. Included once in a program, by its main.

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <optional>

#ifdef __GLIBC__
#include <array>
#include <cstdio>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/time.h>
#include <unistd.h>
#endif

#include "judge/protocol.hpp"
#include "judge/sanitized.hpp"

namespace judge {

#ifdef __GLIBC__

using Frames = std::array<void*, 48>;

/// The offset of an address in the submission's own file; nothing where it is in a library.
inline std::optional<std::uintptr_t> offset_in_program(const void* address) {
    Dl_info about{};
    link_map* object = nullptr;
    const bool found =
        dladdr1(address, &about, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0;
    if (!found || object == nullptr || object->l_name[0] != '\0') { // a library has a name
        return std::nullopt;
    }
    return reinterpret_cast<std::uintptr_t>(address) - object->l_addr;
}

inline void print_frame(std::uintptr_t offset) {
    dprintf(STDERR_FILENO, "\n%s%zx\n", frame_prefix, offset);
}

/// Prints the frames that are the submission's own, as offsets in its file, and ends it.
inline void print_frames_and_end(int signal) {
    Frames frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    bool called_by_the_system = false; // from there on come the interrupted functions
    bool interrupted = false;          // the frame is where it was, and not where a call returns to
    print_frame(first_frame);
    for (int i = 0; i < count; ++i) {
        const auto offset = offset_in_program(frames[static_cast<std::size_t>(i)]);
        if (!offset) {
            interrupted = !called_by_the_system;
            called_by_the_system = true;
        } else if (called_by_the_system) {
            // The code after a call may be on the next line.
            print_frame(*offset - (interrupted ? 0 : 1));
            interrupted = false;
        }
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

namespace {

// NOLINTNEXTLINE(misc-definitions-in-headers): included by child_main.cpp alone
bool tells_where_it_throws = false;

} // namespace

/// Prints the submission's own frames, if the grader wants them.
inline void print_frames_of_throw() {
    if (!tells_where_it_throws) {
        return;
    }
    Frames frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    print_frame(first_frame);
    for (int i = 0; i < count; ++i) {
        if (const auto offset = offset_in_program(frames[static_cast<std::size_t>(i)])) {
            print_frame(*offset - 1);
        }
    }
}

/// From now on, if the grader wants it.
inline void tell_where() {
    if (std::getenv(tell_where_setting) == nullptr) {
        return;
    }
    static std::array<char, 1 << 16> room{}; // the usual stack may have run out
    stack_t stack{};
    stack.ss_sp = room.data();
    stack.ss_size = room.size();
    sigaltstack(&stack, nullptr);
    void* first = nullptr;
    backtrace(&first, 1); // loads what it needs now, not in a handler
    struct sigaction print = {};
    print.sa_handler = print_frames_and_end;
    print.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM}) {
        sigaction(signal, &print, nullptr);
    }
    const itimerval second{{0, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &second, nullptr);
    tells_where_it_throws = true;
}

#else

inline void tell_where() {}

#endif

} // namespace judge

#if defined(__GLIBC__) && !defined(JUDGE_SANITIZED)
namespace judge {

/// Every `throw` calls this, a library's too, before the runtime library's own function. It has
/// this name because compilers disagree on the declaration of the other.
[[noreturn, gnu::used]] inline void throw_and_tell(void* exception, void* type,
                                                   void (*destroy)(void*)) //
    __asm__("__cxa_throw");

inline void throw_and_tell(void* exception, void* type, void (*destroy)(void*)) {
    print_frames_of_throw();
    using Throw = void (*)(void*, void*, void (*)(void*));
    static const auto next = reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"));
    next(exception, type, destroy);
    std::abort(); // it does not return
}

} // namespace judge
#endif
