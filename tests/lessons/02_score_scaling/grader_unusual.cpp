// 02.1 to 02.3 asked with arguments of every kind, and with sizes that are alike or whole blocks;
// the rest of the lesson: grader.cpp and grader_moments.cpp.

#include <doctest/doctest.h>

#include <cmath>

#include "estimates.hpp"
#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "support/kinds.hpp"
#include "support/nearly_special.hpp"
#include "support/one_more.hpp"
#include "support/oracle.hpp"

namespace grader_unusual {

using drawn::standard_normal;
using judge::expect_that;
using judge::number_text;
using lesson::Matrix;

namespace {

template <class Graded, class Right>
void expect_right_of_every_kind(Graded& graded, Right right) {
    drawn::suspect_an_incomplete_look();
    const auto expect = [&](const Matrix& Q, const Matrix& K) {
        judge::expect_close(graded(Q, K), right(Q, K), judge::normwise);
    };
    const Matrix Q = standard_normal(3, 4, 81), K = standard_normal(5, 4, 82);
    drawn::each_in_turn<2>({Q, K}, expect);
    drawn::each_in_turn<2>({Q, standard_normal(3, 4, 83)}, expect);
    expect(drawn::nearly_one(3, 4, 84), K);
    expect(Q, drawn::nearly_one(5, 4, 84));
    for (const auto& [q, k] : {std::array<double, 2>{0, 2}, {2, 0}, {0, 0}}) {
        expect({{q}}, {{k}});
    }
}

/// n_queries, n_keys, d_k: whole blocks of 8, all alike, one more than whole blocks, and 66,001.
template <class Graded, class Right>
void expect_right_of_blocks(Graded& graded, Right right) {
    for (const auto& [n_queries, n_keys, d_k] : drawn::and_wide(drawn::and_one_more<3>(
             {{8, 16, 24}, {16, 24, 8}, {24, 8, 16}, {8, 8, 8}, {72, 72, 72}}))) {
        const Matrix Q = standard_normal(n_queries, d_k, 85);
        const Matrix K = standard_normal(n_keys, d_k, 86);
        judge::expect_close(graded(Q, K), right(Q, K), judge::normwise);
    }
}

} // namespace

TEST_CASE("02.1 raw_scores: arguments of every kind: all 0, all one number, one row again and "
          "again, a row or a column of zeros") {
    expect_right_of_every_kind(graded::raw_scores, oracle::raw_scores<double>);
}

TEST_CASE("02.1 raw_scores: sizes that are multiples of 8, all 72, 17, 33, 65, 129 or 66,001") {
    expect_right_of_blocks(graded::raw_scores, oracle::raw_scores<double>);
}

TEST_CASE("02.2 scaled_scores: arguments of every kind: all 0, all one number, one row again and "
          "again, a row or a column of zeros") {
    expect_right_of_every_kind(graded::scaled_scores, oracle::scaled_scores<double>);
}

TEST_CASE("02.2 scaled_scores: sizes that are multiples of 8, all 72, 17, 33, 65, 129 or 66,001") {
    expect_right_of_blocks(graded::scaled_scores, oracle::scaled_scores<double>);
}

// ---- 02.3

namespace {

constexpr std::size_t d_k = 3;
constexpr std::size_t n_seeds = 2000;

/// Of few samples, over many seeds: the average squared mean and the average variance, both as
/// parts of what they should be; of the variance, of the two that are right, of the one that is
/// nearer.
struct Averages {
    double squared_mean;
    double variance;
};
Averages of_few(std::size_t samples, std::uint64_t start) {
    const Estimates estimates = estimates_of(d_k, samples, scattered(n_seeds, start));
    const double n = static_cast<double>(samples);
    const double variance = mean_of(estimates.variances) / double{d_k};
    const double divided = variance / (1 - 1 / n);
    return {spread_of(estimates.means, 0) / double{d_k} * n,
            std::abs(divided - 1) < std::abs(variance - 1) ? divided : variance};
}

/// Within six standard errors, or more.
bool is_right(const Averages& averages) {
    return std::abs(averages.squared_mean - 1) <= 0.255 * wider() &&
           std::abs(averages.variance - 1) <= 0.233 * wider();
}

const judge::Suspicion taken_in_pairs{
    "looks_like_samples_in_pairs",
    "with an even number of samples your moments are right, and with an odd one they are not. Are "
    "samples drawn in pairs, or is their number halved? Then one too few or too many is drawn, or "
    "the last one is not a sample of its own."};

} // namespace

TEST_CASE("02.3 dot_product_moments: an odd number of samples is as good as an even one") {
    // Asked of what is right of an even number: what else is wrong, other checks tell better.
    if (!is_right(of_few(2, 31)) || !is_right(of_few(10, 32))) {
        return;
    }
    for (const std::size_t samples : {3U, 5U, 9U}) {
        const Averages averages = of_few(samples, 33 + samples);
        expect_that(is_right(averages),
                    "for d_k = 3 and " + std::to_string(samples) +
                        " samples, over 2000 seeds the squared mean averages to d_k / samples and "
                        "the variance to d_k, or to a part 1/samples less",
                    "yours are " + number_text(averages.squared_mean) + " and " +
                        number_text(averages.variance) + " times that",
                    taken_in_pairs);
    }
}

} // namespace grader_unusual
