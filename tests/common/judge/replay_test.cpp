// What an answer depends on beside its arguments; `hostile` has a function for each.

#include "judge/hidden_dependence.hpp"
#include "judge/replay.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "exports.hpp"
#include "hostile_child.hpp"
#include "judge/dependence.hpp"
#include "judge/naming.hpp"
#include "judge/protocol.hpp"
#include "judge/replayed_calls.hpp"

using namespace judge;
using namespace hostile;
using attention::Matrix;

namespace {

const Matrix small{{1, 2, 3}};
const Matrix two_rows{{1, 2}, {3, 5}};
const Matrix two_others{{7, 2}, {4, 9}};
const Matrix large{{1, 2, 3, 4}, {5, 6, 7, 8}};

/// A session in which doubled was asked these, and answered as its variant does.
void ask(Session& session, const std::string& variant, const std::vector<Matrix>& asked) {
    Limits limits = default_limits();
    limits.time = std::chrono::seconds(2); // what never returns is waited for again and again
    session.open(HOSTILE, variant, sanitized() ? default_limits() : limits);
    session.begin_case("09.1 doubled: some of them");
    for (const Matrix& X : asked) {
        session.attempt("doubled", "X", list(X));
    }
}

/// The same once more if the machine was too busy to answer at once.
std::unique_ptr<Session> asked_quickly(const std::string& variant,
                                       const std::vector<Matrix>& asked) {
    for (int tries = 1;; ++tries) {
        auto session = std::make_unique<Session>();
        ask(*session, variant, asked);
        const bool quick =
            std::all_of(session->calls().begin(), session->calls().end(),
                        [&](const RecordedCall& call) { return was_quick(*session, call); });
        if (quick || tries == 50) {
            return session;
        }
    }
}

std::optional<GenericMistake> replayed(Session& session, const std::string& variant) {
    ask(session, variant, {small, two_rows, large});
    return replay_passed(session);
}

/// What is named when the last call is the one that a check failed on.
std::optional<NamedMisconception> named_at_last(const std::string& variant,
                                                const std::vector<Matrix>& asked) {
    Session session;
    ask(session, variant, asked);
    try {
        session.fail({.summary = "wrong"});
    } catch (CaseEnded) {
        session.close();
    }
    return name_misconception(session, HOSTILE);
}

} // namespace

TEST_CASE("replay: what depends on its arguments alone is found nothing of") {
    const Traces traces;
    for (const std::string variant : {"", "kept_by_value"}) {
        CAPTURE(variant);
        Session session;
        CHECK_FALSE(replayed(session, variant));
        CHECK(session.failures().empty());
        CHECK(session.calls().size() == 3);
    }
}

TEST_CASE("replay: sums that go on are found where no shape was asked twice") {
    const Traces traces;
    Session session;
    const auto mistake = replayed(session, "sum_goes_on");
    REQUIRE(mistake);
    CHECK(mistake->name == "remembers_earlier_calls");
    REQUIRE(session.failures().size() == 1);
    const Failure& failure = session.failures().front();
    CHECK(failure.summary == "doubled gave another answer to the same call before");
    CHECK(failure.mismatch);
    CHECK(failure.call == 3);
}

TEST_CASE("replay: a place that is kept as long as its number of elements is the same is found") {
    const Traces traces;
    Session session;
    const Matrix upright{{1, 2, 3}, {4, 5, 6}};
    const Matrix lying{{1, 2}, {3, 4}, {5, 6}};
    ask(session, "place_kept_by_count", {upright, two_rows, lying, large});
    const auto mistake = replay_passed(session);
    REQUIRE(mistake);
    CHECK(mistake->name == "remembers_earlier_calls");
    CHECK(mistake->explanation.find("not after doubled(X (2, 3))") != std::string::npos);
    CHECK(session.failures().size() == 1);
}

TEST_CASE("replay: answers kept by shape are found, too, and which call they are of is said") {
    const Traces traces;
    Session session;
    const auto mistake = replayed(session, "kept_by_shape");
    REQUIRE(mistake);
    CHECK(mistake->name == "remembers_earlier_calls");
    CHECK(mistake->explanation.find("not after doubled(X (2, 4))") != std::string::npos);
}

TEST_CASE("replay: where every call is slow, some are asked again all the same") {
    const Traces traces;
    Session session;
    ask(session, "slow_and_wrong_after_its_reverse", {Matrix{{1}}, two_rows, large});
    const auto mistake = replay_passed(session);
    REQUIRE(mistake);
    CHECK(mistake->name == "remembers_earlier_calls");
}

