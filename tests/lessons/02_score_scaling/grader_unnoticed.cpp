// 02.1 and 02.2 asked with large arguments, one after the other, that differ in a single number,
// and with a d_k beside a square; 02.3 with a seed of 0 beside others. The rest of the lesson:
// grader.cpp and grader_moments.cpp.

#include <doctest/doctest.h>

#include <algorithm>

#include "estimates.hpp"
#include "judge/text.hpp"
#include "support/drawn.hpp"
#include "support/large_alike.hpp"
#include "support/oracle.hpp"

namespace grader_unnoticed {

using drawn::one_unnoticed;
using drawn::standard_normal;
using lesson::Matrix;

namespace {

template <class Graded, class Right>
void expect_right_of_large_ones(Graded& graded, Right right) {
    const Matrix Q = standard_normal(33, 16, 151), K = standard_normal(20, 16, 152);
    for (const Matrix& queries : one_unnoticed(Q)) {
        judge::expect_close(graded(queries, K), right(queries, K), judge::normwise);
    }
    for (const Matrix& keys : one_unnoticed(K)) {
        judge::expect_close(graded(Q, keys), right(Q, keys), judge::normwise);
    }
}

/// A seed of 0, then what may stand in its place: what engines begin with by themselves, and
/// numbers that people like (to some engines 0 and 1 are one); and so many others that the averages
/// can be compared.
std::vector<std::uint64_t> beside_0() {
    std::vector<std::uint64_t> seeds{0, 5489, 42, 123, 1234, 2024, 12345, 123456, 0x9e3779b9};
    const std::vector<std::uint64_t> others = scattered(2000, 16);
    seeds.insert(seeds.end(), others.begin(), others.end());
    return seeds;
}

bool replaces_0(const Estimates& estimates) {
    return estimates.means.size() == beside_0().size() &&
           std::count(estimates.means.begin(), estimates.means.end(), estimates.means.front()) > 1;
}

const bool registered = [] {
    judge::session().recognise(
        "dot_product_moments", "seed_of_0_replaced",
        [](const std::vector<judge::Session::Answer>& answers) {
            return std::any_of(answers.begin(), answers.end(), [](const auto& answer) {
                return replaces_0(judge::from_value<Estimates>(answer.actual));
            });
        });
    return true;
}();

} // namespace

TEST_CASE("02.1 raw_scores: large arguments that differ in one number only") {
    expect_right_of_large_ones(graded::raw_scores, oracle::raw_scores<double>);
}

TEST_CASE("02.2 scaled_scores: large arguments that differ in one number only") {
    expect_right_of_large_ones(graded::scaled_scores, oracle::scaled_scores<double>);
}

TEST_CASE("02.2 scaled_scores: a root that is nearly a whole number, and is none") {
    const auto expect = [](std::size_t d_k) {
        const Matrix Q = xt::ones<double>({std::size_t{1}, d_k});
        const Matrix K = drawn::rows_of_one_number(2, d_k);
        judge::expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K),
                            judge::Tolerance{1e-8, 0, 1e-8});
    };
    for (const std::size_t d_k : drawn::beside_squares) {
        expect(d_k);
    }
    expect(250'001);
}

TEST_CASE("02.3 dot_product_moments: a seed of 0 is a seed of its own") {
    if (!judge::session().failures().empty()) {
        return; // what is wrong with any seed tells more
    }
    const Estimates estimates = graded::dot_product_moments(3, 10, beside_0());
    judge::expect_that(estimates.means.size() == beside_0().size(), "each seed gives one estimate",
                       "there are others");
    judge::expect_that(!replaces_0(estimates), "a seed of 0 gives numbers of its own",
                       "yours are those of another seed, too: the mean is " +
                           judge::number_text(estimates.means.front()));
}

} // namespace grader_unnoticed
