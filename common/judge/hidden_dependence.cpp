#include "judge/hidden_dependence.hpp"

#include <memory>

#include <fmt/format.h>

#include "judge/dependence.hpp"
#include "judge/protocol.hpp"

namespace judge {

namespace {

using namespace std::chrono_literals;

constexpr auto slowest = 400ms;         // a call that is asked again to find out why it is wrong
constexpr auto of_all_before = 1000ms;  // for all calls before one, once more
constexpr std::size_t most_earlier = 4; // before a wrong one, of its function

/// Whether a new process that is asked all that was asked before the call answers it as one does
/// that is asked it alone. What was answered wrongly then was no matter of the calls before it.
bool right_after_all_before(const Session& session, std::size_t index, const Outcome& first,
                            const Deadline& deadline) {
    const auto& calls = session.calls();
    auto left = std::chrono::duration_cast<std::chrono::steady_clock::duration>(of_all_before);
    Child child = new_process(session);
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

} // namespace

std::optional<GenericMistake> hidden_dependence(const Session& session, std::size_t index,
                                                const Outcome& right) {
    const RecordedCall& call = session.calls()[index];
    if (call.taken > slowest) {
        return std::nullopt;
    }
    const Deadline deadline;
    auto child = std::unique_ptr<Child>(new Child(new_process(session)));
    Outcome first = child->call(call.function, call.arguments, session.variant());
    if (ran_out_of_time(first) && was_quick(session, call)) { // perhaps the machine was busy
        first = child->call(call.function, call.arguments, session.variant());
        if (ran_out_of_time(first)) {
            return does_not_return_again(
                "in two new processes, as the first call, this one has not returned.");
        }
    }
    if (ran_out_of_time(first)) {
        return std::nullopt;
    }
    bool depends = !session.repeats(call, call.outcome, first);
    for (const int byte : other_fills) {
        if (deadline.passed()) {
            return std::nullopt;
        }
        fill(*child, byte);
        const Outcome filled = child->call(call.function, call.arguments, session.variant());
        depends = depends || !session.repeats(call, first, filled);
    }
    if (!depends) {
        return std::nullopt;
    }
    child.reset(); // before others are started
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
    std::size_t tries = most_earlier;
    for (std::size_t i = index; i-- > 0 && tries > 0 && !deadline.passed();) {
        const RecordedCall& earlier = session.calls()[i];
        if (earlier.taken > slowest || earlier.function != call.function) {
            continue;
        }
        --tries;
        const auto after_it = [&] {
            Child other = new_process(session);
            other.call(earlier.function, earlier.arguments, session.variant());
            return other.call(call.function, call.arguments, session.variant());
        };
        const Outcome after = after_it();
        if (ran_out_of_time(after)) {
            if (was_quick(session, call) && was_quick(session, earlier) &&
                ran_out_of_time(after_it())) {
                return does_not_return_again(
                    fmt::format("in two new processes this call has not returned after {}.",
                                call_text(earlier)));
            }
            continue;
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
