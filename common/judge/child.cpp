#include "judge/child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/confine.hpp"
#include "judge/descendants.hpp"
#include "judge/protocol.hpp"

namespace judge {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int slice = 20;                       // ms between looks at whether the child still lives
constexpr std::chrono::milliseconds grace{500}; // to exit in, once the reply pipe is closed
constexpr std::chrono::milliseconds look_at_files{100};
constexpr std::uintmax_t most_files = 10000;

std::string errno_text() {
    return std::generic_category().message(errno);
}

void close_and_forget(int& descriptor) {
    if (descriptor >= 0) {
        close(descriptor);
    }
    descriptor = -1;
}

/// A pipe whose ends close with it, unless taken.
struct Pipe {
    int read_end = -1;
    int write_end = -1;

    Pipe() {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) == 0) {
            read_end = ends[0];
            write_end = ends[1];
            fcntl(read_end, F_SETFD, FD_CLOEXEC);
            fcntl(write_end, F_SETFD, FD_CLOEXEC);
        }
    }
    ~Pipe() {
        close_and_forget(read_end);
        close_and_forget(write_end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    bool made() const { return read_end >= 0; }
};

void set_limit(int resource, std::size_t amount) {
    const auto kind = static_cast<decltype(RLIMIT_CORE)>(resource);
    rlimit limit{};
    getrlimit(kind, &limit);
    limit.rlim_max = std::min(limit.rlim_max, static_cast<rlim_t>(amount)); // ours may be lower
    limit.rlim_cur = limit.rlim_max;
    setrlimit(kind, &limit);
}

/// What a submission finds in its environment: nothing of the grader's that it does not need, where
/// a token may be.
std::vector<std::string> environment_of(const std::filesystem::path& folder) {
    std::vector<std::string> settings{
        "TMPDIR=" + folder.string(), "OPENBLAS_NUM_THREADS=1",
        // What new leaves uninitialised is filled with one pattern, so that using it is wrong every
        // time.
        "GLIBC_TUNABLES=glibc.malloc.perturb=165",
        // Sanitizers would turn the signals that outcomes are known by into an exit.
        "ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:"
        "abort_on_error=1:detect_leaks=0:detect_stack_use_after_return=0:disable_coredump=0",
        "UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1"};
    for (const char* name : {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH",
                             "DYLD_LIBRARY_PATH", "OPENBLAS_CORETYPE"}) {
        if (const char* value = std::getenv(name)) {
            settings.push_back(std::string(name) + "=" + value);
        }
    }
    return settings;
}

/// In the forked child: gives it its pipes, its folder and its limits, and becomes the submission.
[[noreturn]] void become(const std::filesystem::path& program, const std::filesystem::path& folder,
                         const Limits& limits, int calls, int replies, int printed, int status) {
    const auto give_up = [&] {
        const int error = errno;
        [[maybe_unused]] const ssize_t put = write(status, &error, sizeof error);
        _exit(127);
    };
    setsid();
    die_with_parent();
    // Out of the way first: any of these may have the number that another is to get.
    for (int* descriptor : {&calls, &replies, &printed, &status}) {
        const int moved = fcntl(*descriptor, F_DUPFD_CLOEXEC, 10);
        if (moved < 0) {
            give_up();
        }
        *descriptor = moved;
    }
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(printed, STDOUT_FILENO);
    dup2(printed, STDERR_FILENO);
    dup2(calls, call_descriptor);
    dup2(replies, reply_descriptor);
    if (nothing > reply_descriptor) {
        close(nothing);
    }
#ifdef CLOSE_RANGE_CLOEXEC
    // Whatever else is open here, the grader's or of whoever started it, is not the submission's.
    close_range(reply_descriptor + 1, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, limits.file);
    set_limit(RLIMIT_NOFILE, limits.descriptors);
    if (limits.memory > 0) {
        set_limit(RLIMIT_AS, limits.memory);
    }
    if (chdir(folder.c_str()) == 0) {
        if (limits.confined) {
            confine(folder);
        }
        std::vector<std::string> settings = environment_of(folder);
        std::vector<char*> environment;
        for (std::string& setting : settings) {
            environment.push_back(setting.data());
        }
        environment.push_back(nullptr);
        execle(program.c_str(), program.c_str(), static_cast<char*>(nullptr), environment.data());
    }
    give_up();
    std::abort(); // never reached
}

/// Whether a folder holds more than so many bytes, or too many files to count.
bool holds_more_than(const std::filesystem::path& folder, std::uintmax_t most) {
    namespace fs = std::filesystem;
    std::error_code gone; // it changes while we look
    std::uintmax_t bytes = 0;
    std::uintmax_t files = 0;
    auto entry = fs::recursive_directory_iterator(
        folder, fs::directory_options::skip_permission_denied, gone);
    for (; !gone && entry != fs::recursive_directory_iterator(); entry.increment(gone)) {
        const auto size = fs::symlink_status(entry->path(), gone).type() == fs::file_type::regular
                              ? entry->file_size(gone)
                              : 0;
        bytes += gone ? 0 : size;
        gone.clear();
        if (bytes > most || ++files > most_files) {
            return true;
        }
    }
    return false;
}

std::uint64_t random_number() {
    static std::random_device source;
    return (std::uint64_t{source()} << 32) | source();
}

} // namespace

