#include "judge/observe.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "judge/compare.hpp"
#include "judge/looks_of_failures.hpp"
#include "judge/looks_of_sizes.hpp"

namespace judge {

namespace {

using namespace std::chrono_literals;

constexpr auto reference_patience = 2000ms; // for asking the reference other questions

constexpr double much_larger = 4; // times
constexpr std::size_t enough_returned = 3;

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
        calls.push_back(
            {sizes_of(call.parameters, call.arguments), call.outcome, reference[i], function});
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

std::optional<Look> observed_of_time(const std::vector<RecordedCall>& calls) {
    std::size_t returned = 0;
    std::map<std::string, double> largest; // of those that return
    for (const RecordedCall& call : calls) {
        if (call.function == calls.back().function &&
            std::holds_alternative<Returned>(call.outcome)) {
            ++returned;
            for (const auto& [name, size] : sizes_of(call.parameters, call.arguments)) {
                largest[name] = std::max(largest[name], size);
            }
        }
    }
    // Not one that was asked when all calls together had used their time up.
    const RanTooLong* limit =
        calls.empty() ? nullptr : std::get_if<RanTooLong>(&calls.back().outcome);
    if (returned < enough_returned || limit == nullptr ||
        std::chrono::duration<double>(calls.back().taken).count() < limit->seconds / 2) {
        return std::nullopt;
    }
    for (const auto& [name, size] : sizes_of(calls.back().parameters, calls.back().arguments)) {
        const bool of_an_array = name.starts_with("the ");
        if (!of_an_array || size < much_larger * largest[name]) {
            continue;
        }
        return Look{
            "too_slow_when_large",
            fmt::format("calls return where {} is at most {:.0f}, and this one, where it is "
                        "{:.0f}, does not. The time grows with the square of a size where "
                        "something is computed anew for each element, such as the sum of a whole "
                        "row: compute that once, before the loop. Or a counter that is no "
                        "std::size_t never gets so far, and starts again.",
                        name, largest[name], size),
            returned, returned + 1};
    }
    return std::nullopt;
}

} // namespace judge
