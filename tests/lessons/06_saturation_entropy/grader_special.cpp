// 06.1 and 06.3 where arguments are special, or are so but for one of their numbers.

#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "nearly_special.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/nearly.hpp"

namespace grader_special {

using drawn::standard_normal;
using judge::expect_close;
using lesson::Matrix;
using DKs = std::vector<std::size_t>;

namespace {

void expect_entropy(const Matrix& weights) {
    expect_close(graded::entropy(weights), oracle::entropy(weights), {1e-12, 1e-14});
}

void expect_sweep(const Matrix& Q, const Matrix& K, const DKs& d_ks) {
    for (const bool scaled : {false, true}) {
        expect_close(graded::entropy_sweep(Q, K, d_ks, scaled), plain::sweep(Q, K, d_ks, scaled),
                     {1e-10, 1e-12});
    }
}

} // namespace

TEST_CASE("06.1 entropy: rows that are all alike, all even or all certain, but for one weight") {
    for (const Matrix& special : nearly_special::special) {
        for (const Matrix& weights : nearly_special::each_moved(special, 0.5)) {
            expect_entropy(weights);
        }
    }
}

TEST_CASE("06.1 entropy: one query whose weights are even, or nearly") {
    const Matrix even{{0.25, 0.25, 0.25, 0.25}};
    for (const double share : {1.0, 0.5, 1e-2, 1e-3, 1e-4, 1e-5}) {
        for (const Matrix& weights : nearly_special::each_moved(even, share)) {
            expect_entropy(weights);
        }
    }
    // Nearly even, though each weight is small: so are most rows of many keys.
    Matrix many = xt::ones<double>({1, 1024}) / 1024;
    many(0, 3) = 1.5 / 1024;
    many(0, 1020) = 0.5 / 1024;
    expect_entropy(many);
}

TEST_CASE("06.1 entropy: equal weights count each, in whatever order") {
    expect_entropy(nearly_special::every_order({0.375, 0.375, 0.125, 0.125}));
    expect_entropy(nearly_special::every_order({0.5, 0.25, 0.25, 0}));
    expect_entropy(nearly_special::every_order({0.5, 0.3, 0.2}));
    expect_entropy({{0.5, 0.5, 0, 0}, {0, 0.5, 0, 0.5}, {0.5, 0, 0, 0.5}, {0, 0, 0.5, 0.5}});
}

TEST_CASE("06.3 entropy_sweep: queries or keys that are zero, one, the identity or one another, "
          "but for one element") {
    const Matrix X = standard_normal(3, 3, 201), ones = xt::ones<double>({3, 3});
    for (const auto& some :
         {drawn::nearly_identity(3), drawn::nearly_zero(3, 3), drawn::nearly(ones)}) {
        for (const Matrix& special : some) {
            expect_sweep(special, X, {1, 2, 3});
            expect_sweep(X, special, {3, 1});
        }
    }
    for (const Matrix& other : drawn::nearly(X)) {
        expect_sweep(X, other, {2, 3});
    }
}

TEST_CASE("06.3 entropy_sweep: one component may be tiny in queries and huge in keys, or the other "
          "way round") {
    for (const double size : {1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100}) {
        Matrix Q = standard_normal(3, 4, 204), K = standard_normal(4, 4, 205);
        xt::col(Q, 1) *= size;
        xt::col(K, 1) /= size;
        expect_sweep(Q, K, {1, 2, 4});
    }
}

TEST_CASE("06.3 entropy_sweep: d_ks that rise, fall, double or stay, but for one") {
    const Matrix Q = standard_normal(2, 8, 202), K = standard_normal(3, 8, 203);
    for (const DKs& special : {DKs{1, 2, 3, 4, 5, 6, 7, 8}, DKs{8, 7, 6, 5, 4, 3, 2, 1},
                               DKs{1, 2, 4, 8}, DKs{3, 3, 3, 3}, DKs{2, 4, 6, 8}, DKs{8, 8, 8}}) {
        expect_sweep(Q, K, special);
        for (std::size_t i = 0; i < special.size(); ++i) {
            DKs d_ks = special;
            d_ks[i] = (d_ks[i] + 4) % 8 + 1;
            expect_sweep(Q, K, d_ks);
        }
    }
}

} // namespace grader_special