volatile std::sig_atomic_t interrupted = 0;

Limits default_limits() {
    Limits limits;
#if defined(__SANITIZE_ADDRESS__)
    limits.time *= 8;
    limits.total *= 8;
    limits.memory = 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    limits.time *= 8;
    limits.total *= 8;
    limits.memory = 0;
#endif
#endif
    return limits;
}

Child::Child(const std::filesystem::path& program, Limits limits)
    : program_(std::filesystem::absolute(program)), limits_(limits) {
    adopt_orphans();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); // ignored, which may be inherited, it would lose every exit status
}

Child::~Child() {
    stop();
}

/// Starts the submission; returns why it could not be, or nothing.
std::string Child::start() {
    Pipe calls, replies, printed, status;
    if (!calls.made() || !replies.made() || !printed.made() || !status.made()) {
        return "cannot make a pipe: " + errno_text();
    }
    std::error_code problem;
    const auto temporary = std::filesystem::temp_directory_path(problem);
    std::string pattern = (temporary / "course-XXXXXX").string();
    if (problem || mkdtemp(pattern.data()) == nullptr) {
        return "cannot make a temporary folder: " + (problem ? problem.message() : errno_text());
    }
    folder_ = pattern;
    process_ = fork();
    if (process_ == 0) {
        become(program_, folder_, limits_, calls.read_end, replies.write_end, printed.write_end,
               status.write_end);
    }
    const int fork_error = errno;
    calls_ = std::exchange(calls.write_end, -1);
    replies_ = std::exchange(replies.read_end, -1);
    printed_ = std::exchange(printed.read_end, -1);
    close_and_forget(status.write_end);
    int error = process_ < 0 ? fork_error : 0;
    if (process_ > 0) {
        keep_alive(process_);
        // Ends at once: with an error, or because exec closed the other end.
        [[maybe_unused]] const ssize_t got = read(status.read_end, &error, sizeof error);
    }
    for (const int end : {calls_, replies_, printed_}) {
        fcntl(end, F_SETFL, O_NONBLOCK);
    }
    if (error == 0) {
        return "";
    }
    stop();
    errno = error;
    return "cannot start " + program_.filename().string() + ": " + errno_text();
}

/// Ends the child and everything it left behind: processes, descriptors, files.
void Child::stop() {
    if (process_ > 0) {
        kill(-process_, SIGKILL);
        kill(process_, SIGKILL);
        wait_for(process_);
        let_die(process_);
        drain();
    }
    process_ = -1;
    close_and_forget(calls_);
    close_and_forget(replies_);
    close_and_forget(printed_);
    end_orphans();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    folder_.clear();
}

/// Whether the child still runs; leaves its exit status to be collected.
bool Child::running() {
    siginfo_t info{};
    return process_ > 0 &&
           waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           (info.si_pid == 0 || info.si_code == CLD_TRAPPED); // traced, at its own wish, by us
}

/// Takes what has been printed so far, keeps the first part of it.
void Child::drain() {
    std::array<char, 65536> chunk{};
    // Bounded, or a child that never stops printing would never let go of us.
    for (int turn = 0; turn < 16 && printed_ >= 0; ++turn) {
        const ssize_t got = read(printed_, chunk.data(), chunk.size());
        if (got <= 0) {
            if (got == 0) {
                close_and_forget(printed_);
            }
            return;
        }
        const auto size = static_cast<std::size_t>(got);
        const std::size_t room = limits_.output - std::min(limits_.output, output_.size());
        output_.append(chunk.data(), std::min(room, size));
        output_cut_ = output_cut_ || size > room;
    }
}

Outcome Child::call(const std::string& function, const List& arguments,
                    const std::string& variant) {
    output_.clear();
    output_cut_ = false;
    if (!running()) {
        stop();
        if (const std::string problem = start(); !problem.empty()) {
            return NotStarted{problem};
        }
    }
    const Call call{random_number(), function, variant, arguments};
    Outcome outcome = converse(frame(encode(call)), call.nonce);
    drain();
    const bool in_step = std::holds_alternative<Returned>(outcome) ||
                         std::holds_alternative<Threw>(outcome) ||
                         std::holds_alternative<ChangedArgument>(outcome) ||
                         std::holds_alternative<NotImplemented>(outcome);
    if (!in_step) {
        stop();
    }
    return outcome;
}

