#pragma once

#include <string>
#include <vector>

#include "judge/looks_of_failures.hpp"

namespace judge {

/// How a rule stands beside the right one, which refuses what does not fit.
enum class Beside { alone, as_well, only };

/// The one comparison of two sizes that says of every call whether it is fulfilled; "" if there is
/// none, or more than one that are not the same.
class Rule {
public:
    Rule(const std::vector<Ended>& calls, const std::vector<bool>& fulfilled,
         const std::vector<bool>& should_be)
        : calls_(calls), fulfilled_(fulfilled), should_be_(should_be) {}

    std::string find(Beside beside) const;

    /// Of one size and a small number, beside the right rule: the first that holds. Others that do
    /// too are the same for whatever fits.
    std::string find_small(Beside beside) const;

private:
    struct Comparison {
        const char* text; // the first size, the second
        bool (*holds)(double a, double b);
    };
    static const std::vector<Comparison>& comparisons();

    bool expected(std::size_t i, bool rule, Beside beside) const;
    bool holds(const Comparison& comparison, std::size_t a, std::size_t b, Beside beside) const;

    const std::vector<Ended>& calls_;
    const std::vector<bool>& fulfilled_;
    const std::vector<bool>& should_be_;
};

} // namespace judge
