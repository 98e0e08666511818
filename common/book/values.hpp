#pragma once

#include <nlohmann/json_fwd.hpp>

#include "judge/value.hpp"

namespace book {

/// What a page wrote (judge/value_json.hpp), as an argument of this type (judge/signature.hpp).
/// Throws judge::malformed, with what was wanted, if it is none.
judge::Value argument_from(const nlohmann::json& json, const judge::List& type);

/// How many elements there are in all that a page wrote; far too many if it is nested deeper than
/// depth.
std::size_t count_elements(const nlohmann::json& json, int depth = 16);

} // namespace book
