#include "judge/expect.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/text.hpp"

namespace judge {

namespace {

std::string of_member(const std::string& member) {
    return member.empty() ? "" : " of " + member;
}

/// "got 0.25, expected 0.5": in as many digits as it takes to see the difference.
std::string both_text(const Mismatch& mismatch, const Value& actual, const Value& expected) {
    const bool whole = !std::holds_alternative<double>(expected.data);
    if (mismatch.index.empty() && whole && is_scalar(actual) && is_scalar(expected)) {
        return fmt::format("got {}, expected {}", scalar_text(actual), scalar_text(expected));
    }
    std::string wanted = number_text(mismatch.expected);
    std::string got = number_text(mismatch.actual);
    for (int digits = 7; digits <= 17 && wanted == got; ++digits) {
        wanted = fmt::format("{:.{}g}", mismatch.expected, digits);
        got = fmt::format("{:.{}g}", mismatch.actual, digits);
    }
    return fmt::format("got {}, expected {}", got, wanted);
}

std::string mismatch_text(const Mismatch& mismatch, const Value& actual, const Value& expected) {
    const Value& got = member_of(actual, mismatch.member);
    const Value& wanted = member_of(expected, mismatch.member);
    if (mismatch.shape && !shape_text(got).empty() && !shape_text(wanted).empty()) {
        return fmt::format("the shape{} is wrong: got {}, expected {}", of_member(mismatch.member),
                           shape_text(got), shape_text(wanted));
    }
    if (mismatch.shape) {
        return fmt::format("the answer{} has the wrong size or type", of_member(mismatch.member));
    }
    if (mismatch.index.empty()) {
        return fmt::format("the answer{} is wrong: {}",
                           mismatch.member.empty() ? "" : "'s " + mismatch.member,
                           both_text(mismatch, got, wanted));
    }
    return fmt::format("the values{} are wrong; furthest off is {}: {}", of_member(mismatch.member),
                       index_text(mismatch.index), both_text(mismatch, got, wanted));
}

} // namespace

bool names_shape(const std::string& text, const std::vector<std::size_t>& shape) {
    const std::vector<NumberInText> numbers = whole_numbers_in(text);
    const auto has = [&](std::size_t size) {
        return std::ranges::find(numbers, size, &NumberInText::value) != numbers.end();
    };
    const auto has_pair = [&](std::size_t first, std::size_t second) {
        for (std::size_t i = 1; i < numbers.size(); ++i) {
            const std::string& between = numbers[i].before;
            const bool a_shape = between == "x" || between == ", " || between == "," ||
                                 between == " x " || between == "][";
            if (numbers[i - 1].value == first && numbers[i].value == second && a_shape) {
                return true;
            }
        }
        return false;
    };
    const bool turned =
        shape.size() == 2 && has_pair(shape[1], shape[0]) && !has_pair(shape[0], shape[1]);
    return std::ranges::all_of(shape, has) && !turned;
}

void expect_close_values(const Value& actual, const Value& expected, Tolerance tolerance) {
    if (!session().example()) {
        session().set_example(actual, expected);
    }
    session().set_tolerance(tolerance);
    if (const auto mismatch = compare(actual, expected, tolerance)) {
        // For an answer that is nearly right, the size of the error is all there is to say.
        const bool nearly =
            !mismatch->shape && !compare(actual, expected) &&
            !compare(actual, expected, {0, 0, 1e-3}); // not for tiny numbers that became 0
        session().fail({.summary = (nearly ? "nearly right, but not exact enough: " : "") +
                                   mismatch_text(*mismatch, actual, expected),
                        .expected = expected,
                        .actual = actual,
                        .mismatch = mismatch});
    }
}

void expect_that(bool holds, const std::string& rule, const std::string& found,
                 const Explanation& suspicion) {
    if (!holds) {
        session().fail({.summary = fmt::format("{}, but {}", rule, found), .suspicion = suspicion});
    }
}

void expect_shape(const std::vector<std::size_t>& actual,
                  const std::vector<std::size_t>& expected) {
    if (actual != expected) {
        session().fail({.summary = fmt::format("the shape is wrong: got {}, expected {}",
                                               index_text(actual), index_text(expected))});
    }
}

void expect_refused(const Outcome& outcome, const std::string& what) {
    const Threw* threw = std::get_if<Threw>(&outcome);
    if (threw == nullptr || threw->type != "std::invalid_argument") {
        session().fail(
            {.summary = fmt::format("{} should be refused with std::invalid_argument, but it {}",
                                    what, describe(outcome))});
    }
}

void expect_invalid_argument(const Outcome& outcome,
                             const std::vector<std::vector<std::size_t>>& shapes) {
    const auto refuse = [](const std::string& summary) {
        session().fail({.summary = summary, .shapes_only = true});
    };
    const Threw* threw = std::get_if<Threw>(&outcome);
    if (threw == nullptr) {
        refuse(std::holds_alternative<Returned>(outcome)
                   ? "these shapes do not fit, but nothing was thrown"
                   : "these shapes do not fit; it should throw, but it " + describe(outcome));
    } else if (threw->type != "std::invalid_argument") {
        refuse("these shapes do not fit; it should throw std::invalid_argument, but it " +
               describe(outcome));
    } else {
        for (const auto& shape : shapes) {
            if (!names_shape(threw->what, shape)) {
                refuse(fmt::format(
                    "the error's text should contain both shapes, but {} is not in it: \"{}\"",
                    index_text(shape), threw->what));
            }
        }
    }
}

} // namespace judge
