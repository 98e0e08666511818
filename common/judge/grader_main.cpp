// The main of every grader: runs one exercise's test cases against a submission, and reports the
// verdict. Exit status: 0 passed, 1 not passed, 77 not started, 2 bad use, 3 the grader is at
// fault.

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "compiled with -ffast-math or the like, a NaN would pass as a right answer"
#endif

#define DOCTEST_CONFIG_IMPLEMENT
// We handle signals: doctest's handlers would end a test case twice, and count it twice.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <getopt.h>

#include "judge/failure_details.hpp"
#include "judge/heap.hpp"
#include "judge/names_a_mistake.hpp"
#include "judge/redraw.hpp"
#include "judge/same_call_again.hpp"
#include "judge/text.hpp"
#include "judge/verdict.hpp"

namespace {

using namespace judge;

std::string trouble; // an exception that no check threw: the grader's own
bool any_failed = false;
struct FailureSeen {};

std::string translate(CaseEnded /*unused*/) {
    return "recorded in the verdict";
}

/// Reports to the session which case runs, and counts; prints nothing itself.
struct CaseListener : doctest::IReporter {
    explicit CaseListener(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData& data) override {
        session().begin_case(data.m_name);
    }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        any_failed = any_failed || stats.failure_flags != 0;
        if (session().until_failure() && any_failed) {
            throw FailureSeen();
        }
    }
    void test_case_exception(const doctest::TestCaseException& exception) override {
        if (std::string_view(exception.error_string.c_str()) != translate({})) {
            trouble = exception.error_string.c_str();
        }
    }
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData& data) override {
        if (data.m_failed) {
            trouble = fmt::format("{}:{}: {}", data.m_file, data.m_line, data.m_expr);
        }
    }
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_REPORTER("verdict", 1, CaseListener);

State state_of(const Failure& failure) {
    if (!failure.call) {
        return State::wrong;
    }
    constexpr State by_outcome[] = {// in the order of Outcome's alternatives
                                    State::wrong,        State::wrong,
                                    State::not_started,  State::crashed,
                                    State::ran_too_long, State::used_too_much_memory,
                                    State::ended_early,  State::ended_early,
                                    State::wrong,        State::grader_at_fault};
    static_assert(std::size(by_outcome) == std::variant_size_v<Outcome>);
    const State state = by_outcome[session().calls()[*failure.call].outcome.index()];
    return state == State::not_started && session().answers_something() ? State::wrong : state;
}

/// In a half-written file, the function that reaches its todo() in every call.
std::optional<std::string> function_not_written(const Failure& failure) {
    if (!failure.call || session().answered_before(*failure.call)) {
        return std::nullopt;
    }
    const RecordedCall& call = session().calls()[*failure.call];
    return std::holds_alternative<NotImplemented>(call.outcome) ? std::optional(call.function)
                                                                : std::nullopt;
}

/// "03.2 softmax_rows: a row of 1e4 stays finite" → "a row of 1e4 stays finite".
std::string sentence_of(const std::string& test_case) {
    const std::size_t colon = test_case.find(": ");
    return colon == std::string::npos ? test_case : test_case.substr(colon + 2);
}

/// The options of a grader; `--variant` may be given several times.
struct Asked {
    std::string exercise;
    std::string submission;
    std::string mistakes;
    std::string source; // the exercise's file, if its lines may be shown
    std::vector<std::string> variants;
    Limits limits = default_limits();
    bool json = false;
};

/// What explains the failure. generic: what was found where no check failed.
std::optional<Explanation> mistake_in(State state, const Failure& failure,
                                      const std::optional<Explanation>& generic, const Asked& asked,
                                      KnownAnswers* known) {
    if (generic) {
        return generic;
    }
    if (state == State::wrong || state == State::crashed) {
        return asked.mistakes.empty() ? std::nullopt
                                      : name_mistake(session(), asked.mistakes, known);
    }
    if (state == State::ran_too_long && failure.call) {
        return session().about(session().calls()[*failure.call].function).why_endless;
    }
    return state == State::used_too_much_memory ? std::optional(failure.suspicion) : std::nullopt;
}

