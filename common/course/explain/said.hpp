#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace course {

/// What a compiler has said, as much of it as tells something: of a line the first 16 KiB, and of
/// many lines the first and the last, and between them the first that is about an error. A macro
/// that repeats a text makes a message of many megabytes from a few lines.
class Said {
public:
    void add(std::string_view line); // without its newline
    std::string text() const;

private:
    std::string begin_;
    std::string error_; // the first line with one that is in neither
    std::deque<std::string> end_;
    std::size_t in_end_ = 0; // bytes
    bool cut_ = false;       // something is in none of them
};

/// So much of a text.
std::string said_in(std::string_view text);

/// Takes the first line from a text, and returns it without its newline.
std::string_view take_line(std::string_view& text);

} // namespace course
