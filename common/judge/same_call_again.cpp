#include "judge/same_call_again.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "judge/protocol.hpp"

namespace judge {

namespace {

using namespace std::chrono_literals;

constexpr auto quick = 100ms;                  // processor time of a call that is made again
constexpr std::size_t times_in_a_row = 5;      // in each of two processes
constexpr std::size_t most_numbers = 20000;    // in the arguments of a call that is made again
constexpr int other_contents[] = {0x00, 0xDA}; // of fresh memory: as a double 0 and -2.4e130

/// The results of the call, made so many times in a new process whose fresh memory has this byte.
std::vector<Outcome> in_new_process(const Session& session, const RecordedCall& call,
                                    std::size_t times, int byte = usual_fill) {
    Child child = session.fresh_child();
    child.call(fill_command, {to_value(byte)});
    std::vector<Outcome> outcomes;
    for (std::size_t again = 0; again < times; ++again) {
        outcomes.push_back(child.call(call.function, call.arguments, session.variant()));
        if (std::holds_alternative<RanTooLong>(outcomes.back())) {
            break;
        }
    }
    outcomes.resize(times, outcomes.back());
    return outcomes;
}

Explanation depends_on_chance() {
    return {
        differs_from_call_to_call,
        "The same call gives different answers from one run to the next, in new processes too. "
        "Check for a lazy xtensor expression that reads memory which is gone (store it: const Matrix sums = xt::sum(…);), for threads that write to one place, and for random numbers, the clock or an address in the answer."};
}

Explanation remembers(const std::string& how) {
    return {
        remembers_earlier_calls,
        "Earlier calls change what your function returns: " + how +
            " Look for a static or global variable; variables inside the function start anew each time. "
            "(A lazy xtensor expression that reads memory which is gone can do this, too.)"};
}

Explanation memory_not_set(const Outcome& a, const Outcome& b) {
    const Returned* x = std::get_if<Returned>(&a);
    const Returned* y = std::get_if<Returned>(&b);
    const auto mismatch =
        x != nullptr && y != nullptr ? compare(x->value, y->value, normwise) : std::nullopt;
    const std::string where = mismatch && !mismatch->index.empty()
                                  ? "Element " + index_text(mismatch->index)
                                  : "The answer";
    return {
        memory_never_set,
        where +
            " depends on memory that was never set. "
            "An array made with from_shape, xt::empty or only its sizes has arbitrary contents: set every element before you use it or add to it, or begin with xt::zeros. "
            "(An index past the end of an array reads such memory, too.)"};
}

/// What makes the answers of a call differ, if they do. first: what it gave; without it, only what
/// shows in new processes.
std::optional<Explanation> cause_of(const Session& session, const RecordedCall& call,
                                    const Outcome& first) {
    const auto differ = [&](const Outcome& a, const Outcome& b) {
        return !session.repeats(call, a, b);
    };
    const std::vector<Outcome> one = in_new_process(session, call, times_in_a_row);
    for (const int byte : other_contents) {
        const Outcome other = in_new_process(session, call, 1, byte).front();
        if (differ(one.front(), other) &&
            !differ(other, in_new_process(session, call, 1, byte).front()) &&
            !differ(one.front(), in_new_process(session, call, 1).front())) {
            return memory_not_set(one.front(), other);
        }
    }
    const std::vector<Outcome> two = in_new_process(session, call, times_in_a_row);
    for (std::size_t i = 0; i < times_in_a_row; ++i) {
        if (differ(one[i], two[i])) {
            return depends_on_chance();
        }
    }
    for (const Outcome& again : one) {
        if (differ(one.front(), again)) {
            return remembers("the same call gives another answer the next time.");
        }
    }
    if (differ(first, one.front())) {
        return remembers(
            "in a new process this call gives another answer than after the calls before it.");
    }
    return std::nullopt;
}

/// Whether the calls before this one change its answer, and to the same each time: threads that
/// write to one place do not.
bool earlier_calls_decide(const Session& session, std::size_t index, const Outcome& alone) {
    const RecordedCall& call = session.calls()[index];
    const auto after_them = [&] {
        Child child = session.fresh_child();
        for (std::size_t i = 0; i < index; ++i) {
            child.call(session.calls()[i].function, session.calls()[i].arguments,
                       session.variant());
        }
        return child.call(call.function, call.arguments, session.variant());
    };
    const Outcome answer = after_them();
    return !session.repeats(call, alone, answer) && session.repeats(call, answer, after_them());
}

/// For each function the first call, the last, the smallest and the largest, in that order.
std::vector<RecordedCall> some_of_each_function(const std::vector<RecordedCall>& calls) {
    std::map<std::string, std::vector<std::size_t>> functions;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const bool answered = std::holds_alternative<Returned>(calls[i].outcome) ||
                              std::holds_alternative<Threw>(calls[i].outcome);
        if (answered && calls[i].taken < quick && numbers_in(calls[i].arguments) <= most_numbers) {
            functions[calls[i].function].push_back(i);
        }
    }
    std::vector<RecordedCall> some;
    for (const auto& [function, all] : functions) {
        const auto [smallest, largest] =
            std::minmax_element(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
                return numbers_in(calls[a].arguments) < numbers_in(calls[b].arguments);
            });
        for (const std::size_t i : {all.front(), all.back(), *smallest, *largest}) {
            some.push_back(calls[i]);
        }
    }
    return some;
}

