#pragma once

#include "judge/grid.hpp"
#include "judge/looks.hpp"

namespace judge {

/// Something else that an answer may be: an argument as it was, another member's answer, or what
/// is right for other arguments; nothing where there is none.
struct Other {
    std::string name;
    std::string explanation;
    std::function<std::optional<Grid>(const Judged&)> answer;
};

/// member: of the struct that is answered, 0 for any other value. They refer to answers and ask.
std::vector<Other> others_of(const std::vector<Judged>& answers, std::size_t member,
                             const Ask& ask);

} // namespace judge
