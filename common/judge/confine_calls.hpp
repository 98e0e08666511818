#pragma once

namespace judge {

/// Whether a confined process cannot send itself SIGKILL: then that signal came from outside.
#ifdef COURSE_HAS_SECCOMP
constexpr bool refuses_own_sigkill = true;
#else
constexpr bool refuses_own_sigkill = false;
#endif

/// Has the kernel refuse, from now on and across exec, every system call by which this process
/// could affect anything outside itself: it fails with EPERM, or with the error that makes the C
/// library use an older call. Needs no_new_privs. Does nothing if the course was built without
/// libseccomp.
///   truncation_is_guarded   whether landlock keeps files outside from being truncated
///   program                 the very text that execve will be given: it is allowed no other
void refuse_system_calls(bool truncation_is_guarded, const char* program);

} // namespace judge