Verdict assemble(const Asked& asked, KnownAnswers* known) {
    Verdict verdict;
    verdict.exercise = asked.exercise;
    verdict.checks_total = session().checks();
    verdict.checks_passed = session().checks() - session().failed_checks();
    if (session().calls().empty()) {
        verdict.summary = "The grader has no checks for this exercise.";
        return verdict;
    }
    if (!trouble.empty() || any_failed == session().failures().empty()) {
        verdict.summary = "The grader itself failed: " + trouble;
        return verdict;
    }
    std::optional<Explanation> generic;
    if (!any_failed) {
        generic = make_calls_again(session());
        verdict.checks_total += generic ? 1 : 0;
    }
    if (const auto drawn = session().drawn()) {
        verdict.example = {rows_of(drawn->actual), rows_of(drawn->expected)};
    }
    if (!any_failed && !generic) {
        verdict.state = State::passed;
        return verdict;
    }
    session().leave_out_todos();
    const Failure& failure = session().failures().front();
    verdict.state = state_of(failure);
    verdict.summary = sentence(failure.summary);
    if (verdict.state == State::not_started || verdict.state == State::grader_at_fault) {
        return verdict;
    }
    verdict.failed_check = sentence_of(failure.test_case);
    if (const auto unwritten = function_not_written(failure)) {
        verdict.summary = *unwritten + " is not written yet. The rest is right so far.";
        verdict.mistake = half_written;
        return verdict;
    }
    session().close(); // frees its threads and memory before other processes start
    verdict.call = call_of(failure);
    verdict.details = with_place(details_of(failure), failure, verdict.state, asked.source);
    if (failure.call) {
        verdict.output = session().calls()[*failure.call].output;
        verdict.output_cut = session().calls()[*failure.call].output_cut;
    }
    if (const auto named = mistake_in(verdict.state, failure, generic, asked, known)) {
        verdict.mistake = named->name;
        verdict.explanation = named->text;
        verdict.certainty = named->certainty;
    }
    return verdict;
}

Verdict grade(const Asked& asked, const std::string& variant, KnownAnswers* known) {
    try {
        trouble.clear();
        any_failed = false;
        session().open(asked.submission, variant, asked.limits);
        doctest::Context context;
        context.setOption("reporters", "verdict");
        context.setOption("test-case", (asked.exercise + " *").c_str());
        try {
            context.run();
        } catch (FailureSeen) { // doctest would only go through the other cases
        }
        return assemble(asked, known);
    } catch (const std::exception& error) {
        Verdict verdict;
        verdict.exercise = asked.exercise;
        verdict.summary = fmt::format("The grader itself failed: {}", error.what());
        return verdict;
    }
}

int status_of(State state) {
    return state == State::passed            ? 0
           : state == State::not_started     ? 77
           : state == State::grader_at_fault ? 3
                                             : 1;
}

constexpr const char* usage =
    "a grader takes --exercise ID --submission PROGRAM [--mistakes PROGRAM] "
    "[--source FILE] [--variant NAME]… [--time SECONDS, above 0] [--seed N] "
    "[--until-failure] [--json]";

/// Throws std::invalid_argument, with the usage where an option is missing or unknown.
Asked asked_for(int argc, char** argv) {
    const option options[] = {{"exercise", required_argument, nullptr, 'e'},
                              {"submission", required_argument, nullptr, 's'},
                              {"mistakes", required_argument, nullptr, 'm'},
                              {"source", required_argument, nullptr, 'c'},
                              {"variant", required_argument, nullptr, 'v'},
                              {"time", required_argument, nullptr, 't'},
                              {"seed", required_argument, nullptr, 'd'},
                              {"until-failure", no_argument, nullptr, 'u'},
                              {"json", no_argument, nullptr, 'j'},
                              {}};
    Asked asked;
    for (int found = 0; (found = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        const std::string value = optarg == nullptr ? "" : optarg;
        if (found == 'e') {
            asked.exercise = value;
        } else if (found == 's') {
            asked.submission = value;
        } else if (found == 'm') {
            asked.mistakes = value;
        } else if (found == 'c') { // the exercise's file: the line that ends a call is shown
            asked.source = value;
        } else if (found == 'v') { // grade this mistake instead
            asked.variants.push_back(value);
        } else if (found == 't') { // seconds that a call may take
            const double seconds = std::stod(value);
            asked.limits.time = std::chrono::milliseconds(static_cast<long>(seconds * 1000));
        } else if (found == 'd') {
            run_seed() = std::stoull(value);
        } else if (found == 'u') {
            session().end_at_first_failure();
        } else if (found == 'j') {
            asked.json = true;
        } else {
            throw std::invalid_argument(usage);
        }
    }
    if (asked.exercise.empty() || asked.submission.empty() || optind != argc ||
        asked.limits.time.count() <= 0) {
        throw std::invalid_argument(usage);
    }
    return asked;
}

} // namespace

int main(int argc, char** argv) {
    Asked asked;
    try {
        asked = asked_for(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
    keep_freed_memory();
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) {
        struct sigaction note {};                       // without SA_RESTART: a read ends, too
        note.sa_handler = [](int) { interrupted = 1; }; // time to end the submission first
        sigaction(signal, &note, nullptr);
    }
    doctest::registerExceptionTranslator<CaseEnded>(
        +[](CaseEnded ended) { return doctest::String(translate(ended).c_str()); });
    KnownAnswers answers;
    KnownAnswers* known = asked.variants.size() > 1 ? &answers : nullptr;
    if (asked.variants.empty()) {
        asked.variants.emplace_back();
    }
    int status = 0;
    for (const std::string& variant : asked.variants) {
        const Verdict verdict = grade(asked, variant, known);
        session().close();
        std::cout << (asked.json ? json_text(verdict) : render(verdict, {})) << std::flush;
        status = std::max(status, status_of(verdict.state));
    }
    return status;
}
