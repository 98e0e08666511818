#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "judge/mistakes_program.hpp"
#include "judge/session.hpp"

namespace judge {

/// What a call says about a mistake.
enum class Says {
    supports,    // the same wrong answer
    fails_alike, // no answer, and the same way to fail
    beside_nan,  // the same wrong answer except for NaN
    only_zeros,  // the same wrong answer, nothing but zeros, as many mistakes answer
    right,       // both are right
    contradicts, // another answer
    clouded,     // the learner's answer has NaN, and no other sign of a mistake
    silent       // the version with the mistake fails, and the learner's does not, or otherwise
};

/// What the calls of one function say about it.
struct Evidence {
    std::map<Says, std::size_t> calls = {};
    std::optional<Says> failure = {}; // what the call that failed first says

    std::size_t operator[](Says says) const { return calls.contains(says) ? calls.at(says) : 0; }
    std::size_t supports() const { return answered() + (*this)[Says::fails_alike]; }
    std::size_t answered() const {
        return (*this)[Says::supports] + (*this)[Says::beside_nan] + (*this)[Says::only_zeros];
    }
    std::size_t explained() const { return supports() + (*this)[Says::right]; }
    std::size_t unexplained() const { return (*this)[Says::contradicts] + (*this)[Says::clouded]; }
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
    Says weigh_answer(std::size_t i, const Outcome& its) const;
    Says weigh_check(std::size_t i, const Outcome& its) const;
    Says weigh_value(std::size_t i, const Value& mine, const Value& its, const Value& right) const;
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