TEST_CASE(
    "replay: of slow calls the cheapest, and the largest that takes no more than twice that") {
    const auto asked = [](const Matrix& X, std::chrono::milliseconds taken) {
        return RecordedCall{"doubled", {"X"}, list(X), Returned{}, "", false, taken};
    };
    using Indices = std::vector<std::size_t>;
    using namespace std::chrono_literals;
    CHECK(calls_to_replay({asked(large, 90ms), asked(two_rows, 50ms), asked(small, 40ms)}) ==
          Indices{1, 2});
    CHECK(calls_to_replay({asked(small, 1ms), asked(large, 50ms), asked(two_rows, 60ms)}) ==
          Indices{0, 1});
    CHECK(calls_to_replay({asked(small, 1ms), asked(two_rows, 1ms), asked(large, 50ms)}) ==
          Indices{0, 1});
    CHECK(calls_to_replay({asked(small, 1000ms)}).empty()); // it would take seven seconds
}

TEST_CASE(
    "replay: who answers at once and then never again fails, and is not waited for for ever") {
    const Traces traces;
    const auto start = std::chrono::steady_clock::now();
    const auto asked = asked_quickly("endless_when_asked_again", {small, two_rows, large});
    Session& session = *asked;
    const auto mistake = replay_passed(session);
    REQUIRE(mistake);
    CHECK(mistake->name == "does_not_return_again");
    REQUIRE(session.failures().size() == 1);
    CHECK(session.failures().front().summary == "doubled answered the same call before, and then " +
                                                    describe(session.calls().back().outcome));
    CHECK(std::holds_alternative<RanTooLong>(session.calls().back().outcome));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30)); // a call has 4
}

TEST_CASE("replay: a new process that never returns keeps nothing else from being asked again") {
    const Traces traces;
    for (const std::string variant : {"right_twice_where_the_first_is_known",
                                      "slow_and_right_twice_where_the_first_is_known"}) {
        CAPTURE(variant);
        Session session;
        const auto mistake = replayed(session, variant);
        REQUIRE(mistake);
        // Which of the two depends on how quick the machine was at first.
        const bool is_named =
            mistake->name == "remembers_earlier_calls" || mistake->name == "does_not_return_again";
        CHECK_MESSAGE(is_named, mistake->name);
        CHECK(session.failures().size() == 1);
    }
}

TEST_CASE("replay: what is right only where the first call was the checks' first is found") {
    const Traces traces;
    Session session;
    const auto mistake = replayed(session, "right_where_the_first_is_known");
    REQUIRE(mistake);
    CHECK(mistake->name == "remembers_earlier_calls");
    CHECK(session.failures().size() == 1);
}

TEST_CASE("replay: memory never set that happened to do no harm is found") {
    if (sanitized()) {
        return; // fills memory itself
    }
    const Traces traces;
    Session session;
    const auto mistake = replayed(session, "spoilt_by_large_garbage");
    REQUIRE(mistake);
    CHECK(mistake->name == "memory_never_set");
    CHECK(session.failures().size() == 1);
}

TEST_CASE("what memory is filled with is out of a submission's reach") {
    if (sanitized()) {
        return;
    }
    const Traces traces;
    const auto named = named_at_last("fills_memory_itself", {two_rows});
    REQUIRE(named);
    CHECK(named->name == "memory_never_set");
}

TEST_CASE("hidden_dependence: an element that was never given a value is named with its place") {
    if (sanitized()) {
        return;
    }
    const Traces traces;
    const auto named = named_at_last("one_element_short", {two_rows});
    REQUIRE(named);
    CHECK(named->name == "memory_never_set");
    CHECK(named->explanation.starts_with("element (1, 1) depends on memory that was never set"));
}

TEST_CASE("what two new processes answer otherwise is told from what is remembered") {
    const Traces traces;
    Session session;
    const auto mistake = replayed(session, "drawn_at_random");
    REQUIRE(mistake);
    CHECK(mistake->name == "differs_from_call_to_call");
    const auto named = named_at_last("drawn_at_random", {two_rows, small});
    REQUIRE(named);
    CHECK(named->name == "differs_from_call_to_call");
}

TEST_CASE("replay: what was held to six digits repeats to six digits") {
    const Traces traces;
    for (const bool held : {false, true}) {
        CAPTURE(held);
        Session session;
        session.open(HOSTILE, "last_digits_at_random");
        session.begin_case("09.1 doubled: some of them");
        for (const Matrix& X : {two_rows, small}) {
            session.attempt("doubled", "X", list(X));
            if (held) {
                session.held_to({1e-6, 0});
            }
        }
        CHECK(replay_passed(session).has_value() == !held);
    }
}

