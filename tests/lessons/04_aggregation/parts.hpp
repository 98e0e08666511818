#pragma once

// What the graders of lesson 04 share: right answers, sizes and examples.

#include <array>
#include <cmath>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

namespace parts {

using drawn::look_alikes;
using drawn::standard_normal;
using drawn::upside_down;
using drawn::with_zeros;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::expect_that;
using judge::sizes;
using lesson::Matrix;

inline Matrix some_weights(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed) {
    return oracle::softmax_rows(standard_normal(n_queries, n_keys, seed));
}

/// Some of them exactly 0, first, last and between, and all of one key's, if there are many.
inline Matrix weights_with_zeros(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed) {
    Matrix weights = some_weights(n_queries, n_keys, seed);
    for (std::size_t i = 0; i < n_queries && n_keys > 1; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            if ((i + j) % 3 == 0 || (n_keys > 3 && j == n_keys / 3)) {
                weights(i, j) = 0;
            }
        }
    }
    const Matrix sums = xt::sum(weights, {1}, xt::keep_dims);
    return weights / sums;
}

inline Matrix right_weights(const Matrix& Q, const Matrix& K) {
    return oracle::softmax_rows(oracle::scaled_scores(Q, K));
}

inline Matrix right_output(const Matrix& Q, const Matrix& K, const Matrix& V) {
    return oracle::matmul(right_weights(Q, K), V);
}

inline Matrix rows(const Matrix& A, const std::vector<std::size_t>& order) {
    return xt::view(A, xt::keep(order), xt::all());
}

inline Matrix columns(const Matrix& A, const std::vector<std::size_t>& order) {
    return xt::view(A, xt::all(), xt::keep(order));
}

/// The first sequence of a batch saved from PyTorch.
inline Matrix saved(const std::string& name) {
    return xt::view(support::golden_tensor3("attention/" + name), 0, xt::all(), xt::all());
}

// n_queries, n_keys, d_k, d_v: pairwise different, and each of them 1 somewhere, and beyond 64 and
// beyond 256, where buffers and tiles end, and far beyond
// (but for queries: a thread for each is right, too); and as large as a buffer or a tile is.
constexpr std::array<std::array<std::size_t, 4>, 38> awkward_sizes{{{1, 2, 3, 5},
                                                                    {2, 1, 5, 3},
                                                                    {4, 3, 1, 2},
                                                                    {3, 5, 2, 1},
                                                                    {7, 11, 5, 3},
                                                                    {13, 17, 31, 19},
                                                                    {259, 3, 2, 5},
                                                                    {2, 261, 5, 3},
                                                                    {3, 2, 263, 5},
                                                                    {5, 67, 3, 269},
                                                                    {401, 2, 1, 2},
                                                                    {2, 2063, 1, 2},
                                                                    {1, 2, 2069, 2},
                                                                    {2, 1, 2, 2081},
                                                                    // two or more of them 1
                                                                    {1, 4, 3, 1},
                                                                    {1, 4, 1, 3},
                                                                    {1, 1, 4, 3},
                                                                    {3, 4, 1, 1},
                                                                    {3, 1, 4, 1},
                                                                    {4, 1, 1, 3},
                                                                    {1, 1, 1, 1},
                                                                    // two of them alike
                                                                    {3, 3, 2, 4},
                                                                    {3, 2, 3, 4},
                                                                    {3, 2, 4, 3},
                                                                    {4, 3, 3, 2},
                                                                    {4, 3, 2, 3},
                                                                    {4, 2, 3, 3},
                                                                    // whole blocks
                                                                    {4, 8, 16, 32},
                                                                    {32, 4, 8, 16},
                                                                    {16, 32, 4, 8},
                                                                    {8, 16, 32, 4},
                                                                    {64, 64, 64, 64},
                                                                    {128, 2, 1, 256},
                                                                    {256, 1, 2, 128},
                                                                    {1, 256, 128, 2},
                                                                    {2, 128, 256, 1},
                                                                    {1, 1024, 512, 1},
                                                                    {1, 4099, 1, 1}}};

