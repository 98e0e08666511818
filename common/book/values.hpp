#pragma once

// Values as a page in a browser writes and reads them:
//   {"shape": [2, 3], "data": […]}             an array of numbers, row by row
//   {"bool": {"shape": …, "data": […]}}        an array of true and false (or 1 and 0)
//   0.5   true   "text"   [ … ]   { … }         a scalar, a list, a struct; null for nothing
// JSON has no NaN and no infinity: they are the texts "NaN", "Infinity" and "-Infinity".

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "judge/value.hpp"

namespace book {

/// What a page wrote, as an argument of this type (judge/signature.hpp). Throws judge::malformed,
/// with what was wanted, if it is none.
judge::Value argument_from(const nlohmann::json& json, const judge::List& type);

/// An answer for a page.
nlohmann::json json_of(const judge::Value& value);

/// How many elements there are in all that a page wrote, however deep.
std::size_t count_elements(const nlohmann::json& json);

} // namespace book
