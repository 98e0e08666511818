#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "judge/known_answers.hpp"
#include "judge/session.hpp"
#include "judge/verdict.hpp"

namespace judge {

/// A mistake, known by its name to tools and by its explanation to learners. explained: how many of
/// the answers it was held against it gives, too.
struct NamedMisconception {
    std::string name;
    std::string explanation;
    std::size_t explained = 0;
    std::size_t answers = 0;
    bool explains_the_failure = true; // the answer that is shown is among these
    Certainty certainty = Certainty::cause;
};

/// What the first failure of this run comes of. In this order: what any exercise can do wrong
/// besides its formula (same_call_again.hpp), or throw; the misconception that answers as the
/// submission did wherever it answers at all, or nearly everywhere, and somewhere not as the
/// reference; arithmetic in float; what the grader recognises by all answers together; and if
/// nothing is known, what the wrong answers look like (looks.hpp). Nothing if none does, or if
/// several do equally well: a false name is worse than none. misconceptions: the lesson's program
/// that holds them beside the reference. known: what it has answered when others were graded, which
/// is added to.
std::optional<NamedMisconception> name_misconception(const Session& session,
                                                     const std::filesystem::path& misconceptions,
                                                     KnownAnswers* known = nullptr);

} // namespace judge
