#include "judge/dependence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/protocol.hpp"
#include "judge/verdict.hpp"

namespace judge {

namespace {

constexpr std::chrono::milliseconds most_patience{4000}; // for one call in a new process
constexpr std::size_t asked_of_both = 5; // times, of two processes that are to agree
constexpr int quicker = 100;             // times, than what is never answered
constexpr std::chrono::milliseconds of_same_again{3000}; // by what the calls took

std::chrono::milliseconds time_for_a_call(const Session& session) {
    return std::min(session.limits().time, most_patience);
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
    constexpr const char* arrays =
        "an array made with from_shape, xt::empty or only its sizes has arbitrary contents: set "
        "every element, and do not begin with +=. xt::zeros starts with 0.";
    if (place.empty()) {
        return {memory_never_set,
                fmt::format("what comes of the call depends on memory that nothing was written to. "
                            "Either {} Or a pointer, a reference or an index leads to what is not "
                            "there: past the end of an array, or to a variable that is gone.",
                            arrays)};
    }
    return {memory_never_set,
            fmt::format("{} depends on memory that was never set: {}", place, arrays)};
}

} // namespace

Child new_process(const Session& session) {
    return session.fresh_child(time_for_a_call(session));
}

bool ran_out_of_time(const Outcome& outcome) {
    return std::holds_alternative<RanTooLong>(outcome);
}

void fill(Child& child, int byte) {
    child.call(fill_command, {to_value(byte)});
}

std::optional<Outcome> AskedSoFar::last_in_new_process(const Session& session) const {
    std::chrono::steady_clock::duration taken{};
    for (std::size_t i = 0; i < recorded_; ++i) {
        taken += session.calls()[i].taken;
    }
    if (taken > of_same_again || asked_.empty()) {
        return std::nullopt;
    }
    Child child = new_process(session);
    for (std::size_t i = 0; i < recorded_; ++i) {
        const RecordedCall& call = session.calls()[i];
        if (ran_out_of_time(child.call(call.function, call.arguments, session.variant()))) {
            return std::nullopt;
        }
    }
    for (std::size_t i = 0; i + 1 < asked_.size(); ++i) {
        if (ran_out_of_time(child.call(asked_[i].first, asked_[i].second, session.variant()))) {
            return std::nullopt;
        }
    }
    return child.call(asked_.back().first, asked_.back().second, session.variant());
}

bool was_quick(const Session& session, const RecordedCall& call) {
    return call.taken * quicker < time_for_a_call(session);
}

GenericMistake remembers(const std::string& how) {
    return {"remembers_earlier_calls",
            "it remembers earlier calls: " + how +
                " A static or global variable keeps its value for the next call. Variables inside "
                "the function start anew each time."};
}

GenericMistake does_not_return_again(const std::string& how) {
    return {"does_not_return_again",
            "whether it returns depends on what was asked before: " + how +
                " A static or global variable keeps its value for the next call, and a loop may "
                "wait for one that never comes. Variables inside the function start anew each "
                "time."};
}

Outcome alone(const Session& session, const RecordedCall& call, int byte) {
    Child child = new_process(session);
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
            "the same call gives different answers from one run to the next, in new processes "
            "too. A sum or a maximum in the middle of a larger expression of xtensor may read "
            "memory that is gone: keep it in a Matrix first, const Matrix sums = xt::sum(…). "
            "Where threads share a place, += reads, adds and writes, and what another adds in "
            "between is lost: each thread needs a place of its own, or a lock. If it is neither, "
            "a random number, the clock or an address gets into the answer."};
}

std::optional<GenericMistake> now_so_now_otherwise(const Session& session, const RecordedCall& call,
                                                   const Deadline& deadline) {
    std::vector<Outcome> of_one; // one process after the other: each may fill its memory
    for (const bool first : {true, false}) {
        Child child = new_process(session);
        for (std::size_t again = 0; again < (first ? asked_of_both : of_one.size()); ++again) {
            if (deadline.passed()) {
                return std::nullopt;
            }
            Outcome outcome = child.call(call.function, call.arguments, session.variant());
            if (ran_out_of_time(outcome)) {
                return std::nullopt;
            }
            if (first) {
                of_one.push_back(std::move(outcome));
            } else if (!session.repeats(call, of_one[again], outcome)) {
                return differs_by_itself();
            }
        }
    }
    return std::nullopt;
}

} // namespace judge