/// Sends the message and waits for its answer, or for whatever else happens first.
Outcome Child::converse(const std::string& message, std::uint64_t nonce) {
    const auto deadline = Clock::now() + limits_.time;
    auto next_look = Clock::now() + look_at_files;
    std::string_view unsent = message;
    std::string reply;
    std::array<char, 65536> chunk{};
    for (;;) {
        std::uint64_t size = 0;
        if (reply.size() >= sizeof size) {
            std::memcpy(&size, reply.data(), sizeof size);
            if (size > limits_.reply) {
                return Garbled{"it has " + std::to_string(size) + " bytes, more than the " +
                               std::to_string(limits_.reply >> 20) + " MiB of any right one"};
            }
            if (reply.size() > sizeof size + size) {
                return Garbled{"more was sent than the answer"};
            }
            if (reply.size() == sizeof size + size) {
                break;
            }
        }
        const auto now = Clock::now();
        if (interrupted != 0) {
            return NotStarted{"grading was interrupted"};
        }
        if (now >= next_look) {
            if (holds_more_than(folder_, limits_.files)) {
                return Crashed{SIGXFSZ};
            }
            next_look = Clock::now() + look_at_files;
        }
        if (now >= deadline) {
            return RanTooLong{std::chrono::duration<double>(limits_.time).count()};
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
        std::array<pollfd, 3> watched{{{replies_, POLLIN, 0},
                                       {printed_, POLLIN, 0},
                                       {unsent.empty() ? -1 : calls_, POLLOUT, 0}}};
        const bool alive = running(); // before the look at the pipe: its last words are in there
        poll(watched.data(), watched.size(),
             static_cast<int>(std::min<decltype(left)>(left, slice)));
        if (watched[1].revents != 0) {
            drain();
        }
        if (watched[2].revents != 0) {
            const ssize_t put = write(calls_, unsent.data(), unsent.size());
            unsent.remove_prefix(put > 0 ? static_cast<std::size_t>(put) : 0);
            if (put < 0 && errno != EAGAIN && errno != EINTR) {
                unsent = {}; // nobody reads it: the child is about to end, or has ended
            }
        }
        if (watched[0].revents != 0) {
            const ssize_t got = read(replies_, chunk.data(), chunk.size());
            if (got == 0) {
                return ended(deadline);
            }
            reply.append(chunk.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
        } else if (!alive) {
            // A process the child started holds the pipe open, or it would have been closed.
            return ended(deadline);
        }
    }
    try {
        const Reply answer = decode_reply(std::string_view(reply).substr(sizeof(std::uint64_t)));
        if (answer.nonce != nonce) {
            return Garbled{"an answer came that no call had asked for"};
        }
        switch (answer.kind) {
        case ReplyKind::returned:
            return Returned{answer.value};
        case ReplyKind::threw: {
            const auto texts = from_value<std::vector<std::string>>(answer.value);
            return Threw{texts.at(0), texts.at(1)};
        }
        case ReplyKind::not_implemented:
            return NotImplemented{from_value<std::string>(answer.value)};
        case ReplyKind::out_of_memory:
            return UsedTooMuchMemory{limits_.memory};
        case ReplyKind::changed_argument:
            return ChangedArgument{from_value<std::size_t>(answer.value), ""};
        }
    } catch (const std::exception& error) {
        return Garbled{error.what()};
    }
    return Garbled{"an answer of a kind that does not exist"};
}

/// The reply pipe is closed without an answer: waits for the exit status that says why.
Outcome Child::ended(Clock::time_point deadline) {
    const auto patience = std::min(deadline, Clock::now() + grace);
    while (running()) {
        if (Clock::now() >= patience) {
            return Garbled{"the pipe that answers travel on was closed"};
        }
        poll(nullptr, 0, 1);
    }
    drain();
    const int status = wait_for(process_);
    let_die(process_);
    kill(-process_, SIGKILL); // what it left in its process group
    process_ = -1;
    if (!WIFSIGNALED(status)) {
        return EndedEarly{WEXITSTATUS(status)};
    }
    if (WTERMSIG(status) == SIGKILL && limits_.confined) { // which it cannot send to itself
        return NotStarted{"the program was ended from outside (SIGKILL); most likely the machine "
                          "ran out of memory"};
    }
    return Crashed{WTERMSIG(status)};
}

} // namespace judge
