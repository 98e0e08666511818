#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/looks_of_arrays.hpp"
#include "judge/text.hpp"

namespace judge {

namespace {

using Map = double (*)(double);

std::optional<Grid> mapped(const Pair& pair, const std::function<double(double)>& map) {
    Grid result = pair.expected;
    for (double& number : result.numbers) {
        number = map(number);
    }
    return result;
}

struct NamedMap {
    const char* name;
    const char* explanation;
    Map map;
    bool of_large = false; // says something of numbers beyond 1 only
    bool always = false;   // Turn::always
};

// A number by itself, whatever the exercise is.
const std::vector<NamedMap> maps{
    {"all_zero",
     "every element is 0. Does what is computed never reach the result, or is it multiplied by 0? "
     "1 / 2, a division of integers, is 0, and so is what is subtracted from itself.",
     [](double) { return 0.0; }, false, true},
    {"negated", "every element has the wrong sign, and the right size.",
     [](double x) { return -x; }},
    {"without_sign", "the elements have lost their signs: they are right but for that.",
     [](double x) { return std::abs(x); }},
    {"negatives_cut_off", "what should be negative is 0, and the rest is right.",
     [](double x) { return std::max(x, 0.0); }, false, true},
    {"positives_cut_off", "what should be positive is 0, and the rest is right.",
     [](double x) { return std::min(x, 0.0); }, false, true},
    {"squared", "every element is the square of what it should be.",
     [](double x) { return x * x; }},
    {"square_root", "every element is the root of what it should be.",
     [](double x) { return std::sqrt(x); }},
    {"reciprocal", "every element is 1 divided by what it should be.",
     [](double x) { return 1 / x; }},
    {"exponential", "every element is exp of what it should be.",
     [](double x) { return std::exp(x); }},
    {"logarithm", "every element is the logarithm of what it should be.",
     [](double x) { return std::log(x); }},
    {"one_minus", "every element is 1 minus what it should be.", [](double x) { return 1 - x; }},
    {"hyperbolic_tangent", "every element is tanh of what it should be.",
     [](double x) { return std::tanh(x); }},
    {"sigmoid", "every element is 1 / (1 + exp(-x)) of what it should be.",
     [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"cut_to_whole_numbers",
     "the elements are cut to whole numbers. Does an integer type hold them somewhere, once they "
     "are computed?",
     [](double x) { return std::trunc(x); }, true},
    {"rounded_to_whole_numbers", "the elements are rounded to whole numbers.",
     [](double x) { return std::round(x); }, true},
    {"rounded_down", "the elements are rounded down to whole numbers.",
     [](double x) { return std::floor(x); }, true},
    {"rounded_up", "the elements are rounded up to whole numbers.",
     [](double x) { return std::ceil(x); }, true},
    {"between_minus_1_and_1", "elements beyond -1 and 1 are cut off there; the rest is right.",
     [](double x) { return std::clamp(x, -1.0, 1.0); }},
    {"between_0_and_1", "elements below 0 and above 1 are cut off there; the rest is right.",
     [](double x) { return std::clamp(x, 0.0, 1.0); }}};

/// A single number has no elements.
std::string explanation_of(const NamedMap& named, const std::vector<Pair>& wrong) {
    const bool numbers = std::all_of(wrong.begin(), wrong.end(),
                                     [](const Pair& pair) { return pair.expected.shape.empty(); });
    return numbers && named.name == std::string("all_zero")
               ? "it is always 0. Does what is computed never reach the result, or is it "
                 "multiplied by 0? 1 / 2, a division of integers, is 0, and so is what is "
                 "subtracted from itself."
               : named.explanation;
}

/// The one number c with got = of(expected, c) in every element that tells; nothing if it varies.
template <class Solve>
std::optional<double> constant(const Pair& pair, Solve solve) {
    double best = 0;
    double size = -1;
    for (std::size_t i = 0; i < std::min(pair.got.numbers.size(), pair.expected.numbers.size());
         ++i) {
        const double expected = pair.expected.numbers[i];
        if (std::isfinite(expected) && std::isfinite(pair.got.numbers[i]) &&
            std::abs(expected) > size) {
            size = std::abs(expected);
            best = solve(pair.got.numbers[i], expected);
        }
    }
    return size >= 0 && std::isfinite(best) ? std::optional(best) : std::nullopt;
}

std::optional<double> factor_of(const Pair& pair) {
    return constant(pair, [](double got, double expected) { return got / expected; });
}

Turn one_factor(double factor) {
    const std::string times =
        std::abs(factor - 0.5) < 1e-9    ? "half of"
        : std::abs(factor - 0.25) < 1e-9 ? "a quarter of"
        : std::abs(factor) < 0.1 && std::abs(1 / factor - std::round(1 / factor)) < 1e-9
            ? fmt::format("1/{:g} of", std::round(1 / factor))
            : number_text(factor) + " times";
    return {"one_factor", fmt::format("every element is {} what it should be.", times),
            [factor](const Pair& pair) {
                return mapped(pair, [factor](double x) { return factor * x; });
            }};
}

struct Law {
    const char* text; // {} is the size
    double (*of)(double);
};

const std::vector<Law> laws{
    {"what it should be, divided by {}", [](double n) { return 1 / n; }},
    {"{} times what it should be", [](double n) { return n; }},
    {"what it should be, divided by the root of {}", [](double n) { return 1 / std::sqrt(n); }},
    {"what it should be, times the root of {}", [](double n) { return std::sqrt(n); }},
    {"what it should be, divided by the square of {}", [](double n) { return 1 / (n * n); }},
    {"what it should be, divided by {} minus 1", [](double n) { return 1 / (n - 1); }},
    {"what it should be, divided by {} plus 1", [](double n) { return 1 / (n + 1); }}};

/// A factor that changes from answer to answer as a size of the arguments does: the one law that
/// fits, if there is one, and "" else. Of sizes that are always alike, as the columns of A and the
/// rows of B in A · B, the first.
std::string law_of(const std::vector<Pair>& wrong) {
    const Law* found = nullptr;
    std::size_t of = 0; // which size
    for (const Law& law : laws) {
        for (std::size_t k = 0; !wrong.empty() && k < wrong.front().sizes.size(); ++k) {
            bool holds = true, another = found != &law;
            for (const Pair& pair : wrong) {
                const auto factor = factor_of(pair);
                const double wanted = k < pair.sizes.size() ? law.of(pair.sizes[k].second) : 0;
                holds = holds && factor && std::abs(*factor / wanted - 1) < 1e-9;
                another = another || (holds && pair.sizes[k].second != pair.sizes[of].second);
            }
            if (holds && found != nullptr && another) {
                return "";
            }
            if (holds && found == nullptr) {
                found = &law;
                of = k;
            }
        }
    }
    return found == nullptr ? ""
                            : fmt::format(fmt::runtime(found->text), wrong.front().sizes[of].first);
}

/// Whether one factor, the same in each answer or not, explains several elements of most of them.
bool tells(const Pair& pair) {
    return std::count_if(pair.expected.numbers.begin(), pair.expected.numbers.end(),
                         [](double x) { return x != 0; }) > 1;
}

std::optional<Grid> of_one_factor(const Pair& pair) {
    const auto factor = factor_of(pair);
    if (!factor || *factor == 0 || !tells(pair)) {
        return std::nullopt;
    }
    return mapped(pair, [&](double x) { return *factor * x; });
}

Turn a_factor_each(const std::vector<Pair>& wrong) {
    std::string law = law_of(wrong);
    const bool nearly_right = std::all_of(wrong.begin(), wrong.end(), [](const Pair& pair) {
        const auto factor = factor_of(pair);
        return !factor || std::abs(*factor - 1) < 1e-5;
    });
    if (nearly_right) {
        return {"a_factor_near_1",
                "all elements are off by one factor that is nearly 1: a number that they are "
                "multiplied with or divided by is not exact. Is it kept in a float, or is "
                "something small added to it?",
                of_one_factor};
    }
    return {"a_factor",
            law.empty() ? "in each answer all elements are off by one factor, another "
                          "factor from answer to answer: what each is multiplied with "
                          "or divided by is wrong or left out, and nothing else is wrong."
                        : "every element is " + law + ".",
            of_one_factor};
}

Turn one_difference(double difference) {
    return {"one_difference",
            fmt::format("every element is {} too {}.", number_text(std::abs(difference)),
                        difference > 0 ? "large" : "small"),
            [difference](const Pair& pair) {
                return mapped(pair, [difference](double x) { return x + difference; });
            }};
}

Turn rounded(int decimals) {
    return {"rounded_to_decimals",
            fmt::format("the elements are rounded to {} decimals.", decimals),
            [decimals](const Pair& pair) {
                const double scale = std::pow(10, decimals);
                return mapped(pair, [scale](double x) { return std::round(x * scale) / scale; });
            }};
}

/// What is smaller than anything that is not 0 has become 0.
std::optional<Turn> small_ones_are_zero(const std::vector<Pair>& wrong) {
    double largest_lost = 0;
    for (const Pair& pair : wrong) {
        for (std::size_t i = 0;
             pair.got.shape == pair.expected.shape && i < pair.got.numbers.size(); ++i) {
            if (pair.got.numbers[i] == 0) {
                largest_lost = std::max(largest_lost, std::abs(pair.expected.numbers[i]));
            }
        }
    }
    if (largest_lost == 0 || largest_lost > 0.01) {
        return std::nullopt;
    }
    return Turn{
        "small_ones_are_zero",
        fmt::format("some small elements, up to {}, are 0. They are to be as exact as large "
                    "ones.",
                    number_text(largest_lost)),
        [largest_lost](const Pair& pair) {
            // What became 0 may depend on the others of its row.
            Grid predicted = pair.expected;
            const bool comparable = pair.got.shape == pair.expected.shape;
            for (std::size_t i = 0; comparable && i < predicted.numbers.size(); ++i) {
                double& number = predicted.numbers[i];
                number = pair.got.numbers[i] == 0 && std::abs(number) <= largest_lost ? 0 : number;
            }
            return std::optional(predicted);
        }};
}

/// The smaller ones of each row have become 0, and the others are divided by their sum again.
std::optional<Turn> small_ones_given_to_the_others(const std::vector<Pair>& wrong) {
    double largest_lost = 0;
    std::size_t rows_with_losses = 0;
    for (const Pair& pair : wrong) {
        for (std::size_t i = 0; pair.got.shape == pair.expected.shape && i < pair.got.rows(); ++i) {
            double lost = 0;
            for (std::size_t j = 0; j < pair.got.columns(); ++j) {
                lost = pair.got.at(i, j) == 0 ? std::max(lost, pair.expected.at(i, j)) : lost;
            }
            largest_lost = std::max(largest_lost, lost);
            rows_with_losses += lost > 0 ? 1 : 0;
        }
    }
    // In a row or two the smaller ones may be gone for another reason, such as where they stand.
    if (largest_lost == 0 || (largest_lost > 0.01 && rows_with_losses < 3)) {
        return std::nullopt;
    }
    const std::string what =
        largest_lost > 0.01
            ? "in each row only the largest elements are left, and the smaller "
              "ones are 0; "
            : fmt::format("some small elements, up to {}, are 0; ", number_text(largest_lost));
    return Turn{"small_ones_given_to_the_others",
                what +
                    "the others of their row are divided by their sum once more, so that it is 1 "
                    "again. Leave the small ones as they are.",
                [](const Pair& pair) -> std::optional<Grid> {
                    Grid predicted = pair.expected;
                    if (pair.got.shape != pair.expected.shape) {
                        return std::nullopt;
                    }
                    for (std::size_t i = 0; i < predicted.rows(); ++i) {
                        double sum = 0, kept = 0, lost = 0;
                        double least_kept = 1;
                        for (std::size_t j = 0; j < predicted.columns(); ++j) {
                            const double share = pair.expected.at(i, j);
                            const bool is_kept = pair.got.at(i, j) != 0;
                            sum += share;
                            kept += is_kept ? share : 0;
                            lost = is_kept ? lost : std::max(lost, share);
                            least_kept = is_kept ? std::min(least_kept, share) : least_kept;
                            predicted.at(i, j) = is_kept ? share : 0;
                        }
                        const bool are_shares = std::abs(sum - 1) < 1e-9;
                        if (!are_shares || lost > least_kept * (1 + 1e-9)) {
                            return pair.expected;
                        }
                        for (std::size_t j = 0; j < predicted.columns(); ++j) {
                            predicted.at(i, j) /= kept;
                        }
                    }
                    return predicted;
                }};
}

/// A variable of double that was never set holds -5.3e303 here: the compiler fills it.
bool from_a_variable_never_set(double x) {
    const double size = std::abs(x);
    return (size > 1e302 && size < 1e306) || (size > 1e-306 && size < 1e-301);
}

Turn never_set() {
    return {"never_set",
            "the answer comes of a variable that was never given a value: double sum; holds "
            "whatever was there before (here, something of 1e303). Write double sum = 0;.",
            [](const Pair& pair) -> std::optional<Grid> {
                const bool comparable = pair.got.shape == pair.expected.shape;
                for (std::size_t i = 0; comparable && i < pair.got.numbers.size(); ++i) {
                    if (!from_a_variable_never_set(pair.expected.numbers[i]) &&
                        from_a_variable_never_set(pair.got.numbers[i])) {
                        return pair.got;
                    }
                }
                return pair.expected;
            }};
}

} // namespace

std::vector<Turn> turns_of_accidents() {
    return {{"not_a_number",
             "where the answer is wrong there is NaN or an infinity in it. inf is given, or comes "
             "of what is too large or divided by 0; NaN comes of 0 / 0 (a sum that nothing is "
             "added to: does its loop reach the last element?), of inf / inf, inf - inf or 0 times "
             "inf (a weight of 0, and an infinite value), and of a negative number's root or "
             "logarithm.",
             [](const Pair& pair) -> std::optional<Grid> {
                 const auto finite = [](double x) { return std::isfinite(x); };
                 const auto all_finite = [&](const Grid& grid) {
                     return std::all_of(grid.numbers.begin(), grid.numbers.end(), finite);
                 };
                 return all_finite(pair.expected) && !all_finite(pair.got) ? pair.got
                                                                           : pair.expected;
             }}};
}

std::vector<Turn> turns_of_elements(const std::vector<Pair>& wrong) {
    std::vector<Turn> turns{never_set()};
    for (const NamedMap& named : maps) {
        turns.push_back({named.name, explanation_of(named, wrong),
                         [map = named.map](const Pair& pair) -> std::optional<Grid> {
                             const bool all_zero = std::all_of(
                                 pair.expected.numbers.begin(), pair.expected.numbers.end(),
                                 [](double number) { return number == 0; });
                             // What becomes of a 0, such as 1 of exp, many things make of it.
                             return all_zero && map(0) != 0 ? std::nullopt : mapped(pair, map);
                         },
                         false, named.always});
    }
    for (const Pair& pair : wrong) {
        if (const auto factor = factor_of(pair);
            factor && *factor != 0 && std::abs(*factor - 1) > 1e-5) {
            turns.push_back(one_factor(*factor));
            break;
        }
    }
    turns.push_back(a_factor_each(wrong));
    for (const Pair& pair : wrong) {
        const auto difference =
            constant(pair, [](double got, double expected) { return got - expected; });
        if (difference && *difference != 0 && std::abs(*difference) < 1e100) {
            turns.push_back(one_difference(*difference));
            break;
        }
    }
    for (int decimals = 1; decimals <= 9; ++decimals) {
        turns.push_back(rounded(decimals));
    }
    if (auto small = small_ones_are_zero(wrong)) {
        turns.push_back(std::move(*small));
    }
    if (auto small = small_ones_given_to_the_others(wrong)) {
        turns.push_back(std::move(*small));
    }
    return turns;
}

} // namespace judge
