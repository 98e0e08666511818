// 07.1; 07.2 is in grader_keys.cpp.

#include <doctest/doctest.h>

#include <cmath>

#include "problems.hpp"
#include "support/misfits.hpp"

namespace grader {

using namespace problems;

namespace {

void expect_scores(const Problem& in, judge::Tolerance tolerance = ten_digits) {
    expect_close(graded::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v),
                 plain::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v), tolerance);
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

TEST_CASE("07.1 additive_scores: states, keys, weights or v may be tiny, or huge") {
    for (const Problem& in : problems_of_any_size()) {
        expect_scores(in, ten_of_the_largest);
    }
    const auto [S, H, W_s, W_h, v] = some_problem(3, 4, 2, 5, 6, 421);
    expect_scores({S * 1e30, H, W_s, W_h, v});
    expect_scores({S, H * 1e100, W_s, W_h, v});
    for (const double size : {1e-2, 1e-4, 1e-6, 1e-8}) { // near 0 tanh is nearly straight
        expect_scores({S * size, H * size, W_s, W_h, v});
    }
}

TEST_CASE("07.1 additive_scores: far out on opposite sides the sum may be of ordinary size") {
    expect_scores(problem_far_out_on_opposite_sides());
}

TEST_CASE("07.1 additive_scores: projections may be 0 in some components and not in others") {
    expect_scores(problem_with_projected_zeros());
}

TEST_CASE("07.1 additive_scores: one component may be tiny where its weights are huge, or huge") {
    for (const Problem& in : problems_with_one_far_from_1()) {
        expect_scores(in);
    }
}

TEST_CASE("07.1 additive_scores: states and keys may be one array, and so may their weights") {
    for (const Problem& in : problems_of_one_array()) {
        expect_scores(in);
    }
}

TEST_CASE("07.1 additive_scores: what is zero, one, the identity or another argument but for one "
          "element") {
    for (const Problem& in :
         nearly_special_problems({&Problem::S, &Problem::H, &Problem::W_s, &Problem::W_h})) {
        expect_scores(in);
    }
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
    support::expect_misfit(graded::additive_scores.attempt(in.S, in.H, in.W_s, W_h, in.v),
                           sizes(W_h), {sizes(in.W_s), sizes(in.v)});
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
        support::expect_misfit(graded::additive_scores.attempt(in.S, in.H, in.W_s, W_h, in.v),
                               sizes(W_h), {sizes(in.W_s), sizes(in.v)});
    }
}

TEST_CASE("07.1 additive_scores: refuses what would fit if it were turned around") {
    const Problem in = some_problem(2, 3, 4, 5, 6);
    const auto refuses = [&](const Problem& wrong, const std::vector<Shape>& named) {
        expect_invalid_argument(
            graded::additive_scores.attempt(wrong.S, wrong.H, wrong.W_s, wrong.W_h, wrong.v),
            named);
    };
    const Matrix S = xt::transpose(in.S), H = xt::transpose(in.H);
    refuses({S, in.H, in.W_s, in.W_h, in.v}, {sizes(S), sizes(in.W_s)});
    refuses({in.S, H, in.W_s, in.W_h, in.v}, {sizes(H), sizes(in.W_h)});
    // Each of these fits two others neither way.
    const Matrix W_s = xt::transpose(in.W_s), W_h = xt::transpose(in.W_h);
    refuses({in.S, in.H, W_s, in.W_h, in.v}, {sizes(W_s)});
    refuses({in.S, in.H, in.W_s, W_h, in.v}, {sizes(W_h)});
}

TEST_CASE("07.1 additive_scores: refuses a v of another d_a, and names both shapes") {
    // W_s and W_h have one shape: whichever v is held against, it is in the text.
    const Problem in = some_problem(2, 3, 4, 4, 6);
    for (const std::size_t d_a : {5U, 7U, 1U, 12U, 12345U}) {
        const Vector v = standard_normal(d_a, 9);
        expect_invalid_argument(graded::additive_scores.attempt(in.S, in.H, in.W_s, in.W_h, v),
                                {sizes(in.W_h), sizes(v)});
    }
}

} // namespace grader
