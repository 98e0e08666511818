#include "judge/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/confine.hpp"
#include "judge/protocol.hpp"
#include "judge/submission.hpp"
#include "process/descendants.hpp"
#include "process/start.hpp"
#include "process/status.hpp"

namespace judge {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds slice{20}; // between looks at whether the child still lives
constexpr std::chrono::milliseconds memory_slice{2};    // and its memory, if the limits say so
constexpr std::chrono::milliseconds grace{500};         // to exit in, once the reply pipe is closed
constexpr std::chrono::milliseconds look_at_files{100}; // and at its threads
constexpr std::chrono::milliseconds no_turn_takes{1000};
constexpr double most_threads = 4096; // a thread for each of some hundred rows is right

/// A message on the pipe: its size, then that many bytes. Nothing until the size has arrived.
std::optional<std::uint64_t> announced_size(const std::string& message) {
    std::uint64_t size = 0;
    if (message.size() < sizeof size) {
        return std::nullopt;
    }
    std::memcpy(&size, message.data(), sizeof size);
    return size;
}

bool is_whole(const std::string& message) {
    return announced_size(message) == message.size() - sizeof(std::uint64_t);
}

/// What is wrong with the part of a reply that has arrived.
std::optional<Outcome> fault_in(const std::string& reply, const Limits& limits) {
    const auto size = announced_size(reply);
    if (size && *size > limits.reply) {
        return Garbled{"it has " + std::to_string(*size) + " bytes, more than the " +
                       std::to_string(limits.reply >> 20) + " MiB of any right one"};
    }
    if (size && reply.size() > sizeof *size + *size) {
        return Garbled{"more was sent than the answer"};
    }
    return std::nullopt;
}

/// The outcome in a reply of this kind; throws malformed if the value is of another kind.
Outcome outcome_of(ReplyKind kind, const Value& value, const Limits& limits) {
    switch (kind) {
    case ReplyKind::returned:
        return Returned{value};
    case ReplyKind::threw: {
        const auto texts = from_value<std::vector<std::string>>(value);
        return Threw{texts.at(0), texts.at(1)};
    }
    case ReplyKind::not_implemented:
        return NotImplemented{from_value<std::string>(value)};
    case ReplyKind::out_of_memory:
        return UsedTooMuchMemory{limits.memory};
    case ReplyKind::changed_argument:
        return ChangedArgument{from_value<std::size_t>(value), ""};
    }
    return Garbled{"an answer of a kind that does not exist"};
}

/// A whole reply as an outcome.
Outcome decoded(const std::string& reply, const Limits& limits) {
    try {
        const Reply answer = decode_reply(std::string_view(reply).substr(sizeof(std::uint64_t)));
        return outcome_of(answer.kind, answer.value, limits);
    } catch (const std::exception& error) {
        return Garbled{error.what()};
    }
}

/// Appends what has arrived; false when the other end is closed.
bool receive(const process::Descriptor& replies, std::string& reply) {
    std::array<char, 65536> chunk{};
    const ssize_t got = read(replies.number(), chunk.data(), chunk.size());
    reply.append(chunk.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    return got != 0;
}

} // namespace

volatile std::sig_atomic_t interrupted = 0;

namespace {

/// The processor time that a process has taken so far; nothing where the system does not report it.
std::optional<std::chrono::nanoseconds> processor_time_of([[maybe_unused]] pid_t process) {
#ifdef __linux__
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0) {
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }
#endif
    return std::nullopt;
}

/// A busy machine takes longer. A child that waits and computes nothing is ended after this
/// multiple of its limit.
constexpr int wall_times = 3;

} // namespace

/// One call's time.
struct Child::Conversation {
    Clock::time_point deadline;
    std::optional<std::chrono::nanoseconds> started;            // processor time before
    Clock::time_point next_look = Clock::now() + look_at_files; // the size of its folder
    Clock::time_point last_turn = Clock::now();
};

