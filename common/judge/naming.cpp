#include "judge/naming.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "judge/equal_arguments.hpp"
#include "judge/observe.hpp"
#include "judge/precision.hpp"
#include "judge/protocol.hpp"
#include "judge/replay.hpp"
#include "judge/verdict.hpp"

namespace judge {

namespace {

using namespace std::chrono_literals;

constexpr auto quick = 500ms;     // all calls together: then a candidate may miss the failing one
constexpr std::size_t enough = 3; // answers, for a candidate that does not explain all of them

// The same wrong answers for each that differs: what is right can be none of them.
constexpr std::size_t per_contradiction = 3;

constexpr Tolerance rounding{1e-12, 1e-300, 1e-12}; // of two right ways to compute in double

/// What the calls of one function tell of a candidate.
struct Evidence {
    std::size_t supports = 0;        // the same wrong answer
    std::size_t failures = 0;        // of these: not an answer, but the same way to fail
    std::size_t beside_nan = 0;      // of these: the same but for NaN
    std::size_t contradicts = 0;     // another answer
    std::size_t silent = 0;          // the candidate fails where the submission answers
    std::size_t clouded = 0;         // the submission has NaN, and nothing else that tells
    std::size_t right = 0;           // both are
    bool misses_the_failure = false; // the call that failed first is clouded

    std::size_t explained() const { return supports + right; }
    std::size_t answers() const { return explained() + contradicts + clouded; }
    std::size_t unexplained() const { return contradicts + clouded; }
};

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

class Held {
public:
    Held(const Session& session, const std::vector<Outcome>& reference, Child& child)
        : session_(session), reference_(reference), child_(child), right_(reference.size()) {}

    /// Whether a candidate explains enough of the function's calls, and what they tell.
    std::optional<Evidence> against(const std::string& function, const std::string& candidate) {
        const Asked& asked = asked_of(function);
        Evidence evidence;
        for (const std::size_t i : asked.calls) {
            const Outcome wrong = child_.call(function, session_.calls()[i].arguments, candidate);
            const std::size_t before = evidence.contradicts;
            weigh(i, wrong, asked.fails_on_purpose, evidence);
            const bool otherwise = evidence.contradicts > before;
            if (evidence.contradicts > asked.allowed ||
                (asked.slow && is_failing(i) && otherwise)) {
                return std::nullopt;
            }
        }
        return explains(evidence, asked.fails_on_purpose) ? std::optional(evidence) : std::nullopt;
    }

private:
    /// The calls of a function that its candidates are asked, those that drop most of them first.
    struct Asked {
        std::vector<std::size_t> calls;
        bool fails_on_purpose = false;
        bool slow = false;       // one that answers the failing call otherwise is asked no more
        std::size_t allowed = 0; // answers that contradict a candidate which explains the others
    };

    const Asked& asked_of(const std::string& function) {
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
        std::stable_sort(asked.calls.begin(), asked.calls.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(right_[a], session_.calls()[a].taken) <
                   std::pair(right_[b], session_.calls()[b].taken);
        });
        const auto wrong = static_cast<std::size_t>(std::count_if(
            asked.calls.begin(), asked.calls.end(), [this](std::size_t i) { return !right_[i]; }));
        const bool all_or_nothing = asked.fails_on_purpose || are_counts(asked.calls);
        asked.allowed =
            all_or_nothing ? 0 : std::min(asked.calls.size() / 4, wrong / per_contradiction);
        return asked;
    }

    bool is_right(std::size_t i) const {
        const Returned* mine = std::get_if<Returned>(&session_.calls()[i].outcome);
        const Returned* reference = std::get_if<Returned>(&reference_[i]);
        return mine != nullptr && reference != nullptr && same(i, mine->value, reference->value);
    }

    static bool explains(const Evidence& found, bool fails_on_purpose) {
        const std::size_t answered = found.supports - found.failures;
        if (fails_on_purpose) {
            return found.supports > 0;
        }
        if (found.unexplained() == 0) {
            return found.supports > found.silent && (answered > 0 || found.silent == 0);
        }
        return answered >= enough && found.supports >= per_contradiction * found.contradicts &&
               found.supports >= found.clouded && !found.misses_the_failure &&
               found.supports > found.silent;
    }

    /// Whether all right answers are small whole numbers: two mistakes often agree in most of them.
    bool are_counts(const std::vector<std::size_t>& calls) const {
        constexpr std::uint64_t small = 1000;
        return std::all_of(calls.begin(), calls.end(), [&](std::size_t i) {
            const Returned* right = std::get_if<Returned>(&reference_[i]);
            const auto* whole =
                right == nullptr ? nullptr : std::get_if<std::uint64_t>(&right->value.data);
            return whole != nullptr && *whole < small;
        });
    }

