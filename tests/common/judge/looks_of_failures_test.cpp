// What calls that fail have in common.

#include "judge/looks_of_failures.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "attention/tensor.hpp"
#include "judge/observe.hpp"

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
              should) == "another_exception: it throws an exception of another type: the "
                         "contract asks for std::invalid_argument, and this is std::domain_error.");
}

TEST_CASE("look_of_failures: what ends by itself is not refused") {
    const auto should = [](int a, int b) { return a != b ? a_refusal : an_answer; };
    const auto ended_by = [&](const Outcome& outcome) {
        return look([&](int a, int b) { return a != b ? outcome : an_answer; }, should);
    };
    CHECK(ended_by(out_of_bounds()) ==
          "not_refused: the call is not refused: an index goes out of range in it. Is a check of "
          "the sizes missing, or does it come too late? Throw std::invalid_argument before "
          "anything is computed.");
    CHECK(ended_by(Threw{"std::out_of_range", "vector::_M_range_check: __n (which is 3) >= …"})
              .starts_with("not_refused: the call is not refused: an index goes out of range"));
    CHECK(ended_by(Threw{"xt::broadcast_error", "Incompatible dimension of arrays"})
              .starts_with("not_refused: the call is not refused: an error of xtensor's own ends"));
    CHECK(ended_by(Threw{"std::bad_optional_access", "bad optional access"})
              .starts_with("not_refused: the call is not refused: std::bad_optional_access ends"));
    CHECK(ended_by(Threw{"std::out_of_range", "X is (2, 3)"}).starts_with("another_exception: "));
}

TEST_CASE("look_of_failures: what refuses is a function that the exercise calls") {
    const auto refused = [](const char* text) {
        const Ended call{
            {{"the rows of Q", 2}}, Threw{"std::invalid_argument", text}, an_answer, "grouped"};
        const auto found = look_of_failures({call}, call);
        return found ? found->name + ": " + found->explanation : "";
    };
    CHECK(refused("attention: Q and K must share d_k, got 3 and 6; Q is (4, 3), K is (5, 6)") ==
          "parts_that_do_not_fit: it is attention that refuses what it is called with, as the text "
          "says. Two things that it is given do not fit each other. Is one transposed, cut in "
          "another size, or in the other's place?");
    CHECK(refused("attention: Q and K must share d_k, got 1 and 0; Q is (1, 1), K is (2, 0)")
              .starts_with("parts_that_do_not_fit: it is attention that refuses what it is called "
                           "with, as the text says. One of the parts is empty, as a view is"));
    CHECK(refused("grouped: Q and K must share d_k, got 3 and 6; Q is (4, 3), K is (5, 6)")
              .starts_with("refuses_what_fits: "));
    CHECK(refused("error: wrong shape").starts_with("refuses_what_fits: "));
    CHECK(refused("Cache::attend: q is (3,); kept is (4,)").starts_with("refuses_what_fits: "));
}

TEST_CASE("observed_of_time: of the largest call, where smaller ones return") {
    const auto call = [](std::size_t numbers, const Outcome& outcome) {
        const xt::xtensor<double, 1> all = xt::zeros<double>({numbers});
        RecordedCall asked{"f", {"x"}, {to_value(all)}, outcome, ""};
        asked.taken = std::chrono::seconds(4);
        return asked;
    };
    std::vector<RecordedCall> calls{call(2, an_answer), call(5, an_answer), call(9, an_answer)};
    calls.push_back(call(36, RanTooLong{4}));
    const auto found = observed_of_time(calls);
    REQUIRE(found);
    CHECK(found->explanation.starts_with("calls return where the length of x is at most 9, and "
                                         "this one, where it is 36, does not."));
    calls.back() = call(36, RanTooLong{10}); // that of all calls together
    CHECK_FALSE(observed_of_time(calls));
    calls.back() = call(35, RanTooLong{4});
    CHECK_FALSE(observed_of_time(calls));
    CHECK_FALSE(observed_of_time({call(2, an_answer), call(5, an_answer), call(99, RanTooLong{})}));
    CHECK_FALSE(observed_of_time({}));
}

TEST_CASE("look_of_a_thrown_pointer: of an exception, where a refusal is asked for") {
    const Outcome thrown = Threw{"std::invalid_argument*", ""};
    const auto found = look_of_a_thrown_pointer(thrown, a_refusal);
    REQUIRE(found);
    CHECK(found->explanation ==
          "it throws a pointer, std::invalid_argument*, and that is no std::invalid_argument. "
          "Write throw std::invalid_argument(…), without new.");
    CHECK_FALSE(look_of_a_thrown_pointer(thrown, an_answer));
    CHECK_FALSE(look_of_a_thrown_pointer(Threw{"char const*", ""}, a_refusal));
    CHECK_FALSE(look_of_a_thrown_pointer(a_refusal, a_refusal));
}

TEST_CASE("look_of_failures: the right exception, whose text leaves a size out") {
    const Ended short_text{{{"the rows of X", 12}, {"the rows of W", 1}},
                           Threw{"std::invalid_argument", "X has 12 rows"},
                           a_refusal};
    const auto missing = look_of_failures({short_text}, short_text);
    REQUIRE(missing);
    CHECK(missing->explanation == "the exception is the right one, but its text does not say the "
                                  "rows of W. Or is the text cut?");
    const Ended silent{short_text.sizes, Threw{"std::invalid_argument", "no"}, a_refusal};
    REQUIRE(look_of_failures({silent}, silent));
    CHECK(look_of_failures({silent}, silent)->explanation ==
          "the exception is the right one, but its text does not say the rows of X, nor the rows "
          "of W.");
    const Ended all_there{{{"the rows of X", 12}, {"the rows of W", 1}},
                          Threw{"std::invalid_argument", "1 and 12"},
                          a_refusal};
    REQUIRE(look_of_failures({all_there}, all_there));
    CHECK(look_of_failures({all_there}, all_there)->name == "sizes_turned_around");
}

TEST_CASE("look_of_failures: the right exception, with the text of an earlier call") {
    const auto call = [](double rows, double columns, const char* text) {
        return Ended{{{"the rows of X", rows}, {"the rows of W", columns}},
                     Threw{"std::invalid_argument", text},
                     a_refusal};
    };
    const auto name_of_last = [](const std::vector<Ended>& calls) {
        const auto found = look_of_failures(calls, calls.back());
        return found ? found->name : "";
    };
    CHECK(name_of_last({call(12, 1, "12 and 1"), call(4, 7, "12 and 1")}) ==
          "text_of_an_earlier_call");
    CHECK(name_of_last({call(12, 1, "12 and 1"), call(4, 7, "4")}) == "sizes_missing");
    CHECK(name_of_last({call(12, 1, "they differ"), call(4, 7, "they differ")}) == "sizes_missing");
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
