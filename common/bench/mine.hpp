#pragma once

#include "bench/steps.hpp"

namespace bench {

/// ./course bench --mine: times a learner's attention beside the ideas of lesson 10.4, the plain
/// form and our kernel, in shares of the FMA peak of the same run.
///   mine    if it is wrong, that is printed instead of a time; its exceptions are the caller's
///   source  the file that it is in, for the reader
/// Returns the exit status: 0 done, 1 mine is wrong, 2 bad use, 3 ours are wrong.
int mine(int argc, char** argv, const Attend& mine, const std::string& source);

} // namespace bench
