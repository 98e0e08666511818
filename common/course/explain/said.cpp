#include "course/explain/said.hpp"

#include <algorithm>

#include "course/explain/pattern.hpp"

namespace course {

namespace {

constexpr std::size_t most_of_a_line = std::size_t{16} << 10; // bytes
constexpr std::size_t most_at_an_end = std::size_t{256} << 10;
constexpr std::string_view error_sign = "rror: ";

bool has_error(std::string_view line) {
    return line.find(error_sign) != std::string_view::npos;
}

/// A line's beginning. That it is about an error stays to be seen.
std::string cut(std::string_view line) {
    std::string kept = shortened(std::string(line.substr(0, most_of_a_line + 1)), most_of_a_line);
    return kept + (has_error(line) && !has_error(kept) ? " error: …\n" : "\n");
}

} // namespace

void Said::add(std::string_view line) {
    std::string kept = cut(line);
    if (end_.empty() && begin_.size() + kept.size() <= most_at_an_end) {
        begin_ += kept;
        return;
    }
    in_end_ += kept.size();
    end_.push_back(std::move(kept));
    for (; in_end_ > most_at_an_end; end_.pop_front(), cut_ = true) {
        in_end_ -= end_.front().size();
        if (error_.empty() && has_error(end_.front())) {
            error_ = std::move(end_.front());
        }
    }
}

std::string Said::text() const {
    std::string all = begin_ + (cut_ ? "…\n" + error_ : "");
    for (const std::string& line : end_) {
        all += line;
    }
    return all;
}

std::string said_in(std::string_view text) {
    Said said;
    while (!text.empty()) {
        said.add(take_line(text));
    }
    return said.text();
}

std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

} // namespace course
