// What wrong answers look like, each element by itself.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/looks_table.hpp"
#include "judge/text.hpp"

namespace judge {

namespace {

using S = std::size_t;

struct ElementRow {
    const char* name;
    const char* sentence;
    double (*of)(double);
    bool always = false;
};

const std::vector<ElementRow> element_rows{
    {"all_zero",
     "the answer is always 0. "
     "Does the computed value never reach the result, or is it multiplied by 0? "
     "1 / 2 is a division of integers and gives 0, and so does a number minus itself.",
     [](double) { return 0.0; }, true},
    {"negated", "every element has the wrong sign, and the right size.",
     [](double x) { return -x; }},
    {"without_sign", "the elements have lost their signs, and are right otherwise.",
     [](double x) { return std::abs(x); }},
    {"negatives_cut_off", "numbers that should be negative are 0, and the rest is right.",
     [](double x) { return std::max(x, 0.0); }, true},
    {"positives_cut_off", "numbers that should be positive are 0, and the rest is right.",
     [](double x) { return std::min(x, 0.0); }, true},
    {"exponential", "every element is exp of what it should be.",
     [](double x) { return std::exp(x); }},
    {"logarithm", "every element is the logarithm of what it should be.",
     [](double x) { return std::log(x); }},
    {"one_minus", "every element is 1 minus what it should be.", [](double x) { return 1 - x; }},
    {"cut_to_whole_numbers",
     "the elements are cut to whole numbers. "
     "Is an integer type used for them somewhere?",
     [](double x) { return std::trunc(x); }}};

LookTest each_element(std::function<double(double)> of) {
    return [of = std::move(of)](const Pair& pair) -> std::optional<Grid> {
        Grid result = pair.expected;
        std::ranges::transform(result.numbers, result.numbers.begin(), of);
        // Many things make a 1 of a 0, as exp does.
        return is_all_zero(pair.expected) && of(0) != 0 ? std::nullopt : std::optional(result);
    };
}

/// What the largest finite element of an answer shows.
std::optional<double> by_the_largest(const Pair& pair, double (*solve)(double, double)) {
    double found = NAN, size = -1;
    for (S i = 0; i < std::min(pair.yours.numbers.size(), pair.expected.numbers.size()); ++i) {
        const double yours = pair.yours.numbers[i], expected = pair.expected.numbers[i];
        if (std::isfinite(expected) && std::isfinite(yours) && std::abs(expected) > size) {
            size = std::abs(expected);
            found = solve(yours, expected);
        }
    }
    return std::isfinite(found) ? std::optional(found) : std::nullopt;
}

std::optional<double> factor_of(const Pair& pair) {
    return by_the_largest(pair, [](double yours, double expected) { return yours / expected; });
}

std::optional<double> difference_of(const Pair& pair) {
    return by_the_largest(pair, [](double yours, double expected) { return yours - expected; });
}

std::optional<Grid> times_its_factor(const Pair& pair) {
    const double factor = factor_of(pair).value_or(0);
    const auto not_zero =
        std::ranges::count_if(pair.expected.numbers, [](double x) { return x != 0; });
    return factor == 0 || not_zero < 2 ? std::nullopt
                                       : each_element([=](double x) { return factor * x; })(pair);
}

std::string factor_text(double factor) {
    const double inverse = std::round(1 / factor);
    return std::abs(factor - 0.5) < 1e-9    ? "half of"
           : std::abs(factor - 0.25) < 1e-9 ? "a quarter of"
           : std::abs(factor) < 0.1 && std::abs(1 / factor - inverse) < 1e-9
               ? fmt::format("1/{:g} of", inverse)
               : number_text(factor) + " times";
}

struct FactorRow {
    const char* sentence; // {} is a size of the arguments
    double (*of)(double size);
};

const std::vector<FactorRow> factor_rows{
    {"every element is what it should be, divided by {}.", [](double n) { return 1 / n; }},
    {"every element is {} times what it should be.", [](double n) { return n; }},
    {"every element is what it should be, divided by the root of {}.",
     [](double n) { return 1 / std::sqrt(n); }},
    {"every element is what it should be, times the root of {}.",
     [](double n) { return std::sqrt(n); }}};

/// The one way in which the factor goes with a size of the arguments, if there is one, and not two.
/// Of sizes that are always alike, as the columns of A and the rows of B in A · B, the first.
std::string factor_sentence(const Pairs& wrong) {
    const char* const no_rule =
        "in each answer all elements are off by the same factor, which differs from answer to answer: a factor or divisor is wrong or missing, and nothing else is wrong.";
    std::string sentence = no_rule;
    const FactorRow* found = nullptr;
    std::vector<double> its_sizes;
    for (const FactorRow& row : factor_rows) {
        for (S k = 0; k < wrong.front().sizes.size(); ++k) {
            std::vector<double> sizes;
            const bool holds = std::ranges::all_of(wrong, [&](const Pair& pair) {
                sizes.push_back(k < pair.sizes.size() ? pair.sizes[k].second : NAN);
                return std::abs(factor_of(pair).value_or(NAN) / row.of(sizes.back()) - 1) < 1e-9;
            });
            if (holds && found != nullptr && (found != &row || its_sizes != sizes)) {
                return no_rule;
            }
            if (holds && found == nullptr) {
                found = &row;
                its_sizes = sizes;
                sentence = fmt::format(fmt::runtime(row.sentence), wrong.front().sizes[k].first);
            }
        }
    }
    return sentence;
}

/// A double that was never set is -5.3e303 here: the compiler fills it.
bool is_never_set(double x) {
    const double size = std::abs(x);
    return (size > 1e302 && size < 1e306) || (size > 1e-306 && size < 1e-301);
}

/// What the first answer tells that is further than this from `none`.
std::optional<double> first_of(const Pairs& wrong, std::optional<double> (*tell)(const Pair&),
                               double none, double further) {
    for (const Pair& pair : wrong) {
        const auto told = tell(pair);
        if (told && *told != 0 && std::abs(*told - none) > further && std::abs(*told) < 1e100) {
            return told;
        }
    }
    return std::nullopt;
}

// How exact the numbers are.

/// The largest error of an element, as a share of it, or of the answer where it is what
/// cancellation left; inf if the shape is wrong, or a number is no number.
double largest_share_off(const Pair& pair) {
    double size = 0, largest = pair.same_shape() ? 0 : HUGE_VAL;
    for (const double expected : pair.expected.numbers) {
        size = std::isfinite(expected) ? std::max(size, std::abs(expected)) : size;
    }
    for (S i = 0; std::isfinite(largest) && i < pair.expected.numbers.size(); ++i) {
        const double yours = pair.yours.numbers[i], expected = pair.expected.numbers[i];
        const double share = yours == expected ? 0
                                               : std::abs(yours - expected) /
                                                     std::max(std::abs(expected), 1e-3 * size);
        largest = std::isfinite(share) ? std::max(largest, share) : HUGE_VAL;
    }
    return largest;
}

constexpr double nearly_right = 1e-3;

} // namespace

std::vector<LookRow> looks_of_elements(const Pairs& wrong) {
    std::vector<LookRow> rows{
        {"never_set",
         "the answer comes from a variable that was never given a value: double sum; starts with whatever was in memory before (here, a number near 1e303). "
         "Write double sum = 0;.",
         [](const Pair& pair) {
             const bool shows =
                 pair.same_shape() && std::ranges::any_of(pair.yours.numbers, is_never_set);
             return std::optional(shows ? pair.yours : pair.expected);
         }}};
    for (const ElementRow& row : element_rows) {
        rows.push_back({row.name, row.sentence, each_element(row.of), false, row.always});
    }
    if (const auto factor = first_of(wrong, factor_of, 1, 1e-5)) { // else it is one of digits
        rows.push_back({"one_factor",
                        fmt::format("every element is {} what it should be.", factor_text(*factor)),
                        each_element([=](double x) { return *factor * x; })});
        rows.push_back({"a_factor", factor_sentence(wrong), times_its_factor});
    }
    if (const auto difference = first_of(wrong, difference_of, 0, 0)) {
        rows.push_back(
            {"one_difference",
             fmt::format("every element is {} too {}.", number_text(std::abs(*difference)),
                         *difference > 0 ? "large" : "small"),
             each_element([=](double x) { return x + *difference; })});
    }
    return rows;
}

std::optional<LookRow> look_of_digits(const Pairs& wrong) {
    double largest = 0;
    for (const Pair& pair : wrong) {
        const double share = largest_share_off(pair);
        largest = share <= nearly_right ? std::max(largest, share) : largest;
    }
    if (largest == 0 || largest > 1e-4) {
        return std::nullopt;
    }
    return LookRow{
        "a_few_digits",
        fmt::format(
            "the numbers are right to about {:.0f} digits, and no further. "
            "A float has 7 digits, and one float is enough to lose the others: a variable, a literal such as 0.5f, a function that returns float. Digits are also lost by a constant with few decimals, an approximation (if only in a part of a function's range), a small number that is added, or differences over a small step.",
            std::floor(-std::log10(largest))),
        [](const Pair& pair) {
            return std::optional(largest_share_off(pair) <= nearly_right ? pair.yours
                                                                         : pair.expected);
        }};
}

} // namespace judge
