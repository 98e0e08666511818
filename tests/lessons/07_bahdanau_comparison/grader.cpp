#include <doctest/doctest.h>

#include <cmath>

#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

namespace grader {

using drawn::look_alikes;
using drawn::standard_normal;
using drawn::upside_down;
using drawn::with_zeros;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;
using lesson::Vector;

namespace {

// What a double has, less what sums of some hundred products and the tanh after them cost.
constexpr judge::Tolerance ten_digits{1e-10, 1e-11};

const double ln_2 = std::log(2.0), ln_3 = std::log(3.0);

// tanh(½ ln 3) is 1/2, tanh(ln 3) is 4/5 and tanh(ln 2) is 3/5: whole numbers come out.
const Matrix hand_S{{0}, {1}};
const Matrix hand_H{{0}, {1}};
const Matrix hand_W_s{{ln_3 / 2, 0}};
const Matrix hand_W_h{{ln_3 / 2, ln_2}};
const Vector hand_v{10, -10};
const Matrix hand_scores{{0, -1}, {5, 2}};

struct Problem {
    Matrix S, H, W_s, W_h;
    Vector v;
};

Problem some_problem(std::size_t n_queries, std::size_t n_keys, std::size_t d_s, std::size_t d_h,
                     std::size_t d_a, std::uint64_t seed = 1) {
    return {standard_normal(n_queries, d_s, seed), standard_normal(n_keys, d_h, seed + 1),
            standard_normal(d_s, d_a, seed + 2), standard_normal(d_h, d_a, seed + 3),
            standard_normal(d_a, seed + 4)};
}

constexpr std::size_t large_sizes[][5] = {{259, 2, 3, 2, 5},
                                          {2, 263, 3, 2, 5},
                                          {2, 3, 269, 67, 5},
                                          {3, 2, 70, 259, 5},
                                          {2, 3, 5, 4, 271}};

/// More than 400 rows, or 2048 of another size, in each place; states and keys so short that tanh
/// still tells them apart.
std::vector<Problem> large_problems() {
    std::vector<Problem> problems;
    for (std::size_t axis = 0; axis < 5; ++axis) {
        std::array<std::size_t, 5> size{2, 2, 1, 2, 1};
        size[axis] = axis < 2 ? 401 : 2053 + axis; // a thread for each row is a right way
        problems.push_back(some_problem(size[0], size[1], size[2], size[3], size[4], 200 + axis));
        problems.back().S *= axis == 2 ? 1.0 / 64 : 1;
        problems.back().H *= axis == 3 ? 1.0 / 64 : 1;
        problems.back().v *= axis == 4 ? 1.0 / 64 : 1;
    }
    return problems;
}

/// Rows that begin and end alike, and have one sum: of states, of keys and of weights.
std::vector<Problem> alike_problems() {
    const Matrix S = look_alikes(4, 6, 111), H = look_alikes(4, 6, 112);
    const Matrix W_s = look_alikes(6, 8, 113), W_h = look_alikes(6, 8, 114);
    const Vector v = standard_normal(8, 115);
    return {{S, H, W_s, W_h, v},
            {upside_down(S), H, W_s, W_h, v},
            {S, upside_down(H), W_s, W_h, v},
            {S, H, upside_down(W_s), W_h, v},
            {S, H, W_s, upside_down(W_h), v}};
}

/// Zeros in all, and in one after the other. The largest first: it tells the ways to stumble over a
/// 0 apart.
std::vector<Problem> problems_with_zeros() {
    std::vector<Problem> problems;
    for (const auto& size : {std::array<std::size_t, 5>{4, 5, 6, 7, 5}, {1, 4, 2, 3, 4}}) {
        const auto [S, H, W_s, W_h, v] =
            some_problem(size[0], size[1], size[2], size[3], size[4], 300 + size[0]);
        problems.push_back(
            {with_zeros(S), with_zeros(H), with_zeros(W_s), with_zeros(W_h), with_zeros(v)});
        problems.push_back({with_zeros(S), H, W_s, W_h, v});
        problems.push_back({S, with_zeros(H), W_s, W_h, v});
        problems.push_back({S, H, with_zeros(W_s), W_h, v});
        problems.push_back({S, H, W_s, with_zeros(W_h), v});
        problems.push_back({S, H, W_s, W_h, with_zeros(v)});
    }
    return problems;
}

/// Rows and columns of what is to be multiplied and cannot be.
constexpr std::size_t do_not_fit[][4] = {{2, 5, 4, 3}, {2, 5, 1, 3},     {2, 1, 5, 3},
                                         {3, 2, 3, 2}, {2, 3, 12345, 3}, {12345, 2, 3, 3}};

constexpr std::size_t awkward_sizes[][5] = {{1, 1, 1, 1, 1},
                                            {1, 5, 3, 2, 7},
                                            {5, 1, 2, 3, 1},
                                            {2, 3, 1, 7, 5},
                                            {3, 2, 7, 1, 4},
                                            {11, 7, 13, 5, 31},
                                            // two or more of them 1
                                            {1, 1, 3, 2, 5},
                                            {1, 4, 1, 1, 3},
                                            {4, 1, 1, 2, 1},
                                            {3, 4, 2, 2, 1},
                                            {1, 1, 1, 1, 4},
                                            {4, 3, 1, 1, 1}};

void expect_scores(const Problem& in) {
    expect_close(graded::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v),
                 plain::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v), ten_digits);
}

