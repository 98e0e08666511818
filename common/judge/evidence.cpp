#include "judge/evidence.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <numeric>
#include <tuple>

#include "judge/compare.hpp"

namespace judge {

namespace {

using namespace std::chrono_literals;

constexpr auto quick = 500ms; // all calls together: then a candidate may miss the failing one
// Asked after the others, whose answers leave few candidates.
constexpr auto long_call = 5ms;
constexpr std::size_t enough = 3; // answers, for a candidate that does not explain all of them

// The same wrong answers for each that differs: what is right can be none of them.
constexpr std::size_t per_contradiction = 3;

// What so many answers contradict, and fewer support, is not asked for the others.
constexpr std::size_t hopeless = 16;

// Of the candidates that are asked at once.
constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::chrono::nanoseconds most_time = 200ms;

bool ended_the_process(const Outcome& outcome) {
    return !std::holds_alternative<Returned>(outcome) && !std::holds_alternative<Threw>(outcome) &&
           !std::holds_alternative<ChangedArgument>(outcome) &&
           !std::holds_alternative<NotImplemented>(outcome);
}

/// Whether there are numbers in it, and all are 0.
bool nothing_but_zeros(const Value& value) {
    if (const double* number = std::get_if<double>(&value.data)) {
        return *number == 0;
    }
    if (const Array* array = std::get_if<Array>(&value.data)) {
        bool zeros = array->count() > 0;
        for (std::size_t i = 0; zeros && i < array->count(); ++i) {
            zeros = array->at(i) == 0;
        }
        return zeros;
    }
    const Record* record = std::get_if<Record>(&value.data);
    return record != nullptr && !record->members.empty() &&
           std::all_of(record->members.begin(), record->members.end(), nothing_but_zeros);
}

/// Whether two failed for one reason: alike, and in words that differ in numbers at most.
bool fail_for_one_reason(const Outcome& a, const Outcome& b) {
    const auto words = [](const Outcome& outcome) {
        const Threw* threw = std::get_if<Threw>(&outcome);
        std::string text = threw != nullptr ? threw->what : "";
        std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
        return text;
    };
    return fail_alike(a, b) && words(a) == words(b);
}

} // namespace

EvidenceGatherer::EvidenceGatherer(const Session& session, const std::vector<Outcome>& reference,
                                   Child& child, KnownAnswers* known)
    : session_(session), reference_(reference), child_(child), known_(known),
      right_(reference.size()) {}

std::vector<std::optional<Evidence>>
EvidenceGatherer::for_candidates(const std::string& function,
                                 const std::vector<std::string>& candidates) {
    const Asked& asked = asked_of(function);
    std::map<std::string, Evidence> evidence;
    std::vector<std::string> left = candidates;
    for (const std::size_t i : asked.calls) {
        const std::vector<Outcome> answers = answers_to(i, left);
        std::vector<std::string> still;
        for (std::size_t k = 0; k < left.size(); ++k) {
            Evidence& so_far = evidence[left[k]];
            const std::size_t before = so_far.contradicts;
            weigh(i, answers[k], asked.fails_on_purpose, so_far);
            const bool otherwise = so_far.contradicts > before;
            so_far.contradicts_the_failure |= otherwise && is_failing(i);
            if (so_far.contradicts <= asked.allowed &&
                (so_far.contradicts < hopeless || so_far.supports >= so_far.contradicts) &&
                !(asked.slow && is_failing(i) && otherwise)) {
                still.push_back(left[k]);
            }
        }
        left = std::move(still);
    }
    std::vector<std::optional<Evidence>> found;
    for (const std::string& candidate : candidates) {
        const bool explaining = std::find(left.begin(), left.end(), candidate) != left.end() &&
                                explains(evidence[candidate], asked.fails_on_purpose);
        found.push_back(explaining ? std::optional(evidence[candidate]) : std::nullopt);
    }
    return found;
}

/// What the candidates answer to call i.
std::vector<Outcome> EvidenceGatherer::answers_to(std::size_t i,
                                                  const std::vector<std::string>& candidates) {
    const RecordedCall& call = session_.calls()[i];
    std::vector<Outcome> outcomes(candidates.size());
    std::vector<std::size_t> unknown(candidates.size());
    std::iota(unknown.begin(), unknown.end(), std::size_t{0});
    if (known_ == nullptr) {
        ask(call, most_together(i), candidates, unknown, outcomes);
        return outcomes;
    }
    KnownAnswers::Key key = KnownAnswers::key(call.function, call.arguments);
    const auto answer_of = [&](std::size_t k) {
        key.variant = candidates[k];
        return known_->find(key);
    };
    std::erase_if(unknown, [&](std::size_t k) { return answer_of(k) != nullptr; });
    ask(call, most_together(i), candidates, unknown, outcomes);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        if (const Outcome* answer = answer_of(k)) {
            outcomes[k] = *answer;
        } else {
            known_->add(key, outcomes[k]);
        }
    }
    return outcomes;
}

