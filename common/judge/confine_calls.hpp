#pragma once

namespace judge {

/// Has the kernel refuse, from now on and across exec, every system call by which this process
/// could reach beyond itself: EPERM, or what makes the C library fall back to an older call. Needs
/// no_new_privs. Nothing happens where there is no seccomp, or on a machine that is not listed.
///   truncation_is_guarded   whether landlock keeps files outside from being truncated
///   program                 the very text that execve will be given: it is allowed no other
void refuse_system_calls(bool truncation_is_guarded, const char* program);

} // namespace judge
