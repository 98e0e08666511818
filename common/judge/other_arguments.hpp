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

/// The arguments to ask with in place of those of an answer.
using Change = std::function<std::optional<List>(const Judged&)>;
/// What is right for these. It refers to ask.
Other asked(const std::string& name, const std::string& explanation, Change change,
            std::size_t member, const Ask& ask);

/// "W_q", as the parameter is called.
std::string name_of(const Judged& answer, std::size_t argument);
/// Whether it is an array of doubles.
bool is_array(const Value& value);

/// Adds what is right where an argument's last rows or columns are 0: those past whole blocks, past
/// what a buffer holds, or past as many as another size says.
void add_parts_of_arguments(const std::vector<Judged>& answers, std::size_t member, const Ask& ask,
                            std::vector<Other>& found);

/// member: of the struct that is answered, 0 for any other value. They refer to answers and ask.
std::vector<Other> others_of(const std::vector<Judged>& answers, std::size_t member,
                             const Ask& ask);

} // namespace judge
