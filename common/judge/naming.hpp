#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "judge/session.hpp"

namespace judge {

struct NamedMisconception {
    std::string name;
    std::string explanation;
};

/// The misconception that explains every graded call of this run: where it answers at all, it
/// answers as the submission did, and somewhere that differs from the reference. Nothing if none
/// does, or if several do. misconceptions: the lesson's program that holds them beside the
/// reference.
std::optional<NamedMisconception> name_misconception(const Session& session,
                                                     const std::filesystem::path& misconceptions);

} // namespace judge
