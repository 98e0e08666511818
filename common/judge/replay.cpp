#include "judge/replay.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "judge/dependence.hpp"
#include "judge/protocol.hpp"
#include "judge/replayed_calls.hpp"

namespace judge {

namespace {

using Answers = std::vector<std::optional<Outcome>>;

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

/// Nearly the same example: in every array of numbers or of true and false, two neighbours in the
/// middle that differ are exchanged, in one row where there are several. The first and the last row
/// stay, and so do all sums.
List nearly(const List& arguments) {
    List other = arguments;
    for (Value& argument : other) {
        Array* array = std::get_if<Array>(&argument.data);
        if (array == nullptr || array->shape.empty() || array->count() < 4) {
            continue;
        }
        const std::size_t columns = array->shape.back();
        const std::size_t edge = array->count() >= 3 * columns ? columns : 1;
        const std::size_t size = array->size, count = array->count();
        for (std::size_t steps = 0, i = count / 2; steps < count; ++steps, i = (i + 1) % count) {
            const bool inside = i >= edge && i + 1 + edge < count;
            const bool in_one_row = columns == 1 || (i + 1) % columns != 0;
            if (inside && in_one_row &&
                array->bytes.compare(i * size, size, array->bytes, (i + 1) * size, size) != 0) {
                std::swap_ranges(array->bytes.data() + i * size,
                                 array->bytes.data() + (i + 1) * size,
                                 array->bytes.data() + (i + 1) * size);
                break;
            }
        }
    }
    return other;
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

/// A process of the submission, and what it was asked. After a call that runs out of time another
/// takes its place.
class AskedProcess {
public:
    /// The session's, which has answered all its calls; or a new one.
    static AskedProcess of(Session& session) { return {session, nullptr, session.calls().size()}; }
    static AskedProcess new_one(Session& session) {
        return {session, std::unique_ptr<Child>(new Child(new_process(session))), 0};
    }

    void fill(int byte) {
        judge::fill(*child_, byte);
        asked_.add(fill_command, {to_value(byte)});
    }

    Outcome ask(const RecordedCall& call, const List& arguments) {
        asked_.add(call.function, arguments);
        Outcome outcome = child_ ? child_->call(call.function, arguments, session_->variant())
                                 : session_->ask_again(call, arguments);
        if (ran_out_of_time(outcome)) {
            before_it_ran_out_ = std::exchange(asked_, AskedSoFar());
        }
        return outcome;
    }

    const AskedSoFar& asked() const { return asked_; }

    /// Of a call that has just run out of time, and was quick when it was asked first: whether it
    /// does so again in another process that is asked the same. Then it is a failure.
    std::optional<GenericMistake> never_again(const RecordedCall& call, const Outcome& outcome) {
        if (!was_quick(*session_, call)) {
            return std::nullopt;
        }
        const auto again = before_it_ran_out_.last_in_new_process(*session_);
        if (!again || !ran_out_of_time(*again)) {
            return std::nullopt;
        }
        add_failure(*session_, call, outcome,
                    fmt::format("{} answered the same call before, and then {}", call.function,
                                describe(outcome)));
        return does_not_return_again(
            "this call was answered at once where the checks asked it, "
            "but after other calls it has not returned, in two processes.");
    }

private:
    AskedProcess(Session& session, std::unique_ptr<Child> child, std::size_t recorded)
        : session_(&session), child_(std::move(child)), asked_(recorded) {}

    Session* session_;
    std::unique_ptr<Child> child_;
    AskedSoFar asked_, before_it_ran_out_;
};

/// What the calls give with other numbers, each as far as it is known.
Answers answers_changed(AskedProcess& process, const std::vector<RecordedCall>& calls,
                        const std::vector<std::size_t>& order, List (*changed)(const List&)) {
    Answers answers(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const RecordedCall& call = calls[order[k]];
        const Outcome answer = process.ask(call, changed(call.arguments));
        if (ran_out_of_time(answer)) {
            break; // others would take as long
        }
        answers[k] = answer;
    }
    return answers;
}

/// An answer in a new process that is not what it was, and what that process was asked.
struct OtherAnswer {
    RecordedCall call;
    Outcome outcome;
    AskedSoFar asked;
};

/// Whether another process that is asked the same gives another answer, too. Then it is a failure.
std::optional<GenericMistake> answers_otherwise(Session& session, const OtherAnswer& other) {
    const auto again = other.asked.last_in_new_process(session);
    if (session.has_measure(other.call.function) || // what is measured may be another there
        !again || session.repeats(other.call, other.call.outcome, *again)) {
        return std::nullopt;
    }
    add_failure(session, other.call, other.outcome,
                other.call.function + " gave another answer to the same call before");
    return session.repeats(other.call, other.outcome, *again)
               ? remembers("where the checks asked it, this call was answered correctly, but not "
                           "in a new process that was asked in another order.")
               : differs_by_itself();
}

/// Asks the calls in a process that has answered them with other numbers, its memory filled
/// otherwise. other: the first whose answer is not what it was.
std::optional<GenericMistake> replay_filled(Session& session, AskedProcess& process,
                                            const std::vector<RecordedCall>& calls,
                                            const std::vector<std::size_t>& order,
                                            std::optional<OtherAnswer>& other) {
    const Deadline deadline;
    for (const int byte : other_fills) {
        process.fill(byte);
        for (const std::size_t i : order) {
            if (deadline.passed()) {
                return std::nullopt;
            }
            const RecordedCall& call = calls[i];
            const Outcome again = process.ask(call, call.arguments);
            if (ran_out_of_time(again)) {
                if (auto mistake = process.never_again(call, again)) {
                    return mistake;
                }
            } else if (!session.repeats(call, call.outcome, again)) {
                if (auto memory = dependence_on_memory(session, call, deadline)) {
                    add_failure(session, call, again,
                                call.function +
                                    " gives another answer when new memory has other contents");
                    return memory;
                }
                if (!other && !deadline.passed()) {
                    other = OtherAnswer{call, again, process.asked()};
                }
            }
        }
    }
    return std::nullopt;
}

/// Asks a call once more, or with other arguments that gave `first`, as far as that is known, after
/// the calls of which `before` tells: what it says when the answer is another one.
std::optional<GenericMistake> remembered(Session& session, AskedProcess& process,
                                         const RecordedCall& call, const List& arguments,
                                         const std::optional<Outcome>& first,
                                         const std::string& before, const Deadline& deadline) {
    const Outcome again = process.ask(call, arguments);
    if (ran_out_of_time(again) && &arguments == &call.arguments) {
        return process.never_again(call, again);
    }
    if (!first || session.repeats(call, *first, again)) {
        return std::nullopt;
    }
    RecordedCall asked = call;
    asked.arguments = arguments;
    asked.outcome = *first;
    add_failure(session, asked, again,
                call.function + " gave another answer to the same call before");
    if (auto differs = now_so_now_otherwise(session, asked, deadline)) {
        return differs;
    }
    return remembers(fmt::format("as the first call, or in a new process, this call is answered "
                                 "correctly, but not after {}.",
                                 before));
}

/// Each call twice in a row, and once more after the same with other numbers, all of them or two.
std::optional<GenericMistake> replay_in_a_row(Session& session, AskedProcess& process,
                                              const std::vector<RecordedCall>& calls,
                                              const std::vector<std::size_t>& order,
                                              const Answers& of_reversed, const Answers& of_nearly,
                                              const Deadline& deadline) {
    std::string before = "other calls";
    for (std::size_t k = order.size(); k-- > 0;) {
        const RecordedCall& call = calls[order[k]];
        const auto ask = [&](const List& arguments, const std::optional<Outcome>& first,
                             const char* changed) {
            auto mistake = remembered(session, process, call, arguments, first, before, deadline);
            before = call_text(call) + changed;
            return mistake;
        };
        const auto ask_itself = [&] { return ask(call.arguments, call.outcome, ""); };
        const auto ask_changed = [&](List (*changed)(const List&),
                                     const std::optional<Outcome>& answer, const char* words) {
            return !answer || std::holds_alternative<Returned>(*answer)
                       ? ask(changed(call.arguments), answer, words)
                       : std::nullopt;
        };
        const std::array<std::function<std::optional<GenericMistake>()>, 6> in_turn{
            ask_itself,
            ask_itself,
            [&] { return ask_changed(reversed, of_reversed[k], " with other numbers"); },
            ask_itself,
            [&] { return ask_changed(nearly, of_nearly[k], " with two numbers exchanged"); },
            ask_itself};
        for (const auto& next : in_turn) {
            if (deadline.passed()) {
                return std::nullopt;
            }
            if (auto mistake = next()) {
                return mistake;
            }
        }
    }
    return std::nullopt;
}

/// Pairs of calls in which something has one size, one right after the other.
std::optional<GenericMistake> replay_pairs(Session& session, AskedProcess& process,
                                           const std::vector<RecordedCall>& calls,
                                           const Deadline& deadline) {
    for (const auto& [i, j] : pairs_of_one_size(calls)) {
        if (deadline.passed()) {
            return std::nullopt;
        }
        process.ask(calls[i], calls[i].arguments);
        if (auto mistake = remembered(session, process, calls[j], calls[j].arguments,
                                      calls[j].outcome, call_text(calls[i]), deadline)) {
            return mistake;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<GenericMistake> replay_passed(Session& session) {
    const std::vector<RecordedCall> calls = session.calls();
    const std::vector<std::size_t> order = calls_to_replay(calls);
    if (order.empty()) {
        return std::nullopt;
    }
    Answers of_reversed, of_nearly;
    std::optional<OtherAnswer> other;
    { // ends the new process before others are started
        AskedProcess process = AskedProcess::new_one(session);
        of_reversed = answers_changed(process, calls, order, reversed);
        of_nearly = answers_changed(process, calls, order, nearly);
        if (auto mistake = replay_filled(session, process, calls, order, other)) {
            return mistake;
        }
    }
    const Deadline deadline; // its own: what a new process took of it is gone
    AskedProcess process = AskedProcess::of(session);
    if (auto mistake =
            replay_in_a_row(session, process, calls, order, of_reversed, of_nearly, deadline)) {
        return mistake;
    }
    if (auto mistake = replay_pairs(session, process, calls, deadline)) {
        return mistake;
    }
    return other ? answers_otherwise(session, *other) : std::nullopt;
}

} // namespace judge
