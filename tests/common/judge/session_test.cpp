// A grader's session with the submission `hostile`, and the functions that ask it.

#include "exports.hpp"
#include "hostile_child.hpp"

using namespace judge;
using namespace hostile;

namespace {

/// What ends a test case: only the failure that was recorded for it.
Failure failure_of(Session& session, const std::function<void()>& check) {
    const std::size_t before = session.failures().size();
    bool ended = false;
    try {
        check();
    } catch (CaseEnded) {
        ended = true;
    }
    CHECK(ended);
    REQUIRE(session.failures().size() == before + 1);
    return session.failures().back();
}

} // namespace

TEST_CASE("session: calls are recorded, with arguments, outcome and output") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "");
    session.begin_case("01.1 add: two numbers");
    CHECK(from_value<double>(session.call("add", "a, b", list(2.0, 3.0))) == 5);
    session.call("print", "text", list(text("seen")));
    REQUIRE(session.calls().size() == 2);
    const RecordedCall& first = session.calls()[0];
    CHECK(first.function == "add");
    CHECK(first.parameters == std::vector<std::string>{"a", "b"});
    CHECK(from_value<double>(first.arguments.at(1)) == 3);
    CHECK(std::holds_alternative<Returned>(first.outcome));
    CHECK(first.output.empty());
    CHECK(session.calls()[1].output.find("cout seen\n") != std::string::npos);
    CHECK(session.failures().empty());
}

TEST_CASE("session: an outcome other than a value is the failure of its case") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "");
    session.begin_case("01.1 add: fine");
    session.call("add", "a, b", list(2.0, 3.0));
    session.begin_case("01.1 throws: not fine");
    const Failure threw =
        failure_of(session, [&] { session.call("throws", "what", list(text("bad\n  news"))); });
    CHECK(threw.test_case == "01.1 throws: not fine");
    CHECK(threw.call == 1);
    CHECK(threw.summary == "throws threw std::invalid_argument: bad news");
    const Failure crashed =
        failure_of(session, [&] { session.call("crashes", "how", list(text("abort"))); });
    CHECK(
        crashed.summary ==
        "crashes crashed with SIGABRT, from abort(), a failed assert() or an exception that nothing could catch");
    const Failure ended =
        failure_of(session, [&] { session.call("exits", "how", list(text("exit"))); });
    CHECK(ended.summary == "exits ended the whole program, with status 0, instead of returning");
    CHECK(from_value<double>(session.call("add", "a, b", list(2.0, 3.0))) == 5);
}

TEST_CASE("session: calls that take too long together end, and no further call is made") {
    const Traces traces;
    Session session;
    Limits limits = patient();
    limits.total = std::chrono::milliseconds(1);
    session.open(HOSTILE, "", limits);
    session.begin_case("01.1 add: on and on");
    const Failure failure = failure_of(session, [&] {
        for (;;) {
            session.call("add", "a, b", list(2.0, 3.0));
        }
    });
    CHECK(std::holds_alternative<RanTooLong>(session.calls().back().outcome));
    CHECK(failure.summary.starts_with("all calls together may take 0.001 s; the first "));
    const std::size_t made = session.calls().size();
    bool ended = false;
    try {
        session.call("add", "a, b", list(2.0, 3.0));
    } catch (CaseEnded) {
        ended = true;
    }
    CHECK(ended);
    CHECK(session.calls().size() == made);
    CHECK(session.failures().size() == 1);
}

TEST_CASE("graded functions: an answer of another type is not usable") {
    const Traces traces;
    session().open(HOSTILE, "");
    session().begin_case("");
    const Remote<std::string(double, double)> not_a_string("add", "a, b");
    const Failure failure = failure_of(session(), [&] { not_a_string(2, 3); });
    CHECK(failure.summary == "gave no usable answer: wanted a string, got number");
    CHECK(std::holds_alternative<Garbled>(session().calls().back().outcome));
    session().close();
}

