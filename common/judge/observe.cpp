#include "judge/observe.hpp"

#include <algorithm>

#include "judge/looks_of_failures.hpp"
#include "judge/looks_of_sizes.hpp"

namespace judge {

namespace {

using namespace std::chrono_literals;

constexpr auto reference_patience = 2000ms; // for asking the reference other questions
constexpr Tolerance of_two_right_ways{1e-12, 1e-300, 1e-12}; // to compute in double

} // namespace

std::optional<Look> observed(const Session& session, const std::vector<Outcome>& reference,
                             std::size_t failing, Child& child) {
    const std::string& function = session.calls()[failing].function;
    std::vector<Ended> calls;
    std::size_t failing_call = 0;
    std::vector<Judged> answers;
    bool failing_answered = false;
    auto taken = std::chrono::steady_clock::duration::zero();
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const RecordedCall& call = session.calls()[i];
        const Returned* right = std::get_if<Returned>(&reference[i]);
        if (call.function != function) {
            continue;
        }
        calls.push_back({sizes_of(call.parameters, call.arguments), call.outcome, reference[i]});
        failing_call = i == failing ? calls.size() - 1 : failing_call;
        failing_answered =
            failing_answered || (i == failing && std::holds_alternative<Returned>(call.outcome));
        if (right == nullptr) {
            continue;
        }
        const Returned* mine = std::get_if<Returned>(&call.outcome);
        const Tolerance held = call.held.value_or(i == failing ? of_two_right_ways : Tolerance{});
        answers.push_back({call.parameters, call.arguments,
                           mine == nullptr ? std::nullopt : std::optional(mine->value),
                           right->value,
                           mine != nullptr && !compare(mine->value, right->value, held)});
        taken += call.taken;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto ask = [&](const List& arguments) -> std::optional<Value> {
        if (std::chrono::steady_clock::now() - start > reference_patience) {
            return std::nullopt;
        }
        const Outcome outcome = child.call(function, arguments);
        const Returned* answer = std::get_if<Returned>(&outcome);
        return answer == nullptr ? std::nullopt : std::optional(answer->value);
    };
    if (!session.is_exact(function)) { // random numbers are not to be compared one by one
        return look_of_failures(calls, calls.at(failing_call));
    }
    // What it answers tells more than where it fails, unless that is nearly everywhere, or what the
    // learner is shown: other answers are then no word about it.
    const auto failed = static_cast<std::size_t>(
        std::count_if(answers.begin(), answers.end(), [](const Judged& a) { return !a.actual; }));
    auto look = 2 * failed > answers.size() || !failing_answered
                    ? look_of_failures(calls, calls.at(failing_call))
                    : std::nullopt;
    if (!look && failing_answered) {
        look = look_of(answers, taken > reference_patience ? Ask() : Ask(ask));
    }
    if (!look) {
        look = look_of_failures(calls, calls.at(failing_call));
    }
    return look ? look : look_of_sizes(answers);
}

} // namespace judge
