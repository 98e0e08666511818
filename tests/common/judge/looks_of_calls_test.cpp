// What the calls have in common that are wrong, fail, or are not refused.

#include "judge/looks_of_calls.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "products.hpp"

using namespace products;

namespace {

const Outcome a_refusal = Threw{"std::invalid_argument", "X is (2, 3), W is (4, 5)"};
const Outcome an_answer = Returned{{1.5}};
const Outcome out_of_bounds =
    Threw{"std::runtime_error", "index 3 is out of bounds for axis 0 with size 3"};

/// Calls with two sizes, a and b, each from 1 to 5.
template <class Actual, class Expected>
std::string look(const Actual& actual, const Expected& expected) {
    std::vector<JudgedCall> calls;
    for (std::size_t a = 1; a <= 5; ++a) {
        for (std::size_t b = 1; b <= 5; ++b) {
            calls.push_back(
                {{"f", {"a", "b"}, {to_value(a), to_value(b)}, actual(a, b)}, expected(a, b)});
        }
    }
    const auto failing = std::find_if(calls.begin(), calls.end(), [](const JudgedCall& call) {
        return call.outcome.index() != call.right.index() ||
               (call.outcome.index() != 0 && !fail_alike(call.outcome, call.right));
    });
    const auto found = look_of_failures(calls, failing == calls.end() ? calls.front() : *failing);
    return found ? found->name + ": " + found->text : "";
}

/// Calls that should be refused if a is not b, and end with this outcome in that case.
std::string not_refused_but(const Outcome& outcome) {
    return look([=](std::size_t a, std::size_t b) { return a != b ? outcome : an_answer; },
                [](std::size_t a, std::size_t b) { return a != b ? a_refusal : an_answer; });
}

/// Calls that should all return, and end with this outcome if a is larger than b.
std::string not_answered_but(const Outcome& outcome) {
    return look([=](std::size_t a, std::size_t b) { return a > b ? outcome : an_answer; },
                [](std::size_t, std::size_t) { return an_answer; });
}

} // namespace

TEST_CASE("look_of_failures: what is to be refused is not") {
    struct Row {
        Outcome outcome;
        const char* begins;
    };
    for (
        const auto& [outcome, begins] :
        {Row{an_answer, "nothing_refused: "},
         Row{Threw{"std::domain_error", "a, b"},
             "another_exception: it throws an exception of another type: the contract requires std::invalid_argument, and this is std::domain_error."},
         Row{out_of_bounds, "not_refused: the call is not refused: an index goes out of range"},
         Row{Threw{"std::out_of_range", "vector::_M_range_check: __n (which is 3) >= …"},
             "not_refused: the call is not refused: an index goes out of range"},
         Row{Threw{"xt::broadcast_error", "Incompatible dimension of arrays"},
             "not_refused: the call is not refused: an error in xtensor ends"},
         Row{Threw{"std::bad_optional_access", "bad optional access"},
             "not_refused: the call is not refused: std::bad_optional_access ends"},
         Row{Threw{"std::invalid_argument*", ""}, "another_exception: "},
         Row{Threw{"std::out_of_range", "X is (2, 3)"}, "another_exception: "}}) {
        const auto& this_begins = begins; // clang 14 captures no binding
        CAPTURE(this_begins);
        CHECK(not_refused_but(outcome).starts_with(begins));
    }
    CHECK(look([](std::size_t a, std::size_t b) { return a > b ? a_refusal : an_answer; },
               [](std::size_t a, std::size_t b) { return a != b ? a_refusal : an_answer; })
              .starts_with("refused_in_part: "));
}

TEST_CASE("look_of_failures: calls fail that should return") {
    CHECK(not_answered_but(out_of_bounds).starts_with("an_index_of_another_axis: "));
    CHECK(look([](std::size_t, std::size_t) { return out_of_bounds; },
               [](std::size_t, std::size_t) { return an_answer; })
              .starts_with("an_index_too_far: "));
    CHECK(not_answered_but(
              Threw{"std::runtime_error", "index 0 is out of bounds for axis 0 with size 0"})
              .starts_with("written_to_an_empty_array: "));
    CHECK(
        look([](std::size_t a, std::size_t b) { return (a + b) % 3 == 0 ? a_refusal : an_answer; },
             [](std::size_t, std::size_t) { return an_answer; })
            .starts_with("refuses_what_fits: it refuses arguments that the contract allows."));
}

TEST_CASE("look_of_failures: a function that the exercise calls refuses") {
    const auto refused = [](const char* text) {
        const JudgedCall call{
            {"grouped", {"n"}, {to_value(2)}, Threw{"std::invalid_argument", text}}, an_answer};
        const auto found = look_of_failures({call}, call);
        return found ? found->name + ": " + found->text : "";
    };
    CHECK(
        refused("attention: Q and K must share d_k, got 3 and 6; Q is (4, 3), K is (5, 6)")
            .starts_with(
                "parts_that_do_not_fit: attention refuses the arguments that it gets, as the text says. "
                "Two of them do not fit"));
    CHECK(refused("attention: Q and K must share d_k, got 1 and 0; Q is (1, 1), K is (2, 0)")
              .find("One of them is empty, for example a view") != std::string::npos);
    CHECK(refused("grouped: Q and K must share d_k, got 3 and 6; Q is (4, 3), K is (5, 6)")
              .starts_with("refuses_what_fits: "));
    CHECK(refused("error: wrong shape").starts_with("refuses_what_fits: "));
}

TEST_CASE("look_of_the_last_argument: what is wrong only with an argument that may be left out") {
    const auto look_with = [](std::size_t without, std::size_t with, std::size_t wrong) {
        std::vector<JudgedCall> answers;
        for (std::size_t i = 0; i < without + with; ++i) {
            const Value X = to_value(some_numbers(3, 2 + i % 2, 0.4));
            const Value mask = i < without ? Value{} : X;
            answers.push_back({{"masked", {"X", "mask"}, {X, mask}, Returned{X}},
                               Returned{X},
                               i < without + with - wrong});
        }
        const auto found = look_of_the_last_argument(answers);
        return found ? found->text : "";
    };
    CHECK(look_with(6, 8, 5) == "without mask, all answers are right; with one, 5 of 8 are wrong. "
                                "Is all of mask used, and nothing more?");
    CHECK(look_with(6, 4, 6).empty()); // one without is wrong, too
    CHECK(look_with(2, 4, 4).empty()); // too few without
}
