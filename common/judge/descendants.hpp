#pragma once

#include <sys/types.h>

namespace judge {

// What a submission starts must end with it, even when it leaves its process group. The grader
// adopts every orphan below it (Linux only; elsewhere a process group is all that is ended).

/// Makes this process the parent of every orphaned descendant.
void adopt_orphans();
/// In a forked child: has it killed when its parent dies.
void die_with_parent();
/// Waits until a child has ended, and returns its status as waitpid gives it.
int wait_for(pid_t child);
/// Exempts a direct child from end_orphans, until let_die.
void keep_alive(pid_t child);
void let_die(pid_t child);
/// Kills every child of this process that is not exempt, and theirs as they are orphaned in turn.
void end_orphans();

} // namespace judge
