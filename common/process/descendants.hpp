#pragma once

#include <sys/types.h>

namespace process {

// What a submission starts must end with it, even if it leaves its process group. Its parent adopts
// every orphan below (Linux only; elsewhere only a process group is ended).

/// Makes this process the parent of every orphaned descendant.
void adopt_orphans();
/// Exempts a direct child from end_orphans, and no longer.
void keep_from_ending(pid_t child);
void keep_no_longer(pid_t child);
/// Kills every child of this process that is not exempt, and theirs as they are orphaned in turn.
void end_orphans();
/// Kills a child of this process and, where that can be seen, all that it started.
void end_with_descendants(pid_t child);

} // namespace process
