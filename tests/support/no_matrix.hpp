#pragma once

// Memory that must not grow with n_queries · n_keys: of a call with 2048 of both, seen from
// outside.

#include <string>

#include "judge/expect.hpp"
#include "judge/sanitized.hpp"
#include "judge/text.hpp"

namespace support {

#ifdef JUDGE_SANITIZED // whose own memory is as large
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
constexpr std::size_t many = 2048; // 2048² doubles are 33.6 MB, and as many bools 4.2 MB

/// Makes a call with many queries and keys in a new process, which may use this many MB more than a
/// call with a few: 3; with a mask, whose copies take 30, 38.
inline void expect_no_matrix(const std::string& check, const std::string& function,
                             const std::vector<std::string>& parameters, const judge::List& few,
                             const judge::List& large, double most_MB) {
    using namespace std::chrono_literals;
    judge::Session& session = judge::session();
    if (sanitized || !session.failures().empty()) {
        return;
    }
    judge::Child child = session.fresh_child([](judge::Limits& limits) {
        limits.time = 20s;
        limits.watches_memory = true;
    });
    child.call(function, few, session.variant());
    const double before = child.largest_anonymous().value_or(0);
    const judge::Outcome outcome = child.call(function, large, session.variant());
    const double MB = (child.largest_anonymous().value_or(0) - before) / 1e6;
    judge::Failure failure{.shapes_only = true};
    if (!std::holds_alternative<judge::Returned>(outcome)) {
        failure.summary = "with 2048 queries and keys it " + judge::describe(outcome);
    } else if (MB <= most_MB) {
        return;
    } else {
        failure.summary = "2048 queries and keys take " +
                          judge::number_text(std::round(10 * MB) / 10) + " MB; " +
                          judge::number_text(most_MB) +
                          " MB are enough for anything but an array of n_queries x n_keys";
        failure.suspicion = {
            "keeps_something_for_each_pair",
            "Something is kept for each pair of a query and a key: scores, weights, their "
            "gradients, or a mask (mask.value_or makes one). 2048² doubles are 33.6 MB, and as "
            "many bools 4.2 MB: compute each number where it is used, and forget it before the next."};
    }
    session.add_failure(check, {function, parameters, large, outcome, ""}, failure);
    throw judge::CaseEnded{};
}

} // namespace support
