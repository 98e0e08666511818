#pragma once

// What the graders of lesson 10 share: examples, and checks.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <vector>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/sanitized.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/zeros_and_ones.hpp"

namespace asked {

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using plain::infinity;
using plain::Mask;
using plain::Matrix;
using plain::MatrixF;
using plain::OptionalMask;
using plain::Partial;
using plain::Streamed;
using plain::Vector;

/// Sums of some thousand terms.
constexpr judge::Tolerance of_long_sums{0, 1e-10, 1e-10};

/// What fails where the tile is far larger than there are keys.
inline const judge::Suspicion as_large_as_the_tile{
    "as_large_as_the_tile",
    "something is made as large as the tile, or as its square. A tile may be far larger than there "
    "are keys: go on with the smaller of the two, std::min(tile, n_keys).",
    true};
/// And what fails where no int holds it.
inline const judge::Suspicion tile_in_32_bits{
    "tile_in_32_bits",
    "right, but for a tile of 2³¹ or more: it is kept in 32 bits, as an int or an unsigned, or "
    "something that is made of it is. Sizes are std::size_t."};
/// The first two are more than memory holds, the others more than 32 bits.
constexpr std::size_t large_tiles[] = {std::size_t{1} << 20U, std::size_t{1} << 30U};
constexpr std::size_t tiles_past_32_bits[] = {std::size_t{1} << 31U, std::size_t{1} << 32U};

/// Nothing is so small that it is nothing, or so large that it is cut off.
constexpr double sizes_of_numbers[] = {1e-9, 1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100};

struct Inputs {
    Matrix Q, K, V;
};

/// Scores of about `size`.
inline Inputs drawn_inputs(std::size_t n_queries, std::size_t n_keys, std::size_t d_k,
                           std::size_t d_v, std::uint64_t seed, double size = 1) {
    return {size * standard_normal(n_queries, d_k, 10 * seed),
            standard_normal(n_keys, d_k, 10 * seed + 1),
            standard_normal(n_keys, d_v, 10 * seed + 2)};
}

/// Blocks about one place in three.
inline Mask random_mask(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed) {
    const Matrix numbers = standard_normal(n_queries, n_keys, seed);
    Mask mask = Mask::from_shape({n_queries, n_keys});
    std::transform(numbers.begin(), numbers.end(), mask.begin(), [](double x) { return x < 0.43; });
    return mask;
}

/// Two queries and six keys, of which the scores are small multiples of `size`.
inline Inputs of_score_size(double size) {
    Inputs in{{{1}, {-1}}, Matrix::from_shape({6, 1}), standard_normal(6, 2, 50)};
    for (std::size_t j = 0; j < 6; ++j) {
        in.K(j, 0) = size * (static_cast<double>(j * 5 % 6) - 2);
    }
    return in;
}

/// Queries that are 1 and keys of one component: the scores are the keys.
inline Inputs of_scores(const std::vector<double>& scores, std::uint64_t seed,
                        std::size_t n_queries = 1) {
    Inputs in{xt::ones<double>({n_queries, std::size_t{1}}), Matrix::from_shape({scores.size(), 1}),
              standard_normal(scores.size(), 2, seed)};
    std::copy(scores.begin(), scores.end(), in.K.begin());
    return in;
}

/// What fails where the largest score rises by less than somebody thought worth a factor.
inline const judge::Suspicion small_rises_not_rescaled{
    "small_rises_not_rescaled",
    "right, but where the largest score rises by little at a time: there what was summed before is "
    "not brought to the new maximum, though that is what comes next is summed with. Either both "
    "move or neither: exp(−1e-6) is a factor like any other."};
/// By how much a score exceeds the one before: the factor of each is next to 1.
constexpr double small_rises[] = {5e-2, 5e-3, 5e-4, 5e-6, 5e-9, 5e-11};
inline std::vector<double> creeping(double rise, std::size_t n) {
    std::vector<double> scores(n);
    for (std::size_t j = 0; j < n; ++j) {
        scores[j] = rise * static_cast<double>(j);
    }
    return scores;
}

/// What fails where the largest score rises by much, and not by more than somebody thought worth a
/// factor.
inline const judge::Suspicion rises_not_rescaled{
    "rises_not_rescaled",
    "right, but where the largest score rises by much from one tile to a later one: the sums are "
    "brought to the new maximum only where it is above a bound, and up to there exp of what it "
    "rose by is infinite, or its factor on what was summed before has too few digits. Bring them "
    "there "
    "at every rise, or at a bound of 10, say."};
/// Scores of −1, 0 and 1 beside each other, in steps that rise by so much.
inline std::vector<double> in_steps(double rise, std::size_t n, std::size_t length) {
    std::vector<double> scores(n);
    for (std::size_t j = 0; j < n; ++j) {
        scores[j] = rise * static_cast<double>(j / length) + static_cast<double>(j * 7 % 3) - 1;
    }
    return scores;
}

/// What fails where all scores that are seen lie below what stands in place of −∞.
inline const judge::Suspicion finite_in_place_of_minus_infinity{
    "finite_in_place_of_minus_infinity",
    "right, but where all scores that a query sees lie far below 0: a finite number such as "
    "−10,000 "
    "or −1e9 stands in place of −∞, as a score of what is not there, as what the largest is "
    "searched from, or as a sign that nothing was seen. A score may lie below any such number: "
    "leave out what is not seen, and start from −infinity."};
/// Below −1e4, −1e9, −1e30 and the least that a float holds.
constexpr double far_below[] = {-2e4, -3e9, -1e31, -1e301};

/// Values of 0 in the first tile, in a later one, all over, and some that cancel to exactly 0.
inline std::vector<Matrix> values_with_zeros(const Matrix& V) {
    std::vector<Matrix> all = drawn::each_with_zeros(V);
    Matrix opposite = V;
    for (std::size_t j = 1; j < V.shape(0); j += 2) {
        xt::view(opposite, j, xt::all()) = -xt::view(opposite, j - 1, xt::all());
    }
    all.push_back(opposite);
    Matrix first_two = V;
    xt::view(first_two, xt::range(0, 2), xt::all()) = 0;
    all.push_back(first_two);
    return all;
}

/// Queries of 1 and keys that are their scores: some weigh 1e-11 and less, and have values as
/// large.
inline Inputs small_weights(std::size_t n_queries) {
    return {xt::ones<double>({n_queries, std::size_t{1}}),
            {{0}, {-25}, {0.5}, {-50}, {1}},
            {{1, 2}, {1e11, -2e11}, {-3, 1}, {-3e21, 1e21}, {2, 5}}};
}

/// Where something small is cut off: below the largest score, as people choose it.
inline std::vector<double> usual_bounds() {
    std::vector<double> bounds;
    for (int tenths = 10; tenths <= 120; ++tenths) {
        bounds.push_back(tenths / 10.0);
    }
    for (int halves = 25; halves <= 220; ++halves) {
        bounds.push_back(halves / 2.0);
    }
    for (int digits = 1; digits <= 40; ++digits) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            bounds.push_back(digits * std::log(10.0) - std::log(digit));
        }
    }
    return bounds;
}

