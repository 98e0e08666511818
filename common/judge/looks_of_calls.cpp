// What the calls have in common that are wrong, fail, or are not refused.

#include "judge/looks_of_calls.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/text.hpp"

namespace judge {

namespace {

constexpr std::size_t enough_calls = 20;      // to see which rule a check follows
constexpr std::size_t enough_right_calls = 5; // answers, to see what the wrong ones have in common
constexpr double nearly_always_right = 4;     // a size up to which nearly any mistake is right
constexpr double much_larger = 4;             // times, to blame the size for the time
constexpr const char* refusal = "std::invalid_argument";

bool answers(const Outcome& outcome) {
    return std::holds_alternative<Returned>(outcome);
}

bool refuses(const Outcome& outcome) {
    const Threw* threw = std::get_if<Threw>(&outcome);
    return threw != nullptr && threw->type == refusal;
}

Look look(const std::string& name, const std::string& sentence, std::size_t calls) {
    return {name, sentence, calls, calls};
}

// A condition on sizes that is true for some calls, and not for the others --------------------

struct MarkedCall {
    Sizes sizes;
    bool marked;
};
using MarkedCalls = std::vector<MarkedCall>;

template <class Condition>
bool marks(const MarkedCalls& calls, const Condition& condition) {
    return std::all_of(calls.begin(), calls.end(), [&](const MarkedCall& call) {
        return condition(call.sizes) == call.marked;
    });
}

/// The one comparison of two sizes that is true for the marked calls alone; "" if there is none, or
/// more than one.
std::string comparison_in(const MarkedCalls& calls) {
    struct Comparison {
        const char* text; // the first size, the second
        bool (*holds)(double a, double b);
    };
    static const std::vector<Comparison> comparisons{
        {"{} is not {}", [](double a, double b) { return a != b; }},
        {"{} is larger than {}", [](double a, double b) { return a > b; }},
        {"{} is smaller than {}", [](double a, double b) { return a < b; }},
        {"{} is {}", [](double a, double b) { return a == b; }},
        {"{} is {} or larger", [](double a, double b) { return a >= b; }},
        {"{} is {} or smaller", [](double a, double b) { return a <= b; }}};
    std::string found;
    const Sizes& names = calls.front().sizes;
    for (std::size_t a = 0; a < names.size(); ++a) {
        for (std::size_t b = a + 1; b < names.size(); ++b) {
            for (const Comparison& comparison : comparisons) {
                if (!marks(calls, [&](const Sizes& sizes) {
                        return b < sizes.size() &&
                               comparison.holds(sizes[a].second, sizes[b].second);
                    })) {
                    continue;
                }
                if (!found.empty()) {
                    return "";
                }
                found = fmt::format(fmt::runtime(comparison.text), names[a].first, names[b].first);
            }
        }
    }
    return found;
}

std::string one_size_in(const MarkedCalls& calls) {
    const Sizes& names = calls.front().sizes;
    for (std::size_t a = 0; a < names.size(); ++a) {
        if (marks(calls, [=](const Sizes& sizes) { return sizes[a].second == 1; })) {
            return fmt::format("{} is 1", names[a].first);
        }
    }
    return "";
}

std::string equal_sizes_in(const MarkedCalls& calls) {
    const Sizes& names = calls.front().sizes;
    for (std::size_t a = 0; a < names.size(); ++a) {
        for (std::size_t b = a + 1; b < names.size(); ++b) {
            const auto equal = [=](const Sizes& sizes) {
                return sizes[a].second == sizes[b].second;
            };
            const bool always = // they have to be equal, and say nothing
                std::all_of(calls.begin(), calls.end(),
                            [&](const MarkedCall& call) { return equal(call.sizes); });
            const auto above_1 = [=](const Sizes& sizes) { // of one row much is alike
                return equal(sizes) && sizes[a].second > 1;
            };
            if (!always && (marks(calls, equal) || marks(calls, above_1))) {
                return fmt::format("{} is {}", names[a].first, names[b].first);
            }
        }
    }
    return "";
}

/// "in all calls made so far, the answer is right where … or less, and wrong where … or more."
std::string limit_in(const MarkedCalls& calls) {
    const Sizes& names = calls.front().sizes;
    for (std::size_t a = 0; a < names.size(); ++a) {
        double right_to = 0, wrong_from = HUGE_VAL;
        for (const MarkedCall& call : calls) {
            const double size = call.sizes[a].second;
            (call.marked ? wrong_from : right_to) =
                call.marked ? std::min(wrong_from, size) : std::max(right_to, size);
        }
        if (right_to >= nearly_always_right && right_to < wrong_from) {
            return fmt::format(
                "in all calls made so far, the answer is right where {} is {:g} or less, and wrong where it is {:g} or more.",
                names[a].first, right_to, wrong_from);
        }
    }
    return "";
}

std::string wrong_only_where(const std::string& condition) {
    return fmt::format("the answer is wrong where {}, and right in all other calls that were made.",
                       condition);
}

std::string what_wrong_calls_share(const MarkedCalls& calls) {
    for (const std::string& condition : {one_size_in(calls), equal_sizes_in(calls)}) {
        if (!condition.empty()) {
            return wrong_only_where(condition);
        }
    }
    return limit_in(calls);
}

/// Where all that is wrong was called with the last argument, which may be left out, and what was
/// called without it is right.
std::optional<Look> look_of_the_last_argument(const std::vector<AnsweredCall>& calls) {
    std::size_t without = 0, with = 0, wrong = 0;
    for (const AnsweredCall& call : calls) {
        if (call.arguments.empty() || call.parameters.size() != call.arguments.size()) {
            return std::nullopt;
        }
        const bool given = !std::holds_alternative<std::monostate>(call.arguments.back().data);
        if (!given && !call.right) {
            return std::nullopt;
        }
        ++(given ? with : without);
        wrong += call.right ? 0 : 1;
    }
    if (without < enough_right_calls || wrong < 2) {
        return std::nullopt;
    }
    return look("wrong_with_the_last_argument",
                fmt::format("without {0}, all answers are right; with one, {1} are wrong. "
                            "Is all of {0} used, and nothing more?",
                            calls.front().parameters.back(),
                            wrong == with ? "all" : fmt::format("{} of {}", wrong, with)),
                calls.size());
}

// Calls that are to be refused ---------------------------------------------------------------

/// The right exception, which says too little.
Look look_of_its_text(const EndedCall& failing, const std::string& text, std::size_t calls) {
    const std::vector<NumberInText> numbers = whole_numbers_in(text);
    std::vector<std::string> missing;
    for (const auto& [name, size] : failing.sizes) {
        if (std::none_of(numbers.begin(), numbers.end(), [&, wanted = size](const auto& number) {
                return static_cast<double>(number.value) == wanted;
            })) {
            missing.push_back(name);
        }
    }
    if (missing.empty()) {
        return look(
            "sizes_turned_around",
            "the exception is the right one, and its text has all the sizes, but not in the order of a shape: write the number of rows first, then the number of columns.",
            calls);
    }
    return look("sizes_missing",
                fmt::format("the exception is the right one, but its text does not say {}.{}",
                            fmt::join(missing, ", nor "),
                            missing.size() < failing.sizes.size() ? " Or is the text cut?" : ""),
                calls);
}

/// What ends a call that nobody refuses: an index out of range, as xtensor and at() check it, or
/// another error of a library's own. "" if the exception may be meant as a refusal.
std::string accident_of(const Threw& threw) {
    const auto says = [&](const char* text) { return threw.what.find(text) != std::string::npos; };
    if (says("out of bounds for axis") || says("_M_range_check: ") || says("array::at: ") ||
        says("Out of range in uvector access") || says("Out of range in svector access")) {
        return "an index goes out of range in it";
    }
    if (threw.type.starts_with("xt::") || says("Assertion error!\n") ||
        says("Precondition violation!\n")) {
        return "an error in xtensor ends it";
    }
    return threw.type.starts_with("std::bad_") ? fmt::format("{} ends it", threw.type) : "";
}

Look look_of_another_exception(const Threw& threw, std::size_t calls) {
    const std::string accident = accident_of(threw);
    return accident.empty()
               ? look(
                     "another_exception",
                     fmt::format(
                         "it throws an exception of another type: the contract requires std::invalid_argument, and this is {:.60}.",
                         threw.type),
                     calls)
               : look("not_refused",
                      fmt::format("the call is not refused: {}. "
                                  "Is a check of the sizes missing, or does it come too late? "
                                  "Throw std::invalid_argument before anything is computed.",
                                  accident),
                      calls);
}

/// What is to be refused gets an answer, or another exception.
std::optional<Look> look_of_refusals(const std::vector<EndedCall>& calls,
                                     const EndedCall& failing) {
    std::size_t to_refuse = 0, answered = 0;
    for (const EndedCall& call : calls) {
        to_refuse += refuses(call.expected) ? 1 : 0;
        answered += refuses(call.expected) && answers(call.actual) ? 1 : 0;
    }
    if (answered == to_refuse) {
        return look(
            "nothing_refused",
            "invalid arguments are accepted: throw std::invalid_argument before anything is computed, as the contract says.",
            to_refuse);
    }
    if (answers(failing.actual)) {
        return look(
            "refused_in_part",
            "some invalid arguments are accepted: the check does not cover all that the contract names.",
            to_refuse);
    }
    const Threw* threw = std::get_if<Threw>(&failing.actual);
    if (threw != nullptr && threw->type != refusal) {
        return look_of_another_exception(*threw, to_refuse);
    }
    return threw == nullptr || failing.sizes.empty()
               ? std::nullopt
               : std::optional(look_of_its_text(failing, threw->what, to_refuse));
}

// Calls that fail although they should answer -------------------------------------------------

bool says(const Outcome& outcome, const char* text) {
    const Threw* threw = std::get_if<Threw>(&outcome);
    return threw != nullptr && threw->what.find(text) != std::string::npos;
}

bool index_too_far(const Outcome& outcome) {
    return says(outcome, "out of bounds for axis");
}

Look look_of_an_index(const EndedCall& failing, bool all_fail, std::size_t calls) {
    if (says(failing.actual, "with size 0")) {
        return look(
            "written_to_an_empty_array",
            "an array without elements is read or written. "
            "One that is only declared, Matrix result;, has none: make it with its shape. "
            "A view has none if its xt::range(first, end) ends before it begins: the second number is not a count, but the first index that is left out.",
            calls);
    }
    if (all_fail && calls > 1) {
        return look("an_index_too_far",
                    "in every call an index is as large as its axis, or larger. "
                    "Does a loop run to <= where < belongs, or over the size of another axis? "
                    "Indices count from 0, and the last is one less than the size.",
                    calls);
    }
    return look(
        "an_index_of_another_axis",
        "with some sizes, but not with all, an index is too large for its axis. "
        "Does a loop run over the size of another array or axis, or are two indices swapped?",
        calls);
}

/// The library's function that refuses, if its text says that it is not the one that was called:
/// "attention: Q and K must share d_k, got 1 and 0; Q is (1, 1), K is (2, 0)".
std::string refused_by(const EndedCall& failing) {
    const std::string& text = std::get<Threw>(failing.actual).what;
    const std::string name = text.substr(0, text.find(": "));
    const bool is_name =
        !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
            return std::isalnum(c) != 0 || c == '_';
        });
    return is_name && name != failing.function && says(failing.actual, "; ") &&
                   says(failing.actual, " is (")
               ? name
               : "";
}

