#pragma once

#include <string>
#include <vector>

namespace course {

/// The hints of one exercise, in order: the text of each <details> under the page's heading
/// "## 03.2 softmax_rows", without its markup.
std::vector<std::string> hints_of(const std::string& page, const std::string& exercise);

/// A block of program output that a page quotes, marked by a comment in the line before it:
/// <!-- output of: run 03 --solution -->
struct QuotedOutput {
    std::string command; // "run 03 --solution"
    std::string text;    // lines, each ending in a newline
};
std::vector<QuotedOutput> quoted_outputs(const std::string& page);

} // namespace course
