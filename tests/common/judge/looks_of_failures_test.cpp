// What calls that fail have in common.

#include "judge/looks_of_failures.hpp"

#include <algorithm>

#include <doctest/doctest.h>

using namespace judge;

namespace {

const Outcome a_refusal = Threw{"std::invalid_argument", "X is (2, 3), W is (4, 5)"};
const Outcome an_answer = Returned{{1.5}};
const Outcome done = Returned{};

/// Of two sizes, a and b, each of them from 1 to 5.
template <class Actual, class Expected>
std::string look(const Actual& actual, const Expected& expected) {
    std::vector<Ended> calls;
    for (int a = 1; a <= 5; ++a) {
        for (int b = 1; b <= 5; ++b) {
            calls.push_back({{{"a", a}, {"b", b}}, actual(a, b), expected(a, b)});
        }
    }
    const auto failing = std::find_if(calls.begin(), calls.end(), [](const Ended& call) {
        return call.actual.index() != call.expected.index() ||
               (call.actual.index() != 0 && !fail_alike(call.actual, call.expected));
    });
    const auto found = look_of_failures(calls, failing == calls.end() ? calls.front() : *failing);
    return found ? found->name + ": " + found->explanation : "";
}

/// Of a check that should refuse what is not equal, and refuses by another rule.
std::string look_of_check(bool (*refuses)(int a, int b)) {
    return look([=](int a, int b) { return refuses(a, b) ? a_refusal : done; },
                [](int a, int b) { return a != b ? a_refusal : done; });
}

Outcome out_of_bounds() {
    return Threw{"std::runtime_error", "index 3 is out of bounds for axis 0 with size 3"};
}

} // namespace

TEST_CASE("look_of_failures: the rule by which a check refuses") {
    CHECK(look_of_check([](int a, int b) { return a > b; }) ==
          "another_rule: of the calls that were made it refuses those where a is larger than b, "
          "and no others.");
    CHECK(
        look_of_check([](int a, int b) { return a == b; }) ==
        "another_rule: of the calls that were made it refuses those where a is b, and no others.");
    CHECK(look_of_check([](int a, int b) { return a != b || b == 1; }) ==
          "another_rule: it refuses what does not fit, and also where a is 1.");
    CHECK(look_of_check([](int a, int b) { return a != b && b == 1; }) ==
          "another_rule: of what does not fit it refuses only where b is 1.");
    CHECK(look_of_check([](int a, int b) { return (a + b) % 3 == 0; }).find("another_rule") ==
          std::string::npos);
}

TEST_CASE("look_of_failures: what is to be refused gets an answer, or another exception") {
    const auto should = [](int a, int b) { return a != b ? a_refusal : an_answer; };
    CHECK(look([](int, int) { return an_answer; }, should).starts_with("nothing_refused: "));
    CHECK(look([](int a, int b) { return a > b ? a_refusal : an_answer; }, should)
              .starts_with("refused_in_part: "));
    CHECK(look(
              [](int a, int b) {
                  return a != b ? Outcome(Threw{"std::domain_error", "a, b"}) : an_answer;
              },
              should) == "another_exception: it refuses by an exception of another type: the "
                         "contract asks for std::invalid_argument, and this is std::domain_error.");
}

TEST_CASE("look_of_failures: the right exception, whose text leaves a size out") {
    const Ended short_text{{{"the rows of X", 12}, {"the rows of W", 1}},
                           Threw{"std::invalid_argument", "X has 12 rows"},
                           a_refusal};
    const auto missing = look_of_failures({short_text}, short_text);
    REQUIRE(missing);
    CHECK(missing->explanation == "the exception is the right one, but its text does not say the "
                                  "rows of W.");
    const Ended all_there{{{"the rows of X", 12}, {"the rows of W", 1}},
                          Threw{"std::invalid_argument", "1 and 12"},
                          a_refusal};
    REQUIRE(look_of_failures({all_there}, all_there));
    CHECK(look_of_failures({all_there}, all_there)->name == "sizes_turned_around");
}

TEST_CASE("look_of_failures: an index that is too far, always or with some sizes") {
    const auto should = [](int, int) { return an_answer; };
    CHECK(look([](int, int) { return out_of_bounds(); }, should).starts_with("an_index_too_far: "));
    CHECK(look([](int a, int b) { return a > b ? out_of_bounds() : an_answer; }, should)
              .starts_with("an_index_of_another_axis: "));
    CHECK(look(
              [](int, int) {
                  return Threw{"std::runtime_error",
                               "index 0 is out of bounds for axis 0 with size 0"};
              },
              should)
              .starts_with("written_to_an_empty_array: "));
}

TEST_CASE("look_of_failures: what fits is refused, by a rule or by none") {
    const auto should = [](int, int) { return an_answer; };
    CHECK(look([](int a, int b) { return a < b ? a_refusal : an_answer; }, should) ==
          "refuses_what_fits: of the calls that were made it refuses those where a is smaller than "
          "b, and no others.");
    CHECK(look([](int a, int b) { return (a + b) % 3 == 0 ? a_refusal : an_answer; }, should)
              .starts_with("refuses_what_fits: it refuses arguments that the contract allows."));
}
