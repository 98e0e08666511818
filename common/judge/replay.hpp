#pragma once

#include <optional>
#include <string>

#include "judge/session.hpp"

namespace judge {

/// A mistake that any exercise can make, and how it shows.
struct GenericMistake {
    std::string name;
    std::string explanation;
};

/// After every check has passed: asks some of the recorded calls again, in the same process and in
/// a new one, and with other fillings of fresh memory. An answer that is not what it was is added
/// to the session as a failure, and named. Takes a tenth of a second, if the calls were quick,
/// and a few seconds if most were slow.
std::optional<GenericMistake> replay_passed(Session& session);

/// Of a call that was answered wrongly: what its answer depends on beside its arguments. right: the
/// outcome that it should have had. Nothing if it does not, or if it takes too long to find out.
std::optional<GenericMistake> hidden_dependence(const Session& session, std::size_t call,
                                                const Outcome& right);

} // namespace judge
