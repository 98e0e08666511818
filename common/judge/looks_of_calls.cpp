// What the calls have in common that are wrong, fail, or are not refused.

#include "judge/looks_of_calls.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace judge {

namespace {

constexpr std::size_t enough_right_calls = 5; // to tell what the wrong ones have in common
constexpr const char* refusal = "std::invalid_argument";

bool answers(const Outcome& outcome) {
    return std::holds_alternative<Returned>(outcome);
}

bool refuses(const Outcome& outcome) {
    const Threw* threw = std::get_if<Threw>(&outcome);
    return threw != nullptr && threw->type == refusal;
}

Explanation look(const std::string& name, const std::string& sentence, std::size_t calls) {
    return {name, sentence, calls, calls, Certainty::look};
}

// Calls that are to be refused ---------------------------------------------------------------

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

Explanation look_of_another_exception(const Threw& threw, std::size_t calls) {
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

/// Invalid arguments are accepted, or cause another exception.
std::optional<Explanation> look_of_refusals(const std::vector<JudgedCall>& calls,
                                            const JudgedCall& failing) {
    std::size_t to_refuse = 0, answered = 0;
    for (const JudgedCall& call : calls) {
        to_refuse += refuses(call.right) ? 1 : 0;
        answered += refuses(call.right) && answers(call.outcome) ? 1 : 0;
    }
    if (answered == to_refuse) {
        return look(
            "nothing_refused",
            "invalid arguments are accepted: throw std::invalid_argument before anything is computed, as the contract says.",
            to_refuse);
    }
    if (answers(failing.outcome)) {
        return look(
            "refused_in_part",
            "some invalid arguments are accepted: the check does not cover all that the contract names.",
            to_refuse);
    }
    const Threw* threw = std::get_if<Threw>(&failing.outcome);
    if (threw != nullptr && threw->type != refusal) {
        return look_of_another_exception(*threw, to_refuse);
    }
    return std::nullopt;
}

// Calls that fail although they should answer -------------------------------------------------

bool says(const Outcome& outcome, const char* text) {
    const Threw* threw = std::get_if<Threw>(&outcome);
    return threw != nullptr && threw->what.find(text) != std::string::npos;
}

bool index_too_far(const Outcome& outcome) {
    return says(outcome, "out of bounds for axis");
}

Explanation look_of_an_index(const JudgedCall& failing, bool all_fail, std::size_t calls) {
    if (says(failing.outcome, "with size 0")) {
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
std::string refused_by(const JudgedCall& failing) {
    const std::string& text = std::get<Threw>(failing.outcome).what;
    const std::string name = text.substr(0, text.find(": "));
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_';
    });
    return is_name && name != failing.function && says(failing.outcome, "; ") &&
                   says(failing.outcome, " is (")
               ? name
               : "";
}

Explanation look_of_a_refusal(const JudgedCall& failing, std::size_t calls) {
    const std::string refuser = refused_by(failing);
    if (refuser.empty()) {
        return look("refuses_what_fits",
                    "it refuses arguments that the contract allows. "
                    "Is there a condition too many, or a wrong one? "
                    "Or are arrays, or parts of them, used together that do not fit each other?",
                    calls);
    }
    const bool empty = says(failing.outcome, ", 0)") || says(failing.outcome, " is (0,");
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

std::optional<Explanation> look_of_calls_that_fail(const std::vector<JudgedCall>& calls,
                                                   const JudgedCall& failing) {
    std::size_t to_answer = 0;
    bool all_fail = true, all_too_far = true;
    for (const JudgedCall& call : calls) {
        // Along an axis of size 1 xtensor lets any index pass.
        const bool stretches =
            std::ranges::any_of(sizes_of(call.parameters, call.arguments),
                                [](const auto& size) { return size.second == 1; });
        if (!answers(call.right) || (stretches && answers(call.outcome))) {
            continue;
        }
        const bool fails = !answers(call.outcome);
        ++to_answer;
        all_fail = all_fail && fails;
        all_too_far = all_too_far && (!fails || index_too_far(call.outcome));
    }
    if (all_too_far && index_too_far(failing.outcome)) {
        return look_of_an_index(failing, all_fail, to_answer);
    }
    return refuses(failing.outcome) ? std::optional(look_of_a_refusal(failing, to_answer))
                                    : std::nullopt;
}

} // namespace

std::optional<Explanation> look_of_failures(const std::vector<JudgedCall>& calls,
                                            const JudgedCall& failing) {
    return refuses(failing.right) ? look_of_refusals(calls, failing)
                                  : look_of_calls_that_fail(calls, failing);
}

std::optional<Explanation> look_of_the_last_argument(const std::vector<JudgedCall>& calls) {
    std::size_t without = 0, with = 0, wrong = 0;
    for (const JudgedCall& call : calls) {
        if (call.arguments.empty() || call.parameters.size() != call.arguments.size()) {
            return std::nullopt;
        }
        const bool given = !std::holds_alternative<std::monostate>(call.arguments.back().data);
        if (!given && !call.is_right) {
            return std::nullopt;
        }
        ++(given ? with : without);
        wrong += call.is_right ? 0 : 1;
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

} // namespace judge
