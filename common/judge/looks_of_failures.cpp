#include "judge/looks_of_failures.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/rule_of_sizes.hpp"

namespace judge {

namespace {

constexpr std::size_t enough_calls = 20; // to tell which rule a check follows

const char* const asked_for = "std::invalid_argument";

bool answers(const Outcome& outcome) {
    return std::holds_alternative<Returned>(outcome);
}

bool refuses(const Outcome& outcome) {
    const Threw* threw = std::get_if<Threw>(&outcome);
    return threw != nullptr && threw->type == asked_for;
}

Look look(const std::string& name, const std::string& explanation, std::size_t calls) {
    return {name, explanation, calls, calls};
}

bool has_number(const std::string& text, double number) {
    const std::string wanted = fmt::format("{:.0f}", number);
    for (std::size_t at = text.find(wanted); at != std::string::npos;
         at = text.find(wanted, at + 1)) {
        const auto is_digit = [&](std::size_t i) {
            return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
        };
        if (!is_digit(at - 1) && !is_digit(at + wanted.size())) {
            return true;
        }
    }
    return false;
}

/// Whether an earlier call, with other sizes, had this very text, which has those sizes in it.
bool is_text_of_an_earlier_call(const std::vector<Ended>& calls, const Ended& failing,
                                const std::string& text) {
    for (const Ended& call : calls) {
        if (&call == &failing) {
            break;
        }
        const Threw* threw = std::get_if<Threw>(&call.actual);
        if (threw != nullptr && threw->what == text && call.sizes != failing.sizes &&
            std::all_of(call.sizes.begin(), call.sizes.end(),
                        [&](const auto& size) { return has_number(text, size.second); })) {
            return true;
        }
    }
    return false;
}

/// The right exception, which says too little.
Look of_its_text(const std::vector<Ended>& all, const Ended& failing, const std::string& text,
                 std::size_t calls) {
    if (is_text_of_an_earlier_call(all, failing, text)) {
        return look("text_of_an_earlier_call",
                    "the exception is the right one, but its text is that of an earlier call, with "
                    "other sizes. Is it kept from call to call, as what is static or global is?",
                    calls);
    }
    std::vector<std::string> missing;
    for (const auto& [name, size] : failing.sizes) {
        if (!has_number(text, size)) {
            missing.push_back(name);
        }
    }
    const std::string right = "the exception is the right one, ";
    if (missing.empty()) {
        return look("sizes_turned_around",
                    right + "and all sizes stand in its text, but not as the shapes that they are: "
                            "the number of rows comes first.",
                    calls);
    }
    return look("sizes_missing",
                fmt::format("{}but its text does not say {}.{}", right,
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
        return "an error of xtensor's own ends it";
    }
    return threw.type.starts_with("std::bad_") ? fmt::format("{} ends it", threw.type) : "";
}

/// What is to be refused gets an answer, or another exception.
std::optional<Look> of_refusals(const std::vector<Ended>& calls, const Ended& failing) {
    std::vector<const Ended*> to_refuse;
    for (const Ended& call : calls) {
        if (refuses(call.expected)) {
            to_refuse.push_back(&call);
        }
    }
    const auto all = [&](const auto& holds) {
        return std::all_of(to_refuse.begin(), to_refuse.end(),
                           [&](const Ended* call) { return holds(call->actual); });
    };
    if (all(answers)) {
        return look("nothing_refused",
                    "arguments that are to be refused get an answer: throw std::invalid_argument "
                    "before anything is computed, as the contract says.",
                    to_refuse.size());
    }
    const Threw* threw = std::get_if<Threw>(&failing.actual);
    if (threw != nullptr && threw->type != asked_for) {
        const std::string accident = accident_of(*threw);
        return accident.empty()
                   ? look("another_exception",
                          fmt::format("it throws an exception of another type: the contract asks "
                                      "for std::invalid_argument, and this is {:.60}.",
                                      threw->type),
                          to_refuse.size())
                   : look("not_refused",
                          fmt::format("the call is not refused: {}. Is a check of the sizes "
                                      "missing, or does it come too late? Throw "
                                      "std::invalid_argument before anything is computed.",
                                      accident),
                          to_refuse.size());
    }
    if (answers(failing.actual)) {
        return look("refused_in_part",
                    "some arguments that are to be refused get an answer: the check does not cover "
                    "all that the contract names.",
                    to_refuse.size());
    }
    return threw == nullptr || failing.sizes.empty()
               ? std::nullopt
               : std::optional(of_its_text(calls, failing, threw->what, to_refuse.size()));
}

bool too_far(const Outcome& outcome) {
    const Threw* threw = std::get_if<Threw>(&outcome);
    return threw != nullptr && threw->what.find("out of bounds for axis") != std::string::npos;
}

bool without_elements(const Outcome& outcome) {
    const Threw* threw = std::get_if<Threw>(&outcome);
    return threw != nullptr && threw->what.find("with size 0") != std::string::npos;
}

/// The library's function that refuses, if its text says that it is not the one that was called:
/// "attention: Q and K must share d_k, got 1 and 0; Q is (1, 1), K is (2, 0)".
std::string refused_by(const Ended& failing) {
    const std::string& text = std::get<Threw>(failing.actual).what;
    const std::string name = text.substr(0, text.find(": "));
    const bool is_name =
        !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
            return std::isalnum(c) != 0 || c == '_';
        });
    return is_name && name != failing.function && text.find("; ") != std::string::npos &&
                   text.find(" is (") != std::string::npos
               ? name
               : "";
}

/// Something that it calls is given parts that do not fit.
Look of_parts_that_do_not_fit(const Outcome& outcome, const std::string& refuser,
                              std::size_t calls) {
    const std::string& text = std::get<Threw>(outcome).what;
    const bool empty =
        text.find(", 0)") != std::string::npos || text.find(" is (0,") != std::string::npos;
    return look("parts_that_do_not_fit",
                fmt::format("it is {} that refuses what it is called with, as the text says.{}",
                            refuser,
                            empty ? " One of the parts is empty, as a view is whose "
                                    "xt::range(first, end) ends before it begins (the second "
                                    "number is no count), or that begins past the last column."
                                  : " Two things that it is given do not fit each other. Is one "
                                    "transposed, cut in another size, or in the other's place?"),
                calls);
}

/// Calls that fail although they should answer.
std::optional<Look> of_calls_that_fail(const std::vector<Ended>& calls, const Ended& failing) {
    std::vector<Ended> answered;
    std::vector<bool> failed;
    bool all_fail = true;
    bool all_too_far = true;
    for (const Ended& call : calls) {
        // Along an axis of size 1 xtensor lets any index pass.
        const bool stretches = std::any_of(call.sizes.begin(), call.sizes.end(),
                                           [](const auto& size) { return size.second == 1; });
        if (!answers(call.expected) || (stretches && answers(call.actual))) {
            continue;
        }
        answered.push_back(call);
        failed.push_back(!answers(call.actual));
        all_fail = all_fail && failed.back();
        all_too_far = all_too_far && (!failed.back() || too_far(call.actual));
    }
    const std::size_t count = answered.size();
    if (all_too_far && too_far(failing.actual)) {
        if (without_elements(failing.actual)) {
            return look("written_to_an_empty_array",
                        "an array without elements is read or written. One that is only declared, "
                        "Matrix result;, has none: make it with its shape. A view has none where "
                        "its xt::range(first, end) ends before it begins: the second number is no "
                        "count, and is left out itself.",
                        count);
        }
        if (all_fail && count > 1) {
            return look("an_index_too_far",
                        "in every call an index is as large as its axis, or larger. Does a loop "
                        "run to <= where < belongs, or over the size of another axis? Indices "
                        "count from 0, and the last is one less than the size.",
                        count);
        }
        return look("an_index_of_another_axis",
                    "with some sizes, but not with all, an index is too large for its axis. Does a "
                    "loop run over the size of another array or axis, or are two indices swapped?",
                    count);
    }
    if (refuses(failing.actual)) {
        const std::vector<bool> none(count, false);
        const std::string rule =
            count < enough_calls ? "" : Rule(answered, failed, none).find(Beside::alone);
        const std::string refuser = refused_by(failing);
        if (rule.empty() && !refuser.empty()) {
            return of_parts_that_do_not_fit(failing.actual, refuser, count);
        }
        return look("refuses_what_fits",
                    rule.empty() ? "it refuses arguments that the contract allows. Is there a "
                                   "condition too many, or a wrong one? Or do arrays or parts of "
                                   "arrays not fit each other that are used together?"
                                 : fmt::format("of the calls that were made it refuses those "
                                               "where {}, and no others.",
                                               rule),
                    count);
    }
    return std::nullopt;
}

/// A function that only says whether its arguments fit: by the rule that it follows instead.
std::optional<Look> of_checks(const std::vector<Ended>& calls) {
    std::vector<bool> refused;
    std::vector<bool> should_be;
    for (const Ended& call : calls) {
        refused.push_back(refuses(call.actual));
        should_be.push_back(refuses(call.expected));
        if (!refused.back() && !answers(call.actual)) {
            return std::nullopt;
        }
    }
    if (refused == should_be || calls.size() < enough_calls) {
        return std::nullopt;
    }
    const Rule rule(calls, refused, should_be);
    const auto found = [&](const std::string& text, const char* explanation) {
        return look("another_rule", fmt::format(fmt::runtime(explanation), text), calls.size());
    };
    if (const std::string alone = rule.find(Beside::alone); !alone.empty()) {
        return found(alone,
                     "of the calls that were made it refuses those where {}, and no others.");
    }
    struct Way {
        Beside beside;
        const char* explanation;
    };
    for (const Way way : {Way{Beside::as_well, "it refuses what does not fit, and also where {}."},
                          Way{Beside::only, "of what does not fit it refuses only where {}."}}) {
        for (const std::string& text : {rule.find_small(way.beside), rule.find(way.beside)}) {
            if (!text.empty()) {
                return found(text, way.explanation);
            }
        }
    }
    return std::nullopt;
}

bool returns_nothing(const std::vector<Ended>& calls) {
    return std::any_of(calls.begin(), calls.end(), [](const Ended& call) {
        const Returned* returned = std::get_if<Returned>(&call.expected);
        return returned != nullptr && std::holds_alternative<std::monostate>(returned->value.data);
    });
}

} // namespace

std::optional<Look> look_of_failures(const std::vector<Ended>& calls, const Ended& failing) {
    if (returns_nothing(calls)) {
        if (auto rule = of_checks(calls)) {
            return rule;
        }
    }
    if (refuses(failing.expected)) {
        return of_refusals(calls, failing);
    }
    return of_calls_that_fail(calls, failing);
}

std::optional<Look> look_of_a_thrown_pointer(const Outcome& actual, const Outcome& expected) {
    const Threw* threw = std::get_if<Threw>(&actual);
    if (threw == nullptr || !refuses(expected) || !threw->type.starts_with("std::") ||
        !threw->type.ends_with("*")) {
        return std::nullopt;
    }
    return look(
        "throws_a_pointer",
        fmt::format("it throws a pointer, {:.60}, and that is no std::invalid_argument. Write "
                    "throw std::invalid_argument(…), without new.",
                    threw->type),
        1);
}

} // namespace judge