/// What the submission answered to all calls of a function that fit; small ones first, which tell
/// most mistakes apart.
template <class Call, class Make>
std::vector<Call> answered_calls(const std::string& function, const Make& make) {
    std::vector<Call> calls;
    for (const judge::RecordedCall& call : judge::session().calls()) {
        const auto* returned = std::get_if<judge::Returned>(&call.outcome);
        if (call.function == function && returned != nullptr) {
            Call of = make(call.arguments);
            if (of.K.shape(1) == of.Q.shape(1) && of.K.shape(0) == of.V.shape(0)) {
                of.answer = returned->value;
                of.tolerance = call.tolerance.value_or(judge::Tolerance{});
                calls.push_back(std::move(of));
            }
        }
    }
    std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
        return a.Q.size() + a.K.size() + a.V.size() < b.Q.size() + b.K.size() + b.V.size();
    });
    return calls;
}

/// Whether one of the suspects, each a way to answer a call, answers all as the submission did, and
/// some wrongly: asked of the wrong answers first, and as long as there is time, since hundreds of
/// bounds, each with calls of a million scores, would take minutes where only a large call tells
/// them apart. beside_nan: what is NaN in the submission's answers tells nothing.
template <class Call, class Suspect>
bool one_explains(const std::vector<judge::Session::Answer>& answers, std::vector<Call> calls,
                  const std::vector<Suspect>& suspects, bool beside_nan = false) {
    double& seconds_left = judge::session().seconds_to_recognise();
    const auto told = [=](const judge::Value& mine, const judge::Value& other) {
        return beside_nan ? judge::where_defined(mine, other) : mine;
    };
    std::vector<judge::Value> wrong;
    for (const auto& [actual, expected] : answers) {
        if (judge::compare(told(actual, expected), expected)) {
            wrong.push_back(actual);
        }
    }
    if (wrong.empty()) {
        return false;
    }
    std::stable_partition(calls.begin(), calls.end(), [&](const Call& call) {
        return std::any_of(wrong.begin(), wrong.end(), [&](const judge::Value& value) {
            return !judge::compare(call.answer, value, judge::Tolerance{0, 0});
        });
    });
    const std::clock_t begin = std::clock();
    const auto in_time = [&] {
        return static_cast<double>(std::clock() - begin) < seconds_left * CLOCKS_PER_SEC;
    };
    const bool found = std::any_of(suspects.begin(), suspects.end(), [&](const Suspect& suspect) {
        return in_time() && std::all_of(calls.begin(), calls.end(), [&](const Call& call) {
                   const judge::Value other = suspect(call);
                   return !judge::compare(told(call.answer, other), other, call.tolerance);
               });
    });
    seconds_left -= static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return found;
}

inline void block_row(Mask& mask, std::size_t i) {
    xt::view(mask, i, xt::all()) = false;
}

/// Bytes as people say them: "33.6 MB".
inline std::string bytes_text(double bytes) {
    return bytes < 1e6 ? number_text(std::round(bytes / 100) / 10) + " kB"
                       : number_text(std::round(bytes / 1e5) / 10) + " MB";
}

