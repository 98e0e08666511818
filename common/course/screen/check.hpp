#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// What a line on standard error begins with that only says how far the work is; asked for with
/// --progress.
constexpr const char* progress_mark = "@progress ";

/// One exercise being graded by another process, ./course grade, so that a newer save can end it.
class Check {
public:
    Check() = default;
    ~Check() { cancel(); }
    Check(const Check&) = delete;
    Check& operator=(const Check&) = delete;

    /// Starts grading, in place of what is being graded.
    void start(const Project& project, const Exercise& exercise) {
        start(project, exercise, "--progress");
    }
    /// Starts building what grading the exercise will take, so that its first save is quick.
    void prepare(const Project& project, const Exercise& exercise) {
        start(project, exercise, "--prepare");
    }
    void cancel();
    bool running() const { return process_ > 0; }

    /// Descriptors to poll, −1 where there are none: what it says, and how far it is.
    int output() const { return output_; }
    int progress() const { return errors_; }

    /// Takes what has come. True when grading has ended: then verdict() or trouble() is there.
    bool advance();
    /// "building 3/12", or "" while there is nothing to say.
    const std::string& step() const { return step_; }
    const std::optional<judge::Verdict>& verdict() const { return verdict_; }
    /// One line that says why there is no verdict.
    const std::string& trouble() const { return trouble_; }

private:
    void start(const Project& project, const Exercise& exercise, const char* option);
    void listen();

    pid_t process_ = -1; // and its group
    int output_ = -1;
    int errors_ = -1;
    std::string said_;
    std::string complained_;
    std::string step_;
    std::optional<judge::Verdict> verdict_;
    std::string trouble_;
};

} // namespace course
