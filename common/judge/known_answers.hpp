#pragma once

#include <map>
#include <string>
#include <tuple>

#include "judge/outcome.hpp"
#include "judge/value.hpp"

namespace judge {

/// What a lesson's misconceptions program has answered, kept where one run of a grader grades many
/// submissions: it asks each of them the same calls, and holds their answers against the same
/// known mistakes.
class KnownAnswers {
public:
    /// A call, by which its answers are found again; variant: a misconception, or empty for the
    /// reference.
    struct Key {
        std::string function;
        std::string variant;
        std::size_t bytes; // that the arguments take
        std::size_t hash;  // of those

        friend bool operator<(const Key& a, const Key& b) {
            return std::tie(a.bytes, a.hash, a.variant, a.function) <
                   std::tie(b.bytes, b.hash, b.variant, b.function);
        }
    };
    static Key key(const std::string& function, const List& arguments);

    /// The answer, or nullptr.
    const Outcome* find(const Key& key) const;
    void add(const Key& key, const Outcome& answer);

private:
    std::map<Key, Outcome> answers_;
    std::size_t bytes_ = 0;
};

} // namespace judge