/// Asks a call of these candidates: as many of them at once as may be.
void EvidenceGatherer::ask(const RecordedCall& call, std::size_t most,
                           const std::vector<std::string>& candidates,
                           const std::vector<std::size_t>& which, std::vector<Outcome>& outcomes) {
    std::vector<std::size_t> alone;
    std::vector<std::size_t> together;
    const auto ask_together = [&] {
        std::vector<std::string> names;
        for (const std::size_t k : together) {
            names.push_back(candidates[k]);
        }
        auto all =
            names.empty() ? std::nullopt : child_.call_each(call.function, call.arguments, names);
        for (std::size_t n = 0; all && n < together.size(); ++n) {
            outcomes[together[n]] = std::move((*all)[n]);
        }
        if (!all) {
            alone.insert(alone.end(), together.begin(), together.end());
        }
        together.clear();
    };
    for (const std::size_t k : which) {
        if (most < 2 || alone_.contains(candidates[k])) {
            alone.push_back(k);
            continue;
        }
        together.push_back(k);
        if (together.size() == most) {
            ask_together();
        }
    }
    ask_together();
    for (const std::size_t k : alone) {
        outcomes[k] = child_.call(call.function, call.arguments, candidates[k]);
        if (ended_the_process(outcomes[k])) {
            alone_.insert(candidates[k]);
        }
    }
}

/// How many candidates may be asked call i at once: what they answer has to fit into one reply,
/// and the time that they take into one call's.
std::size_t EvidenceGatherer::most_together(std::size_t i) const {
    const Returned* right = std::get_if<Returned>(&reference_[i]);
    const std::size_t bytes = right == nullptr ? 1 : encode(right->value).size();
    const auto taken = std::max<std::chrono::nanoseconds>(session_.calls()[i].taken, 1us);
    return std::min(most_bytes / bytes, static_cast<std::size_t>(most_time / taken));
}

