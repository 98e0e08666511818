// 07.2

#include <doctest/doctest.h>

#include "problems.hpp"
#include "support/misfits.hpp"

namespace grader_keys {

using namespace problems;

namespace {

void expect_scores_from(const Problem& in, judge::Tolerance tolerance = ten_digits) {
    const Matrix keys = oracle::matmul(in.H, in.W_h);
    expect_close(graded::additive_scores_from(in.S, keys, in.W_s, in.v),
                 plain::additive_scores(in.S, in.H, in.W_s, in.W_h, in.v), tolerance);
}

} // namespace

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

TEST_CASE("07.2 additive_scores_from: a state of 1e12 leaves the keys as they are for the next") {
    Problem in = some_problem(4, 5, 3, 6, 2, 131);
    xt::view(in.S, 1, xt::all()) *= 1e12;
    expect_scores_from(in);
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

TEST_CASE("07.2 additive_scores_from: far out on opposite sides the sum may be of ordinary size") {
    expect_scores_from(problem_far_out_on_opposite_sides());
}

TEST_CASE("07.2 additive_scores_from: projections may be 0 in some components and not in others") {
    expect_scores_from(problem_with_projected_zeros());
}

TEST_CASE("07.2 project_keys: tiny keys times huge weights, and huge keys times tiny weights") {
    const Problem in = some_problem(1, 4, 1, 3, 5, 431);
    for (const double size : {1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100}) {
        const Matrix H = in.H * size, W_h = in.W_h / size;
        expect_close(graded::project_keys(H, W_h), oracle::matmul(H, W_h), ten_of_the_largest);
    }
}

TEST_CASE("07.2 project_keys: keys that come out tiny, or huge") {
    const Problem in = some_problem(1, 4, 1, 3, 5, 432);
    for (const double size : {1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100}) {
        const Matrix H = in.H * size, W_h = in.W_h * size;
        expect_close(graded::project_keys(H, in.W_h), oracle::matmul(H, in.W_h),
                     ten_of_the_largest);
        expect_close(graded::project_keys(in.H, W_h), oracle::matmul(in.H, W_h),
                     ten_of_the_largest);
    }
}

TEST_CASE(
    "07.2 project_keys, additive_scores_from: one component may be tiny where its weights are "
    "huge, or huge") {
    for (const Problem& in : problems_with_one_far_from_1()) {
        expect_close(graded::project_keys(in.H, in.W_h), oracle::matmul(in.H, in.W_h), ten_digits);
        expect_scores_from(in);
    }
}

TEST_CASE("07.2 additive_scores_from: states, keys, weights or v may be tiny, or huge") {
    for (const Problem& in : problems_of_any_size()) {
        expect_scores_from(in, ten_of_the_largest);
    }
    const auto [S, H, W_s, W_h, v] = some_problem(3, 4, 2, 5, 6, 441);
    expect_scores_from({S * 1e30, H, W_s, W_h, v});
    expect_scores_from({S, H * 1e100, W_s, W_h, v});
    for (const double size : {1e-2, 1e-4, 1e-6, 1e-8}) { // near 0 tanh is nearly straight
        expect_scores_from({S * size, H * size, W_s, W_h, v});
    }
}

TEST_CASE("07.2 project_keys, additive_scores_from: what is zero, one, the identity or another "
          "argument but for one element") {
    const Matrix X = standard_normal(3, 3, 511), ones = xt::ones<double>({3, 3});
    const auto expect_keys = [](const Matrix& H, const Matrix& W_h) {
        expect_close(graded::project_keys(H, W_h), oracle::matmul(H, W_h), ten_digits);
    };
    for (const Matrix& special : nearly_special()) {
        expect_keys(X, special);
        expect_keys(special, X);
        expect_keys(special, ones);
    }
    for (const Matrix& other : drawn::nearly(X)) {
        expect_keys(X, other);
    }
    for (const Problem& in :
         nearly_special_problems({&Problem::S, &Problem::H, &Problem::W_s})) { // H: the keys
        expect_close(graded::additive_scores_from(in.S, in.H, in.W_s, in.v),
                     plain::scores_of_projected(oracle::matmul(in.S, in.W_s), in.H, in.v),
                     ten_digits);
    }
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
    support::expect_misfit(graded::additive_scores_from.attempt(in.S, keys, in.W_s, in.v),
                           sizes(keys), {sizes(in.W_s), sizes(in.v)});
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
        support::expect_misfit(graded::additive_scores_from.attempt(in.S, keys, in.W_s, in.v),
                               sizes(keys), {sizes(in.W_s), sizes(in.v)});
    }
}

TEST_CASE("07.2 additive_scores_from: refuses a v of another d_a, and names both shapes") {
    // keys and W_s have one shape: whichever v is held against, it is in the text.
    const Matrix S = standard_normal(2, 4, 1), keys = standard_normal(4, 6, 2);
    const Matrix W_s = standard_normal(4, 6, 3);
    for (const std::size_t d_a : {5U, 7U, 1U, 12U, 12345U}) {
        const Vector v = standard_normal(d_a, 4);
        expect_invalid_argument(graded::additive_scores_from.attempt(S, keys, W_s, v),
                                {sizes(W_s), sizes(v)});
    }
}

TEST_CASE("07.2 additive_scores_from: refuses what would fit if it were turned around") {
    const Matrix S = standard_normal(2, 4, 1), keys = standard_normal(3, 6, 2);
    const Matrix W_s = standard_normal(4, 6, 3);
    const Vector v = standard_normal(6, 4);
    const Matrix S_turned = xt::transpose(S), keys_turned = xt::transpose(keys);
    expect_invalid_argument(graded::additive_scores_from.attempt(S_turned, keys, W_s, v),
                            {sizes(S_turned), sizes(W_s)});
    support::expect_misfit(graded::additive_scores_from.attempt(S, keys_turned, W_s, v),
                           sizes(keys_turned), {sizes(W_s), sizes(v)});
    const Matrix W_turned = xt::transpose(W_s); // fits neither states nor keys
    expect_invalid_argument(graded::additive_scores_from.attempt(S, keys, W_turned, v),
                            {sizes(W_turned)});
}

} // namespace grader_keys
