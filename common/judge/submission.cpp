#include "judge/submission.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "judge/confine.hpp"
#include "judge/protocol.hpp"
#include "judge/sanitized.hpp"
#include "process/start.hpp"

namespace judge {

namespace {

constexpr std::uintmax_t most_files = 10000;

void set_limit(int resource, std::size_t amount) {
    const auto kind = static_cast<decltype(RLIMIT_CORE)>(resource);
    rlimit limit{};
    getrlimit(kind, &limit);
    limit.rlim_max = std::min(limit.rlim_max, static_cast<rlim_t>(amount)); // ours may be lower
    limit.rlim_cur = limit.rlim_max;
    setrlimit(kind, &limit);
}

/// A submission's environment: only what it needs of the grader's, which may have a token.
std::vector<std::string> environment_of(const std::filesystem::path& folder, const Limits& limits) {
    std::vector<std::string> settings{
        "OPENBLAS_NUM_THREADS=1",
        // Memory from new is filled with one pattern, so that using it uninitialised is wrong every
        // time.
        "GLIBC_TUNABLES=glibc.malloc.perturb=165",
        // Sanitizers would turn the signals that outcomes are known by into an exit.
        "ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:"
        "handle_abort=0:abort_on_error=1:detect_leaks=0:detect_stack_use_after_return=0:"
        "disable_coredump=0",
        "UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1"};
    settings.push_back("TMPDIR=" + folder.string());
    if (limits.tells_where) {
        settings.push_back(fmt::format("{}=1", tell_where_setting));
    }
    for (const char* name : {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH",
                             "DYLD_LIBRARY_PATH", "OPENBLAS_CORETYPE"}) {
        if (const char* value = std::getenv(name)) {
            settings.push_back(std::string(name) + "=" + value);
        }
    }
    return settings;
}

void set_limits(const Limits& limits) {
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, limits.file);
    set_limit(RLIMIT_NOFILE, limits.descriptors);
    if (limits.memory > 0) {
        set_limit(RLIMIT_AS, limits.memory);
    }
}

/// In the new process: sets its pipes, its folder and its limits. program: what it then becomes.
void prepare(const std::filesystem::path& folder, const Limits& limits,
             const SubmissionPipes& pipes, const std::string& program) {
    setsid();
    process::die_with_parent(SIGKILL);
    const process::Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    process::place({{nothing.number(), STDIN_FILENO},
                    {pipes.printed.number(), STDOUT_FILENO},
                    {pipes.printed.number(), STDERR_FILENO},
                    {pipes.calls.number(), call_descriptor},
                    {pipes.replies.number(), reply_descriptor}});
#ifdef CLOSE_RANGE_CLOEXEC
    // Everything else that is open here, the grader's or its parent's, is closed for the
    // submission.
    close_range(reply_descriptor + 1, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
    set_limits(limits);
    if (chdir(folder.c_str()) != 0) {
        throw std::system_error(errno, std::generic_category());
    }
    if (limits.confined) {
        confine(folder, program.c_str());
    }
}

} // namespace

Limits default_limits() {
    Limits limits;
#ifdef JUDGE_SANITIZED
    limits.time *= 8;
    limits.total *= 8;
    limits.memory = 0;
#endif
    return limits;
}

pid_t start_submission(const std::filesystem::path& program, const std::filesystem::path& folder,
                       const Limits& limits, const SubmissionPipes& pipes) {
    try {
        process::Program submission{.command = {program},
                                    .environment = environment_of(folder, limits)};
        submission.prepare = [&] { prepare(folder, limits, pipes, submission.command.front()); };
        return process::start(submission);
    } catch (const std::system_error& error) {
        throw std::system_error(error.code(), "cannot start " + program.filename().string());
    }
}

std::filesystem::path make_folder() {
    std::error_code problem;
    const auto temporary = std::filesystem::temp_directory_path(problem);
    std::string pattern = (temporary / ("course-" + std::to_string(getpid()) + "-XXXXXX")).string();
    if (problem || mkdtemp(pattern.data()) == nullptr) {
        throw std::system_error(problem ? problem : std::error_code(errno, std::generic_category()),
                                "cannot make a temporary folder");
    }
    return pattern;
}

bool holds_more_than(const std::filesystem::path& folder, std::uintmax_t most) {
    namespace fs = std::filesystem;
    std::error_code gone; // it changes while we look
    std::uintmax_t bytes = 0, files = 0;
    auto entry = fs::recursive_directory_iterator(
        folder, fs::directory_options::skip_permission_denied, gone);
    for (; !gone && entry != fs::recursive_directory_iterator(); entry.increment(gone)) {
        std::error_code no_file;
        const bool is_file =
            fs::symlink_status(entry->path(), no_file).type() == fs::file_type::regular;
        bytes += is_file ? entry->file_size(no_file) : 0;
        if ((!no_file && bytes > most) || ++files > most_files) {
            return true;
        }
    }
    return false;
}

} // namespace judge
