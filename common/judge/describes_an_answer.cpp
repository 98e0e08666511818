
#include "judge/compare.hpp"
#include "judge/looks_of_calls.hpp"

namespace judge {

namespace {

// How many numbers the reference gets in other arguments, so that a verdict is not delayed.
constexpr std::size_t most_for_the_reference = 20'000'000;
constexpr std::size_t least_for_a_call = 100; // a call's cost besides its numbers

JudgedCall judged(const RecordedCall& call, const Outcome& right, bool failing) {
    const Value* its = value_in(right);
    const Value* mine = value_in(call.outcome);
    const Tolerance tolerance = call.tolerance.value_or(failing ? of_two_right_ways : roughly);
    return {call, right, its != nullptr && mine != nullptr && !compare(*mine, *its, tolerance)};
}

} // namespace

std::optional<Explanation> describe_answers(const Session& session,
                                            const std::vector<Outcome>& right, std::size_t failing,
                                            Child& program) {
    const std::string& function = session.calls()[failing].function;
    std::vector<JudgedCall> calls, answers; // answers: to what should be answered
    std::size_t failing_call = 0, failed = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        const RecordedCall& call = session.calls()[i];
        if (call.function != function) {
            continue;
        }
        failing_call = i == failing ? calls.size() : failing_call;
        calls.push_back(judged(call, right[i], i == failing));
        if (value_in(right[i]) != nullptr) {
            answers.push_back(calls.back());
            failed += value_in(call.outcome) == nullptr ? 1 : 0;
        }
    }
    const JudgedCall& shown = calls.at(failing_call);
    const auto of_failures = [&] { return look_of_failures(calls, shown); };
    if (!session.about(function).one_by_one) { // random numbers are not to be compared one by one
        return of_failures();
    }
    std::size_t numbers = 0;
    const Reference reference = [&](const List& arguments) -> std::optional<Value> {
        numbers += numbers_in(arguments) + least_for_a_call;
        if (numbers > most_for_the_reference) {
            return std::nullopt;
        }
        const Outcome outcome = program.call(function, arguments);
        const Value* answer = value_in(outcome);
        return answer == nullptr ? std::nullopt : std::optional(*answer);
    };
    const bool shows_an_answer =
        value_in(shown.outcome) != nullptr && value_in(shown.right) != nullptr;
    const auto of_answers = [&] {
        return shows_an_answer ? look_of(answers, reference) : std::nullopt;
    };
    // Wrong answers are more telling than failures, unless nearly every call fails.
    const bool mostly_failures = 2 * failed > answers.size();
    auto look = mostly_failures ? of_failures() : of_answers();
    if (!look) {
        look = mostly_failures ? of_answers() : of_failures();
    }
    return look ? look : look_of_the_last_argument(answers);
}

} // namespace judge
