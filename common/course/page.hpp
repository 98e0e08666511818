#pragma once

#include <string>
#include <vector>

namespace course {

/// The hints of one exercise, in order: the text of each <details> under the page's heading
/// "## 03.2 softmax_rows", without its markup.
std::vector<std::string> hints_of(const std::string& page, const std::string& exercise);

/// A line with its formulas for a terminal: "divide by $\sqrt{d_k}$" → "divide by √d_k".
std::string without_math(const std::string& line);

/// A hint's lines, broken at spaces where they are longer than width.
std::vector<std::string> wrapped_lines(const std::string& text, std::size_t width);

} // namespace course