Explanation failure_of(Session& session, RecordedCall call, const Outcome& again) {
    const Outcome first = call.outcome;
    Failure failure{.summary = call.function + " gave another answer to the same call before"};
    const Returned* x = std::get_if<Returned>(&first);
    const Returned* y = std::get_if<Returned>(&again);
    if (x != nullptr && y != nullptr) {
        failure.mismatch = compare(y->value, x->value, normwise);
        failure.expected = x->value;
        failure.actual = y->value;
    }
    const bool endless = std::holds_alternative<RanTooLong>(again);
    const auto cause = endless ? remembers("when it is made again, this call does not return.")
                               : cause_of(session, call, again);
    call.outcome = again;
    session.add_failure("the arguments of a call alone decide its answer", std::move(call),
                        std::move(failure));
    return cause.value_or(remembers("after other calls this one gives another answer."));
}

} // namespace

std::optional<Explanation> not_by_arguments_alone(const Session& session, std::size_t index,
                                                  const Outcome& right) {
    const RecordedCall& call = session.calls()[index];
    if (call.taken > quick || numbers_in(call.arguments) > most_numbers) {
        return std::nullopt;
    }
    // Two processes show whether there is anything to look for.
    const std::vector<Outcome> again = in_new_process(session, call, 2);
    const Outcome filled = in_new_process(session, call, 1, other_contents[0]).front();
    if (session.repeats(call, call.outcome, again[0]) &&
        session.repeats(call, again[0], again[1]) && session.repeats(call, again[0], filled)) {
        return std::nullopt;
    }
    auto cause = cause_of(session, call, call.outcome);
    if (cause && cause->name == remembers_earlier_calls && session.repeats(call, right, again[0])) {
        if (!earlier_calls_decide(session, index, again[0])) {
            return depends_on_chance();
        }
        return remembers(
            "in a new process this call is answered correctly, but not after the calls before it.");
    }
    return cause;
}

std::optional<Explanation> make_calls_again(Session& session) {
    const std::vector<RecordedCall> calls = some_of_each_function(session.calls());
    for (std::size_t k = calls.size(); k-- > 0;) { // twice each, the last first
        for (int again = 0; again < 2; ++again) {
            const Outcome outcome = session.ask_again(calls[k], calls[k].arguments);
            if (std::holds_alternative<RanTooLong>(outcome) ||
                !session.repeats(calls[k], calls[k].outcome, outcome)) {
                return failure_of(session, calls[k], outcome);
            }
        }
    }
    for (const int byte : other_contents) {
        Child child = session.fresh_child();
        child.call(fill_command, {to_value(byte)});
        for (const RecordedCall& call : calls) {
            const Outcome outcome = child.call(call.function, call.arguments, session.variant());
            if (!session.repeats(call, call.outcome, outcome)) {
                return failure_of(session, call, outcome);
            }
        }
    }
    return std::nullopt;
}

} // namespace judge
