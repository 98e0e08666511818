#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/child.hpp"
#include "judge/known_answers.hpp"
#include "judge/session.hpp"

namespace judge {

/// What the calls of one function tell of a candidate.
struct Evidence {
    std::size_t supports = 0;        // the same wrong answer
    std::size_t failures = 0;        // of these: not an answer, but the same way to fail
    std::size_t beside_nan = 0;      // of these: the same but for NaN
    std::size_t zeros = 0;           // of these: nothing but zeros, as many mistakes answer
    std::size_t contradicts = 0;     // another answer
    std::size_t silent = 0;          // the candidate fails where the submission answers
    std::size_t clouded = 0;         // the submission has NaN, and nothing else that tells
    std::size_t right = 0;           // both are
    bool misses_the_failure = false; // the call that failed first is clouded
    bool contradicts_the_failure = false;

    std::size_t explained() const { return supports + right; }
    std::size_t answers() const { return explained() + contradicts + clouded; }
    std::size_t unexplained() const { return contradicts + clouded; }
};

/// Asks known mistakes, the candidates, the calls that the submission was asked, and weighs whether
/// they answer as it did.
class EvidenceGatherer {
public:
    /// reference: what our solution answers to each of the session's calls. child: the program that
    /// holds the candidates. known: what it has answered when others were graded, or nullptr.
    EvidenceGatherer(const Session& session, const std::vector<Outcome>& reference, Child& child,
                     KnownAnswers* known);

    /// What each candidate's answers to the function's calls tell; nothing for one that explains
    /// too little of them.
    std::vector<std::optional<Evidence>> for_candidates(const std::string& function,
                                                        const std::vector<std::string>& candidates);

private:
    /// The calls of a function that its candidates are asked, those that drop most of them first.
    struct Asked {
        std::vector<std::size_t> calls;
        bool fails_on_purpose = false;
        bool slow = false;       // one that answers the failing call otherwise is asked no more
        std::size_t allowed = 0; // answers that contradict a candidate which explains the others
    };

    std::vector<Outcome> answers_to(std::size_t i, const std::vector<std::string>& candidates);
    void ask(const RecordedCall& call, std::size_t most, const std::vector<std::string>& candidates,
             const std::vector<std::size_t>& which, std::vector<Outcome>& outcomes);
    std::size_t most_together(std::size_t i) const;
    const Asked& asked_of(const std::string& function);
    bool is_right(std::size_t i) const;
    static bool explains(const Evidence& found, bool fails_on_purpose);
    bool are_counts(const std::vector<std::size_t>& calls) const;
    bool returns_nothing(const std::string& function) const;
    bool same(std::size_t i, const Value& a, const Value& b, double slack = 1) const;
    bool is_failing(std::size_t i) const;
    bool same_mistake(std::size_t i, const Value& mine, const Value& wrong,
                      const Value& right) const;
    bool shows_beside_nan(const RecordedCall& call, const Value& mine, const Value& wrong,
                          const Value& right) const;
    void weigh(std::size_t i, const Outcome& wrong, bool fails_on_purpose,
               Evidence& evidence) const;

    const Session& session_;
    const std::vector<Outcome>& reference_;
    Child& child_;
    KnownAnswers* known_;
    std::vector<bool> right_; // the submission's answers, where they have been looked at
    std::map<std::string, Asked> asked_;
    std::set<std::string> alone_; // candidates that ended the process, or took too long
};

} // namespace judge