TEST_CASE("describe: one sentence for each outcome") {
    CHECK(describe(Returned{}) == "returned a value");
    CHECK(describe(Threw{"int", ""}) == "threw int");
    CHECK(describe(Threw{"std::runtime_error", " two\n   lines "}) ==
          "threw std::runtime_error: two lines");
    CHECK(describe(NotImplemented{"03.2"}) == "03.2 is not written yet");
    CHECK(
        describe(Crashed{8}) ==
        "crashed with SIGFPE, a division of integers by zero, or arithmetic on floats that was made to trap");
    CHECK(describe(Crashed{14}) == "crashed with signal 14 (Alarm clock)");
    CHECK(describe(RanTooLong{0.25}) == "did not return within 0.25 s");
    CHECK(describe(UsedTooMuchMemory{std::size_t{1} << 30}) ==
          "requested more than the 1024 MiB it may use");
    CHECK(describe(UsedTooMuchMemory{0}) == "requested more memory than there is");
    CHECK(describe(EndedEarly{3}) ==
          "ended the whole program, with status 3, instead of returning");
    CHECK(describe(Garbled{"because"}) == "gave no usable answer: because");
    CHECK(describe(NotStarted{"because"}) == "because");
}

TEST_CASE("describe: an index out of range is recognised, in an exception's text of any length") {
    const auto says = [](const std::string& what) {
        return describe(Threw{"std::out_of_range", what});
    };
    CHECK(says("xtensor: index 18446744073709551615 is out of bounds for axis 1 with size 3")
              .find("18446744073709551615 along axis 1, which has 3 elements, 0 to 2") !=
          std::string::npos);
    const std::string digits(1 << 20, '1');
    for (const std::string& what :
         {"index " + digits, "index 1 is out of bounds for axis 0 with size " + digits}) {
        CHECK(says(what).find("threw std::out_of_range: ") == 0);
    }
}

TEST_CASE("session: a todo() after answers is no stub any more, and is said to be in this call") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "");
    session.begin_case("09.9 half_written: both signs");
    CHECK_FALSE(session.answered_before(0));
    session.call("half_written", "a", list(1.0));
    const Failure failure =
        failure_of(session, [&] { session.call("half_written", "a", list(-1.0)); });
    CHECK(failure.summary == "half_written answers some calls, but reaches a todo() in this one");
    CHECK(session.answered_before(1));
}

TEST_CASE("session: in a file that is half written, the written half is reported") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "");
    session.begin_case("09.9 half_written: the first");
    CHECK_FALSE(session.answers_something());
    failure_of(session, [&] { session.call("half_written", "a", list(-1.0)); });
    session.leave_out_todos(); // nothing else failed, so it stays
    CHECK(session.failures().size() == 1);
    session.begin_case("09.9 half_written: the second");
    session.call("half_written", "a", list(1.0));
    CHECK(session.answers_something());
    failure_of(session, [&] { session.fail({.summary = "wrong"}); });
    session.leave_out_todos();
    REQUIRE(session.failures().size() == 1);
    CHECK(session.failures().front().summary == "wrong");
    CHECK(session.failures().front().call == 0);
    REQUIRE(session.calls().size() == 1);
    CHECK(std::holds_alternative<Returned>(session.calls().front().outcome));
}

TEST_CASE("session: the drawing belongs to the check that failed, or to none") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "");
    CHECK_FALSE(session.drawn());
    session.begin_case("the first");
    session.set_example(to_value(1.0), to_value(2.0));
    CHECK(from_value<double>(session.drawn()->actual) == 1);
    session.begin_case("the second");
    failure_of(session, [&] { session.fail({.summary = "of no values"}); });
    CHECK_FALSE(session.drawn());

    Session other;
    other.begin_case("the first");
    other.set_example(to_value(1.0), to_value(2.0));
    other.begin_case("the second");
    failure_of(other, [&] {
        other.fail({.summary = "off", .expected = to_value(4.0), .actual = to_value(3.0)});
    });
    CHECK(from_value<double>(other.drawn()->actual) == 3);
    CHECK(from_value<double>(other.drawn()->expected) == 4);
}