Child::Child(const std::filesystem::path& program, Limits limits)
    : program_(std::filesystem::absolute(program)), limits_(limits) {
    process::adopt_orphans();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); // ignored, which may be inherited, it would lose every exit status
}

Child::~Child() {
    stop();
}

/// Starts the submission; returns why it could not be, or nothing.
std::optional<Outcome> Child::start() {
    try {
        process::Pipe calls;
        process::Pipe replies;
        process::Pipe printed;
        folder_ = make_folder();
        process_ = start_submission(program_, folder_, limits_,
                                    {calls.read_end, replies.write_end, printed.write_end});
        process::keep_from_ending(process_);
        calls_ = std::move(calls.write_end);
        replies_ = std::move(replies.read_end);
        printed_ = std::move(printed.read_end);
    } catch (const std::system_error& error) {
        const bool had_a_folder = !folder_.empty();
        stop();
        // If the system cannot load the program, or needs a missing loader, the source is the
        // reason.
        const bool cannot_run = error.code() == std::errc::executable_format_error ||
                                (error.code() == std::errc::no_such_file_or_directory &&
                                 had_a_folder && std::filesystem::exists(program_));
        return cannot_run
                   ? Outcome(Garbled{
                         "the system cannot load the program: is there assembler (asm) or a section attribute in the file?"})
                   : NotStarted{error.what()};
    }
    for (const auto* end : {&calls_, &replies_, &printed_}) {
        end->do_not_wait();
    }
    return std::nullopt;
}

/// Ends the child and everything that it left behind: processes, descriptors, files.
void Child::stop() {
    if (process_ > 0) {
        kill(-process_, SIGKILL);
        kill(process_, SIGKILL);
        process::wait_for(process_);
        process::keep_no_longer(process_);
        drain();
    }
    process_ = -1;
    calls_.close();
    replies_.close();
    printed_.close();
    process::end_orphans();
    if (!folder_.empty()) {
        std::error_code problem; // then it stays, and its name says whose it was
        std::filesystem::remove_all(folder_, problem);
        folder_.clear();
    }
}

bool Child::running() const {
    return process::is_running(process_);
}

