#pragma once

// What an answer may depend on beside its arguments, and how it is found out: by asking the same of
// new processes.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/generic_mistake.hpp"
#include "judge/session.hpp"

namespace judge {

/// A new process of the submission, which is to answer each call in 4 s, or in what a call may take
/// if that is less.
Child new_process(const Session& session);

bool ran_out_of_time(const Outcome& outcome);

/// By the clock, from when it is made: what is slow now was quick when it was asked first.
class Deadline {
public:
    bool passed() const { return std::chrono::steady_clock::now() > until_; }

private:
    static constexpr std::chrono::seconds of_all_replays{6}; // and what was begun by then
    std::chrono::steady_clock::time_point until_ =
        std::chrono::steady_clock::now() + of_all_replays;
};

/// With which byte its new memory is filled from now on.
void fill(Child& child, int byte);

/// What a process was asked, in order, so that another can be asked the same.
class AskedSoFar {
public:
    /// recorded: of the session's calls the first so many have been asked.
    explicit AskedSoFar(std::size_t recorded = 0) : recorded_(recorded) {}

    void add(const std::string& function, const List& arguments) {
        asked_.emplace_back(function, arguments);
    }
    /// What the last of them gives in a new process that is asked all of them. Nothing if one
    /// before it runs out of time, or if all together would take too long.
    std::optional<Outcome> last_in_new_process(const Session& session) const;

private:
    std::size_t recorded_;
    std::vector<std::pair<std::string, List>> asked_;
};

/// Whether a call that runs out of time was first answered in a hundredth of that: no busy machine
/// makes such a difference twice.
bool was_quick(const Session& session, const RecordedCall& call);

GenericMistake remembers(const std::string& how);
/// A call that was answered at once, and has not returned in two new processes.
GenericMistake does_not_return_again(const std::string& how);
GenericMistake differs_by_itself();

/// What a call gives in a process that has answered nothing else, its memory filled so.
Outcome alone(const Session& session, const RecordedCall& call, int byte);

std::optional<GenericMistake> dependence_on_memory(const Session& session, const RecordedCall& call,
                                                   const Deadline& deadline);

/// Whether two new processes, each asked the call a few times and nothing else, part: what is kept
/// from call to call is kept alike in both.
std::optional<GenericMistake> now_so_now_otherwise(const Session& session, const RecordedCall& call,
                                                   const Deadline& deadline);

constexpr int other_fills[] = {0x00, 0xDA}; // as a double 0 and −2.4e130

} // namespace judge
