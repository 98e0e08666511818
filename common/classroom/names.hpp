#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace classroom {

/// The tokens of C++ text without comments; a string or character as one that begins with a quote,
/// "->" as one, an #include as two: "#include" and what it names, with its quotes.
struct Tokens {
    std::vector<std::string> all;
    bool plain = true; // false: something is in it that these rules do not see through; the tokens
                       // are those of a reader who looks no closer
};

Tokens tokens_of(const std::string& text);

/// Whether a token is a name, or a word of the language.
bool is_name(const std::string& token);

/// A name that a text declares for whoever comes after it in the same compilation.
struct Declaration {
    std::string name;
    std::string space; // the namespace it is in; "" outside of all
    std::string alias; // the statement, if it is one that begins with using
    enum class Kind { other, type, function, space } kind = Kind::other;
};

/// All of them, outside of bodies. Rather a name too many than one too few.
struct Declared {
    std::vector<Declaration> all;
    bool plain = true;   // false: there may be more, or it may reach further
    bool starts = false; // something of it may run before anything is called: a variable's value
};

Declared declared_in(const Tokens& tokens);

} // namespace classroom
