#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "judge/child.hpp"
#include "judge/compare.hpp"
#include "judge/verdict.hpp"

namespace judge {

/// One call that was graded, kept so that it can be shown, and replayed on known mistakes.
struct RecordedCall {
    std::string function;
    std::vector<std::string> parameters;
    List arguments;
    Outcome outcome;
    std::string output = {};
    bool output_cut = false;
    std::chrono::steady_clock::duration taken{};
    std::optional<Tolerance> tolerance = {}; // the tightest that its answer was compared with
};

/// A check's failure. call: an index into Session::calls(), or none.
struct Failure {
    std::string test_case = {};
    std::optional<std::size_t> call = {};
    std::string summary = {};           // one sentence
    std::optional<Value> expected = {}; // shown beside the answer, if both are there
    std::optional<Value> actual = {};
    std::optional<Mismatch> mismatch = {};
    bool shapes_only = false;            // the arguments' elements do not matter
    std::vector<std::string> lines = {}; // shown below the call, where expected would say too much
    Explanation suspicion = {};          // of a check that has one usual reason to fail
};

/// An answer, beside the right one.
struct Compared {
    Value actual;
    Value expected;
};

/// What a grader says of a function. Everything may be missing.
struct AboutFunction {
    /// How two answers are compared when looking for the mistake, where equal within the usual
    /// tolerance is not the measure: random numbers, sums of floats.
    std::function<bool(const Value&, const Value&)> alike = {};
    /// Where no mistake is found, the numbers still say something one by one: they are not random.
    bool one_by_one = true;
    /// How a mistake is known that has no answers of its own, an iteration that may stop anywhere:
    /// by what all answers show, if no other mistake explains them and all have the right shape.
    std::map<std::string, std::function<bool(const std::vector<Compared>&)>> traits = {};
    /// Why a call usually runs too long, where its sizes do not show it.
    Explanation why_endless = {};
    /// How a failing call is written if the function replaces the exercise's own:
    /// "causal_streaming(score_tile, V, n_queries, tile), where …".
    std::string shown = {};
};

/// AboutFunction::alike, by a tolerance.
inline auto within(Tolerance tolerance) {
    return [=](const Value& a, const Value& b) { return !compare(a, b, tolerance); };
}

/// Thrown to end a test case after its failure has been recorded; doctest reports it as failed.
struct CaseEnded {};

/// Everything that one run of a grader knows: the submission that it calls, and the results.
/// Written for one thread; there is one a process, session().
///
/// The session does this for all graders:
///   - after all checks have passed, some recorded calls are made again in the same process, twice
///     in a row and in another order, and must be answered as before: see same_call_again.hpp;
///   - memory from `new` is filled, and those calls made with two other fillings: see
///     unset_memory.hpp;
///   - an argument that is const and yet has been changed is an outcome of its own,
///   ChangedArgument.
class Session {
public:
    /// Begins the grading of a submission. How answers are compared and mistakes recognised stays
    /// unchanged. variant: a mistake of the submission to grade instead of the function; or
    /// empty.
    void open(const std::filesystem::path& submission, const std::string& variant,
              const Limits& limits = default_limits());

    /// Ends the submission.
    void close() { child_.reset(); }

    Value call(const std::string& function, const std::string& parameters, List arguments);
    /// Runs a call whose outcome, of any kind, the caller wants to judge.
    Outcome attempt(const std::string& function, const std::string& parameters, List arguments);
    /// The value of the last call; a failure if it did not return one.
    Value value_of(const std::string& function, Outcome outcome);

    /// Runs convert; if the value has not the promised type, that is a failure of the submission.
    template <class Convert>
    auto typed(const Convert& convert) -> decltype(convert()) {
        try {
            return convert();
        } catch (const malformed& error) {
            calls_.back().outcome = Garbled{error.what()};
            fail({.summary = describe(calls_.back().outcome)});
        }
    }