// The same, where some of what is drawn is 0. The largest first: it tells the ways to stumble over
// a 0 apart.
constexpr std::array<std::array<std::size_t, 4>, 5> sizes_with_zeros{
    {{5, 6, 7, 4}, {1, 5, 4, 3}, {4, 2, 1, 5}, {5, 1, 4, 4}, {4, 5, 3, 1}}};

// Rows and columns of what is to be multiplied and cannot be: the inner two sizes differ. One of
// them may be 1, some have five digits, and some would fit with one factor transposed, or both.
constexpr std::array<std::array<std::size_t, 4>, 11> do_not_fit{{{2, 5, 4, 3},
                                                                 {2, 3, 5, 2},
                                                                 {2, 5, 1, 3},
                                                                 {2, 1, 5, 3},
                                                                 {3, 2, 3, 2},
                                                                 {2, 3, 4, 3},
                                                                 {3, 2, 3, 4},
                                                                 {2, 3, 5, 3},
                                                                 {2, 6, 3, 4},
                                                                 {12345, 3, 10007, 2},
                                                                 {2, 12345, 3, 10007}}};

// Half of 2 ln 2 and half of 2 ln 3 are the scores; the weights are 1/6, 1/3 and 1/2, and a third
// each.
inline const Matrix hand_Q{{2, 0, 0, 0}, {0, 0, 0, 0}};
inline const Matrix hand_K{{0, 1, 0, 0}, {std::log(2.0), 0, 3, 0}, {std::log(3.0), 0, 0, -1}};

inline const Matrix eye2{{1, 0}, {0, 1}};
inline const Matrix eye3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
inline const Matrix rising{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};

constexpr judge::Tolerance six_decimals{0, 1e-6};

// ---- Scores so far from each other and from 0 that exp of them is infinite, or 0. They are asked
// only of a function that is right on ordinary scores: how a wrong formula overflows would hide
// which formula it is. Where the largest stands, and what else is in the matrix, tells which
// maximum is wrong.

/// A score of 5000 is right to about 1e-12 of itself, and its exponential to as much absolutely.
constexpr judge::Tolerance far_out{1e-9, 1e-12};

/// Queries with these scores, if the keys are those below: d_k is 4, and only one component counts.
inline Matrix queries(const std::vector<double>& factors) {
    Matrix Q = xt::zeros<double>({factors.size(), std::size_t{4}});
    for (std::size_t i = 0; i < factors.size(); ++i) {
        Q(i, 0) = 2 * factors[i];
    }
    return Q;
}

inline Matrix keys(const std::vector<double>& scores) {
    Matrix K = xt::zeros<double>({scores.size(), std::size_t{4}});
    for (std::size_t j = 0; j < scores.size(); ++j) {
        K(j, 0) = scores[j];
    }
    return K;
}

inline const std::vector<double> largest_first{2000, 1, 0};
inline const std::vector<double> largest_in_the_middle{0, 2000, 1};
inline const std::vector<double> largest_last{1, 0, 2000};
inline const std::vector<double> two_of_three{1000, 999, 0};
inline const std::vector<double> thousands{5000, 4998, 4999};

// Scores beyond a billion, all of one sign. One of them is far above the others: the logarithm of a
// sum is 0, which is all that can be left of it beside such a maximum.
inline const std::vector<std::vector<double>> beyond_a_billion{
    {2e10, 1e10, 3e10}, {3e30, 1e30, 2e30}, {1e100, 3e100, 2e100}};

// A key for each decade of weights, nearly: one that is cut off at any of them shows.
inline const std::vector<double> fading{0,   -6,  -8,  -10.5, -13,  -15,  -17.5, -20, -22,
                                        -26, -32, -45, -80,   -300, -480, -600,  -680};

inline const Matrix values{{1, 0, 2, 4, 5}, {3, 1, 0, 6, 5}, {0, 7, 1, 2, 5}};

} // namespace parts
