#include "judge/expect.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "judge_values.hpp"

using namespace judge;
using attention::Matrix;

namespace {

/// The failure that the check reports, "" if there is none.
std::string complaint(const std::function<void()>& check) {
    try {
        check();
        return "";
    } catch (CaseEnded) {
        return session().failures().back().summary;
    }
}

std::string refusal(const Outcome& outcome,
                    const std::vector<std::vector<std::size_t>>& shapes = {{2, 3}, {4, 5}}) {
    return complaint([&] { expect_invalid_argument(outcome, shapes); });
}

Outcome invalid(const std::string& what) {
    return Threw{"std::invalid_argument", what};
}

template <class T>
std::string told(const T& actual, const T& expected) {
    return complaint([&] { expect_close(actual, expected, roughly); });
}

} // namespace

TEST_CASE("expect_invalid_argument: shapes may be written in any notation") {
    for (const char* what :
         {"X is (2, 3), W is (4, 5)", "2x3 and 4x5", "[2][3] against [4][5]", "{2,3}{4,5}",
          "W has 4 rows and 5 columns, X has 3 columns and 2 rows", "got 2 × 3 · 4 × 5"}) {
        CAPTURE(what);
        CHECK(refusal(invalid(what)).empty());
    }
    CHECK(refusal(invalid("a vector of 7"), {{7}}).empty());
    CHECK(refusal(invalid("(2, 3)"), {}).empty());
}

TEST_CASE("expect_invalid_argument: a text that lacks a shape is refused, and the shape named") {
    const auto lacks = [](const std::string& shape, const std::string& what) {
        return "the error's text should contain both shapes, but " + shape + " is not in it: \"" +
               what + "\"";
    };
    for (const char* what : {"", "wrong shapes", "(2, 3)", "(2, 3) and (5, 4)", "23 and 45",
                             "(2, 3) and (4, 55)", "(2, 3) and (14, 5)"}) {
        CAPTURE(what);
        CHECK(refusal(invalid(what)) ==
              lacks(std::string(what).find("(2, 3)") == 0 ? "(4, 5)" : "(2, 3)", what));
    }
    CHECK(refusal(invalid("99999999999999999999999999 9")).find("should contain both") !=
          std::string::npos);
}

TEST_CASE("expect_invalid_argument: any other exception is refused") {
    const std::string fit = "these shapes do not fit; it should throw";
    CHECK(refusal(Returned{{1.0}}) == "these shapes do not fit, but nothing was thrown");
    CHECK(refusal(Threw{"std::runtime_error", "(2, 3) (4, 5)"}) ==
          fit + " std::invalid_argument, but it threw std::runtime_error: (2, 3) (4, 5)");
    CHECK(refusal(Threw{"int", ""}) == fit + " std::invalid_argument, but it threw int");
    CHECK(refusal(Crashed{6}).find(fit + ", but it crashed with SIGABRT") == 0);
    CHECK(refusal(EndedEarly{1}).find(fit + ", but it ended the whole program") == 0);
    CHECK(refusal(Garbled{"x"}) == fit + ", but it gave no usable answer: x");
}

TEST_CASE("expect_close: says nothing when values agree") {
    CHECK(told(Matrix{{1, 2}}, Matrix{{1, 2 + 1e-7}}).empty());
    CHECK(told(std::string("a"), std::string("a")).empty());
}

TEST_CASE("expect_close: names the shapes, or the element furthest off, or the member") {
    CHECK(told(Matrix{{1, 2}}, Matrix{{1}, {2}}) ==
          "the shape is wrong: got (1, 2), expected (2, 1)");
    CHECK(told(Matrix{{1, 2}, {3, 5}}, Matrix{{1, 2}, {3, 4}}) ==
          "the values are wrong; furthest off is (1, 1): got 5, expected 4");
    CHECK(told(1.5, 2.0) == "the answer is wrong: got 1.5, expected 2");
    const lesson::Sample expected{{{1}}, {2}, "three", 4};
    lesson::Sample actual = expected;
    actual.weights = {{1, 1}};
    CHECK(told(actual, expected) == "the shape of weights is wrong: got (1, 2), expected (1, 1)");
    actual = expected;
    actual.entropy = {0};
    CHECK(told(actual, expected) ==
          "the values of entropy are wrong; furthest off is (0,): got 0, expected 2");
    actual = expected;
    actual.step = std::nullopt;
    CHECK(told(actual, expected) == "the answer of step has the wrong size or type");
    actual.step = 5;
    CHECK(told(actual, expected) == "the answer's step is wrong: got 5, expected 4");
}

TEST_CASE("expect_close: keeps both sides for the verdict") {
    complaint([] { expect_close(Matrix{{1, 5}}, Matrix{{1, 2}}); });
    const Failure& failure = session().failures().back();
    CHECK(from_value<Matrix>(failure.expected.value()) == Matrix{{1, 2}});
    CHECK(from_value<Matrix>(failure.actual.value()) == Matrix{{1, 5}});
    CHECK(failure.mismatch.value().index == std::vector<std::size_t>{0, 1});
}

TEST_CASE("expect_refused: any text will do, but no other exception, and no value") {
    const auto refused = [](const Outcome& outcome) {
        return complaint([&] { expect_refused(outcome, "d_k = 0"); });
    };
    CHECK(refused(invalid("")).empty());
    CHECK(refused(Returned{{1.0}}) ==
          "d_k = 0 should be refused with std::invalid_argument, but it returned a value");
    CHECK(refused(Threw{"int", ""}) ==
          "d_k = 0 should be refused with std::invalid_argument, but it threw int");
}

TEST_CASE("expect_that: reports the rule and what was found instead") {
    CHECK(complaint([] { expect_that(true, "each row sums to 1", "row 2 sums to 3"); }).empty());
    CHECK(complaint([] { expect_that(false, "each row sums to 1", "row 2 sums to 3"); }) ==
          "each row sums to 1, but row 2 sums to 3");
}