TEST_CASE("hidden_dependence: what is right to six digits is right in a new process") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "in_float_and_kept");
    session.begin_case("09.1 doubled: some of them");
    for (const Matrix& X : {Matrix{{0.1, 0.7}}, Matrix{{0.3, 0.9}}}) {
        session.attempt("doubled", "X", list(X));
        session.held_to({1e-6, 0});
    }
    const auto mistake = hidden_dependence(session, 1, Returned{to_value(Matrix{{0.6, 1.8}})});
    REQUIRE(mistake);
    CHECK(mistake->name == "remembers_earlier_calls");
}

TEST_CASE("hidden_dependence: a call that is right in a new process, and after which it is not") {
    const Traces traces;
    for (const std::string variant : {"sum_goes_on", "kept_by_shape"}) {
        CAPTURE(variant);
        const auto named = named_at_last(variant, {two_rows, small, two_others});
        REQUIRE(named);
        CHECK(named->name == "remembers_earlier_calls");
        CHECK(named->explanation.find("not after doubled(X (2, 2)).") != std::string::npos);
    }
}

TEST_CASE("hidden_dependence: a call that never returns after another, or in a new process") {
    const Traces traces;
    const auto of_the_last = [](const std::string& variant, const std::vector<Matrix>& asked) {
        const auto session = asked_quickly(variant, asked);
        const Matrix right = 2 * asked.back();
        return hidden_dependence(*session, asked.size() - 1, Returned{to_value(right)});
    };
    for (const auto& mistake :
         {of_the_last("right_twice_where_the_first_is_known", {small, two_rows, large}),
          of_the_last("endless_after_two_rows", {small, two_rows, small})}) {
        REQUIRE(mistake);
        CHECK(mistake->name == "does_not_return_again");
    }
}

TEST_CASE("hidden_dependence: wrong in a new process, and otherwise when asked there again") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "sum_goes_on");
    session.begin_case("09.1 doubled: the same twice");
    session.attempt("doubled", "X", list(two_rows));
    session.attempt("doubled", "X", list(two_rows));
    const auto mistake = hidden_dependence(session, 1, Returned{to_value(small)});
    REQUIRE(mistake);
    CHECK(mistake->name == "remembers_earlier_calls");
    CHECK(mistake->explanation.find("when it is asked there again") != std::string::npos);
}

TEST_CASE("an argument changed through const_cast is an outcome, and of the next call nothing") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const auto changed =
        as<ChangedArgument>(child.call("changes_its_argument", list(two_rows, false)));
    CHECK(changed.index == 0);
    CHECK(describe(changed) == "changed its argument 1: it is const, the caller's own array, and "
                               "must not change");
    const auto threw = as<Threw>(child.call("changes_its_argument", list(two_rows, true)));
    CHECK(threw.type == "std::invalid_argument");
    CHECK(from_value<double>(as<Returned>(child.call("changes_its_copy", list(two_rows))).value) ==
          7);
}

TEST_CASE(
    "a submission's own memcmp and memset hide neither a changed argument nor memory never set") {
    const Traces traces;
    Child child(OWN_LIBC, patient());
    CHECK(as<ChangedArgument>(child.call("changes_its_argument", list(two_rows))).index == 0);
    if (sanitized()) {
        return; // fills memory itself
    }
    child.call(fill_command, list(0xA5));
    const Matrix never_set = from_value<Matrix>(
        as<Returned>(child.call("leaves_elements_unset", list(std::size_t{9}))).value);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(never_set.data());
    CHECK(std::all_of(bytes, bytes + never_set.size() * sizeof(double),
                      [](unsigned char byte) { return byte == 0xA5; }));
}

TEST_CASE("session: a changed argument is called by its name, and is a failure") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "");
    session.begin_case("09.1 changes_its_argument: leaves X alone");
    CHECK_THROWS_AS(session.call("changes_its_argument", "X, and_throws", list(two_rows, false)),
                    CaseEnded);
    REQUIRE(session.failures().size() == 1);
    CHECK(session.failures().front().summary.starts_with(
        "changes_its_argument changed its argument X: it is const"));
}

TEST_CASE("call_text: arrays by their shapes, numbers by what they are") {
    CHECK(call_text({"project", {"X", "n", "eager"}, list(large, 3.5, true), Returned{}, ""}) ==
          "project(X (2, 4), n = 3.5, eager = true)");
}
