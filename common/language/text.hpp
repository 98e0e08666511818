#pragma once

#include "language/model.hpp"

#include <map>
#include <string>
#include <vector>

namespace language {

/// The characters that occur in a text, numbered in the order of their code points. A character is
/// what UTF-8 writes as one: "é" is one, of two bytes.
class Characters {
public:
    /// Throws std::invalid_argument if the text is empty; it must be UTF-8.
    explicit Characters(const std::string& text);

    std::size_t size() const { return characters_.size(); }
    /// One of them, in UTF-8.
    const std::string& character(std::size_t id) const { return characters_.at(id); }

    /// Throws std::invalid_argument, which names it, if a character is not among them; and if the
    /// text is not UTF-8.
    Ids encode(const std::string& text) const;
    std::string decode(const Ids& ids) const;

private:
    std::vector<std::string> characters_;
    std::map<std::string, std::size_t> ids_;
};

/// A text as a terminal may have it: its lines and tabs, and '?' for what a terminal would obey.
std::string shown(const std::string& text);

/// A text to learn from: the first nine tenths, and to be tested on: the rest.
struct Text {
    Characters characters;
    Ids train, valid;
};

/// Throws std::invalid_argument if either part has not more than `context` characters.
Text split_text(const std::string& text, std::size_t context);

/// Small stories that the project makes, for learners without a text of their own: somebody loses
/// something, somebody asks, and somebody finds it. Each name, thing or place that occurs comes
/// back later in its story. The seed decides everything.
///   returns stories of at least n_characters together, a blank line after each
std::string make_stories(std::size_t n_characters, std::uint64_t seed);

} // namespace language