/// Takes what has been printed so far, and keeps the first part of it.
void Child::drain() {
    std::array<char, 65536> chunk{};
    // Bounded, or a child that never stops printing would never let go of us.
    for (int turn = 0; turn < 16 && printed_.open(); ++turn) {
        const ssize_t got = read(printed_.number(), chunk.data(), chunk.size());
        if (got <= 0) {
            if (got == 0) {
                printed_.close();
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
    paused_ = {};
    taken_ = {};
    if (!running()) {
        stop();
        if (const auto problem = start()) {
            return *problem;
        }
    }
    const Call call{function, variant, arguments};
    Outcome outcome = converse(frame(encode(call)));
    drain();
    if (!still_runs(outcome)) {
        stop();
    }
    return outcome;
}

std::optional<std::vector<Outcome>> Child::call_each(const std::string& function,
                                                     const std::vector<List>& calls,
                                                     const std::vector<std::string>& variants) {
    List each;
    for (const List& arguments : calls) {
        each.push_back({arguments});
    }
    const Outcome all = call(each_command, {{function}, to_value(variants), {std::move(each)}});
    const Returned* returned = std::get_if<Returned>(&all);
    if (returned == nullptr) {
        return std::nullopt;
    }
    std::vector<Outcome> outcomes;
    for (const Value& reply : expect_alternative<List>(returned->value, "a list")) {
        const List& parts = expect_alternative<List>(reply, "a list");
        outcomes.push_back(outcome_of(static_cast<ReplyKind>(from_value<unsigned>(parts.at(0))),
                                      parts.at(1), limits_));
    }
    return outcomes;
}

/// Sends the message and waits for its answer, or for whatever else happens first.
Outcome Child::converse(const std::string& message) {
    const auto started = processor_time_of(process_);
    const auto began = Clock::now();
    Conversation conversation{began + (started ? wall_times : 1) * limits_.time, started};
    const auto note_the_time = [&] {
        const auto now = processor_time_of(process_);
        taken_ = now && started ? *now - *started : Clock::now() - began - paused_;
    };
    std::string_view unsent = message;
    std::string reply;
    while (!is_whole(reply)) {
        if (const auto bound = out_of_bounds(conversation)) {
            note_the_time();
            return *bound;
        }
        std::array<pollfd, 3> watched{{{replies_.number(), POLLIN, 0},
                                       {printed_.number(), POLLIN, 0},
                                       {unsent.empty() ? -1 : calls_.number(), POLLOUT, 0}}};
        const bool alive = running(); // before the look at the pipe: its last words are in there
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(conversation.deadline - Clock::now());
        poll(watched.data(), watched.size(),
             static_cast<int>(std::clamp(left, std::chrono::milliseconds(0),
                                         limits_.watches_memory ? memory_slice : slice)
                                  .count()));
        if (limits_.watches_memory) {
            largest_seen_ = std::max(largest_seen_, process::anonymous_memory(process_));
        }
        if (watched[1].revents != 0) {
            drain();
        }
        if (watched[2].revents != 0) {
            send(unsent);
        }
        // Without a reply, another process may hold open the pipe of one that has ended.
        if (watched[0].revents != 0 ? !receive(replies_, reply) : !alive) {
            note_the_time();
            return ended(conversation.deadline);
        }
        if (const auto fault = fault_in(reply, limits_)) {
            return *fault;
        }
    }
    note_the_time();
    return decoded(reply, limits_);
}

/// The outcome of a call that ran too long, or wrote too much.
std::optional<Outcome> Child::out_of_bounds(Conversation& conversation) {
    const auto now = Clock::now();
    if (now - conversation.last_turn > no_turn_takes) { // this program did not run
        paused_ += now - conversation.last_turn;
        conversation.deadline += now - conversation.last_turn;
    }
    conversation.last_turn = now;
    if (interrupted != 0) {
        return NotStarted{"grading was interrupted"};
    }
    const auto computed = processor_time_of(process_);
    const bool used_up =
        computed && conversation.started && *computed - *conversation.started > limits_.time;
    if (used_up || now >= conversation.deadline) {
        return RanTooLong{std::chrono::duration<double>(limits_.time).count()};
    }
    if (now >= conversation.next_look) {
        conversation.next_look = now + look_at_files;
        if (holds_more_than(folder_, limits_.files)) {
            return Crashed{SIGXFSZ};
        }
        if (process::status_of(process_, "Threads").value_or(0) > most_threads) {
            return Garbled{fmt::format("it has more than {:g} threads", most_threads)};
        }
        conversation.last_turn = Clock::now(); // a slow check is not a pause
    }
    return std::nullopt;
}

std::optional<double> Child::largest_anonymous() const {
    const auto largest = process::status_of(process_, "VmHWM");
    const auto of_files = process::status_of(process_, "RssFile");
    return largest && of_files
               ? std::optional(std::max(largest_seen_, 1024 * (*largest - *of_files)))
               : std::nullopt;
}

void Child::send(std::string_view& unsent) {
    const ssize_t put = write(calls_.number(), unsent.data(), unsent.size());
    unsent.remove_prefix(put > 0 ? static_cast<std::size_t>(put) : 0);
    if (put < 0 && errno != EAGAIN && errno != EINTR) {
        unsent = {}; // nobody reads it: the child is about to end, or has ended
    }
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
    const int status = process::wait_for(process_);
    process::keep_no_longer(process_);
    kill(-process_, SIGKILL); // the rest of its process group
    process_ = -1;
    if (!WIFSIGNALED(status)) {
        return EndedEarly{WEXITSTATUS(status)};
    }
    if (WTERMSIG(status) == SIGKILL && limits_.confined && refuses_own_sigkill) {
        return NotStarted{
            "the program was killed (SIGKILL); most likely the machine ran out of memory"};
    }
    return Crashed{WTERMSIG(status)};
}

} // namespace judge
