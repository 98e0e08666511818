#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "judge/mistakes_program.hpp"
#include "judge/session.hpp"

namespace judge {

/// What the calls of one function say about a mistake.
struct Evidence {
    std::size_t supports = 0;        // the same wrong answer
    std::size_t failures = 0;        // of these: not an answer, but the same way to fail
    std::size_t beside_nan = 0;      // of these: the same but for NaN
    std::size_t zeros = 0;           // of these: nothing but zeros, as many mistakes answer
    std::size_t contradicts = 0;     // another answer
    std::size_t silent = 0;          // the version with the mistake fails, and the learner's not so
    std::size_t clouded = 0;         // the learner's answer has NaN, and nothing else that tells
    std::size_t right = 0;           // both are
    bool misses_the_failure = false; // the call that failed first is clouded
    bool contradicts_the_failure = false;

    std::size_t explained() const { return supports + right; }
    std::size_t answers() const { return explained() + contradicts + clouded; }
    std::size_t unexplained() const { return contradicts + clouded; }
};

/// Makes the calls of a session to versions with known mistakes, and weighs whether they answer as
/// the learner's did.
class MistakeWeigher {
public:
    /// right: what our solution answers to each of the session's calls.
    MistakeWeigher(const Session& session, const std::vector<Outcome>& right,
                   MistakesProgram& program)
        : session_(session), right_(right), program_(program), is_right_(right.size()) {}

    /// What each mistake's answers to the function's calls say; nothing for one that explains too
    /// little of them.
    std::vector<std::optional<Evidence>> weigh(const std::string& function,
                                               const std::vector<std::string>& mistakes);

private:
    void weigh_answer(std::size_t i, const Outcome& its, Evidence& evidence) const;
    void weigh_check(std::size_t i, const Outcome& its, Evidence& evidence) const;
    void weigh_value(std::size_t i, const Value& mine, const Value& its, const Value& right,
                     Evidence& evidence) const;
    std::vector<std::size_t> calls_of(const std::string& function);
    bool explains(const Evidence& found) const;
    bool are_counts(const std::vector<std::size_t>& calls) const;
    bool returns_nothing(const std::string& function) const;
    bool is_answered_right(std::size_t i) const;
    bool same(std::size_t i, const Value& a, const Value& b, double slack = 1) const;
    bool is_failing(std::size_t i) const;
    bool same_mistake(std::size_t i, const Value& mine, const Value& its, const Value& right) const;
    bool shows_beside_nan(const RecordedCall& call, const Value& mine, const Value& its,
                          const Value& right) const;

    const Session& session_;
    const std::vector<Outcome>& right_;
    MistakesProgram& program_;
    std::vector<bool> is_right_; // the learner's answers
    bool is_check_ = false;      // the function returns nothing: only its failures count
};

} // namespace judge