    /// Whether the function returns void: then how it fails is what it does.
    bool returns_nothing(const std::string& function) const {
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
    bool same(std::size_t i, const Value& a, const Value& b, double slack = 1) const {
        const RecordedCall& call = session_.calls()[i];
        if (session_.has_measure(call.function)) {
            return session_.alike(call.function, a, b);
        }
        const Tolerance held = call.held.value_or(is_failing(i) ? rounding : Tolerance{});
        return !compare(a, b,
                        {slack * std::max(held.relative, rounding.relative),
                         slack * std::max(held.absolute, rounding.absolute),
                         slack * std::max(held.of_largest, rounding.of_largest)});
    }

    bool is_failing(std::size_t i) const {
        return !session_.failures().empty() && session_.failures().front().call == i;
    }

    /// Whether two wrong answers are one. Where both are nearly right, they have to be nearer to
    /// each other than to it.
    bool same_mistake(std::size_t i, const Value& mine, const Value& wrong,
                      const Value& right) const {
        const std::string& function = session_.calls()[i].function;
        if (!session_.alike(function, mine, wrong)) {
            return false;
        }
        return session_.has_measure(function) || compare(wrong, right).has_value() ||
               !compare(mine, wrong, rounding);
    }

    /// Whether what is defined of mine is wrong, and as this candidate has it.
    bool shows_beside_nan(const RecordedCall& call, const Value& mine, const Value& wrong,
                          const Value& right) const {
        return session_.alike(call.function, where_defined(mine, wrong), wrong) &&
               !session_.alike(call.function, where_defined(mine, right), right);
    }

    void weigh(std::size_t i, const Outcome& wrong, bool fails_on_purpose,
               Evidence& evidence) const {
        const RecordedCall& call = session_.calls()[i];
        const Outcome& right = reference_[i];
        const Returned* mine = std::get_if<Returned>(&call.outcome);
        const Returned* its = std::get_if<Returned>(&wrong);
        const Returned* reference = std::get_if<Returned>(&right);
        if (fails_on_purpose) {
            const bool alike =
                (mine != nullptr && its != nullptr) || fail_alike(call.outcome, wrong);
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
                const bool shows = mine_undefined && shows_beside_nan(call, mine->value, its->value,
                                                                      reference->value);
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
        } else if (i_am_right || it_is_right || !call.amplifies_rounding) {
            ++evidence.contradicts;
        }
    }

    const Session& session_;
    const std::vector<Outcome>& reference_;
    Child& child_;
    std::vector<bool> right_; // the submission's answers, where they have been looked at
    std::map<std::string, Asked> asked_;
};

/// Whether a explains so much more than b that it is a.
bool much_better(const Evidence& a, const Evidence& b) {
    if (a.unexplained() == 0) {
        return b.unexplained() > 0 || a.supports > b.supports ||
               (a.supports == b.supports && a.beside_nan < b.beside_nan);
    }
    return b.unexplained() > 0 && a.supports >= b.supports + 2;
}

struct Candidate {
    std::string function;
    std::string name;
    std::string explanation;
};
using Candidates = std::vector<Candidate>;

/// The misconceptions that the program knows.
Candidates candidates_of(Child& child) {
    const Outcome listed = child.call(variants_query, {});
    const Returned* list = std::get_if<Returned>(&listed);
    if (list == nullptr) {
        throw std::runtime_error("the misconceptions program " + describe(listed));
    }
    Candidates candidates;
    for (const auto& row : from_value<std::vector<std::vector<std::string>>>(list->value)) {
        if (!row.at(2).empty()) { // else it is right, in another way: there is nothing to say of it
            candidates.push_back({row.at(0), row.at(1), row.at(2)});
        }
    }
    return candidates;
}

/// The one candidate of the program that explains the submission's answers best, among those for
/// the function of the failing call: another function of the exercise may be wrong as well.
std::optional<NamedMisconception> best_candidate(const Session& session,
                                                 const std::vector<Outcome>& reference,
                                                 std::optional<std::size_t> failing,
                                                 const Candidates& candidates, Child& child) {
    struct Explaining {
        NamedMisconception named;
        Evidence evidence;
    };
    std::vector<Explaining> found;
    Held held(session, reference, child);
    for (const auto& [function, name, explanation] : candidates) {
        if (failing && function != session.calls()[*failing].function) {
            continue;
        }
        if (session.trait(function, name)) {
            continue; // known by what its answers show, not by what they are
        }
        if (const auto evidence = held.against(function, name)) {
            found.push_back(
                {{name, explanation, evidence->explained(), evidence->answers()}, *evidence});
        }
    }
    for (const Explaining& best : found) {
        if (std::all_of(found.begin(), found.end(), [&](const Explaining& other) {
                return &other == &best || much_better(best.evidence, other.evidence);
            })) {
            return best.named;
        }
    }
    return std::nullopt;
}

/// Whether the failing call is right to the digits of a float, and most others are so at least.
std::optional<NamedMisconception> arithmetic_in_float(const Session& session,
                                                      const std::vector<Outcome>& reference,
                                                      std::size_t failing) {
    const std::string& function = session.calls()[failing].function;
    std::vector<std::pair<Value, Value>> pairs;
    std::size_t answers = 0;
    bool shown = false;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const Returned* right = std::get_if<Returned>(&reference[i]);
        const Returned* mine = std::get_if<Returned>(&session.calls()[i].outcome);
        if (session.calls()[i].function != function || right == nullptr) {
            continue;
        }
        ++answers;
        if (mine != nullptr && !compare(mine->value, right->value)) {
            pairs.emplace_back(mine->value, right->value);
            shown = shown || (i == failing && compare(mine->value, right->value, normwise));
        }
    }
    if (!shown || session.has_measure(function) || 4 * pairs.size() < 3 * answers ||
        !looks_like_float(pairs)) {
        return std::nullopt;
    }
    return NamedMisconception{
        "computed_in_float",
        "the answer is right to about 7 digits and no further, as if it was computed in float. One "
        "float variable is enough, a literal such as 0.5f, or a function that returns float; "
        "double "
        "has 16 digits.",
        pairs.size(), answers};
}

/// The one that shows in all answers to the failing call's function, where a grader knows it so.
std::optional<NamedMisconception> recognised(const Session& session,
                                             const std::vector<Outcome>& reference,
                                             std::size_t failing, const Candidates& candidates) {
    const std::string& function = session.calls()[failing].function;
    std::vector<Session::Answer> answers;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const Returned* right = std::get_if<Returned>(&reference[i]);
        if (session.calls()[i].function != function || right == nullptr) {
            continue;
        }
        const Returned* mine = std::get_if<Returned>(&session.calls()[i].outcome);
        if (mine == nullptr || !same_form(mine->value, right->value)) {
            return std::nullopt; // what a grader recognises it by need not ask for that
        }
        answers.push_back({mine->value, right->value});
    }
    for (const auto& [of, name, explanation] : candidates) {
        const Session::ShownBy& shown_by = session.trait(of, name);
        if (of == function && shown_by && shown_by(answers)) {
            return NamedMisconception{name, explanation, answers.size(), answers.size()};
        }
    }
    return std::nullopt;
}

