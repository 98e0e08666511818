#include "judge/outcome.hpp"

#include <cctype>
#include <csignal>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace judge {

namespace {

std::string signal_text(int signal) {
    switch (signal) {
    case SIGXFSZ:
        return "SIGXFSZ, more in files than an exercise may write";
    case SIGSEGV:
        return "SIGSEGV, a read or write outside its memory, a recursion that never ends, or static arrays of more than it may use";
    case SIGABRT:
        return "SIGABRT, from abort(), a failed assert() or an exception that nothing could catch";
    case SIGFPE:
        return "SIGFPE, a division of integers by zero, or arithmetic on floats that was made to trap";
    case SIGILL:
        return "SIGILL, a function that ends without a return, or an invalid instruction";
    case SIGBUS:
        return "SIGBUS, a read or write outside its memory";
    case SIGKILL:
        return "SIGKILL, most likely because the machine ran out of memory";
    default:
        return fmt::format("signal {} ({})", signal, strsignal(signal));
    }
}

/// A text on one line: some libraries' exceptions have line breaks and indentation.
std::string one_line(const std::string& text) {
    std::string line;
    for (const char c : text) {
        const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!space || (!line.empty() && line.back() != ' ')) {
            line += space ? ' ' : c;
        }
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// Without the line of its own header that xtensor names: " …/xtensor.hpp(548)".
std::string without_header(std::string what) {
    constexpr std::string_view suffix = ".hpp(";
    const std::size_t at = what.find(suffix);
    const std::size_t space = what.rfind(' ', at);
    if (at == std::string::npos || space == std::string::npos) {
        return what;
    }
    const std::size_t end = what.find_first_not_of("0123456789", at + suffix.size());
    return end != std::string::npos && what[end] == ')' ? what.erase(space, end + 1 - space) : what;
}

/// xtensor's message about an index out of range names a line in its own header; a learner needs to
/// know which index it was, and the size.
std::string explain_index(const std::string& what) {
    unsigned long long index = 0, axis = 0, size = 0;
    const std::size_t at = what.find("index ");
    if (at == std::string::npos ||
        std::sscanf(what.c_str() + at, "index %llu is out of bounds for axis %llu with size %llu",
                    &index, &axis, &size) != 3) {
        return without_header(what);
    }
    return fmt::format(
        "an index is out of range: {} along axis {}, which has {}. "
        "A loop may run too far, or use the size of another array or axis",
        index, axis,
        size == 0 ? "no elements"
                  : fmt::format("{} element{}, 0 to {}", size, size == 1 ? "" : "s", size - 1));
}

/// The type of an expression can have more than a hundred thousand letters.
std::string short_type(const std::string& type) {
    constexpr std::size_t most = 100;
    return type.size() <= most ? type : fmt::format("{:.{}}…", type, most);
}

struct Describe {
    std::string operator()(const Returned&) const { return "returned a value"; }
    std::string operator()(const Threw& threw) const {
        return threw.what.empty() ? fmt::format("threw {}", short_type(threw.type))
                                  : fmt::format("threw {}: {}", short_type(threw.type),
                                                explain_index(one_line(threw.what)));
    }
    std::string operator()(const NotImplemented& missing) const {
        return missing.exercise + " is not written yet";
    }
    std::string operator()(const Crashed& crashed) const {
        return "crashed with " + signal_text(crashed.signal);
    }
    std::string operator()(const RanTooLong& timeout) const {
        return fmt::format("did not return within {:g} s", timeout.seconds);
    }
    std::string operator()(const UsedTooMuchMemory& memory) const {
        return memory.limit == 0
                   ? "requested more memory than there is"
                   : fmt::format("requested more than the {} MiB it may use", memory.limit >> 20);
    }
    std::string operator()(const EndedEarly& ended) const {
        return fmt::format("ended the whole program, with status {}, instead of returning",
                           ended.status);
    }
    std::string operator()(const Garbled& garbled) const {
        return "gave no usable answer: " + garbled.why;
    }
    std::string operator()(const ChangedArgument& changed) const {
        return fmt::format(
            "changed its argument {}: it is const, the caller's own array, and must not change",
            changed.name.empty() ? std::to_string(changed.index + 1) : changed.name);
    }
    std::string operator()(const NotStarted& failed) const { return failed.why; }
};

} // namespace

std::string describe(const Outcome& outcome) {
    return std::visit(Describe{}, outcome);
}

bool still_runs(const Outcome& outcome) {
    return std::holds_alternative<Returned>(outcome) || std::holds_alternative<Threw>(outcome) ||
           std::holds_alternative<ChangedArgument>(outcome) ||
           std::holds_alternative<NotImplemented>(outcome);
}

bool fail_alike(const Outcome& a, const Outcome& b) {
    if (a.index() != b.index()) {
        return false;
    }
    if (const Threw* threw = std::get_if<Threw>(&a)) {
        const char* const asked_for = "std::invalid_argument";
        return (threw->type == asked_for) == (std::get<Threw>(b).type == asked_for);
    }
    if (const Crashed* crashed = std::get_if<Crashed>(&a)) {
        return crashed->signal == std::get<Crashed>(b).signal;
    }
    return true;
}

} // namespace judge
