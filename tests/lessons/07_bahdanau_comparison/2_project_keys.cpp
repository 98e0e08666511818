// 07.2 project_keys, additive_scores_from

#include <doctest/doctest.h>

#include <cmath>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/oracle_additive.hpp"

namespace of_project_keys {

using domain::Kind;
using judge::expect_close;
using lesson::Matrix;

// A sum is as exact as its largest terms, of which each holds a tanh that is measured against 1.
constexpr judge::Tolerance tolerance{1e-10, 1e-300, 1e-10};

const domain::Domain project_keys =
    domain::Domain(
        "project_keys", domain::of<decltype(lesson::project_keys)>(oracle::matmul<double>),
        {{"H", Kind::array, "n_keys x d_h"}, {"W_h", Kind::array, "d_h x d_a"}}, tolerance)
        .scaled({{"H", ""}, {"W_h", ""}, {"H", "W_h"}});

const domain::Domain additive_scores_from =
    domain::Domain("additive_scores_from",
                   domain::of<decltype(lesson::additive_scores_from)>(oracle::additive_scores_from),
                   {{"S", Kind::array, "n_queries x d_s"},
                    {"keys", Kind::array, "n_keys x d_a"},
                    {"W_s", Kind::array, "d_s x d_a"},
                    {"v", Kind::array, "d_a"}},
                   tolerance)
        .scaled({{"S", "W_s"}, {"v", ""}, {"S", ""}, {"keys", ""}});

const double ln_2 = std::log(2.0), ln_3 = std::log(3.0);

TEST_CASE("07.2 project_keys: three keys of two components, small enough to do by hand") {
    expect_close(graded::project_keys({{1, 2}, {3, 4}, {-1, 0}}, {{1, 0, 2}, {0, 10, 1}}),
                 Matrix{{1, 20, 4}, {3, 40, 10}, {-1, 0, -2}}, tolerance);
}

TEST_CASE("07.2 additive_scores_from: the scores of 07.1, from its two keys already projected") {
    expect_close(graded::additive_scores_from({{0}, {1}}, {{0, 0}, {ln_3 / 2, ln_2}},
                                              {{ln_3 / 2, 0}}, {10, -10}),
                 Matrix{{0, -1}, {5, 2}}, {1e-10, 1e-14});
}

TEST_CASE("07.2 additive_scores_from: far out a tanh is 1 or −1, and the next state is as usual") {
    expect_close(
        graded::additive_scores_from({{-1e20}, {1e20}, {0}}, {{0}, {std::log(3.0)}}, {{1}}, {5}),
        Matrix{{-5, -5}, {5, 5}, {0, 4}}, tolerance);
}

PROPERTIES("07.2 project_keys", project_keys)

PROPERTIES("07.2 additive_scores_from", additive_scores_from)

TEST_CASE("07.2 additive_scores_from: keys projected once serve every state, step by step") {
    const Matrix S{{1, -2, 0.5}, {0, 1, 1}, {-1, 0.25, 2}}, H{{2, 1}, {-1, 0.5}, {0, -3}, {1, 1}};
    const Matrix W_s{{1, 0.5}, {-0.25, 1}, {0.5, 0}}, W_h{{0.5, -1}, {1, 0.25}};
    const lesson::Vector v{1.5, -2};
    const Matrix keys = graded::project_keys(H, W_h);
    for (std::size_t step = 0; step < 3; ++step) {
        const Matrix s = xt::view(S, xt::range(step, step + 1), xt::all());
        expect_close(graded::additive_scores_from(s, keys, W_s, v),
                     oracle::additive_scores(s, H, W_s, W_h, v), tolerance);
    }
}

TEST_CASE("07.2 project_keys, additive_scores_from: a term of 1e-20 does not end a sum") {
    const Matrix W{{1, 0.5, 0.25}, {1, 2, 1}, {0.5, 0.125, -1}};
    const Matrix S{{0.5, 1e-20, 1}, {1, -1e-20, -0.5}};
    expect_close(graded::project_keys(S, W), oracle::matmul(S, W), tolerance);
    for (const lesson::Vector& v : {lesson::Vector{1, 1e-20, 1}, lesson::Vector{1, 2, 1}}) {
        expect_close(graded::additive_scores_from(S, W, W, v),
                     oracle::additive_scores_from(S, W, W, v), tolerance);
    }
}

TEST_CASE("07.2 additive_scores_from: far out on opposite sides a sum may be of ordinary size") {
    const Matrix eye{{1, 0}, {0, 1}};
    const Matrix S{{400, -500}, {401, -500.5}}, keys{{-399.5, 500.25}, {-400.25, 499.75}};
    expect_close(graded::additive_scores_from(S, keys, eye, {1, 2}),
                 oracle::additive_scores_from(S, keys, eye, {1, 2}), tolerance);
}

} // namespace of_project_keys
