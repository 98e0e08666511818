#pragma once

namespace judge {

// Where a submission reads its calls and writes its replies. Not standard input and output: those
// are the learner's.
constexpr int call_descriptor = 3;
constexpr int reply_descriptor = 4;

/// The call that lists a program's variants; no C++ function can have this name.
constexpr const char* variants_query = "variants?";

/// In place of an explanation: a wrong version that is not named, and keeps another from being
/// named where it explains as much.
constexpr const char* decoy = "a decoy";

/// The call that lists its functions with the types of their parameters.
constexpr const char* signatures_query = "signatures?";

/// The call that makes several: {function, the variants' names, a list of arguments}, each of these
/// to each variant. It returns a list with {kind, value} for each, as its own reply would have
/// them.
constexpr const char* each_command = "each!";

/// The call that says with which byte memory from `new` is filled from now on: an int, 0 to 255.
constexpr const char* fill_command = "fill!";

/// What it is filled with by default: as a double 3.0e127, as a bool true.
constexpr int usual_fill = 0x5A;

/// Set in the environment of one that is to report where it is when a signal ends it, when a second
/// has passed and at each `throw`: a line with this prefix for each of its frames, after
/// `first_frame` the innermost first, with the offset of an instruction in its program.
constexpr const char* tell_where_setting = "COURSE_TELL_WHERE";
constexpr const char* frame_prefix = "course frame 0x";
constexpr unsigned first_frame = 0;

} // namespace judge
