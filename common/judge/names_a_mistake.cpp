#include "judge/names_a_mistake.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/looks_of_calls.hpp"
#include "judge/same_call_again.hpp"
#include "judge/weighs_mistakes.hpp"

namespace judge {

namespace {

/// Whether a explains so much more than b that it is a.
bool much_better(const Evidence& a, const Evidence& b) {
    if (a.unexplained() == 0) {
        return b.unexplained() > 0 || a.supports() > b.supports() ||
               (a.supports() == b.supports() && a[Says::beside_nan] < b[Says::beside_nan]);
    }
    return b.unexplained() > 0 && a.supports() >= b.supports() + 2;
}

struct Weighed {
    Mistake mistake;
    Evidence evidence;
};

/// Whether it is this one, and no other. Of versions of one mistake, which have one explanation,
/// any of the best.
bool is_best(const Weighed& one, const std::vector<Weighed>& all) {
    return std::ranges::all_of(all, [&](const Weighed& other) {
        return &other == &one || much_better(one.evidence, other.evidence) ||
               (one.mistake.explanation == other.mistake.explanation &&
                !much_better(other.evidence, one.evidence));
    });
}

class Namer {
public:
    Namer(const Session& session, const std::filesystem::path& mistakes, KnownAnswers* known)
        : session_(session), program_(mistakes, known) {
        for (const RecordedCall& call : session.calls()) {
            right_.push_back(program_.right_answer(call));
        }
        if (!session.failures().empty()) {
            failing_ = session.failures().front().call;
            suspicion_ = session.failures().front().suspicion;
        }
    }

    std::optional<Explanation> find() {
        std::optional<Explanation> unset;
        if (auto mistake = failing_ ? by_the_failing_call() : std::nullopt) {
            if (mistake->name != memory_never_set) {
                return mistake;
            }
            unset = mistake;
        }
        const std::vector<Mistake> mistakes = program_.mistakes();
        auto named = best_of(mistakes);
        // A mistake that leaves the same elements unset says more than that some are unset.
        if (unset && (!named || !named->explains_all())) {
            return unset;
        }
        if (!named && failing_) {
            named = recognised(mistakes);
        }
        if (failing_ && (!named || !named->explains_all())) {
            const auto look = describe_answers(session_, right_, *failing_, program_.child());
            if (look && (!named || look->decisive)) { // what explains all goes before what does not
                named = look;
                named->name = "looks_like_" + look->name;
            }
        }
        if (!named && failing_ && !suspicion_.name.empty()) {
            named = suspicion_;
        }
        return named;
    }

private:
    const RecordedCall& failing_call() const { return session_.calls()[*failing_]; }

    /// What is visible in this call alone, and in how it ends when it is repeated.
    std::optional<Explanation> by_the_failing_call() {
        if (const auto* changed = std::get_if<ChangedArgument>(&failing_call().outcome)) {
            return Explanation{
                "changed_argument",
                fmt::format(
                    "it writes into {0}, the caller's own array, through a const_cast or a pointer. "
                    "Copy it and change the copy: auto copy = {0};",
                    changed->name.empty() ? fmt::format("argument {}", changed->index + 1)
                                          : changed->name)};
        }
        auto mistake = not_by_arguments_alone(session_, *failing_, right_[*failing_]);
        if (mistake && mistake->name == differs_from_call_to_call && !suspicion_.name.empty()) {
            // What it usually is says more than that it is never the same.
            return suspicion_;
        }
        return mistake;
    }

    /// The one known mistake that explains the answers best, among those of the failing call's
    /// function: another function of the exercise may be wrong as well.
    std::optional<Explanation> best_of(const std::vector<Mistake>& mistakes) {
        std::map<std::string, std::vector<Mistake>> by_function;
        for (const Mistake& mistake : mistakes) {
            // A mistake with a trait is recognised by its answers' properties, not by their values.
            if ((!failing_ || mistake.function == failing_call().function) &&
                !session_.about(mistake.function).traits.contains(mistake.name)) {
                by_function[mistake.function].push_back(mistake);
            }
        }
        std::vector<Weighed> weighed;
        MistakeWeigher weigher(session_, right_, program_);
        for (const auto& [function, its_own] : by_function) {
            std::vector<std::string> names;
            for (const Mistake& mistake : its_own) {
                names.push_back(mistake.name);
            }
            const auto evidence = weigher.weigh(function, names);
            for (std::size_t k = 0; k < its_own.size(); ++k) {
                if (evidence[k]) {
                    weighed.push_back({its_own[k], *evidence[k]});
                }
            }
        }
        const auto best = std::ranges::find_if(
            weighed, [&](const Weighed& one) { return is_best(one, weighed); });
        if (best == weighed.end() || best->mistake.is_decoy() ||
            (best->evidence.unexplained() > 0 && best->evidence.failure == Says::contradicts)) {
            return std::nullopt;
        }
        return Explanation{best->mistake.name, best->mistake.explanation,
                           best->evidence.explained(),
                           best->evidence.explained() + best->evidence.unexplained()};
    }

    /// The one that shows in all answers to the failing call's function, where a grader knows it
    /// so.
    std::optional<Explanation> recognised(const std::vector<Mistake>& mistakes) const {
        const std::string& function = failing_call().function;
        std::vector<Compared> answers;
        for (std::size_t i = 0; i < right_.size(); ++i) {
            const Returned* right = std::get_if<Returned>(&right_[i]);
            if (session_.calls()[i].function != function || right == nullptr) {
                continue;
            }
            const Returned* mine = std::get_if<Returned>(&session_.calls()[i].outcome);
            if (mine == nullptr || !same_form(mine->value, right->value)) {
                return std::nullopt; // a grader's own test may not need that
            }
            answers.push_back({mine->value, right->value});
        }
        for (const Mistake& mistake : mistakes) {
            const auto& traits = session_.about(function).traits;
            const auto trait = traits.find(mistake.name);
            if (mistake.function == function && trait != traits.end() && trait->second(answers)) {
                return Explanation{mistake.name, mistake.explanation, answers.size(),
                                   answers.size()};
            }
        }
        return std::nullopt;
    }

    const Session& session_;
    MistakesProgram program_;
    std::vector<Outcome> right_; // the solution's answer for each call
    std::optional<std::size_t> failing_;
    Explanation suspicion_;
};

} // namespace

std::optional<Explanation>
name_mistake(const Session& session, const std::filesystem::path& mistakes, KnownAnswers* known) {
    auto named = Namer(session, mistakes, known).find();
    // A handful among hundreds needs no excuse.
    if (named && 50 * (named->answers - named->explained) > named->answers) {
        named->text +=
            fmt::format(" (This {} {} of your {} answers.)",
                        named->certainty == Certainty::look ? "describes" : "mistake gives",
                        named->explained, named->answers);
    }
    return named;
}

} // namespace judge
