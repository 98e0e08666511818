#pragma once

#include "judge/grid.hpp"
#include "judge/looks.hpp"

namespace judge {

/// Something else that an answer may be: an unchanged argument, another member's answer, or the
/// right answer for other arguments. test: nothing if it does not apply.
struct ArgumentRow {
    std::string name;
    std::string sentence;
    std::function<std::optional<Grid>(const JudgedCall&)> test;
};

/// member: of the struct that is answered, 0 for any other value. The rows refer to all three.
std::vector<ArgumentRow> looks_of_arguments(const std::vector<JudgedCall>& calls,
                                            std::size_t member, const Reference& reference);

} // namespace judge
