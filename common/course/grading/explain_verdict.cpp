#include "course/grading/explain_verdict.hpp"

#include <vector>

#include <fmt/format.h>

#include "course/explain/advice.hpp"
#include "course/explain/traps.hpp"
#include "course/grading/trial.hpp"
#include "show/text.hpp"

namespace course {

namespace fs = std::filesystem;
using judge::Certainty;
using judge::State;
using judge::Verdict;

namespace {

/// A sentence about a todo() that is left in an edited file; "" if there is none.
std::string todo_left(const Exercise& exercise, const std::string& source) {
    std::size_t number = 0;
    for (const std::string& line : show::lines_of(source)) {
        ++number;
        const bool stays = line.find("this stays") != std::string::npos; // as in the sheet of 04.4
        if (!stays && line.find("todo(\"") < line.find("//")) {
            return fmt::format("Line {} still calls todo(\"{}\", …), which stops the function "
                               "there: replace that line with your code.",
                               number, exercise.id);
        }
    }
    return "";
}

/// What a learner's verdict is about.
struct Graded {
    const Project& project;
    const Exercise& exercise;
    const Programs& programs;
    const std::string& source;
    const std::string& warnings;
};

constexpr std::chrono::seconds trial_time{10}; // for compiling, and for grading

/// Whether more checks pass once traps are corrected.
bool would_help(const Graded& graded, const Verdict& verdict, const std::vector<Trap>& traps) {
    const Trial trial(graded.project, graded.exercise, corrected(graded.source, traps), trial_time);
    const auto& submission = trial.submission();
    if (!submission) {
        return false;
    }
    Programs instead = graded.programs;
    instead.submission = fs::relative(*submission, graded.project.build);
    const Verdict other = run_grader(graded.project, graded.exercise, instead, trial_time);
    return other.state == State::passed ||
           (other.state != State::grader_at_fault && other.checks_passed > verdict.checks_passed);
}

/// The trap in the source whose correction gives better answers; "" if there is none. It takes two
/// trials at most: all traps corrected, and only the first.
std::string explain_by_trap(const Graded& graded, const Verdict& verdict,
                            bool of_arrays_only = false) {
    const auto traps = of_arrays_only ? find_array_traps(graded.source) : find_traps(graded.source);
    if (traps.empty() || !would_help(graded, verdict, traps)) {
        return "";
    }
    if (traps.size() == 1 || would_help(graded, verdict, {traps[0]})) {
        return traps[0].text;
    }
    return traps.size() == 2 ? traps[1].text
                             : "several places may be wrong; the first is: " + traps[0].text;
}

/// If no known mistake explains the wrong answers, C++ or xtensor may. certain: it is the cause.
Warned explain_otherwise(const Graded& graded, const Verdict& verdict) {
    std::string outcome = verdict.output + "\n" + verdict.summary;
    for (const std::string& line : verdict.details) {
        outcome += "\n" + line;
    }
    Warned warned = explain_warnings(graded.warnings, graded.exercise.file.filename());
    if (const std::string advice = advice_on_outcome(outcome); !advice.empty()) {
        return {advice, true};
    }
    if (warned.certain) {
        return warned;
    }
    const std::string trap = explain_by_trap(graded, verdict);
    return trap.empty() ? warned : Warned{trap, true};
}

/// What the compiler or a library reported about a crash; "" if neither did.
std::string why_it_crashed(const Graded& graded, const Verdict& verdict) {
    if (verdict.state != State::crashed) {
        return "";
    }
    const std::string seen = advice_on_outcome(verdict.output);
    const Warned warned = explain_warnings(graded.warnings, graded.exercise.file.filename());
    // After a missing return anything may run, also code that fails with a message of its own.
    return warned.certain && !seen.empty() ? warned.text + " Or " + seen : seen;
}

} // namespace

void explain(Verdict& verdict, const Project& project, const Exercise& exercise,
             const Programs& programs, const std::string& source, const std::string& warnings) {
    const Graded graded{project, exercise, programs, source, warnings};
    const bool failed = verdict.state == State::wrong || verdict.state == State::crashed ||
                        verdict.state == State::ran_too_long ||
                        verdict.state == State::used_too_much_memory;
    if (verdict.state == State::not_started) {
        const std::string left = todo_left(exercise, source);
        verdict.summary = left.empty() ? verdict.summary : left;
    } else if (verdict.mistake == judge::half_written) {
        const std::string left = todo_left(exercise, source);
        verdict.summary += left.empty() ? "" : " " + left;
    } else if (failed && (verdict.mistake == judge::memory_never_set ||
                          verdict.mistake == judge::differs_from_call_to_call ||
                          (verdict.mistake == judge::remembers_earlier_calls &&
                           verdict.state == State::wrong))) {
        // A trap in the source may leave memory unset, or read past the end.
        const std::string trap = explain_by_trap(graded, verdict);
        if (!trap.empty()) {
            verdict.explanation = trap;
            verdict.mistake.clear();
        }
    } else if (const std::string last_words = why_it_crashed(graded, verdict);
               !last_words.empty()) {
        verdict.explanation = last_words;
        verdict.mistake.clear();
    } else if (failed) {
        // A cause says more than what the answers look like.
        const bool has_name = !verdict.explanation.empty() && verdict.certainty == Certainty::cause;
        const Warned cause = has_name ? Warned{explain_by_trap(graded, verdict, true), true}
                                      : explain_otherwise(graded, verdict);
        if (verdict.explanation.empty() || (!cause.text.empty() && cause.certain)) {
            verdict.explanation = cause.text;
            verdict.certainty = cause.certain ? Certainty::cause : Certainty::hint;
            verdict.mistake.clear();
        }
    }
}

} // namespace course
