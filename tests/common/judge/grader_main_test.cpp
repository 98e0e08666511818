#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <string>

#include <sys/wait.h>

#include "judge/verdict.hpp"
#include "process/descendants.hpp"
#include "process/start.hpp"
#include "support/temporary_folder.hpp"

using judge::State;
using judge::Verdict;

namespace {

struct Ended {
    int status;
    std::string output;
};

Ended run_grader(const std::string& arguments, const std::string& by = "") {
    const support::TemporaryFolder folder; // where one that crashes leaves its submission's folder
    const std::string command = "TMPDIR='" + folder.path().string() + "' " + by +
                                BROKEN_GRADER " " + arguments + " 2>/dev/null";
    FILE* grader = popen(command.c_str(), "r");
    REQUIRE(grader != nullptr);
    std::string output;
    std::array<char, 4096> chunk{};
    for (std::size_t got = 0; (got = fread(chunk.data(), 1, chunk.size(), grader)) > 0;) {
        output.append(chunk.data(), got);
    }
    const int status = pclose(grader);
    process::end_orphans(); // the submission of a grader that crashed is ours now
    return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), output};
}

Verdict at_fault(const std::string& exercise, const std::string& submission = HOSTILE) {
    CAPTURE(exercise);
    const auto [status, output] =
        run_grader("--json --exercise " + exercise + " --submission " + submission);
    CHECK(status == 3);
    const auto verdict = nlohmann::json::parse(output).get<Verdict>();
    CHECK(verdict.state == State::grader_at_fault);
    return verdict;
}

} // namespace

TEST_CASE("grader: its own exceptions are its own fault, and are quoted") {
    CHECK(at_fault("90.2").summary == "The grader itself failed: a file of ours is missing");
}

TEST_CASE("grader: a failed check that no verdict can show is its own fault") {
    CHECK(at_fault("90.3").summary.find("sum == 6") != std::string::npos);
}

TEST_CASE("grader: a submission that cannot be started is not the learner's fault") {
    CHECK(at_fault("90.1", "/no/such/program").summary ==
          "cannot start program: No such file or directory.");
}

TEST_CASE("grader: with --until-failure the first failing check is the last") {
    const auto asked = [](const std::string& option) {
        const auto [status, output] =
            run_grader("--json --exercise 90.7 --submission " HOSTILE + option);
        CHECK(status == 1);
        const auto verdict = nlohmann::json::parse(output).get<Verdict>();
        CHECK(verdict.state == State::wrong);
        CHECK(verdict.failed_check == "wants a wrong sum");
        return verdict.checks_total;
    };
    CHECK(asked("") == 2);
    CHECK(asked(" --until-failure") == 1);
}

TEST_CASE("grader: in a half-written file, the written part is graded") {
    const auto verdict_of = [](const std::string& exercise) {
        const auto [status, output] =
            run_grader("--json --submission " HOSTILE " --exercise " + exercise);
        CHECK(status == 1);
        return nlohmann::json::parse(output).get<Verdict>();
    };
    const Verdict right = verdict_of("90.8");
    CHECK(right.state == State::wrong);
    CHECK(right.mistake == judge::half_written);
    CHECK(right.summary == "half_written is not written yet. The rest is right so far.");
    CHECK(right.details.empty());
    const Verdict wrong = verdict_of("90.9");
    CHECK(wrong.failed_check == "wants a wrong sum");
    CHECK(wrong.checks_passed == 0);
    CHECK(wrong.mistake.empty());
}

TEST_CASE("grader: bad use is status 2") {
    CHECK(run_grader("--exercise 90.1").status == 2);
    CHECK(run_grader("--exercise 90.1 --submission " HOSTILE " --time -1").status == 2);
}

TEST_CASE("grader: several variants are graded one after the other, each as if it were alone") {
    const std::string grade = "--json --exercise 91.1 --mistakes " HOSTILE " --submission " HOSTILE;
    std::string one_by_one;
    std::string together;
    for (const std::string variant : {"element_wise", "transposed_weight", "element_wise"}) {
        together += " --variant " + variant;
        one_by_one += run_grader(grade + " --variant " + variant).output;
    }
    const auto [status, output] = run_grader(grade + together);
    CHECK(status == 1);
    CHECK(output == one_by_one);
    CHECK(output.find("this is X · Wᵀ.") != std::string::npos);
}

TEST_CASE("grader: ended from outside it says so, and counts no check that was not made") {
    for (const std::string signal : {"TERM", "INT", "HUP", "QUIT"}) {
        CAPTURE(signal);
        const std::string output = run_grader("--json --exercise 90.5 --submission " HOSTILE,
                                              "timeout -s " + signal + " 1 ")
                                       .output;
        const auto verdict = nlohmann::json::parse(output).get<Verdict>();
        CHECK(verdict.state == State::grader_at_fault);
        CHECK(verdict.summary == "grading was interrupted.");
        CHECK(verdict.checks_total == 1);
        CHECK(verdict.checks_passed == 0);
    }
}
