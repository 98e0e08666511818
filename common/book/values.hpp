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

/// A page's JSON as an argument of this type (judge/signature.hpp). Throws judge::malformed, with
/// the expected type, if it does not fit.
judge::Value argument_from(const nlohmann::json& json, const judge::List& type);

/// An answer for a page.
nlohmann::json json_of(const judge::Value& value);

/// The number of elements in all of a page's JSON, however deep.
std::size_t count_elements(const nlohmann::json& json);

} // namespace book