void expect_scores_from(const Problem& in) {
    const Matrix keys = oracle::matmul(in.H, in.W_h);
    expect_close(graded::additive_scores_from(in.S, keys, in.W_s, in.v),
                 plain::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v), ten_digits);
}

Matrix row(const Matrix& X, std::size_t i) {
    return xt::view(X, xt::range(i, i + 1));
}

/// Σ |v_a|, which a score reaches where every tanh is 1 or −1.
double largest_score(const Vector& v) {
    return xt::sum(xt::abs(v))();
}

} // namespace

// ---- 07.1 additive_scores

TEST_CASE("07.1 additive_scores: two states and two keys by hand, with tanh(½ ln 3) = 1/2, "
          "tanh(ln 3) = 4/5 and tanh(ln 2) = 3/5") {
    expect_close(graded::additive_scores(hand_S, hand_H, hand_W_s, hand_W_h, hand_v), hand_scores,
                 ten_digits);
}

TEST_CASE("07.1 additive_scores: as many states as keys, and all components three") {
    expect_scores(some_problem(3, 3, 3, 3, 3));
}

TEST_CASE("07.1 additive_scores: states and keys of different lengths, one score for each pair") {
    const Problem in = some_problem(2, 5, 3, 4, 6);
    const Matrix scores = graded::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v);
    expect_shape(sizes(scores), {2, 5});
    expect_scores(in);
}

TEST_CASE("07.1 additive_scores: where v is 0, as training may begin, every score is 0") {
    Problem in = some_problem(2, 3, 4, 5, 6);
    in.v = xt::zeros<double>({6});
    expect_scores(in);
}

TEST_CASE("07.1 additive_scores: negated states and keys have the negated scores") {
    Problem in = some_problem(4, 3, 2, 5, 6, 21);
    const Matrix expected = -plain::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v);
    in.S *= -1;
    in.H *= -1;
    expect_close(graded::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v), expected, ten_digits);
}

TEST_CASE("07.1 additive_scores: a pair has its score, whoever else asks or is asked") {
    const Problem in = some_problem(3, 4, 2, 5, 6, 31);
    const Matrix all = plain::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v);
    for (const std::size_t i : {0U, 2U}) {
        for (const std::size_t j : {0U, 1U, 3U}) {
            expect_close(graded::additive_scores(row(in.S, i), row(in.H, j), in.W_s, in.W_h, in.v),
                         Matrix{{all(i, j)}}, ten_digits);
        }
    }
}

TEST_CASE("07.1 additive_scores: awkward sizes agree with plain loops in long double") {
    for (const auto& size : awkward_sizes) {
        expect_scores(some_problem(size[0], size[1], size[2], size[3], size[4], size[4]));
    }
}

TEST_CASE(
    "07.1 additive_scores: a component of 0 is one like any other, of states, keys and weights") {
    for (const Problem& in : problems_with_zeros()) {
        expect_scores(in);
    }
}

