#pragma once

#include <filesystem>

namespace judge {

/// Called in a forked child before it becomes a submission: removes its access to what no exercise
/// needs. It may change files only below its own folder, and start threads but no process; it
/// cannot signal or inspect another process, and has no network. README.md says what this needs
/// from the kernel. Does nothing except on Linux.
///   program   the text that execve will get, at this address: it can become no other program
void confine(const std::filesystem::path& folder, const char* program);

/// Has the kernel refuse, from now on and across exec, every system call by which this process
/// could affect anything outside itself: it fails with EPERM, or with the error that makes the C
/// library use an older call. Needs no_new_privs. Does nothing if the course was built without
/// libseccomp.
///   truncation_is_guarded   whether landlock keeps files outside from being truncated
void refuse_system_calls(bool truncation_is_guarded, const char* program);

/// Whether a confined process cannot send itself SIGKILL: then that signal came from outside.
#ifdef COURSE_HAS_SECCOMP
constexpr bool refuses_own_sigkill = true;
#else
constexpr bool refuses_own_sigkill = false;
#endif

} // namespace judge