Look look_of_a_refusal(const EndedCall& failing, const std::string& rule, std::size_t calls) {
    const std::string refuser = refused_by(failing);
    if (!rule.empty()) {
        return look("refuses_what_fits",
                    fmt::format("it refuses the calls where {}, and no others.", rule), calls);
    }
    if (refuser.empty()) {
        return look("refuses_what_fits",
                    "it refuses arguments that the contract allows. "
                    "Is there a condition too many, or a wrong one? "
                    "Or are arrays, or parts of them, used together that do not fit each other?",
                    calls);
    }
    const bool empty = says(failing.actual, ", 0)") || says(failing.actual, " is (0,");
    return look(
        "parts_that_do_not_fit",
        fmt::format(
            "{} refuses the arguments that it gets, as the text says.{}", refuser,
            empty
                ? " One of them is empty, for example a view whose xt::range(first, end) ends before it begins (the second number is not a count), or begins past the last column."
                : " Two of them do not fit each other. "
                  "Is one transposed, cut to another size, or exchanged with the other?"),
        calls);
}

std::optional<Look> look_of_calls_that_fail(const std::vector<EndedCall>& calls,
                                            const EndedCall& failing) {
    MarkedCalls to_answer; // marked where they fail
    bool all_fail = true, all_too_far = true;
    for (const EndedCall& call : calls) {
        // Along an axis of size 1 xtensor lets any index pass.
        const bool stretches = std::any_of(call.sizes.begin(), call.sizes.end(),
                                           [](const auto& size) { return size.second == 1; });
        if (!answers(call.expected) || (stretches && answers(call.actual))) {
            continue;
        }
        const bool fails = !answers(call.actual);
        to_answer.push_back({call.sizes, fails});
        all_fail = all_fail && fails;
        all_too_far = all_too_far && (!fails || index_too_far(call.actual));
    }
    if (all_too_far && index_too_far(failing.actual)) {
        return look_of_an_index(failing, all_fail, to_answer.size());
    }
    if (!refuses(failing.actual)) {
        return std::nullopt;
    }
    const std::string rule = to_answer.size() < enough_calls ? "" : comparison_in(to_answer);
    return look_of_a_refusal(failing, rule, to_answer.size());
}

