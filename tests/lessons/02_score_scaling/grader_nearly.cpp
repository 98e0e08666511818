// 02.1 and 02.2 asked with what is special but for one element, with rows of all sizes, with many
// d_k, and with the shapes that do not fit in whatever numbers; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/drawn.hpp"
#include "support/magnitudes.hpp"
#include "support/nearly_special.hpp"
#include "support/oracle.hpp"
#include "support/refusal.hpp"

namespace grader_nearly {

using drawn::nothing_special;
using drawn::standard_normal;
using judge::sizes;
using lesson::Matrix;
using support::expect_refusal;

namespace {

template <class Graded, class Right>
void expect_right_where_nearly_special(Graded& graded, Right right) {
    drawn::suspect_an_incomplete_look();
    for (const Matrix& special : drawn::nearly_special()) {
        judge::expect_close(graded(nothing_special(), special), right(nothing_special(), special),
                            judge::normwise);
        judge::expect_close(graded(special, nothing_special()), right(special, nothing_special()),
                            judge::normwise);
    }
    for (const auto& [Q, K] : drawn::nearly_the_same()) {
        judge::expect_close(graded(Q, K), right(Q, K), judge::normwise);
        // And with one row more on either side.
        const Matrix more = xt::concatenate(xt::xtuple(K, nothing_special()), 0);
        judge::expect_close(graded(Q, more), right(Q, more), judge::normwise);
        judge::expect_close(graded(more, Q), right(more, Q), judge::normwise);
    }
}

/// Positive numbers, of which no sum cancels: row i is as large as sizes[i].
Matrix rows_of(const std::vector<double>& sizes, std::uint64_t seed, std::size_t width) {
    Matrix A = xt::abs(standard_normal(sizes.size(), width, seed));
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < A.shape(1); ++j) {
            A(i, j) *= sizes[i];
        }
    }
    return A;
}

template <class Graded, class Right>
void expect_right_of_rows_of_all_sizes(Graded& graded, Right right) {
    drawn::suspect_a_fixed_bound();
    for (const auto& [of_Q, of_K] :
         {std::array<std::vector<double>, 2>{{{1, 1e100}, {1, 1e-160, 1e30}}},
          {{{1, 1e-160, 1e30}, {1, 1e100}}},
          {{{1e100, 1, 1e-100}, {1e-160, 1, 1e-30, 1e100}}},
          {{{1e100, 1, 1e-100, 1}, {1e-160, 1, 1e-30, 1e100}}},
          {{{1e100, 1e90}, {1e-160, 1e-150}}},
          {{{1e-160, 1e-150}, {1e100, 1e90}}}}) {
        for (const std::size_t width : {3U, 4U}) {
            const Matrix Q = rows_of(of_Q, 61, width);
            const Matrix K = rows_of(of_K, 62, width);
            judge::expect_close(graded(Q, K), right(Q, K), judge::componentwise);
        }
    }
}

/// What a look at the numbers may take for a case in which shapes do not matter.
std::vector<Matrix> of_shape(std::size_t rows, std::size_t columns) {
    return {standard_normal(rows, columns, 3), xt::zeros<double>({rows, columns}),
            xt::ones<double>({rows, columns}), xt::eye<double>({rows, columns})};
}

template <class Graded>
void expect_refused_whatever_the_numbers(Graded& graded) {
    for (const auto& [n_queries, of_Q, n_keys, of_K] : {std::array<std::size_t, 4>{2, 3, 5, 4},
                                                        {2, 4, 2, 3},
                                                        {3, 4, 4, 3},
                                                        {2, 2, 3, 3},
                                                        {3, 3, 2, 2},
                                                        {1, 1, 2, 2},
                                                        {2, 2, 1, 1},
                                                        {1, 3, 1, 1},
                                                        {1, 2, 1, 4}}) {
        for (const Matrix& Q : of_shape(n_queries, of_Q)) {
            for (const Matrix& K : of_shape(n_keys, of_K)) {
                expect_refusal(graded.attempt(Q, K), {sizes(Q), sizes(K)});
            }
        }
    }
}

} // namespace

TEST_CASE("02.1 raw_scores: queries that are the keys but for one number are not the keys, and "
          "what is zero or an identity but for one is neither") {
    expect_right_where_nearly_special(graded::raw_scores, oracle::raw_scores<double>);
}

TEST_CASE("02.2 scaled_scores: queries that are the keys but for one number are not the keys, and "
          "what is zero or an identity but for one is neither") {
    expect_right_where_nearly_special(graded::scaled_scores, oracle::scaled_scores<double>);
}

TEST_CASE("02.1 raw_scores: tiny rows beside huge ones are rows like any other") {
    expect_right_of_rows_of_all_sizes(graded::raw_scores, oracle::raw_scores<double>);
}

TEST_CASE("02.2 scaled_scores: tiny rows beside huge ones are rows like any other") {
    expect_right_of_rows_of_all_sizes(graded::scaled_scores, oracle::scaled_scores<double>);
}

TEST_CASE("02.2 scaled_scores: every d_k up to 20, and those that models have, up to 1024") {
    if (judge::session().failures().empty()) {
        judge::session().suspect({"looks_like_a_wrong_root",
                                  "with most d_k it is right, and not with all. Is the root taken "
                                  "from a table, or found in steps that end too early? "
                                  "std::sqrt is exact for every d_k."});
    }
    std::vector<std::size_t> widths(20);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        widths[i] = i + 1;
    }
    for (const std::size_t d_k :
         {24U,  25U,  32U,  36U,  40U,  48U,  49U,  50U,   56U,  64U,  72U,  80U,
          81U,  96U,  100U, 112U, 120U, 121U, 127U, 128U,  129U, 144U, 160U, 176U,
          192U, 200U, 224U, 240U, 255U, 256U, 257U, 288U,  300U, 320U, 384U, 400U,
          448U, 500U, 512U, 576U, 640U, 768U, 896U, 1000U, 1024U}) {
        widths.push_back(d_k);
    }
    for (const std::size_t d_k : widths) {
        const Matrix Q = standard_normal(1, d_k, 71);
        const Matrix K = standard_normal(2, d_k, 72);
        judge::expect_close(graded::scaled_scores(Q, K), oracle::scaled_scores(Q, K),
                            judge::normwise);
    }
}

TEST_CASE("02.1 raw_scores: shapes that do not fit are refused whatever the numbers are") {
    expect_refused_whatever_the_numbers(graded::raw_scores);
}

TEST_CASE("02.2 scaled_scores: shapes that do not fit are refused whatever the numbers are") {
    expect_refused_whatever_the_numbers(graded::scaled_scores);
    // Nor does it help that only one of the two has no components.
    const Matrix some = standard_normal(3, 2, 1);
    const Matrix none = xt::zeros<double>({std::size_t{2}, std::size_t{0}});
    expect_refusal(graded::scaled_scores.attempt(some, none), {sizes(some), sizes(none)});
    expect_refusal(graded::scaled_scores.attempt(none, some), {sizes(none), sizes(some)});
}

} // namespace grader_nearly
