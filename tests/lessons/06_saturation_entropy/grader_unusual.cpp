// What random numbers never are: weights, queries, keys and curves of every kind, and sizes that
// vector code likes.

#include <doctest/doctest.h>

#include <cmath>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/far_above.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_unusual {

using drawn::standard_normal;
using judge::expect_close;
using lesson::EntropyCurve;
using lesson::Matrix;
using lesson::Vector;
using DKs = std::vector<std::size_t>;

namespace {

void expect_entropy(const Matrix& weights) {
    expect_close(graded::entropy(weights), oracle::entropy(weights), {1e-12, 1e-14});
}

void expect_gains(const Matrix& weights) {
    expect_close(graded::gradient_gain(weights), oracle::gradient_gain(weights), {1e-8, 1e-13});
}

void expect_sweep(const Matrix& Q, const Matrix& K, const DKs& d_ks) {
    for (const bool scaled : {false, true}) {
        expect_close(graded::entropy_sweep(Q, K, d_ks, scaled), plain::sweep(Q, K, d_ks, scaled),
                     {1e-10, 1e-12});
    }
}

/// One weight of 1/2 or more, all others alike: its other eigenvalues are at most 1/4.
Matrix one_stands_out(std::size_t n_queries, std::size_t n_keys) {
    Matrix weights = Matrix::from_shape({n_queries, n_keys});
    for (std::size_t i = 0; i < n_queries; ++i) {
        const double most = 0.5 + 0.25 * static_cast<double>(i) / static_cast<double>(n_queries);
        xt::row(weights, static_cast<std::ptrdiff_t>(i)) =
            (1 - most) / static_cast<double>(n_keys - 1);
        weights(i, (3 * i + 1) % n_keys) = most;
    }
    return weights;
}

} // namespace

TEST_CASE("06.1 entropy: weights of scores of every kind: all 0, one row again and again, the "
          "identity ...") {
    for (const Matrix& scores : drawn::of_each_kind(5, 4, 301)) {
        for (const double sharpness : {1.0, 40.0, 1e-8}) { // or nearly even
            expect_entropy(oracle::softmax_rows(Matrix(sharpness * scores)));
        }
    }
    for (const auto& mask : drawn::masks_of_each_kind(4, 5)) {
        Matrix weights = oracle::masked_softmax(standard_normal(4, 5, 302), mask);
        for (std::size_t i = 0; i < 4; ++i) {
            if (xt::sum(xt::row(weights, static_cast<std::ptrdiff_t>(i)))() == 0) {
                weights(i, 2) = 1;
            }
        }
        expect_entropy(weights);
    }
}

TEST_CASE("06.1 entropy: 8, 16, 17, 24, 33, 65 and 129 queries and keys, 72 of both, and 128 "
          "queries") {
    for (const auto& [n_queries, n_keys] : drawn::and_wide(
             drawn::and_one_more<2>({{8, 3}, {16, 8}, {24, 16}, {3, 24}, {72, 72}, {128, 2}}))) {
        expect_entropy(
            oracle::softmax_rows(Matrix(2 * standard_normal(n_queries, n_keys, n_keys))));
    }
}

TEST_CASE("06.2 gradient_gain: one weight stands out of equal ones, for 8, 16, 17, 24, 33, 65, 72 "
          "and 129 queries") {
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{8, 3},
                                            {16, 8},
                                            {24, 4},
                                            {3, 16},
                                            {8, 8},
                                            {72, 2},
                                            {72, 3},
                                            {17, 5},
                                            {5, 17},
                                            {33, 3},
                                            {3, 33},
                                            {65, 2},
                                            {129, 2},
                                            {2, 65}}) {
        expect_gains(one_stands_out(n_queries, n_keys));
    }
}

TEST_CASE("06.1 entropy: rows that are nearly certain, and differ in what is left") {
    expect_entropy(drawn::nearly_certain_rows());
}

TEST_CASE("06.2 gradient_gain: rows that are nearly certain, and differ in what is left") {
    expect_gains(drawn::nearly_certain_rows());
}

TEST_CASE("06.3 entropy_sweep: components that are not asked for count for nothing, huge or not") {
    for (const double size : {1e3, 1e6, 1e12, 1e100}) {
        Matrix Q = standard_normal(3, 6, 308), K = standard_normal(4, 6, 309);
        xt::view(Q, xt::all(), xt::range(3, 6)) *= size;
        xt::view(K, xt::all(), xt::range(3, 6)) *= size;
        expect_sweep(Q, K, {1, 2, 3});
        expect_sweep(Q, K, {3, 1});
    }
}

