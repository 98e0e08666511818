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

/// A size that the arguments have, with what it is called; of an answer nothing where they have
/// none of that name, as where one is left out.
struct NamedSize {
    std::string name; // "the number of rows of X"
    std::function<std::optional<std::size_t>(const Judged&)> of;
};
/// Of several that are alike in all answers, the first.
std::vector<NamedSize> different_sizes(const std::vector<Judged>& answers);

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
