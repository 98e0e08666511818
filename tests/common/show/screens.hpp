#pragma once

#include "show/terminal.hpp"

#include <sstream>
#include <string>

// The terminals that the tests draw for, and helpers to search a drawing.

inline const show::Terminal ascii{};
inline const show::Terminal unicode{show::Colours::none, true, 80};
inline const show::Terminal ansi256{show::Colours::ansi256, true, 80};
inline const show::Terminal true_colour{show::Colours::true_colour, true, 80};

inline show::Terminal of_width(show::Terminal terminal, std::size_t width) {
    terminal.width = width;
    return terminal;
}

/// The output of a drawing function.
template <class Draw>
std::string drawn(const Draw& draw) {
    std::ostringstream out;
    draw(out);
    return out.str();
}

/// One line of a drawing; the first is 0.
inline std::string line(const std::string& text, std::size_t index) {
    std::istringstream stream(text);
    std::string result;
    for (std::size_t i = 0; i <= index; ++i) {
        std::getline(stream, result);
    }
    return result;
}

inline bool has_escape(const std::string& text) {
    return text.find('\x1b') != std::string::npos;
}

inline bool has_trailing_space(const std::string& text) {
    return text.find(" \n") != std::string::npos;
}

inline std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}
