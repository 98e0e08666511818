#pragma once

#include <string>

namespace course {

/// The stub of a solution: the text with every part between
///     // solution 03.2 (scores): what to write
/// and
///     // end
/// replaced by a TODO line and a todo() that throws.
/// Throws std::invalid_argument, naming the line, if a marker has no partner or no such form.
std::string cut_stub(const std::string& solution);

} // namespace course
