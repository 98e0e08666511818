#include "judge/weighs_mistakes.hpp"

#include <algorithm>
#include <tuple>

#include "judge/compare.hpp"
#include "judge/grid.hpp"

namespace judge {

namespace {

constexpr std::size_t enough = 3; // answers, for a mistake that does not explain all of them

// A mistake needs so many matching wrong answers for each mismatch; right answers do not count.
constexpr std::size_t per_contradiction = 3;

// A mistake that so many answers contradict, and fewer support, is not called again.
constexpr std::size_t hopeless = 16;

/// Whether it has numbers, and all are 0.
bool nothing_but_zeros(const Value& value) {
    if (const Record* record = std::get_if<Record>(&value.data)) {
        return !record->members.empty() && std::ranges::all_of(record->members, nothing_but_zeros);
    }
    const auto grid = grid_of(value);
    return grid && !grid->numbers.empty() && is_all_zero(*grid);
}

/// Whether two failed for one reason: alike, and in the same words.
bool fail_for_one_reason(const Outcome& a, const Outcome& b) {
    const Threw* threw = std::get_if<Threw>(&a);
    return fail_alike(a, b) && (threw == nullptr || threw->what == std::get<Threw>(b).what);
}

} // namespace

std::vector<std::optional<Evidence>>
MistakeWeigher::weigh(const std::string& function, const std::vector<std::string>& mistakes) {
    is_check_ = returns_nothing(function);
    const std::vector<std::size_t> calls = calls_of(function);
    const auto wrong = static_cast<std::size_t>(
        std::ranges::count_if(calls, [&](std::size_t i) { return !is_right_[i]; }));
    const std::size_t allowed =
        is_check_ || are_counts(calls) ? 0 : std::min(calls.size() / 4, wrong / per_contradiction);
    std::map<std::string, Evidence> evidence;
    std::vector<std::string> left = mistakes;
    for (const std::size_t i : calls) {
        const std::vector<Outcome> answers = program_.answers(session_.calls()[i], right_[i], left);
        std::vector<std::string> still;
        for (std::size_t k = 0; k < left.size(); ++k) {
            Evidence& so_far = evidence[left[k]];
            const Says says = weigh_answer(i, answers[k]);
            ++so_far.calls[says];
            if (is_failing(i)) {
                so_far.failure = says;
            }
            const std::size_t contradicts = so_far[Says::contradicts];
            if (contradicts <= allowed &&
                (contradicts < hopeless || so_far.supports() >= contradicts)) {
                still.push_back(left[k]);
            }
        }
        left = std::move(still);
    }
    std::vector<std::optional<Evidence>> found;
    for (const std::string& mistake : mistakes) {
        const bool is_left = std::ranges::find(left, mistake) != left.end();
        found.push_back(is_left && explains(evidence[mistake]) ? std::optional(evidence[mistake])
                                                               : std::nullopt);
    }
    return found;
}

/// The function's calls, in this order: those that exclude most mistakes, wrong answers, small
/// arguments. Refusals say nothing about a formula, because a stub comes with that check.
std::vector<std::size_t> MistakeWeigher::calls_of(const std::string& function) {
    std::vector<std::size_t> calls;
    for (std::size_t i = 0; i < session_.calls().size(); ++i) {
        if (session_.calls()[i].function == function &&
            (is_check_ || std::holds_alternative<Returned>(right_[i]))) {
            calls.push_back(i);
            is_right_[i] = is_answered_right(i);
        }
    }
    const auto order = [this](std::size_t i) {
        return std::tuple(is_right_[i], numbers_in(session_.calls()[i].arguments));
    };
    std::ranges::stable_sort(calls,
                             [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
    return calls;
}

bool MistakeWeigher::is_answered_right(std::size_t i) const {
    const Returned* mine = std::get_if<Returned>(&session_.calls()[i].outcome);
    const Returned* right = std::get_if<Returned>(&right_[i]);
    return mine != nullptr && right != nullptr && same(i, mine->value, right->value);
}

bool MistakeWeigher::explains(const Evidence& found) const {
    const std::size_t supports = found.supports();
    const std::size_t silent = found[Says::silent];
    if (is_check_) {
        return supports > 0;
    }
    if (found.unexplained() == 0) {
        return supports > silent && (found.answered() > 0 || silent == 0);
    }
    return found.answered() >= enough + found[Says::only_zeros] &&
           supports >= per_contradiction * found[Says::contradicts] &&
           supports >= found[Says::clouded] && found.failure != Says::clouded && supports > silent;
}

/// Whether all right answers are small whole numbers: two mistakes often agree in most of them.
bool MistakeWeigher::are_counts(const std::vector<std::size_t>& calls) const {
    constexpr std::uint64_t small = 1000;
    return std::ranges::all_of(calls, [&](std::size_t i) {
        const Returned* right = std::get_if<Returned>(&right_[i]);
        const auto* whole =
            right == nullptr ? nullptr : std::get_if<std::uint64_t>(&right->value.data);
        return whole != nullptr && *whole < small;
    });
}

bool MistakeWeigher::returns_nothing(const std::string& function) const {
    for (std::size_t i = 0; i < right_.size(); ++i) {
        const Returned* returned = std::get_if<Returned>(&right_[i]);
        if (returned != nullptr && session_.calls()[i].function == function) {
            return std::holds_alternative<std::monostate>(returned->value.data);
        }
    }
    return false;
}

/// By the measure of the grader. Where it had another reason to complain than a comparison, by
/// what double can do.
bool MistakeWeigher::same(std::size_t i, const Value& a, const Value& b, double slack) const {
    const RecordedCall& call = session_.calls()[i];
    if (session_.about(call.function).alike) {
        return session_.alike(call.function, a, b);
    }
    const Tolerance tolerance =
        call.tolerance.value_or(is_failing(i) ? of_two_right_ways : roughly);
    return !compare(a, b,
                    {slack * std::max(tolerance.relative, of_two_right_ways.relative),
                     slack * std::max(tolerance.absolute, of_two_right_ways.absolute),
                     slack * std::max(tolerance.of_largest, of_two_right_ways.of_largest)});
}

bool MistakeWeigher::is_failing(std::size_t i) const {
    return !session_.failures().empty() && session_.failures().front().call == i;
}

/// Whether two wrong answers are one. Where both are nearly right, they have to be nearer to
/// each other than to it.
bool MistakeWeigher::same_mistake(std::size_t i, const Value& mine, const Value& wrong,
                                  const Value& right) const {
    const std::string& function = session_.calls()[i].function;
    if (!session_.alike(function, mine, wrong)) {
        return false;
    }
    return session_.about(function).alike || compare(wrong, right).has_value() ||
           !compare(mine, wrong, of_two_right_ways);
}

/// Whether the defined part of mine is wrong, in the same way as this candidate's.
bool MistakeWeigher::shows_beside_nan(const RecordedCall& call, const Value& mine,
                                      const Value& wrong, const Value& right) const {
    return session_.alike(call.function, where_defined(mine, wrong), wrong) &&
           !session_.alike(call.function, where_defined(mine, right), right);
}

Says MistakeWeigher::weigh_answer(std::size_t i, const Outcome& its) const {
    const Outcome& outcome = session_.calls()[i].outcome;
    const Value* mine = value_in(outcome);
    const Value* its_value = value_in(its);
    if (is_check_) {
        return weigh_check(i, its);
    }
    if (mine != nullptr && its_value != nullptr) {
        return weigh_value(i, *mine, *its_value, *value_in(right_[i]));
    }
    if (its_value != nullptr) {
        return Says::contradicts;
    }
    // A wrong formula may fail on arguments that it cannot handle.
    return mine == nullptr && fail_for_one_reason(outcome, its) ? Says::fails_alike : Says::silent;
}

Says MistakeWeigher::weigh_check(std::size_t i, const Outcome& its) const {
    const auto alike = [](const Outcome& a, const Outcome& b) {
        return (value_in(a) != nullptr && value_in(b) != nullptr) || fail_alike(a, b);
    };
    return !alike(session_.calls()[i].outcome, its) ? Says::contradicts
           : !alike(its, right_[i])                 ? Says::supports
                                                    : Says::right;
}

Says MistakeWeigher::weigh_value(std::size_t i, const Value& mine, const Value& its,
                                 const Value& right) const {
    const RecordedCall& call = session_.calls()[i];
    const bool i_am_right = is_right_[i];
    // A nearly wrong answer does not contradict a right one.
    const bool it_is_right = same(i, its, right, i_am_right ? 10 : 1);
    const bool alike = session_.alike(call.function, mine, its);
    if (!alike && !i_am_right && !session_.about(call.function).alike) {
        // NaN in an edge case is a mistake of its own, beside the formula's.
        const bool mine_undefined = is_undefined(mine, right);
        if (mine_undefined != is_undefined(its, right)) {
            return !mine_undefined                            ? Says::silent
                   : shows_beside_nan(call, mine, its, right) ? Says::beside_nan
                                                              : Says::clouded;
        }
    }
    if (i_am_right && it_is_right && alike) {
        return Says::right;
    }
    return i_am_right || it_is_right || !same_mistake(i, mine, its, right) ? Says::contradicts
           : nothing_but_zeros(mine)                                       ? Says::only_zeros
                                                                           : Says::supports;
}

} // namespace judge
