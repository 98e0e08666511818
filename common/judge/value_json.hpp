#pragma once

// Values as a page in a browser writes and reads them:
//   {"shape": [2, 3], "data": […]}             an array of numbers, row by row
//   {"bool": {"shape": …, "data": […]}}        an array of true and false (or 1 and 0)
//   0.5   true   "text"   [ … ]   { … }         a scalar, a list, a struct; null for nothing
// JSON has no NaN and no infinity: they are the texts "NaN", "Infinity" and "-Infinity".

#include <nlohmann/json_fwd.hpp>

#include "judge/value.hpp"

namespace judge {

nlohmann::json json_of(const Value& value);
nlohmann::json number_to_json(double number);

/// A call: {"function", "parameters": [names], "arguments"}.
std::string json_text(const std::string& function, const std::vector<std::string>& parameters,
                      const List& arguments);

} // namespace judge