TEST_CASE("07.1 additive_scores: more than 256 of each: states, keys and components") {
    for (const auto& size : large_sizes) {
        expect_scores(some_problem(size[0], size[1], size[2], size[3], size[4], size[4]));
    }
}

TEST_CASE("07.1 additive_scores: more than 400 states and keys, and 2048 components") {
    for (const Problem& in : large_problems()) {
        expect_scores(in);
    }
}

TEST_CASE(
    "07.1 additive_scores: rows that begin and end alike, and have one sum, are not the same") {
    for (const Problem& in : alike_problems()) {
        expect_scores(in);
    }
}

TEST_CASE("07.1 additive_scores: far out every tanh is 1 or −1, and no score exceeds Σ |v|") {
    Problem in = some_problem(3, 5, 2, 4, 7, 41);
    in.S *= 1000;
    in.H *= 300;
    const Matrix scores = graded::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v);
    expect_shape(sizes(scores), {3, 5});
    for (const double score : scores) {
        expect_that(std::abs(score) <= largest_score(in.v) + 1e-6,
                    "no score exceeds Σ |v| = " + number_text(largest_score(in.v)),
                    "there is one of " + number_text(score));
    }
    expect_scores(in);
}

TEST_CASE("07.1 additive_scores: refuses S and W_s of different d_s, and names both shapes") {
    const Problem in = some_problem(2, 3, 4, 5, 6);
    const Matrix W_s = standard_normal(7, 6, 9);
    expect_invalid_argument(graded::additive_scores.attempt(in.S, in.H, W_s, in.W_h, in.v),
                            {sizes(in.S), sizes(W_s)});
}

TEST_CASE("07.1 additive_scores: refuses H and W_h of different d_h, and names both shapes") {
    const Problem in = some_problem(2, 3, 4, 5, 6);
    const Matrix W_h = standard_normal(7, 6, 9);
    expect_invalid_argument(graded::additive_scores.attempt(in.S, in.H, in.W_s, W_h, in.v),
                            {sizes(in.H), sizes(W_h)});
}

TEST_CASE("07.1 additive_scores: refuses W_s and W_h of different d_a, and names both shapes") {
    const Problem in = some_problem(2, 3, 4, 5, 6);
    const Matrix W_h = standard_normal(5, 7, 9);
    expect_invalid_argument(graded::additive_scores.attempt(in.S, in.H, in.W_s, W_h, in.v),
                            {sizes(in.W_s), sizes(W_h)});
}

TEST_CASE("07.1 additive_scores: refuses them the other way round, too, a size of 1, and one of "
          "five digits") {
    for (const auto& [rows, columns, other_rows, other_columns] : do_not_fit) {
        const Matrix X = xt::zeros<double>({rows, columns});
        const Matrix W = xt::zeros<double>({other_rows, other_columns});
        const Matrix Y = xt::zeros<double>({std::size_t{2}, other_rows});
        const Vector v = xt::zeros<double>({other_columns});
        expect_invalid_argument(graded::additive_scores.attempt(X, Y, W, W, v),
                                {sizes(X), sizes(W)});
        expect_invalid_argument(graded::additive_scores.attempt(Y, X, W, W, v),
                                {sizes(X), sizes(W)});
    }
    const Problem in = some_problem(2, 3, 4, 5, 6);
    for (const std::size_t d_a : {5U, 1U, 12345U}) {
        const Matrix W_h = xt::zeros<double>({std::size_t{5}, std::size_t{d_a}});
        expect_invalid_argument(graded::additive_scores.attempt(in.S, in.H, in.W_s, W_h, in.v),
                                {sizes(in.W_s), sizes(W_h)});
    }
}

TEST_CASE("07.1 additive_scores: refuses a v of another d_a, and names both shapes") {
    // W_s and W_h have one shape: whichever v is held against, it is in the text.
    const Problem in = some_problem(2, 3, 4, 4, 6);
    for (const std::size_t d_a : {5U, 7U}) {
        const Vector v = standard_normal(d_a, 9);
        expect_invalid_argument(graded::additive_scores.attempt(in.S, in.H, in.W_s, in.W_h, v),
                                {sizes(in.W_h), sizes(v)});
    }
}

