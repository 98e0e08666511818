#include "judge/verdict.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace judge;

namespace {

Verdict wrong() {
    Verdict verdict;
    verdict.exercise = "03.2";
    verdict.state = State::wrong;
    verdict.summary = "the values are wrong; furthest off is (1, 0): got 2, expected 0.5.";
    verdict.failed_check = "each row sums to 1";
    verdict.checks_passed = 2;
    verdict.checks_total = 5;
    verdict.details = {"softmax_rows(S) with", "", "  S (1, 2)", "    1   2"};
    verdict.mistake = "over_columns";
    verdict.explanation = "this normalises columns.";
    verdict.output = "first line\nsecond\n";
    return verdict;
}

const char* const wrong_text =
    "✗ 03.2 softmax_rows: wrong\n"
    "  2 of 5 checks pass. The first that does not: each row sums to 1\n"
    "\n"
    "  softmax_rows(S) with\n"
    "\n"
    "    S (1, 2)\n"
    "      1   2\n"
    "\n"
    "  the values are wrong; furthest off is (1, 0): got 2, expected 0.5.\n"
    "\n"
    "  Most likely: this normalises columns.\n"
    "\n"
    "  your output:\n"
    "  | first line\n"
    "  | second\n";

std::string dump(const Verdict& verdict) {
    return nlohmann::json(verdict).dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Everything that a terminal might obey.
const std::string evil = "\x1b[2J\x1b]0;title\a\b\b\r\x7f\u009b2J\u0085 end";

} // namespace

TEST_CASE("verdict: survives the round trip through JSON, in every state") {
    for (int state = 0; state <= static_cast<int>(State::grader_at_fault); ++state) {
        Verdict verdict = wrong();
        verdict.state = static_cast<State>(state);
        verdict.output_cut = state % 2 == 0;
        CHECK(nlohmann::json::parse(dump(verdict)).get<Verdict>() == verdict);
    }
    CHECK(nlohmann::json::parse(dump({})).get<Verdict>() == Verdict{});
}

TEST_CASE("verdict: every byte that a learner may print goes through JSON") {
    Verdict verdict = wrong();
    verdict.output.clear();
    for (int byte = 0; byte < 128; ++byte) {
        verdict.output += static_cast<char>(byte);
    }
    CHECK(nlohmann::json::parse(dump(verdict)).get<Verdict>() == verdict);
    for (int byte = 128; byte < 256; ++byte) {
        verdict.output += static_cast<char>(byte);
    }
    verdict.output += "cut in the middle of a character: \xe2\x88";
    verdict.summary = "threw std::runtime_error: \xff\xfe";
    const Verdict back = nlohmann::json::parse(dump(verdict)).get<Verdict>();
    CHECK(back.summary == "threw std::runtime_error: \ufffd\ufffd");
    CHECK(back.output.substr(0, 128) == verdict.output.substr(0, 128));
}

TEST_CASE("render: a wrong answer, as a learner reads it") {
    CHECK(render(wrong(), {.name = "softmax_rows"}) == wrong_text);
}

TEST_CASE("render: the learner's output can be left out") {
    const std::string text = render(wrong(), {.name = "softmax_rows", .output = false});
    CHECK(text == std::string(wrong_text).substr(0, text.size()));
    CHECK(text.find("your output") == std::string::npos);
}

TEST_CASE("render: states that need few words") {
    Verdict verdict;
    verdict.exercise = "03.2";
    verdict.state = State::passed;
    verdict.checks_passed = verdict.checks_total = 7;
    CHECK(render(verdict, {.name = "f"}) == "✓ 03.2 f: passed\n  all 7 checks pass\n");
    verdict = {};
    verdict.exercise = "03.2";
    verdict.state = State::not_started;
    verdict.summary = "03.2 is not written yet.";
    CHECK(render(verdict, {.name = "f"}) ==
          "· 03.2 f: not started\n\n  03.2 is not written yet.\n");
    verdict.state = State::grader_at_fault;
    verdict.summary = "The grader has no checks for this exercise.";
    CHECK(render(verdict, {.name = "f"}) ==
          "! 03.2 f: grader at fault\n\n  The grader has no checks for this exercise.\n");
}

TEST_CASE("render: no output of the learner's program can control the terminal") {
    Verdict verdict = wrong();
    verdict.output = evil + "\n";
    verdict.summary = evil;
    verdict.details = {evil};
    const std::string text = render(verdict, {.name = "f"});
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        CHECK((byte >= 32 || c == '\n'));
        CHECK(byte != 127);
    }
    CHECK(text.find("\u009b") == std::string::npos);
    CHECK(text.find("  | [2J]0;title2J end\n") != std::string::npos);
    // Letters and signs of two or more bytes are unchanged.
    verdict.output = "é Ж √ ᵀ \u00a0\n";
    CHECK(render(verdict, {}).find("  | é Ж √ ᵀ \u00a0\n") != std::string::npos);
}

TEST_CASE("sentence: one full stop, whatever the text's end") {
    CHECK(judge::sentence("it is wrong") == "it is wrong.");
    CHECK(judge::sentence("a size may be any; are they integers?") ==
          "a size may be any; are they integers?");
    CHECK(judge::sentence("it says: \"no.\"") == "it says: \"no.\"");
    CHECK(judge::sentence("it says: \"no\"") == "it says: \"no\".");
    CHECK(judge::sentence("and more…") == "and more…");
    CHECK(judge::sentence("") == ".");
}
