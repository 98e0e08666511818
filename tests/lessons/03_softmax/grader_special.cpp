// 03.1 and 03.2 asked near the ends of exp, and with what is special but for one element; the rest
// of the lesson: grader.cpp, grader_rows.cpp and grader_jacobian.cpp.

#include <doctest/doctest.h>

#include "parts.hpp"
#include "support/nearly.hpp"

namespace grader_special {

using namespace parts;

namespace {

Matrix below_each_other(const std::vector<Vector>& all) {
    Matrix together = Matrix::from_shape({all.size(), all.front().size()});
    for (std::size_t i = 0; i < all.size(); ++i) {
        xt::view(together, i, xt::all()) = all[i];
    }
    return together;
}

const Vector around_0{0, -0.5, 1.25, 0};
/// Where exp of the largest is nearly 0, these have no digits left.
const Vector far_below{-20, -36.5, 0, -55.25};

/// Huge scores that differ, in any order; differences between some of them overflow.
std::vector<Vector> huge_and_different() {
    std::vector<Vector> all;
    for (std::vector<double> row : {std::vector<double>{-1.7e308, 1.2e308, 1.7e308},
                                    {-1.2e308, 1e308, 1.2e308},
                                    {-1.7e308, -1.5e308, -1.2e308},
                                    {-1.7e308, 0, 1.7e308},
                                    {1.2e308, 1.7e308, 1.7e308}}) {
        do {
            all.push_back({row[0], row[1], row[2]});
        } while (std::next_permutation(row.begin(), row.end()));
    }
    return all;
}

/// Differences that are exact whether or not the maximum is subtracted first.
const Vector whole{2, 0, 1, -3};

} // namespace

// ---- 03.1

TEST_CASE("03.1 softmax: rows that lie anywhere between -1500 and 1500 have the weights of the "
          "same row around 0") {
    expect_right_far_out(around_0);
    for (const double base : near_the_ends_of_exp) {
        expect_softmax(base + around_0);
        expect_softmax(base + far_below);
        expect_softmax(base * xt::ones<double>({3}));
        expect_softmax(base * xt::ones<double>({300}));
    }
}

TEST_CASE("03.1 softmax: a score that lies below the others by anything up to 690 has its small "
          "weight") {
    expect_right_far_out(around_0);
    for (double gap = 10; gap <= 690; gap += 20) {
        expect_softmax({0, -gap});
        expect_softmax({-gap, 0});
        expect_softmax({gap, -1, 0, gap - 1});
        expect_softmax({-gap / 2, gap / 2, -gap / 2});
    }
}

TEST_CASE("03.1 softmax: differences between large scores are as exact as between small ones") {
    expect_right_far_out(around_0);
    for (const double base : {1e5, 1e6, 1e7, 1e9, 1e12}) {
        expect_softmax(base + whole);
        expect_softmax(-base + whole);
    }
}

TEST_CASE("03.1 softmax: scores that are all equal, all 0, or in order but for one are not") {
    expect_right_far_out(around_0);
    for (const double score : {0.0, 1.0, -3.0, 800.0}) {
        for (const Vector& scores : drawn::nearly(Vector(score * xt::ones<double>({4})))) {
            expect_softmax(scores);
        }
    }
    for (const Vector& scores : drawn::nearly(Vector{-0.25, 0, 0.25, 0.5})) {
        expect_softmax(scores);
    }
    std::vector<double> order{-1, 0, 1.5, 3};
    do {
        expect_softmax({order[0], order[1], order[2], order[3]});
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("03.1 softmax: of huge scores that differ the largest takes everything, in any order") {
    expect_right_far_out(around_0);
    for (const Vector& scores : huge_and_different()) {
        expect_softmax(scores);
    }
}

// ---- 03.2

TEST_CASE("03.2 softmax_rows: rows that lie anywhere between -1500 and 1500 have the weights of "
          "the same row around 0") {
    expect_right_far_out(below_each_other({around_0, 2 * around_0}));
    for (const double base : near_the_ends_of_exp) {
        const Vector far = base + around_0;
        expect_softmax_rows(below_each_other({far, far - 1, far}));
        expect_softmax_rows(below_each_other({far, around_0, 2 * around_0}));
        expect_softmax_rows(below_each_other({around_0, 2 * around_0, far}));
        const Vector below = base + far_below;
        expect_softmax_rows(below_each_other({below, below - 1}));
        expect_softmax_rows(base * xt::ones<double>({2, 3}));
        expect_softmax_rows(base * xt::ones<double>({2, 300}));
    }
}

TEST_CASE("03.2 softmax_rows: a score that lies below the others of its row by anything up to 690 "
          "has its small weight") {
    expect_right_far_out(below_each_other({around_0, 2 * around_0}));
    for (double gap = 10; gap <= 690; gap += 20) {
        expect_softmax_rows({{0, -gap}, {-gap, 0}, {1, 2}});
        expect_softmax_rows({{gap, -1, 0, gap - 1}});
        expect_softmax_rows({{-gap / 2, gap / 2, -gap / 2}, {1, 0, 2}});
    }
}

TEST_CASE("03.2 softmax_rows: differences between large scores are as exact as between small "
          "ones") {
    expect_right_far_out(below_each_other({around_0, 2 * around_0}));
    for (const double base : {1e5, 1e6, 1e7, 1e9, 1e12}) {
        expect_softmax_rows(below_each_other({base + whole, whole, -base + whole}));
    }
}

TEST_CASE("03.2 softmax_rows: scores that are all equal, rows that are one, or an identity but for "
          "one score are not") {
    expect_right_far_out(below_each_other({around_0, 2 * around_0}));
    std::vector<Matrix> special = drawn::nearly_identity(3);
    for (const Matrix& one : {Matrix(xt::zeros<double>({3, 3})),
                              Matrix(xt::ones<double>({3, 3})),
                              {{1, -2, 0.5}, {1, -2, 0.5}, {1, -2, 0.5}},
                              {{1, 1, 1}, {-2, -2, -2}, {0.5, 0.5, 0.5}},
                              {{1, -2, 0.5}, {-2, 3, 0.25}, {0.5, 0.25, -1}},
                              {{-0.25, 0, 0.25}, {-1, 1, 2}, {0.5, 0.75, 3}}}) {
        const std::vector<Matrix> near = drawn::nearly(one);
        special.insert(special.end(), near.begin(), near.end());
    }
    for (const Matrix& scores : special) {
        expect_softmax_rows(scores);
    }
}

TEST_CASE("03.2 softmax_rows: of huge scores that differ the largest of a row takes everything, in "
          "any order") {
    expect_right_far_out(below_each_other({around_0, 2 * around_0}));
    // All are asked before the first is judged: together they tell which scores are held back.
    for (const Vector& scores : huge_and_different()) {
        static_cast<void>(graded::softmax_rows.attempt(below_each_other({scores})));
    }
    for (const Vector& scores : huge_and_different()) {
        expect_softmax_rows(below_each_other({scores}));
    }
    expect_softmax_rows(below_each_other(huge_and_different()));
}

TEST_CASE("03.2 softmax_rows: more than 65,536 scores") {
    // In rows that are short enough for every pair of scores to be looked at.
    expect_softmax_rows(standard_normal(300, 230, 49));
}

} // namespace grader_special
