// What an answer depends on besides its arguments; `hostile` has a function for each.

#include "judge/same_call_again.hpp"

#include "exports.hpp"
#include "hostile_child.hpp"
#include "judge/names_a_mistake.hpp"
#include "judge/protocol.hpp"

using namespace judge;
using namespace hostile;
using attention::Matrix;

namespace {

const Matrix small{{1, 2, 3}};
const Matrix two_rows{{1, 2}, {3, 5}};
const Matrix two_others{{7, 2}, {4, 9}};
const Matrix large{{1, 2, 3, 4}, {5, 6, 7, 8}};

/// A session in which doubled was called with these, and answered as its variant does.
void call_with(Session& session, const std::string& variant, const std::vector<Matrix>& all) {
    session.open(HOSTILE, variant);
    session.begin_case("09.1 doubled: some of them");
    for (const Matrix& X : all) {
        session.attempt("doubled", "X", list(X));
    }
}

/// The explanation after all checks have passed.
std::string after_a_pass(const std::string& variant) {
    Session session;
    call_with(session, variant, {small, two_rows, large});
    const auto mistake = make_calls_again(session);
    CHECK(session.failures().size() == (mistake ? 1 : 0));
    return mistake ? mistake->name : "";
}

/// The explanation if the last call failed.
std::string after_a_failure(const std::string& variant, const std::vector<Matrix>& all) {
    Session session;
    call_with(session, variant, all);
    const auto mistake =
        not_by_arguments_alone(session, all.size() - 1, Returned{to_value(Matrix(2 * all.back()))});
    return mistake ? mistake->name : "";
}

} // namespace

TEST_CASE("same call again: nothing is found if the arguments alone decide") {
    const Traces traces;
    CHECK(after_a_pass("").empty());
    CHECK(after_a_pass("kept_by_value").empty());
    CHECK(after_a_failure("", {small, two_rows}).empty());
}

TEST_CASE("same call again: a function that remembers earlier calls is found") {
    const Traces traces;
    CHECK(after_a_pass("sum_goes_on") == "remembers_earlier_calls");
    CHECK(after_a_failure("sum_goes_on", {two_rows, two_rows}) == "remembers_earlier_calls");
    CHECK(after_a_failure("kept_by_shape", {two_rows, small, two_others}) ==
          "remembers_earlier_calls");
}

TEST_CASE("same call again: a failure after the pass shows both answers") {
    const Traces traces;
    Session session;
    call_with(session, "sum_goes_on", {small, two_rows, large});
    REQUIRE(make_calls_again(session));
    const Failure& failure = session.failures().front();
    CHECK(failure.summary == "doubled gave another answer to the same call before");
    CHECK(failure.test_case == "the arguments of a call alone decide its answer");
    CHECK(failure.mismatch);
    CHECK(failure.call == 3);
}

TEST_CASE("same call again: memory that was never set is found, with its place") {
    if (sanitized()) {
        return; // fills memory itself
    }
    const Traces traces;
    CHECK(after_a_pass("spoilt_by_large_garbage") == "memory_never_set");
    Session session;
    call_with(session, "one_element_short", {two_rows});
    const auto mistake =
        not_by_arguments_alone(session, 0, Returned{to_value(Matrix(2 * two_rows))});
    REQUIRE(mistake);
    CHECK(mistake->name == "memory_never_set");
    CHECK(mistake->text.starts_with("Element (1, 1) depends on memory that was never set."));
}

TEST_CASE("same call again: random answers are distinguished from unset memory") {
    const Traces traces;
    CHECK(after_a_pass("drawn_at_random") == "differs_from_call_to_call");
    CHECK(after_a_failure("drawn_at_random", {two_rows, small}) == "differs_from_call_to_call");
}

TEST_CASE("same call again: a call that does not return the second time ends the search") {
    const Traces traces;
    Limits limits = default_limits();
    limits.time = std::chrono::milliseconds(sanitized() ? 4000 : 300);
    Session session;
    session.open(HOSTILE, "endless_when_asked_again", limits);
    session.begin_case("09.1 doubled: some of them");
    for (const Matrix& X : {small, two_rows, large}) {
        session.attempt("doubled", "X", list(X));
    }
    const auto mistake = make_calls_again(session);
    REQUIRE(mistake);
    CHECK(mistake->name == "remembers_earlier_calls");
}

TEST_CASE("same call again: answers compared to six digits repeat to six digits") {
    const Traces traces;
    for (const bool held : {false, true}) {
        CAPTURE(held);
        Session session;
        session.open(HOSTILE, "last_digits_at_random");
        session.begin_case("09.1 doubled: some of them");
        for (const Matrix& X : {two_rows, small}) {
            session.attempt("doubled", "X", list(X));
            if (held) {
                session.set_tolerance({1e-6, 0});
            }
        }
        CHECK(make_calls_again(session).has_value() == !held);
    }
}

TEST_CASE("an argument changed through const_cast is an outcome, and of the next call nothing") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const auto changed =
        as<ChangedArgument>(child.call("changes_its_argument", list(two_rows, false)));
    CHECK(changed.index == 0);
    CHECK(describe(changed) ==
          "changed its argument 1: it is const, the caller's own array, and must not change");
    const auto threw = as<Threw>(child.call("changes_its_argument", list(two_rows, true)));
    CHECK(threw.type == "std::invalid_argument");
    CHECK(from_value<double>(as<Returned>(child.call("changes_its_copy", list(two_rows))).value) ==
          7);
}
