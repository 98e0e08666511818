#pragma once

#include <filesystem>
#include <optional>

#include "judge/looks.hpp"
#include "judge/mistakes_program.hpp"
#include "judge/session.hpp"
#include "judge/verdict.hpp"

namespace judge {

/// The cause of this run's first failure, looked for in this order: mistakes in any exercise
/// besides its formula (same_call_again.hpp), or exceptions; the known mistake that answers as the
/// submission did wherever it answers at all, or nearly everywhere, and somewhere not as the
/// solution; what the grader recognises by all answers together; and if
/// nothing is known, what the wrong answers look like (looks.hpp). Nothing if none does, or if
/// several do equally well: a false name is worse than none. mistakes: the exercise's program of
/// mistakes. known: what it has answered when others were graded, which is added to.
std::optional<Explanation> name_mistake(const Session& session,
                                        const std::filesystem::path& mistakes,
                                        KnownAnswers* known = nullptr);

} // namespace judge