const EvidenceGatherer::Asked& EvidenceGatherer::asked_of(const std::string& function) {
    const auto [place, is_new] = asked_.try_emplace(function);
    Asked& asked = place->second;
    if (!is_new) {
        return asked;
    }
    asked.fails_on_purpose = returns_nothing(function);
    auto taken = std::chrono::steady_clock::duration::zero();
    for (std::size_t i = 0; i < session_.calls().size(); ++i) {
        // What the contract refuses says nothing about a formula: a stub comes with that check.
        if (session_.calls()[i].function == function &&
            (asked.fails_on_purpose || std::holds_alternative<Returned>(reference_[i]))) {
            asked.calls.push_back(i);
            taken += session_.calls()[i].taken;
            right_[i] = is_right(i);
        }
    }
    asked.slow = taken > quick;
    const auto order = [this](std::size_t i) {
        const auto own = session_.calls()[i].taken;
        return std::tuple(own > long_call, right_[i], own);
    };
    std::stable_sort(asked.calls.begin(), asked.calls.end(),
                     [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
    const auto wrong = static_cast<std::size_t>(std::count_if(
        asked.calls.begin(), asked.calls.end(), [this](std::size_t i) { return !right_[i]; }));
    const bool all_or_nothing = asked.fails_on_purpose || are_counts(asked.calls);
    asked.allowed =
        all_or_nothing ? 0 : std::min(asked.calls.size() / 4, wrong / per_contradiction);
    return asked;
}

bool EvidenceGatherer::is_right(std::size_t i) const {
    const Returned* mine = std::get_if<Returned>(&session_.calls()[i].outcome);
    const Returned* reference = std::get_if<Returned>(&reference_[i]);
    return mine != nullptr && reference != nullptr && same(i, mine->value, reference->value);
}

bool EvidenceGatherer::explains(const Evidence& found, bool fails_on_purpose) {
    const std::size_t answered = found.supports - found.failures;
    if (fails_on_purpose) {
        return found.supports > 0;
    }
    if (found.unexplained() == 0) {
        return found.supports > found.silent && (answered > 0 || found.silent == 0);
    }
    return answered >= enough + found.zeros &&
           found.supports >= per_contradiction * found.contradicts &&
           found.supports >= found.clouded && !found.misses_the_failure &&
           found.supports > found.silent;
}

/// Whether all right answers are small whole numbers: two mistakes often agree in most of them.
bool EvidenceGatherer::are_counts(const std::vector<std::size_t>& calls) const {
    constexpr std::uint64_t small = 1000;
    return std::all_of(calls.begin(), calls.end(), [&](std::size_t i) {
        const Returned* right = std::get_if<Returned>(&reference_[i]);
        const auto* whole =
            right == nullptr ? nullptr : std::get_if<std::uint64_t>(&right->value.data);
        return whole != nullptr && *whole < small;
    });
}

/// Whether the function returns void: then how it fails is what it does.
bool EvidenceGatherer::returns_nothing(const std::string& function) const {
    for (std::size_t i = 0; i < reference_.size(); ++i) {
        const Returned* returned = std::get_if<Returned>(&reference_[i]);
        if (returned != nullptr && session_.calls()[i].function == function) {
            return std::holds_alternative<std::monostate>(returned->value.data);
        }
    }
    return false;
}

/// By the measure of the grader. Where it had another reason to complain than a comparison, by
/// what double can do.
bool EvidenceGatherer::same(std::size_t i, const Value& a, const Value& b, double slack) const {
    const RecordedCall& call = session_.calls()[i];
    if (session_.has_measure(call.function)) {
        return session_.alike(call.function, a, b);
    }
    const Tolerance tolerance =
        call.tolerance.value_or(is_failing(i) ? of_two_right_ways : Tolerance{});
    return !compare(a, b,
                    {slack * std::max(tolerance.relative, of_two_right_ways.relative),
                     slack * std::max(tolerance.absolute, of_two_right_ways.absolute),
                     slack * std::max(tolerance.of_largest, of_two_right_ways.of_largest)});
}

bool EvidenceGatherer::is_failing(std::size_t i) const {
    return !session_.failures().empty() && session_.failures().front().call == i;
}

/// Whether two wrong answers are one. Where both are nearly right, they have to be nearer to
/// each other than to it.
bool EvidenceGatherer::same_mistake(std::size_t i, const Value& mine, const Value& wrong,
                                    const Value& right) const {
    const std::string& function = session_.calls()[i].function;
    if (!session_.alike(function, mine, wrong)) {
        return false;
    }
    return session_.has_measure(function) || compare(wrong, right).has_value() ||
           !compare(mine, wrong, of_two_right_ways);
}

/// Whether what is defined of mine is wrong, and as this candidate has it.
bool EvidenceGatherer::shows_beside_nan(const RecordedCall& call, const Value& mine,
                                        const Value& wrong, const Value& right) const {
    return session_.alike(call.function, where_defined(mine, wrong), wrong) &&
           !session_.alike(call.function, where_defined(mine, right), right);
}

void EvidenceGatherer::weigh(std::size_t i, const Outcome& wrong, bool fails_on_purpose,
                             Evidence& evidence) const {
    const RecordedCall& call = session_.calls()[i];
    const Outcome& right = reference_[i];
    const Returned* mine = std::get_if<Returned>(&call.outcome);
    const Returned* its = std::get_if<Returned>(&wrong);
    const Returned* reference = std::get_if<Returned>(&right);
    if (fails_on_purpose) {
        const bool alike = (mine != nullptr && its != nullptr) || fail_alike(call.outcome, wrong);
        const bool shows = (its == nullptr) != (reference == nullptr) ||
                           (its == nullptr && !fail_alike(wrong, right));
        ++(!alike ? evidence.contradicts : shows ? evidence.supports : evidence.right);
        return;
    }
    if (its == nullptr) {
        // How a wrong formula fails on arguments that it cannot handle says nothing.
        if (mine != nullptr) {
            ++evidence.silent;
        } else if (fail_for_one_reason(call.outcome, wrong)) {
            ++evidence.supports;
            ++evidence.failures;
        }
        return;
    }
    if (mine == nullptr) {
        ++evidence.contradicts;
        return;
    }
    const bool i_am_right = right_[i];
    // What is nearly wrong is not held against one that is right.
    const bool it_is_right = same(i, its->value, reference->value, i_am_right ? 10 : 1);
    const bool alike = session_.alike(call.function, mine->value, its->value);
    if (!alike && !i_am_right && !session_.has_measure(call.function)) {
        // NaN in an edge case is a mistake of its own, beside the formula's.
        const bool mine_undefined = is_undefined(mine->value, reference->value);
        if (mine_undefined != is_undefined(its->value, reference->value)) {
            const bool shows =
                mine_undefined && shows_beside_nan(call, mine->value, its->value, reference->value);
            ++(shows ? evidence.supports : mine_undefined ? evidence.clouded : evidence.silent);
            evidence.beside_nan += shows ? 1 : 0;
            evidence.misses_the_failure |= mine_undefined && !shows && is_failing(i);
            return;
        }
    }
    if (i_am_right && it_is_right && alike) {
        ++evidence.right;
    } else if (!i_am_right && !it_is_right &&
               same_mistake(i, mine->value, its->value, reference->value)) {
        ++evidence.supports;
        evidence.zeros += nothing_but_zeros(mine->value) ? 1 : 0;
    } else if (i_am_right || it_is_right || !call.amplifies_rounding) {
        ++evidence.contradicts;
    }
}

} // namespace judge