/// Whether two took as much for each pair of a query and a key: one array more is another answer,
/// and a buffer more is none. Of small n nothing is concluded.
inline bool take_alike(const judge::Value& a, const judge::Value& b) {
    const auto mine = judge::from_value<measured::Taken>(a);
    const auto other = judge::from_value<measured::Taken>(b);
    return mine.n < 1024 || std::abs(mine.for_each_pair - other.for_each_pair) <=
                                0.3 + 0.1 * std::max(mine.for_each_pair, other.for_each_pair);
}

constexpr double most_in_all = 24 << 20; // bytes of the process, in which all pairs take 32 MiB

/// Memory may grow with n, not with n². ask(n): what the submission took at n and at a quarter of
/// it. Of 256, 512, 1024 and 2048 the largest counts that can be asked in time. expect_right(n):
/// asks the exercise itself the same; a mistake that shows there is told of there.
template <class Ask, class ExpectRight>
void expect_no_matrix(const std::string& function, const Ask& ask,
                      const ExpectRight& expect_right) {
    using namespace std::chrono_literals;
    judge::session().compare_with(function, take_alike);
    // A call has four seconds, also on a machine that is busy by then.
    constexpr auto in_time = 1000ms;
    std::size_t n = 256;
    measured::Taken taken = ask(n);
    for (const std::size_t next : {2048U, 1024U, 512U}) {
        const auto times = static_cast<int>(next / n * (next / n));
        if (judge::session().calls().back().taken * times <= in_time) {
            n = next;
            taken = ask(n);
            break;
        }
    }
    const auto expect_an_answer = [&](const measured::Taken& of) {
        if (!of.right) {
            expect_right(static_cast<std::size_t>(of.n) / 4);
            expect_right(static_cast<std::size_t>(of.n));
        }
        expect_that(of.right, "memory is measured of a call that answers",
                    "what it answers there is not right, and elsewhere it is");
    };
    expect_an_answer(taken);
    // In proportion to n it is 4 times as much, to n² 16 times. Beside that: rounding, and buffers
    // of threads, of which more may have been at work the second time. All of that is less than a
    // bool for each pair, at n = 256 too.
    const double allowed = 4.25 * taken.bytes_of_a_quarter + 16e3 +
                           0.03 * static_cast<double>(n * n) + 1e5 * (taken.threads - 1);
    const judge::Suspicion for_each_pair{
        "keeps_something_for_each_pair",
        "something is kept for each pair of a query and a key: scores, weights, their gradients, "
        "or a mask. Compute each where it is used, and forget it before the next: what is kept "
        "from key to key is a few numbers and a row, for each query."};
    expect_that(n < 2048 || taken.bytes > allowed ||
                    taken.for_each_pair < measured::room_for_all_pairs,
                "memory beyond the arguments and the result has no room for all pairs",
                bytes_text(taken.bytes) + " at n = " + std::to_string(n) +
                    ", static arrays and what is kept from earlier calls among them: " +
                    number_text(std::round(100 * taken.for_each_pair) / 100) +
                    " bytes for each pair of a query and a key",
                for_each_pair);
    const double times = taken.bytes / std::max(taken.bytes_of_a_quarter, 1.0);
    expect_that(
        taken.bytes <= allowed,
        "for 4 times as many queries and keys, n of each, memory beyond the arguments and the "
        "result may be 4 times as large",
        "you took " + bytes_text(taken.bytes_of_a_quarter) + " at n = " + std::to_string(n / 4) +
            " and " + bytes_text(taken.bytes) + " at n = " + std::to_string(n) +
            (times < 100 ? ", " + number_text(std::round(10 * times) / 10) + " times as much. "
                         : ". ") +
            "The part of it that grows with n² is " +
            number_text(std::round(100 * taken.for_each_pair) / 100) +
            " bytes for each pair of a query and a key: an n x n array of doubles has 8, one of "
            "bools 1, one of bits 0.125",
        for_each_pair);
    // And from outside, where it has no say: 2048 queries and keys need 32 MiB for all pairs. Files
    // hold none of them.
#ifndef JUDGE_SANITIZED // whose shadows are no smaller
    const judge::RecordedCall& last = judge::session().calls().back();
    judge::List arguments = last.arguments;
    arguments.front() = judge::to_value(std::size_t{2048});
    judge::Child fresh = judge::session().fresh_child(20s, 1 << 20);
    const judge::Outcome outcome = fresh.call(last.function, arguments, judge::session().variant());
    expect_that(std::holds_alternative<judge::Returned>(outcome),
                "2048 queries and keys get an answer in a new process, too",
                "there it " + judge::describe(outcome));
    expect_an_answer(judge::from_value<measured::Taken>(std::get<judge::Returned>(outcome).value));
    const double most = fresh.largest_anonymous().value_or(0);
    expect_that(most < most_in_all, "the whole process stays below " + bytes_text(most_in_all),
                "it took " + bytes_text(most) + " at n = 2048", for_each_pair);
#endif
}

} // namespace asked
