#include "judge/rule_of_sizes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace judge {

const std::vector<Rule::Comparison>& Rule::comparisons() {
    static const std::vector<Comparison> all{
        {"{} is not {}", [](double a, double b) { return a != b; }},
        {"{} is larger than {}", [](double a, double b) { return a > b; }},
        {"{} is smaller than {}", [](double a, double b) { return a < b; }},
        {"{} is {}", [](double a, double b) { return a == b; }},
        {"{} is {} or larger", [](double a, double b) { return a >= b; }},
        {"{} is {} or smaller", [](double a, double b) { return a <= b; }}};
    return all;
}

std::string Rule::find(Beside beside) const {
    std::string found;
    for (std::size_t a = 0; !calls_.empty() && a < calls_.front().sizes.size(); ++a) {
        for (std::size_t b = a + 1; b < calls_.front().sizes.size(); ++b) {
            for (const Comparison& comparison : comparisons()) {
                if (holds(comparison, a, b, beside)) {
                    if (!found.empty()) {
                        return beside == Beside::as_well ? found : "";
                    }
                    found =
                        fmt::format(fmt::runtime(comparison.text), calls_.front().sizes[a].first,
                                    calls_.front().sizes[b].first);
                }
            }
        }
    }
    return found;
}

std::string Rule::find_small(Beside beside) const {
    struct Small {
        const char* text;
        bool (*holds)(double size);
    };
    for (const Small small : {Small{"0", [](double size) { return size == 0; }},
                              Small{"1", [](double size) { return size == 1; }},
                              Small{"0 or 1", [](double size) { return size <= 1; }}}) {
        for (std::size_t a = 0; !calls_.empty() && a < calls_.front().sizes.size(); ++a) {
            bool all = true;
            for (std::size_t i = 0; i < calls_.size(); ++i) {
                all = all && expected(i, small.holds(calls_[i].sizes.at(a).second), beside) ==
                                 fulfilled_[i];
            }
            if (all) {
                return fmt::format("{} is {}", calls_.front().sizes[a].first, small.text);
            }
        }
    }
    return "";
}

bool Rule::expected(std::size_t i, bool rule, Beside beside) const {
    return beside == Beside::alone     ? rule
           : beside == Beside::as_well ? rule || should_be_[i]
                                       : rule && should_be_[i];
}

bool Rule::holds(const Comparison& comparison, std::size_t a, std::size_t b, Beside beside) const {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const auto& sizes = calls_[i].sizes;
        if (std::max(a, b) >= sizes.size() ||
            expected(i, comparison.holds(sizes[a].second, sizes[b].second), beside) !=
                fulfilled_[i]) {
            return false;
        }
    }
    return true;
}

} // namespace judge
