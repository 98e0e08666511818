#pragma once

#include <string>
#include <string_view>

#include "judge/value.hpp"

namespace judge {

/// One call: which function, in which variant (empty: the submission's own), on what.
struct Call {
    std::string function;
    std::string variant;
    List arguments;
};

enum class ReplyKind : std::uint8_t {
    returned,
    threw,
    not_implemented,
    out_of_memory,
    changed_argument
};

/// value: the returned value; after an exception, the list {type, what}; the exercise's id for
/// not_implemented; the argument's index for changed_argument.
struct Reply {
    ReplyKind kind = ReplyKind::returned;
    Value value;
};

std::string encode(const Value& value);
std::string encode(const Call& call);
std::string encode(const Reply& reply);

/// Each throws malformed unless the bytes are exactly one value, call or reply; no count in them is
/// trusted before that many bytes have been seen.
Value decode_value(std::string_view bytes);
Call decode_call(std::string_view bytes);
Reply decode_reply(std::string_view bytes);

/// A message on a pipe is its length, 8 bytes in the machine's order, and then its bytes.
std::string frame(const std::string& message);

} // namespace judge