/// A function that only says whether its arguments fit: by the rule that it follows instead.
std::optional<Look> look_of_a_check(const std::vector<EndedCall>& calls) {
    MarkedCalls refused;
    bool as_it_should = true;
    for (const EndedCall& call : calls) {
        if (!refuses(call.actual) && !answers(call.actual)) {
            return std::nullopt;
        }
        refused.push_back({call.sizes, refuses(call.actual)});
        as_it_should = as_it_should && refuses(call.actual) == refuses(call.expected);
    }
    const std::string rule =
        as_it_should || calls.size() < enough_calls ? "" : comparison_in(refused);
    return rule.empty() ? std::nullopt
                        : std::optional(look(
                              "another_rule",
                              fmt::format("it refuses the calls where {}, and no others.", rule),
                              calls.size()));
}

bool returns_nothing(const std::vector<EndedCall>& calls) {
    return std::any_of(calls.begin(), calls.end(), [](const EndedCall& call) {
        const Returned* returned = std::get_if<Returned>(&call.expected);
        return returned != nullptr && std::holds_alternative<std::monostate>(returned->value.data);
    });
}

} // namespace

std::optional<Look> look_of_failures(const std::vector<EndedCall>& calls,
                                     const EndedCall& failing) {
    auto rule = returns_nothing(calls) ? look_of_a_check(calls) : std::nullopt;
    return rule                        ? rule
           : refuses(failing.expected) ? look_of_refusals(calls, failing)
                                       : look_of_calls_that_fail(calls, failing);
}

