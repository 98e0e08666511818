#pragma once

#include <variant>

#include "judge/value.hpp"

namespace judge {

struct Returned {
    Value value;
};
struct Threw {
    std::string type; // as C++ spells it: "std::invalid_argument", "int"
    std::string what; // empty when it was not a std::exception
};
struct NotImplemented {
    std::string exercise;
};
struct Crashed {
    int signal;
};
struct RanTooLong {
    double seconds;
    bool all_calls = false; // it is that of all calls together
};
struct UsedTooMuchMemory {
    std::size_t limit; // bytes
};
struct EndedEarly {
    int status;
};
/// The reply is not an answer to this call.
struct Garbled {
    std::string why;
};
/// It answered, but changed an argument that it may only read.
struct ChangedArgument {
    std::size_t index;
    std::string name; // "scores"; empty where it is not known
};
/// The submission could not even be started: the grader's fault, never the learner's.
struct NotStarted {
    std::string why;
};

/// How one call ended.
using Outcome = std::variant<Returned, Threw, NotImplemented, Crashed, RanTooLong,
                             UsedTooMuchMemory, EndedEarly, Garbled, ChangedArgument, NotStarted>;

/// One sentence about an outcome that is not a value: "crashed with SIGSEGV (…)".
std::string describe(const Outcome& outcome);

/// The value, if it returned one.
inline const Value* value_in(const Outcome& outcome) {
    const Returned* returned = std::get_if<Returned>(&outcome);
    return returned == nullptr ? nullptr : &returned->value;
}

/// Whether the process answered, and can be called again.
bool still_runs(const Outcome& outcome);

/// Whether two calls that did not return ended alike. Exceptions are alike if both or neither are
/// of the type that graders expect, whatever their texts; crashes, if the signal is the same.
bool fail_alike(const Outcome& a, const Outcome& b);

} // namespace judge
