#include "judge/replay.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/protocol.hpp"
#include "judge/replayed_calls.hpp"
#include "judge/verdict.hpp"

namespace judge {

namespace {

using namespace std::chrono_literals;

constexpr auto slowest = 400ms;        // a call that is asked again to find out why it is wrong
constexpr auto call_patience = 4000ms; // for one call in a new process
constexpr auto of_all_before = 1000ms; // for all calls before one, once more
constexpr auto of_all_replays = 6s;    // by the clock, and what was begun by then
constexpr int asked_of_both = 5;       // times, of two processes that are to agree
constexpr std::size_t most_calls = 4;  // before a wrong one, of its function
constexpr int other_fills[] = {0x00, 0xDA}; // as a double 0 and −2.4e130

/// Another example of the same shapes: the elements of every array of numbers in reverse order.
/// Probabilities stay probabilities, and what is in range stays there.
List reversed(const List& arguments) {
    List other = arguments;
    for (Value& argument : other) {
        Array* array = std::get_if<Array>(&argument.data);
        if (array == nullptr || array->kind != 'f') {
            continue;
        }
        const std::string bytes = array->bytes;
        for (std::size_t i = 0; i < array->count(); ++i) {
            bytes.copy(array->bytes.data() + i * array->size, array->size,
                       bytes.size() - (i + 1) * array->size);
        }
    }
    return other;
}

void fill(Child& child, int byte) {
    child.call(fill_command, {to_value(byte)});
}

GenericMistake remembers(const std::string& how) {
    return {"remembers_earlier_calls",
            "it remembers earlier calls: " + how +
                " A static or global variable keeps its value for the next call. Variables inside "
                "the function start anew each time."};
}

/// Where two answers part, as "element (1, 2)"; "" where that is not said in a word.
std::string place_text(const Mismatch& mismatch) {
    const std::string member = mismatch.member.empty() ? "" : " of " + mismatch.member;
    return mismatch.index.empty() ? "" : "element " + index_text(mismatch.index) + member;
}

/// a and b: answers to the same call with two fillings.
GenericMistake never_set(const Outcome& a, const Outcome& b) {
    const Returned* x = std::get_if<Returned>(&a);
    const Returned* y = std::get_if<Returned>(&b);
    const auto mismatch =
        x != nullptr && y != nullptr ? compare(x->value, y->value, normwise) : std::nullopt;
    const std::string place = mismatch ? place_text(*mismatch) : "";
    return {memory_never_set,
            (place.empty() ? "the answer" : place) +
                " depends on memory that was never set. An array made with from_shape, xt::empty "
                "or only its sizes has arbitrary contents: set every element, and do not begin "
                "with +=. xt::zeros starts with 0."};
}

/// What answered at once and now takes for ever is asked no more: each time would cost seconds.
bool ran_out_of_time(const Outcome& outcome) {
    return std::holds_alternative<RanTooLong>(outcome);
}

/// By the clock, from when it is made: what is slow now was quick when it was asked first.
class Deadline {
public:
    bool passed() const { return std::chrono::steady_clock::now() > until_; }

private:
    std::chrono::steady_clock::time_point until_ =
        std::chrono::steady_clock::now() + of_all_replays;
};

/// What a call gives in a process that has answered nothing else, its memory filled so.
Outcome alone(const Session& session, const RecordedCall& call, int byte) {
    Child child = session.fresh_child(call_patience);
    fill(child, byte);
    return child.call(call.function, call.arguments, session.variant());
}

std::optional<GenericMistake> dependence_on_memory(const Session& session, const RecordedCall& call,
                                                   const Deadline& deadline) {
    const Outcome once = alone(session, call, usual_fill);
    if (ran_out_of_time(once)) {
        return std::nullopt;
    }
    for (const int byte : other_fills) {
        if (deadline.passed()) {
            return std::nullopt;
        }
        const Outcome other = alone(session, call, byte);
        // Twice, or what is different each time would be taken for it.
        if (!session.repeats(call, once, other) &&
            session.repeats(call, once, alone(session, call, usual_fill)) &&
            session.repeats(call, other, alone(session, call, byte))) {
            return never_set(once, other);
        }
    }
    return std::nullopt;
}

GenericMistake differs_by_itself() {
    return {differs_from_call_to_call,
            "the same call is answered now so and now otherwise, in new processes too. A sum or a "
            "maximum in the middle of a larger expression of xtensor may read memory that is gone: "
            "keep it in a Matrix first, const Matrix sums = xt::sum(…). Where threads share a "
            "place, += reads, adds and writes, and what another adds in between is lost: each "
            "thread needs a place of its own, or a lock. If it is neither, a random number, the "
            "clock or an address gets into the answer."};
}

/// Whether two new processes, each asked the call a few times and nothing else, part: what is kept
/// from call to call is kept alike in both.
std::optional<GenericMistake> now_so_now_otherwise(const Session& session, const RecordedCall& call,
                                                   const Deadline& deadline) {
    Child one = session.fresh_child(call_patience);
    Child other = session.fresh_child(call_patience);
    for (int again = 0; again < asked_of_both && !deadline.passed(); ++again) {
        const Outcome a = one.call(call.function, call.arguments, session.variant());
        const Outcome b = other.call(call.function, call.arguments, session.variant());
        if (!session.repeats(call, a, b)) {
            return differs_by_itself();
        }
    }
    return std::nullopt;
}

/// Whether a new process that is asked all that was asked before the call answers it as one does
/// that is asked it alone. What was answered wrongly then was no matter of the calls before it.
bool right_after_all_before(const Session& session, std::size_t index, const Outcome& first,
                            const Deadline& deadline) {
    const auto& calls = session.calls();
    auto left = std::chrono::duration_cast<std::chrono::steady_clock::duration>(of_all_before);
    Child child = session.fresh_child(call_patience);
    for (std::size_t i = 0; i < index; ++i) {
        if ((left -= calls[i].taken) < 0ms || deadline.passed()) {
            return false;
        }
        child.call(calls[i].function, calls[i].arguments, session.variant());
    }
    const RecordedCall& call = calls[index];
    return session.repeats(call, first,
                           child.call(call.function, call.arguments, session.variant()));
}

/// The failure of a call that was answered with before, and is now answered with after.
void add_failure(Session& session, RecordedCall call, const Outcome& after,
                 const std::string& summary) {
    const Outcome before = call.outcome;
    call.outcome = after;
    Failure failure{.summary = summary};
    const Returned* x = std::get_if<Returned>(&before);
    const Returned* y = std::get_if<Returned>(&after);
    if (x != nullptr && y != nullptr) {
        failure.mismatch = compare(y->value, x->value, normwise);
        failure.expected = x->value;
        failure.actual = y->value;
    }
    session.add_failure("a call is answered by its arguments alone, whatever was asked before",
                        std::move(call), std::move(failure));
}

/// Asks a call once more, or with other arguments that gave `first`, after the calls of which
/// `before` tells: what it says when the answer is another one.
std::optional<GenericMistake> remembered(Session& session, const RecordedCall& call,
                                         const List& arguments, const Outcome& first,
                                         const std::string& before, const Deadline& deadline) {
    const Outcome again = session.ask_again(call, arguments);
    if (session.repeats(call, first, again)) {
        return std::nullopt;
    }
    RecordedCall asked = call;
    asked.arguments = arguments;
    asked.outcome = first;
    add_failure(session, asked, again,
                call.function + " gave another answer to the same call before");
    if (auto differs = now_so_now_otherwise(session, asked, deadline)) {
        return differs;
    }
    return remembers(fmt::format("as the first call, or in a new process, this call is answered "
                                 "correctly, but not after {}.",
                                 before));
}

/// Pairs of calls in which something has one size, one right after the other.
std::optional<GenericMistake> replay_pairs(Session& session, const std::vector<RecordedCall>& calls,
                                           const Deadline& deadline) {
    for (const auto& [i, j] : pairs_of_one_size(calls)) {
        if (deadline.passed()) {
            return std::nullopt;
        }
        session.ask_again(calls[i], calls[i].arguments);
        if (auto mistake = remembered(session, calls[j], calls[j].arguments, calls[j].outcome,
                                      call_text(calls[i]), deadline)) {
            return mistake;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<GenericMistake> replay_passed(Session& session) {
    const std::vector<RecordedCall> calls = session.calls();
    std::vector<std::size_t> order = calls_to_replay(calls);
    if (order.empty()) {
        return std::nullopt;
    }
    const Deadline deadline;
    Child fresh = session.fresh_child(call_patience);
    std::vector<Outcome> of_reversed;
    for (const std::size_t i : order) {
        of_reversed.push_back(
            fresh.call(calls[i].function, reversed(calls[i].arguments), session.variant()));
        if (ran_out_of_time(of_reversed.back())) {
            return std::nullopt;
        }
    }
    for (const int byte : other_fills) {
        fill(fresh, byte);
        for (const std::size_t i : order) {
            if (deadline.passed()) {
                return std::nullopt;
            }
            const RecordedCall& call = calls[i];
            const Outcome again = fresh.call(call.function, call.arguments, session.variant());
            if (session.repeats(call, call.outcome, again)) {
                continue;
            }
            if (auto memory = dependence_on_memory(session, call, deadline)) {
                add_failure(session, call, again,
                            call.function +
                                " gives another answer when new memory has other contents");
                return memory;
            }
            if (ran_out_of_time(again)) {
                return std::nullopt;
            }
        }
    }
    std::string before = "other calls";
    for (std::size_t k = order.size(); k-- > 0;) {
        const RecordedCall& call = calls[order[k]];
        const List other = reversed(call.arguments);
        const bool turned = std::holds_alternative<Returned>(of_reversed[k]);
        for (const bool in_reverse : {false, false, turned, false}) {
            if (deadline.passed()) {
                return std::nullopt;
            }
            if (auto mistake =
                    remembered(session, call, in_reverse ? other : call.arguments,
                               in_reverse ? of_reversed[k] : call.outcome, before, deadline)) {
                return mistake;
            }
            before = call_text(call) + (in_reverse ? " with other numbers" : "");
        }
    }
    return replay_pairs(session, calls, deadline);
}

std::optional<GenericMistake> hidden_dependence(const Session& session, std::size_t index,
                                                const Outcome& right) {
    const RecordedCall& call = session.calls()[index];
    if (call.taken > slowest) {
        return std::nullopt;
    }
    const Deadline deadline;
    Child child = session.fresh_child(call_patience);
    const Outcome first = child.call(call.function, call.arguments, session.variant());
    if (ran_out_of_time(first)) {
        return std::nullopt;
    }
    bool depends = !session.repeats(call, call.outcome, first);
    for (const int byte : other_fills) {
        if (deadline.passed()) {
            return std::nullopt;
        }
        fill(child, byte);
        const Outcome filled = child.call(call.function, call.arguments, session.variant());
        depends = depends || !session.repeats(call, first, filled);
    }
    if (!depends) {
        return std::nullopt;
    }
    if (auto memory = dependence_on_memory(session, call, deadline)) {
        return memory;
    }
    if (auto differs = now_so_now_otherwise(session, call, deadline)) {
        return differs;
    }
    if (deadline.passed()) { // what was not looked at to its end is not said
        return std::nullopt;
    }
    if (!session.repeats(call, first, alone(session, call, usual_fill))) {
        return differs_by_itself();
    }
    if (!session.repeats(call, right, first)) { // what is kept may be met within one call, too
        return GenericMistake{
            "remembers_earlier_calls",
            "this call is answered one way in a new process, and another way when it is asked "
            "there again or after other calls. Either a static or global variable keeps its value "
            "for the next call, or what lies past the end of an array is read, through a pointer "
            "or an index of its own: there is what other calls have left. Is a size taken for "
            "another?"};
    }
    std::size_t tries = most_calls;
    for (std::size_t i = index; i-- > 0 && tries > 0 && !deadline.passed();) {
        const RecordedCall& earlier = session.calls()[i];
        if (earlier.taken > slowest || earlier.function != call.function) {
            continue;
        }
        --tries;
        const auto after_it = [&] {
            Child other = session.fresh_child(call_patience);
            other.call(earlier.function, earlier.arguments, session.variant());
            return other.call(call.function, call.arguments, session.variant());
        };
        const Outcome after = after_it();
        if (ran_out_of_time(after)) {
            return std::nullopt;
        }
        if (!session.repeats(call, first, after)) {
            if (!session.repeats(call, after, after_it())) {
                return differs_by_itself();
            }
            return remembers(
                fmt::format("in a new process this call is answered correctly, but not after {}.",
                            call_text(earlier)));
        }
    }
    if (right_after_all_before(session, index, first, deadline)) {
        return differs_by_itself();
    }
    if (deadline.passed()) {
        return std::nullopt;
    }
    return remembers(
        "in a new process this call is answered correctly, but not after the calls before it.");
}

} // namespace judge