std::optional<Look> look_of_a_thrown_pointer(const Outcome& actual, const Outcome& expected) {
    const Threw* threw = std::get_if<Threw>(&actual);
    if (threw == nullptr || !refuses(expected) || !threw->type.starts_with("std::") ||
        !threw->type.ends_with("*")) {
        return std::nullopt;
    }
    return look("throws_a_pointer",
                fmt::format("it throws a pointer, {:.60}, not a std::invalid_argument. "
                            "Write throw std::invalid_argument(…), without new.",
                            threw->type),
                1);
}

std::optional<Look> look_of_sizes(const std::vector<AnsweredCall>& answers) {
    MarkedCalls calls; // marked where they are wrong
    std::size_t right = 0;
    std::size_t common = 64; // an argument that may be left out comes last, and has no sizes then
    for (const AnsweredCall& answer : answers) {
        if (!answer.actual) {
            return std::nullopt;
        }
        right += answer.right ? 1 : 0;
        calls.push_back({sizes_of(answer.parameters, answer.arguments), !answer.right});
        common = std::min(common, calls.back().sizes.size());
    }
    if (right < enough_right_calls || right == calls.size()) {
        return std::nullopt;
    }
    for (MarkedCall& call : calls) {
        call.sizes.resize(common);
    }
    const std::string found = what_wrong_calls_share(calls);
    return found.empty() ? look_of_the_last_argument(answers)
                         : std::optional(look("certain_sizes", found, calls.size()));
}

std::optional<Look> look_of_slow_calls(const std::vector<EndedCall>& calls) {
    std::size_t returned = 0;
    std::map<std::string, double> largest; // of those that return
    for (const EndedCall& call : calls) {
        for (const auto& [name, size] : answers(call.actual) ? call.sizes : Sizes()) {
            largest[name] = std::max(largest[name], size);
        }
        returned += answers(call.actual) ? 1 : 0;
    }
    const RanTooLong* slow =
        calls.empty() ? nullptr : std::get_if<RanTooLong>(&calls.back().actual);
    if (returned < 3 || slow == nullptr || slow->all_calls) {
        return std::nullopt;
    }
    for (const auto& [name, size] : calls.back().sizes) {
        const bool of_an_array = name.starts_with("the ");
        if (of_an_array && size >= much_larger * largest[name]) {
            return Look{
                "too_slow_when_large",
                fmt::format(
                    "calls return where {} is at most {:.0f}, and this one, where it is {:.0f}, does not. "
                    "The time grows with the square of a size where something is recomputed for each element, such as the sum of a whole row: compute that once, before the loop. "
                    "Or a loop counter is too narrow: it wraps around before it reaches the end. "
                    "Use std::size_t.",
                    name, largest[name], size),
                returned, returned + 1};
        }
    }
    return std::nullopt;
}

} // namespace judge
