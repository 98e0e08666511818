#pragma once

#include <filesystem>

#include <sys/types.h>

#include "judge/limits.hpp"
#include "process/pipe.hpp"

namespace judge {

/// The ends of its pipes that a submission gets.
struct SubmissionPipes {
    const process::Descriptor& calls;
    const process::Descriptor& replies;
    const process::Descriptor& printed;
};

/// Starts a submission in its folder, within its limits, confined and in a session of its own.
/// Throws std::system_error if it cannot be started.
pid_t start_submission(const std::filesystem::path& program, const std::filesystem::path& folder,
                       const Limits& limits, const SubmissionPipes& pipes);

/// A new, empty folder for temporary files, course-PROCESS-…, by which others can see whose it
/// was. Throws std::system_error if there can be none.
std::filesystem::path make_folder();

/// Whether a folder contains more than so many bytes, or too many files to count.
bool holds_more_than(const std::filesystem::path& folder, std::uintmax_t most);

} // namespace judge