// ---- 07.2 project_keys and additive_scores_from

TEST_CASE("07.2 project_keys: three keys of two components, small enough to do by hand") {
    expect_close(graded::project_keys({{1, 2}, {3, 4}, {-1, 0}}, {{1, 0, 2}, {0, 10, 1}}),
                 Matrix{{1, 20, 4}, {3, 40, 10}, {-1, 0, -2}});
}

TEST_CASE("07.2 additive_scores_from: the scores of 07.1, from its two keys already projected") {
    const Matrix keys{{0, 0}, {ln_3 / 2, ln_2}};
    expect_close(graded::additive_scores_from(hand_S, keys, hand_W_s, hand_v), hand_scores,
                 ten_digits);
}

TEST_CASE("07.2 project_keys, additive_scores_from: as many states as keys, all components three") {
    const Problem in = some_problem(3, 3, 3, 3, 3, 51);
    expect_close(graded::project_keys(in.H, in.W_h), oracle::matmul(in.H, in.W_h), ten_digits);
    expect_scores_from(in);
}

TEST_CASE("07.2 project_keys, additive_scores_from: one after the other they equal 07.1") {
    const Problem in = some_problem(4, 5, 2, 3, 6, 61);
    const Matrix keys = graded::project_keys(in.H, in.W_h);
    expect_close(keys, oracle::matmul(in.H, in.W_h), ten_digits);
    expect_close(graded::additive_scores_from(in.S, keys, in.W_s, in.v),
                 plain::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v), ten_digits);
}

TEST_CASE("07.2 additive_scores_from: keys projected once serve every state, step by step") {
    const Problem in = some_problem(3, 5, 2, 4, 6, 71);
    const Matrix keys = graded::project_keys(in.H, in.W_h);
    expect_close(keys, oracle::matmul(in.H, in.W_h), ten_digits);
    for (std::size_t step = 0; step < 3; ++step) {
        const Matrix s = row(in.S, step);
        expect_close(graded::additive_scores_from(s, keys, in.W_s, in.v),
                     plain::additive_scores(s, in.H, in.W_s, in.W_h, in.v), ten_digits);
    }
}

TEST_CASE("07.2 project_keys: twice the keys have twice the projection, however large") {
    const Problem in = some_problem(1, 4, 1, 3, 5, 81);
    const Matrix large = 1000 * in.H;
    expect_close(graded::project_keys(large, in.W_h), oracle::matmul(large, in.W_h), ten_digits);
}

TEST_CASE("07.2 project_keys, additive_scores_from: awkward sizes agree with plain loops") {
    for (const auto& size : awkward_sizes) {
        const Problem in = some_problem(size[0], size[1], size[2], size[3], size[4], size[4]);
        expect_close(graded::project_keys(in.H, in.W_h), oracle::matmul(in.H, in.W_h), ten_digits);
        expect_scores_from(in);
    }
}

TEST_CASE("07.2 project_keys, additive_scores_from: a component of 0 is one like any other") {
    for (const Problem& in : problems_with_zeros()) {
        expect_close(graded::project_keys(in.H, in.W_h), oracle::matmul(in.H, in.W_h), ten_digits);
    }
    for (const Problem& in : problems_with_zeros()) {
        expect_scores_from(in);
    }
    // Keys as they are after the projection.
    const Problem in = some_problem(3, 5, 2, 5, 5, 121);
    const Matrix keys = with_zeros(in.H), to_themselves = xt::eye<double>(5);
    expect_scores_from({in.S, keys, in.W_s, to_themselves, in.v});
}

TEST_CASE("07.2 project_keys, additive_scores_from: more than 256 of each size") {
    for (const auto& size : large_sizes) {
        const Problem in = some_problem(size[0], size[1], size[2], size[3], size[4], size[4]);
        expect_close(graded::project_keys(in.H, in.W_h), oracle::matmul(in.H, in.W_h), ten_digits);
        expect_scores_from(in);
    }
}