/// What the caller gave was written to, whatever the answer is.
std::optional<NamedMisconception> changed_argument(const RecordedCall& call) {
    const ChangedArgument* changed = std::get_if<ChangedArgument>(&call.outcome);
    if (changed == nullptr) {
        return std::nullopt;
    }
    const std::string name =
        changed->name.empty() ? fmt::format("argument {}", changed->index + 1) : changed->name;
    return NamedMisconception{
        "changed_argument",
        fmt::format(
            "it writes into {0}, the caller's own array, through a const_cast or a pointer. "
            "Copy it and change the copy: auto copy = {0};",
            name)};
}

/// With how much of the answers it explains, if that is not all of them.
NamedMisconception with_its_share(NamedMisconception named) {
    if (named.explained < named.answers) {
        named.explanation +=
            fmt::format(" (This explains {} of {} answers.)", named.explained, named.answers);
    }
    return named;
}

} // namespace

std::optional<NamedMisconception> name_misconception(const Session& session,
                                                     const std::filesystem::path& misconceptions) {
    Child child(misconceptions);
    std::vector<Outcome> reference;
    for (const RecordedCall& call : session.calls()) {
        reference.push_back(child.call(call.function, call.arguments));
    }
    const auto failing =
        session.failures().empty() ? std::nullopt : session.failures().front().call;
    if (failing) {
        if (auto mistake = changed_argument(session.calls()[*failing])) {
            return mistake;
        }
        if (const auto mistake = hidden_dependence(session, *failing, reference[*failing])) {
            return NamedMisconception{mistake->name, mistake->explanation};
        }
    }
    const Candidates candidates = candidates_of(child);
    auto named = best_candidate(session, reference, failing, candidates, child);
    if (!named && failing) {
        named = arithmetic_in_float(session, reference, *failing);
    }
    if (!named && failing) {
        named = recognised(session, reference, *failing, candidates);
    }
    const bool in_part = named && named->explained < named->answers;
    if ((!named || in_part) && failing) {
        if (const auto mistake =
                trouble_with_equal_arguments(session, *failing, reference, child)) {
            return NamedMisconception{mistake->name, mistake->explanation};
        }
        const auto look = observed(session, reference, *failing, child);
        if (look && (!named || look->certain)) { // what explains all goes before what does not
            named = {observed_prefix + look->name, look->explanation, look->explained,
                     look->answers};
        }
    }
    if (!named && failing && !session.failures().front().suspicion.name.empty()) {
        const Suspicion& suspicion = session.failures().front().suspicion;
        named = {suspicion.name, suspicion.explanation, 0, 0};
    }
    return named ? std::optional(with_its_share(std::move(*named))) : std::nullopt;
}

} // namespace judge
