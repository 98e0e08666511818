#pragma once

// Shared by the tests of judge::Child: the submission `hostile`, and a look at what it left behind.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "judge/child.hpp"
#include "judge_values.hpp"

namespace hostile {

using judge::Child;
using judge::Limits;
using judge::List;
using judge::Outcome;
using judge::Value;

/// Whether this is a sanitized build: those cannot live with a memory limit.
inline bool sanitized() {
    return judge::default_limits().memory == 0;
}

/// Enough time for anything that does end, on the busiest machine.
inline Limits patient() {
    Limits limits = judge::default_limits();
    limits.time = std::chrono::seconds(20);
    limits.memory /= 4;
    return limits;
}

/// For what does not end.
inline Limits quick() {
    Limits limits = patient();
    limits.time = std::chrono::milliseconds(300);
    return limits;
}

/// The same on a kernel that prevents nothing: the processes that it starts are still ended.
inline Limits unconfined(Limits limits = patient()) {
    limits.confined = false;
    return limits;
}

/// The processes whose parent is, or has become, this process.
inline std::vector<pid_t> children() {
    std::vector<pid_t> found;
    std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
    REQUIRE(list.is_open());
    for (pid_t child = 0; list >> child;) {
        found.push_back(child);
    }
    return found;
}

inline std::vector<int> descriptors() {
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int descriptor = std::stoi(entry.path().filename());
        if (std::filesystem::exists(entry.symlink_status())) {
            found.push_back(descriptor);
        }
    }
    std::sort(found.begin(), found.end());
    found.pop_back(); // the one that looks
    return found;
}

inline bool lives(pid_t process) {
    return std::filesystem::exists("/proc/" + std::to_string(process));
}

/// A folder for the test's temporary files. When it is removed, nothing that the test caused may
/// remain: no process, no file, no open descriptor.
class Traces {
public:
    Traces() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "judge_test-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        folder_ = pattern;
        setenv("TMPDIR", pattern.c_str(), 1);
        CHECK(children().empty());
        descriptors_ = descriptors();
    }
    ~Traces() {
        CHECK(children().empty());
        CHECK(descriptors() == descriptors_);
        CHECK(std::filesystem::is_empty(folder_));
        before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }
    Traces(const Traces&) = delete;
    Traces& operator=(const Traces&) = delete;

    const std::filesystem::path& folder() const { return folder_; }

private:
    std::string before_ = std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR");
    std::filesystem::path folder_;
    std::vector<int> descriptors_;
};

/// The outcome as the alternative that it must be; if it is another, reports it and ends the test.
template <class T>
T as(const Outcome& outcome) {
    INFO("the call ", judge::describe(outcome));
    REQUIRE(std::holds_alternative<T>(outcome));
    return std::get<T>(outcome);
}

/// Arguments of any types, as a call takes them.
template <class... A>
List list(const A&... arguments) {
    return {judge::to_value<A>(arguments)...};
}
inline std::string text(const char* characters) {
    return characters;
}

inline void answers(Child& child) {
    const auto returned = as<judge::Returned>(child.call("add", list(2.0, 3.0)));
    CHECK(judge::from_value<double>(returned.value) == 5);
}

/// A call that must end as T, in time; the next call is answered as if nothing had happened.
template <class T>
T ends_as(Child& child, const Limits& limits, const std::string& function, const List& arguments) {
    CAPTURE(function);
    const auto start = std::chrono::steady_clock::now();
    const T outcome = as<T>(child.call(function, arguments));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    // Starting and ending the child are not the call's; half a second of grace is for closed pipes.
    CHECK(taken.count() < std::chrono::duration<double>(limits.time).count() + 2);
    answers(child);
    return outcome;
}
template <class T>
T ends_as(const Limits& limits, const std::string& function, const List& arguments = {}) {
    const Traces traces;
    Child child(HOSTILE, limits);
    return ends_as<T>(child, limits, function, arguments);
}

} // namespace hostile