TEST_CASE("06.3 entropy_sweep: rows and columns that sum to 0, in Q and in K") {
    const Matrix Q = standard_normal(4, 5, 401), K = standard_normal(3, 5, 402);
    for (std::size_t k = 0; k < 2; ++k) {
        expect_sweep(drawn::each_summing_to_zero(Q)[k], K, {2, 5});
        expect_sweep(Q, drawn::each_summing_to_zero(K)[k], {2, 5});
    }
}

TEST_CASE("06.3 entropy_sweep: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    drawn::each_in_turn(std::array{standard_normal(3, 5, 303), standard_normal(4, 5, 304)},
                        [](const Matrix& Q, const Matrix& K) {
                            expect_sweep(Q, K, {1, 2, 5});
                        });
    expect_sweep({{0}}, {{0}}, {1});
}

TEST_CASE(
    "06.3 entropy_sweep: huge scores that tie for the maximum share, and others get nothing") {
    for (const double size : {1e5, 1e10, 1e16, 1e30, 1e100}) {
        expect_sweep({{size}, {-size}}, {{2}, {2}, {1}, {1}, {1}}, {1});
        expect_sweep({{size}, {-size}}, {{0.5}, {0.5}, {0.5}}, {1});
        expect_sweep({{size, size}, {0, size}}, {{2, 0}, {0, 2}, {1, 0}, {0, -1}}, {2, 1});
    }
}

TEST_CASE("06.3 entropy_sweep: the last of 5 to 33 keys scores far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 307)) {
        expect_sweep({{1}, {-1}, {1e-3}}, drawn::column(scores), {1});
    }
}

TEST_CASE("06.3 entropy_sweep: 40,000 components: scores 1600 apart, which are 8 apart scaled") {
    const std::size_t d_k = 40'000;
    Matrix K = xt::zeros<double>({std::size_t{3}, d_k});
    xt::view(K, 0, xt::all()) = 0.04;
    xt::view(K, 2, xt::all()) = -0.01;
    expect_sweep(xt::ones<double>({std::size_t{1}, d_k}), K, {d_k});
}

TEST_CASE("06.3 entropy_sweep: 8, 16, 17, 24, 33, 65, 72 and 129 queries, keys and components") {
    for (const auto& [n_queries, n_keys, components] : drawn::and_wide(
             drawn::and_one_more<3>({{8, 3, 4}, {16, 8, 2}, {3, 24, 8}, {2, 16, 24}, {72, 72, 72}}),
             2)) {
        expect_sweep(standard_normal(n_queries, components, 305),
                     standard_normal(n_keys, components, 306),
                     {1, (components + 1) / 2, components});
    }
}

TEST_CASE("06.4 predicted_entropy: from 1 to 40 keys") {
    for (std::size_t n_keys = 1; n_keys <= 40; ++n_keys) {
        for (const double variance : {0.0, 1.0, 2.0, 4.0}) {
            const double nats = std::log(static_cast<double>(n_keys)) - variance / 2;
            expect_close(graded::predicted_entropy(n_keys, variance), std::max(nats, 0.0),
                         {1e-12, 1e-13});
        }
    }
}

TEST_CASE("06.5 dk_at_collapse: 8, 16 and 24 points, of which each in turn is the collapse") {
    for (const std::size_t n : {8U, 16U, 24U}) {
        for (std::size_t at = 1; at < n; ++at) {
            EntropyCurve curve{DKs(n), Vector::from_shape({n})};
            for (std::size_t i = 0; i < n; ++i) {
                curve.d_ks[i] = (7 * i + 3) % n + 1;
                curve.entropies(i) =
                    2 + static_cast<double>((5 * i) % 3); // ties, and not the first
            }
            curve.entropies(at) = curve.entropies(0) / 2;
            expect_close(graded::dk_at_collapse(curve), curve.d_ks[at]);
        }
    }
}

TEST_CASE("06.5 dk_at_collapse: entropies that are all one number, nearly, or tie for the most") {
    const DKs d_ks{1, 2, 4, 8};
    const std::vector<Vector> flat{
        {1, 1, 1, 1}, {1 + 1e-10, 1, 1 - 1e-10, 1}, {1e-8, 1e-8, 1e-8, 1e-8},
        {2, 3, 3, 3}, {2, 5e12, 5e12, 5e12},        {1e12, 2e12, 2e12, 1e12}};
    for (const Vector& entropies : flat) {
        expect_close(graded::dk_at_collapse({d_ks, entropies}), std::size_t{0});
        for (const std::size_t at : {1U, 2U, 3U}) {
            for (const double low : {entropies(0) / 2, entropies(0) / 2 * (1 - 1e-10), -0.0}) {
                Vector collapses = entropies;
                collapses(at) = low;
                expect_close(graded::dk_at_collapse({d_ks, collapses}), d_ks[at]);
            }
        }
    }
}

} // namespace grader_unusual
