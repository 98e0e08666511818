#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace judge {

enum class State {
    not_started,
    does_not_compile,
    wrong,
    crashed,
    ran_too_long,
    used_too_much_memory,
    ended_early,
    passed,
    grader_at_fault
};

/// The name of the mistake if a function of the file still reaches its todo(), and others do not.
constexpr const char* half_written = "half_written";

/// The names of mistakes that show in what an answer depends on.
constexpr const char* memory_never_set = "memory_never_set";
constexpr const char* differs_from_call_to_call = "differs_from_call_to_call";
constexpr const char* remembers_earlier_calls = "remembers_earlier_calls";

/// How sure an explanation is: it names the cause, it describes what wrong answers look like, or it
/// only says where to look.
enum class Certainty { cause, look, hint };

/// Why answers are wrong, or what they look like: a name for tools, a text for learners.
struct Explanation {
    std::string name = {};
    std::string text = {};
    std::size_t explained = 0; // of the answers that it was compared with
    std::size_t answers = 0;
    Certainty certainty = Certainty::cause;
    bool decisive = false; // of a look: one mistake turns all right answers into these

    bool explains_all() const { return explained == answers; }
};

/// What a state is called: "ran too long".
std::string state_text(State state);

/// The function's answer for the exercise's smallest example, beside the right one: rows of a
/// matrix, or the two rows x and y of a curve.
struct Example {
    std::vector<std::vector<double>> yours;
    std::vector<std::vector<double>> expected;

    bool empty() const { return yours.empty(); }
    bool operator==(const Example&) const = default;
};

/// Everything about one exercise. Texts are plain: colours are added when it is printed.
struct Verdict {
    std::string exercise; // its id: "03.2"
    State state = State::grader_at_fault;
    std::string summary;              // one sentence
    std::string failed_check;         // the name of the first check that failed
    std::size_t checks_passed = 0;    // of checks_total
    std::size_t checks_total = 0;     //
    std::vector<std::string> details; // lines: the call, its arguments, expected beside got
    std::string mistake;              // its name, for tools; "misconception" in JSON
    std::string explanation;          // and in words, for the learner
    Certainty certainty = Certainty::cause;
    std::string output; // what the exercise printed
    bool output_cut = false;
    Example example;  // nothing where there is none
    std::string call; // the failing one for a figure, in JSON (failure_details.hpp); "" for none

    bool operator==(const Verdict&) const = default;
};

void to_json(nlohmann::json& json, const Verdict& verdict);
void from_json(const nlohmann::json& json, Verdict& verdict);

/// As JSON, whatever bytes its texts have: invalid UTF-8 is replaced. Ends in a newline.
std::string json_text(const Verdict& verdict);

/// A text with a full stop, unless it already ends a sentence.
std::string sentence(const std::string& text);

struct RenderOptions {
    std::string name; // what the exercise is called: "softmax_rows"
    bool colours = false;
    bool output = true;     // what the exercise printed, too
    std::size_t width = 76; // of paragraphs
};

/// The verdict as a learner reads it, ending in a newline; the caller adds what to do next.
std::string render(const Verdict& verdict, const RenderOptions& options);

/// One line of a table: "✓ 03.2  softmax_rows        passed".
std::string summary_line(const Verdict& verdict, const std::string& name, bool colours);

} // namespace judge
