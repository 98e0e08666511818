#include "judge/describes_an_answer.hpp"

#include <algorithm>

#include "judge/compare.hpp"
#include "judge/looks_of_calls.hpp"

namespace judge {

namespace {

// How many numbers the reference gets in other arguments, so that a verdict is not delayed.
constexpr std::size_t most_for_the_reference = 20'000'000;
constexpr std::size_t least_for_a_call = 100; // a call's cost besides its numbers

EndedCall ended(const RecordedCall& call, const Outcome& expected) {
    return {call.function, sizes_of(call.parameters, call.arguments), call.outcome, expected};
}

AnsweredCall answered(const RecordedCall& call, const Value& right, bool failing) {
    const Returned* mine = std::get_if<Returned>(&call.outcome);
    const Tolerance tolerance = call.tolerance.value_or(failing ? of_two_right_ways : roughly);
    return {call.parameters, call.arguments,
            mine == nullptr ? std::nullopt : std::optional(mine->value), right,
            mine != nullptr && !compare(mine->value, right, tolerance)};
}

} // namespace

std::optional<Explanation> describe_answers(const Session& session,
                                            const std::vector<Outcome>& expected,
                                            std::size_t failing, Child& program) {
    const std::string& function = session.calls()[failing].function;
    std::vector<EndedCall> calls;
    std::vector<AnsweredCall> answers;
    std::size_t failing_call = 0, failed = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const RecordedCall& call = session.calls()[i];
        if (call.function != function) {
            continue;
        }
        failing_call = i == failing ? calls.size() : failing_call;
        calls.push_back(ended(call, expected[i]));
        if (const Returned* right = std::get_if<Returned>(&expected[i])) {
            answers.push_back(answered(call, right->value, i == failing));
            failed += answers.back().actual ? 0 : 1;
        }
    }
    if (!session.is_exact(function)) { // random numbers are not to be compared one by one
        return look_of_failures(calls, calls.at(failing_call));
    }
    std::size_t numbers = 0;
    const Reference reference = [&](const List& arguments) -> std::optional<Value> {
        numbers += numbers_in(arguments) + least_for_a_call;
        if (numbers > most_for_the_reference) {
            return std::nullopt;
        }
        const Outcome outcome = program.call(function, arguments);
        const Returned* answer = std::get_if<Returned>(&outcome);
        return answer == nullptr ? std::nullopt : std::optional(answer->value);
    };
    // Wrong answers are more telling than failures, unless nearly every call fails, or the failing
    // call is the one that is shown.
    const bool answers_first = std::holds_alternative<Returned>(calls.at(failing_call).actual) &&
                               std::holds_alternative<Returned>(calls.at(failing_call).expected);
    std::optional<Explanation> look;
    if (2 * failed > answers.size() || !answers_first) {
        look = look_of_failures(calls, calls.at(failing_call));
    }
    if (!look && answers_first) {
        look = look_of(answers, reference);
    }
    if (!look) {
        look = look_of_failures(calls, calls.at(failing_call));
    }
    return look ? look : look_of_the_last_argument(answers);
}

} // namespace judge
