#include "judge/naming.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "judge/describes_an_answer.hpp"
#include "judge/evidence.hpp"
#include "judge/export.hpp"
#include "judge/looks_of_calls.hpp"
#include "judge/precision.hpp"
#include "judge/protocol.hpp"
#include "judge/same_call_again.hpp"
#include "judge/verdict.hpp"

namespace judge {

namespace {

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

/// The mistakes that the program knows, decoys among them.
Candidates candidates_of(Child& child) {
    const Outcome listed = child.call(variants_query, {});
    const Returned* list = std::get_if<Returned>(&listed);
    if (list == nullptr) {
        throw std::runtime_error("the misconceptions program " + describe(listed));
    }
    Candidates candidates;
    for (const auto& row : from_value<std::vector<std::vector<std::string>>>(list->value)) {
        if (!row.at(2).empty()) { // else it is right, in another way
            candidates.push_back({row.at(0), row.at(1), row.at(2)});
        }
    }
    return candidates;
}

/// What the reference answers to a call.
Outcome right_answer(const RecordedCall& call, Child& child, KnownAnswers* known) {
    if (known == nullptr) {
        return child.call(call.function, call.arguments);
    }
    const auto key = KnownAnswers::key(call.function, call.arguments);
    if (const Outcome* answer = known->find(key)) {
        return *answer;
    }
    Outcome answer = child.call(call.function, call.arguments);
    known->add(key, answer);
    return answer;
}

/// The one candidate of the program that explains the submission's answers best, among those for
/// the function of the failing call: another function of the exercise may be wrong as well. Of
/// versions of one mistake, which have one explanation, any of the best.
std::optional<NamedMisconception> best_candidate(const Session& session,
                                                 const std::vector<Outcome>& reference,
                                                 std::optional<std::size_t> failing,
                                                 const Candidates& candidates, Child& child,
                                                 KnownAnswers* known) {
    struct Explaining {
        NamedMisconception named;
        Evidence evidence;
    };
    std::vector<Explaining> found;
    EvidenceGatherer gatherer(session, reference, child, known);
    std::map<std::string, std::vector<Candidate>> by_function;
    for (const Candidate& candidate : candidates) {
        // One with a trait is known by what its answers show, not by what they are.
        if ((!failing || candidate.function == session.calls()[*failing].function) &&
            !session.trait(candidate.function, candidate.name)) {
            by_function[candidate.function].push_back(candidate);
        }
    }
    for (const auto& [function, its_own] : by_function) {
        std::vector<std::string> names;
        for (const Candidate& candidate : its_own) {
            names.push_back(candidate.name);
        }
        const auto evidence = gatherer.for_candidates(function, names);
        for (std::size_t k = 0; k < its_own.size(); ++k) {
            if (evidence[k]) {
                found.push_back({{its_own[k].name, its_own[k].explanation, evidence[k]->explained(),
                                  evidence[k]->answers(), !evidence[k]->contradicts_the_failure},
                                 *evidence[k]});
            }
        }
    }
    for (const Explaining& best : found) {
        if (std::all_of(found.begin(), found.end(), [&](const Explaining& other) {
                return &other == &best || much_better(best.evidence, other.evidence) ||
                       (best.named.explanation == other.named.explanation &&
                        !much_better(other.evidence, best.evidence));
            })) {
            const bool in_part = best.named.explained < best.named.answers;
            const bool true_of_what_is_shown = !in_part || best.named.explains_the_failure;
            return best.named.explanation != decoy && true_of_what_is_shown
                       ? std::optional(best.named)
                       : std::nullopt;
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
std::optional<NamedMisconception> argument_that_changed(const RecordedCall& call) {
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
        named.explanation += fmt::format(" (This mistake gives {} of your {} answers.)",
                                         named.explained, named.answers);
    }
    return named;
}

} // namespace

std::optional<NamedMisconception> name_misconception(const Session& session,
                                                     const std::filesystem::path& misconceptions,
                                                     KnownAnswers* known) {
    Child child(misconceptions);
    std::vector<Outcome> reference;
    for (const RecordedCall& call : session.calls()) {
        reference.push_back(right_answer(call, child, known));
    }
    const auto failing =
        session.failures().empty() ? std::nullopt : session.failures().front().call;
    std::optional<GenericMistake> unset;
    if (failing) {
        if (auto mistake = argument_that_changed(session.calls()[*failing])) {
            return mistake;
        }
        if (const auto mistake =
                look_of_a_thrown_pointer(session.calls()[*failing].outcome, reference[*failing])) {
            return NamedMisconception{mistake->name, mistake->explanation};
        }
        if (const auto mistake = not_by_arguments_alone(session, *failing, reference[*failing])) {
            const Suspicion& usual = session.failures().front().suspicion;
            if (mistake->name == differs_from_call_to_call && !usual.name.empty()) {
                // What it usually is says more than that it is never the same.
                return NamedMisconception{usual.name, usual.explanation};
            }
            if (mistake->name != memory_never_set) {
                return NamedMisconception{mistake->name, mistake->explanation};
            }
            unset = mistake;
        }
    }
    const Candidates candidates = candidates_of(child);
    auto named = best_candidate(session, reference, failing, candidates, child, known);
    // Which mistake leaves elements unset says more than that some are: it leaves the same ones.
    if (unset && (!named || named->explained < named->answers)) {
        return NamedMisconception{unset->name, unset->explanation};
    }
    if (!named && failing) {
        named = arithmetic_in_float(session, reference, *failing);
    }
    if (!named && failing) {
        named = recognised(session, reference, *failing, candidates);
    }
    const bool in_part = named && named->explained < named->answers;
    if ((!named || in_part) && failing) {
        const auto look = describe_answers(session, reference, *failing, child);
        if (look && (!named || look->certain)) { // what explains all goes before what does not
            named = {"looks_like_" + look->name,
                     look->explanation,
                     look->explained,
                     look->answers,
                     true,
                     Certainty::look};
        }
    }
    if (!named && failing && !session.failures().front().suspicion.name.empty()) {
        const Suspicion& suspicion = session.failures().front().suspicion;
        named = {suspicion.name, suspicion.explanation, 0, 0};
    }
    return named ? std::optional(with_its_share(std::move(*named))) : std::nullopt;
}

} // namespace judge
