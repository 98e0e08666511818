#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "judge/child.hpp"
#include "judge/session.hpp"

namespace judge {

/// The answers of a program of mistakes, kept if one run of a grader grades many submissions: each
/// gets the same calls, and is compared with the same mistakes.
struct KnownAnswers {
    std::map<std::string, Outcome> answers; // by the call and the mistake
    std::size_t bytes = 0;
};

/// A known mistake in a function: a change of the solution, and what a learner reads about it.
struct Mistake {
    std::string function;
    std::string name;
    std::string explanation;

    bool is_decoy() const;
};

/// An exercise's program of mistakes, which also answers as the solution does.
class MistakesProgram {
public:
    /// known: its earlier answers, to which new ones are added; or nullptr.
    MistakesProgram(const std::filesystem::path& program, KnownAnswers* known);

    /// All known mistakes, with decoys.
    std::vector<Mistake> mistakes();
    Outcome right_answer(const RecordedCall& call);
    /// The answers of versions with these mistakes. right: the right ones.
    std::vector<Outcome> answers(const RecordedCall& call, const Outcome& right,
                                 const std::vector<std::string>& mistakes);
    Child& child() { return child_; }

private:
    void call_together(const RecordedCall& call, const std::vector<std::string>& mistakes,
                       std::map<std::string, Outcome>& answers);

    Child child_;
    KnownAnswers* known_;
    std::set<std::string> alone_; // mistakes that ended the process, or took too long
};

} // namespace judge
