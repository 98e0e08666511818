#pragma once

// States, keys and weights that the graders of 07.1 and 07.2 share.

#include <array>
#include <cmath>
#include <vector>

#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/nearly.hpp"
#include "support/zeros_and_ones.hpp"

namespace problems {

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
using Shape = std::vector<std::size_t>;

// What a double has, less what sums of some hundred products and the tanh after them cost.
inline constexpr judge::Tolerance ten_digits{1e-10, 1e-11};
inline constexpr judge::Tolerance ten_of_the_largest{0, 0, 1e-10}; // whatever the size of all

inline const double ln_2 = std::log(2.0), ln_3 = std::log(3.0);

// tanh(½ ln 3) is 1/2, tanh(ln 3) is 4/5 and tanh(ln 2) is 3/5: whole numbers come out.
inline const Matrix hand_S{{0}, {1}};
inline const Matrix hand_H{{0}, {1}};
inline const Matrix hand_W_s{{ln_3 / 2, 0}};
inline const Matrix hand_W_h{{ln_3 / 2, ln_2}};
inline const Vector hand_v{10, -10};
inline const Matrix hand_scores{{0, -1}, {5, 2}};

struct Problem {
    Matrix S, H, W_s, W_h;
    Vector v;
};

inline Problem some_problem(std::size_t n_queries, std::size_t n_keys, std::size_t d_s,
                            std::size_t d_h, std::size_t d_a, std::uint64_t seed = 1) {
    return {standard_normal(n_queries, d_s, seed), standard_normal(n_keys, d_h, seed + 1),
            standard_normal(d_s, d_a, seed + 2), standard_normal(d_h, d_a, seed + 3),
            standard_normal(d_a, seed + 4)};
}

inline constexpr std::size_t large_sizes[][5] = {{259, 2, 3, 2, 5},
                                                 {2, 263, 3, 2, 5},
                                                 {2, 3, 269, 67, 5},
                                                 {3, 2, 70, 259, 5},
                                                 {2, 3, 5, 4, 271}};

/// More than 400 rows, or 2048 of another size, in each place; states and keys so short that tanh
/// still tells them apart.
inline std::vector<Problem> large_problems() {
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
inline std::vector<Problem> alike_problems() {
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
inline std::vector<Problem> problems_with_zeros() {
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
        for (std::size_t k = 0; k < 2; ++k) { // whose rows, or columns, sum to 0
            problems.push_back({drawn::each_summing_to_zero(S)[k], H, W_s, W_h, v});
            problems.push_back({S, drawn::each_summing_to_zero(H)[k], W_s, W_h, v});
        }
    }
    return problems;
}

/// States and weights, keys and weights, or v, all tiny or all huge. Where sums go through tanh,
/// they are of ordinary size.
inline std::vector<Problem> problems_of_any_size() {
    std::vector<Problem> problems;
    for (const double size : {1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100}) {
        const auto [S, H, W_s, W_h, v] = some_problem(3, 4, 2, 5, 6, 401);
        problems.push_back({S * size, H, W_s / size, W_h, v});
        problems.push_back({S, H * size, W_s, W_h / size, v});
        problems.push_back({S, H, W_s, W_h, v * size});
    }
    return problems;
}

/// One component of states or keys as large as its weights are small: their product counts like any
/// other.
inline std::vector<Problem> problems_with_one_far_from_1() {
    std::vector<Problem> problems;
    const Problem in = some_problem(3, 4, 5, 5, 3, 451);
    for (const double size : {1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100}) {
        problems.insert(problems.end(), 2, in);
        Problem& states = problems[problems.size() - 2];
        Problem& keys = problems.back();
        xt::col(states.S, 2) *= size;
        xt::row(states.W_s, 2) /= size;
        xt::col(keys.H, 2) *= size;
        xt::row(keys.W_h, 2) /= size;
    }
    return problems;
}

/// Projected states and keys of which some components are 0, but not all.
inline Problem problem_with_projected_zeros() {
    const Matrix to_itself = xt::eye<double>(3);
    return {{{0, 1, -2}, {1, 0, 0.5}},
            {{0.5, 0, 1}, {-1, 0.25, 0}},
            to_itself,
            to_itself,
            {1, 2, -0.5}};
}

/// Projected states and keys far out on opposite sides, whose sums are of ordinary size.
inline Problem problem_far_out_on_opposite_sides() {
    const Matrix to_itself = xt::eye<double>(2);
    return {{{400, -500}, {401, -500.5}},
            {{-399.5, 500.25}, {-400.25, 499.75}},
            to_itself,
            to_itself,
            {1, 2}};
}

/// The same array as states and keys, as both weights, and as both.
inline std::vector<Problem> problems_of_one_array() {
    const auto [S, H, W_s, W_h, v] = some_problem(3, 3, 4, 4, 5, 411);
    return {{S, S, W_s, W_h, v}, {S, H, W_s, W_s, v}, {S, S, W_s, W_s, v}};
}

/// The identity, zeros and ones, what is one of them but for one element, and what an identity may
/// be taken for by some of its looks.
inline std::vector<Matrix> nearly_special() {
    std::vector<Matrix> all{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
    const Matrix ones = xt::ones<double>({3, 3});
    for (const auto& some :
         {drawn::nearly_identity(3), drawn::nearly_zero(3, 3), drawn::nearly(ones)}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

/// One of the arguments nearly special, or two nearly equal.
inline std::vector<Problem> nearly_special_problems(const std::vector<Matrix Problem::*>& all) {
    const Problem in = some_problem(3, 3, 3, 3, 3, 501);
    std::vector<Problem> problems;
    for (Matrix Problem::*const one : all) {
        for (const Matrix& X : nearly_special()) {
            problems.push_back(in);
            problems.back().*one = X;
        }
        for (Matrix Problem::*const other : all) {
            for (const Matrix& X : drawn::nearly(in.*one)) {
                if (one != other) {
                    problems.push_back(in);
                    problems.back().*other = X;
                }
            }
        }
    }
    for (const Vector& special : {Vector{0, 0, 0}, Vector{1, 1, 1}}) {
        for (const Vector& v : drawn::nearly(special)) {
            problems.push_back(in);
            problems.back().v = v;
        }
    }
    return problems;
}

/// Rows and columns of what is to be multiplied and cannot be; some could, were one turned around.
inline constexpr std::size_t do_not_fit[][4] = {{2, 5, 4, 3},    {2, 5, 1, 3}, {2, 1, 5, 3},
                                                {3, 2, 3, 2},    {5, 2, 5, 3}, {2, 3, 12345, 3},
                                                {12345, 2, 3, 3}};

inline constexpr std::size_t awkward_sizes[][5] = {{1, 1, 1, 1, 1},
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

inline Matrix row(const Matrix& X, std::size_t i) {
    return xt::view(X, xt::range(i, i + 1));
}

} // namespace problems
