#pragma once

#include <string>

namespace course {

/// The stub of a solution: the text with every part between
///     // solution 03.2 (scores): what to write
/// and
///     // end
/// replaced by a TODO line and a todo() that throws. A part that has in it the line
///     // blank
/// is replaced by the TODO line and the lines below it, without their comment signs: a form to fill
/// in, for an exercise whose answer is numbers rather than code.
/// Throws std::invalid_argument, naming the line, if a marker has no partner or no such form, or if
/// a line of a form is not a comment.
std::string cut_stub(const std::string& solution);

} // namespace course