TEST_CASE(
    "07.2 project_keys, additive_scores_from: more than 400 rows, and 2048 of each other size") {
    for (const Problem& in : large_problems()) {
        expect_close(graded::project_keys(in.H, in.W_h), oracle::matmul(in.H, in.W_h), ten_digits);
        expect_scores_from(in);
    }
}

TEST_CASE("07.2 project_keys, additive_scores_from: rows that begin and end alike, and have one "
          "sum, are not the same") {
    for (const Problem& in : alike_problems()) {
        expect_close(graded::project_keys(in.H, in.W_h), oracle::matmul(in.H, in.W_h), ten_digits);
        expect_scores_from(in);
    }
    // Keys as they are after the projection.
    const Matrix S = standard_normal(2, 3, 116), W_s = standard_normal(3, 6, 117);
    const Matrix keys = look_alikes(4, 6, 118), to_themselves = xt::eye<double>(6);
    const Vector v = standard_normal(6, 119);
    for (const Matrix& rows : {keys, upside_down(keys)}) {
        expect_scores_from({S, rows, W_s, to_themselves, v});
    }
}

TEST_CASE("07.2 additive_scores_from: far out every tanh is 1 or −1") {
    Problem in = some_problem(3, 5, 2, 4, 7, 91);
    in.S *= 1000;
    in.H *= 300;
    expect_scores_from(in);
}

TEST_CASE("07.2 project_keys: refuses H and W_h of different d_h, and names both shapes") {
    const Matrix H = standard_normal(3, 5, 1), W_h = standard_normal(4, 6, 2);
    expect_invalid_argument(graded::project_keys.attempt(H, W_h), {sizes(H), sizes(W_h)});
}

TEST_CASE("07.2 additive_scores_from: refuses S and W_s of different d_s, and names both shapes") {
    const Problem in = some_problem(2, 3, 4, 5, 6);
    const Matrix keys = standard_normal(3, 6, 1), W_s = standard_normal(7, 6, 9);
    expect_invalid_argument(graded::additive_scores_from.attempt(in.S, keys, W_s, in.v),
                            {sizes(in.S), sizes(W_s)});
}

TEST_CASE("07.2 additive_scores_from: refuses keys of another d_a, and names both shapes") {
    const Problem in = some_problem(2, 3, 4, 5, 6);
    const Matrix keys = standard_normal(3, 5, 1);
    expect_invalid_argument(graded::additive_scores_from.attempt(in.S, keys, in.W_s, in.v),
                            {sizes(keys), sizes(in.W_s)});
}

TEST_CASE("07.2 project_keys, additive_scores_from: refuse them the other way round, too, a size "
          "of 1, and one of five digits") {
    for (const auto& [rows, columns, other_rows, other_columns] : do_not_fit) {
        const Matrix X = xt::zeros<double>({rows, columns});
        const Matrix W = xt::zeros<double>({other_rows, other_columns});
        expect_invalid_argument(graded::project_keys.attempt(X, W), {sizes(X), sizes(W)});
        const Matrix keys = xt::zeros<double>({std::size_t{2}, other_columns});
        const Vector v = xt::zeros<double>({other_columns});
        expect_invalid_argument(graded::additive_scores_from.attempt(X, keys, W, v),
                                {sizes(X), sizes(W)});
    }
    const Problem in = some_problem(2, 3, 4, 5, 6);
    for (const std::size_t d_a : {7U, 1U, 12345U}) {
        const Matrix keys = xt::zeros<double>({std::size_t{3}, std::size_t{d_a}});
        expect_invalid_argument(graded::additive_scores_from.attempt(in.S, keys, in.W_s, in.v),
                                {sizes(keys), sizes(in.W_s)});
    }
}

TEST_CASE("07.2 additive_scores_from: refuses a v of another d_a, and names both shapes") {
    // keys and W_s have one shape: whichever v is held against, it is in the text.
    const Matrix S = standard_normal(2, 4, 1), keys = standard_normal(4, 6, 2);
    const Matrix W_s = standard_normal(4, 6, 3);
    const Vector v = standard_normal(5, 4);
    expect_invalid_argument(graded::additive_scores_from.attempt(S, keys, W_s, v),
                            {sizes(W_s), sizes(v)});
}

} // namespace grader