    /// Records a failure about the last call of this test case, and ends the case. Only what the
    /// check found needs to be filled in.
    [[noreturn]] void fail(Failure failure);

    /// Set by the reporter at the start of each test case.
    void begin_case(const std::string& name);
    /// How many checks made a call.
    std::size_t checks() const { return checks_; }
    std::size_t failed_checks() const;
    /// Whether grading ends at the first check that fails.
    bool until_failure() const { return until_failure_; }
    void end_at_first_failure() { until_failure_ = true; }
    /// What the usual mistake is if this test case fails and nothing better is known. in:
    /// used_too_much_memory, or wrong for all other failures.
    void suspect(Explanation usual, State in = State::wrong) {
        suspicion_ = std::move(usual);
        suspected_in_ = in;
    }

    /// The first answer that was compared with an expected one, or those that were chosen to be
    /// drawn.
    const std::optional<Compared>& example() const { return example_; }
    void set_example(const Value& actual, const Value& expected) {
        example_ = Compared{actual, expected};
        example_case_ = test_case_;
    }
    /// The example to draw: of the first failing check, if one failed, and of no other.
    std::optional<Compared> drawn() const;

    /// Whether an earlier call of the same function returned: then it is no longer a stub.
    bool answered_before(std::size_t call) const;
    /// Whether any call returned.
    bool answers_something() const;
    /// In a half-written file: forgets the calls that reached a todo(), and their failures, if
    /// others failed too, because those are about the written part.
    void leave_out_todos();

    /// The answer of the last call is compared with this tolerance: what looks for the mistake
    /// measures alike.
    void set_tolerance(Tolerance tolerance);

    /// Repeats a recorded call, unrecorded, in the process that has answered all the others.
    Outcome ask_again(const RecordedCall& call, const List& arguments);
    /// Another process of the same submission, with the same limits but for a change. Call it with
    /// the variant of this one.
    Child fresh_child(const std::function<void(Limits&)>& change = {}) const;
    const std::filesystem::path& submission() const { return submission_; }
    const std::string& variant() const { return variant_; }
    /// A failure of a call that no test case made, in a check of this name.
    void add_failure(const std::string& check, RecordedCall call, Failure failure);

    const std::vector<RecordedCall>& calls() const { return calls_; }
    const std::vector<Failure>& failures() const { return failures_; }

    /// What the grader says of this function, or nothing.
    const AboutFunction& about(const std::string& function) const;
    void set_about(const std::string& function, AboutFunction about);
    /// "project(X, W)" by default.
    std::string shown(const RecordedCall& call) const;
    bool alike(const std::string& function, const Value& a, const Value& b) const;
    /// Whether b equals a to nine digits, or to the tolerance of the call's check: right answers in
    /// floats may round differently on threads. A limit that was hit says nothing.
    bool repeats(const RecordedCall& call, const Outcome& a, const Outcome& b) const;

private:
    std::unique_ptr<Child> child_;
    std::filesystem::path submission_;
    Limits limits_;
    std::chrono::steady_clock::duration spent_{};
    std::string variant_;
    std::string test_case_;
    Explanation suspicion_; // of this test case
    State suspected_in_ = State::wrong;
    std::size_t first_call_ = 0; // of this test case
    std::size_t checks_ = 0;
    std::size_t not_run_ = 0; // of these, after a limit was hit
    bool counted_ = false;    // this test case, among them
    bool until_failure_ = false;
    bool stopped_ = false; // a limit was hit: no further call is worth its time
    std::vector<RecordedCall> calls_;
    std::size_t kept_bytes_ = 0; // of the answers in them
    std::vector<Failure> failures_;
    std::map<std::string, AboutFunction> about_;
    std::optional<Compared> example_;
    std::string example_case_;
};

Session& session();

/// Once a program: const judge::About about("sample", {.alike = same_distribution});
struct About {
    About(const std::string& function, AboutFunction about) {
        session().set_about(function, std::move(about));
    }
};

} // namespace judge
