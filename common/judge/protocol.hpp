#pragma once

namespace judge {

// Where a submission reads its calls and writes its replies. Not standard input and output: those
// are the learner's.
constexpr int call_descriptor = 3;
constexpr int reply_descriptor = 4;

/// The call that lists a program's variants; no C++ function can have this name.
constexpr const char* variants_query = "variants?";

} // namespace judge
