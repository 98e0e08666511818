// 08.1 to 08.3 and 08.5 with what drawn numbers never are: exact zeros among them, sizes of 1
// beside others, and weights so small that what meets them has to be large.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_zeros {

using drawn::each_with_zeros;
using drawn::standard_normal;
using drawn::with_ones;
using judge::expect_close;
using lesson::Mask;
using lesson::Matrix;

namespace {

/// False where X is 0.
Mask zeros_blocked(const Matrix& X) {
    return xt::not_equal(X, 0.0);
}

/// Weights of one row, all but the last of them this small, and gradients that are as large.
constexpr int smallest = 16; // as a power of ten
Matrix small_weight(int k) {
    const double weight = std::pow(10.0, -k);
    return {{0.75 * (1 - weight), weight, 0.25 * (1 - weight)}};
}

// ---- 08.1

void expect_softmax(const Matrix& weights, const Matrix& d_weights) {
    expect_close(graded::softmax_backward(weights, d_weights),
                 plain::softmax_backward(weights, d_weights), judge::normwise);
}

Matrix weights_under(const Mask& mask, std::uint64_t seed) {
    const Matrix scores = 1.5 * standard_normal(mask.shape(0), mask.shape(1), seed);
    return oracle::masked_softmax(scores, mask);
}

} // namespace

TEST_CASE("08.1 softmax_backward: exact zeros among the gradients, and rows and columns of them") {
    const Matrix weights = oracle::softmax_rows(standard_normal(5, 7, 201));
    for (const Matrix& d_weights : each_with_zeros(standard_normal(5, 7, 202))) {
        expect_softmax(weights, d_weights);
    }
}

TEST_CASE("08.1 softmax_backward: exact zeros among the weights, and rows and columns of them") {
    const Matrix d_weights = standard_normal(5, 7, 203);
    for (const Matrix& seen : each_with_zeros(Matrix(xt::ones<double>({5, 7})))) {
        expect_softmax(weights_under(zeros_blocked(seen), 204), d_weights);
    }
}

TEST_CASE("08.1 softmax_backward: weights of 1e-3, 1e-4, … 1e-16, whose gradients are as large") {
    for (int k = 3; k <= smallest; ++k) {
        expect_softmax(small_weight(k), {{1, 3 * std::pow(10.0, k), -2}});
    }
    expect_softmax({{0.75, 1e-200, 0.25}}, {{1, 3e200, -2}});
}

TEST_CASE("08.1 softmax_backward: one query, one key, or both") {
    for (const auto& [n_queries, n_keys] : with_ones<2>({3, 4})) {
        const Matrix g = standard_normal(n_queries, n_keys, 211);
        expect_softmax(oracle::softmax_rows(standard_normal(n_queries, n_keys, 212)), g);
        Mask mask = xt::ones<bool>({n_queries, n_keys});
        mask(0, 0) = false; // which with one key is a row of zeros
        expect_softmax(weights_under(mask, 213), g);
    }
}

// ---- 08.2

namespace {

struct Product {
    Matrix A, B, d_C;
};

/// Each argument in turn with its zeros.
std::vector<Product> products_with_zeros(const Product& of) {
    std::vector<Product> result;
    for (const auto argument : {&Product::A, &Product::B, &Product::d_C}) {
        for (const Matrix& zeros : each_with_zeros(of.*argument)) {
            result.push_back(of);
            result.back().*argument = zeros;
        }
    }
    return result;
}

void expect_product(const Product& of) {
    expect_close(graded::matmul_backward(of.A, of.B, of.d_C),
                 plain::matmul_backward(of.A, of.B, of.d_C), judge::normwise);
}

void expect_transposed(const Product& of) {
    expect_close(graded::matmul_transposed_backward(of.A, of.B, of.d_C),
                 plain::matmul_transposed_backward(of.A, of.B, of.d_C), judge::normwise);
}

} // namespace

TEST_CASE("08.2 matmul_backward: exact zeros in A, in B and in d_C, and rows and columns of them") {
    for (const Product& of :
         products_with_zeros({standard_normal(4, 5, 221), standard_normal(5, 7, 222),
                              standard_normal(4, 7, 223)})) {
        expect_product(of);
    }
}

TEST_CASE("08.2 matmul_backward: one, two or three sizes of 1") {
    for (const auto& [m, k, n] : with_ones<3>({3, 4, 5})) {
        expect_product(
            {standard_normal(m, k, 231), standard_normal(k, n, 232), standard_normal(m, n, 233)});
    }
}

TEST_CASE("08.2 matmul_transposed_backward: exact zeros in A, in B and in d_C, and rows and "
          "columns of them") {
    for (const Product& of :
         products_with_zeros({standard_normal(4, 5, 241), standard_normal(7, 5, 242),
                              standard_normal(4, 7, 243)})) {
        expect_transposed(of);
    }
}

TEST_CASE("08.2 matmul_transposed_backward: one, two or three sizes of 1") {
    for (const auto& [m, k, n] : with_ones<3>({3, 4, 5})) {
        expect_transposed(
            {standard_normal(m, k, 251), standard_normal(n, k, 252), standard_normal(m, n, 253)});
    }
}

// ---- 08.3

namespace {

struct Problem {
    Matrix Q, K, V;
    Mask mask;
    Matrix d_output;
};

Problem some_problem(const std::array<std::size_t, 4>& size, std::uint64_t seed) {
    const auto& [n_queries, n_keys, d_k, d_v] = size;
    return {standard_normal(n_queries, d_k, seed), standard_normal(n_keys, d_k, seed + 1),
            standard_normal(n_keys, d_v, seed + 2), xt::ones<bool>({n_queries, n_keys}),
            standard_normal(n_queries, d_v, seed + 3)};
}

/// Where a gradient is 0, as with a single key, a right sum in another order may leave a rounding
/// of what came in.
void expect_attention(const Problem& of, judge::Tolerance tolerance = {0, 1e-13, 1e-12}) {
    const Matrix weights = plain::attention_weights(of.Q, of.K, of.mask);
    expect_close(graded::attention_backward(of.Q, of.K, of.V, of.mask, weights, of.d_output),
                 plain::attention_backward(of.Q, of.K, of.V, of.mask, weights, of.d_output),
                 tolerance);
}

} // namespace

TEST_CASE("08.3 attention_backward: exact zeros in Q, K, V and d_output, and rows and columns of "
          "them") {
    const Problem in = some_problem({4, 6, 3, 5}, 261);
    for (const auto argument : {&Problem::Q, &Problem::K, &Problem::V, &Problem::d_output}) {
        for (const Matrix& zeros : each_with_zeros(in.*argument)) {
            Problem other = in;
            other.*argument = zeros;
            expect_attention(other);
        }
    }
}

TEST_CASE("08.3 attention_backward: blocked pairs at the beginning of a row, at its end and "
          "between, and whole rows and columns of them") {
    Problem in = some_problem({4, 6, 3, 5}, 271);
    for (const Matrix& seen : each_with_zeros(Matrix(xt::ones<double>({4, 6})))) {
        in.mask = zeros_blocked(seen);
        expect_attention(in);
    }
}

TEST_CASE("08.3 attention_backward: one component of V at padding that is infinite, or NaN") {
    const Problem in = some_problem({3, 5, 2, 4}, 265);
    expect_attention(in); // asked only of what is right without padding
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double junk : {std::nan(""), infinity, -infinity}) { // NaN tells who looks for it
        for (const std::size_t j : {0U, 2U, 4U}) {
            Problem other = in;
            xt::view(other.mask, xt::all(), j) = false;
            other.V(j, j == 2 ? 0 : 3) = junk;
            expect_attention(other);
        }
    }
}

TEST_CASE("08.3 attention_backward: all keys are padding, of which V says nothing") {
    Problem in = some_problem({3, 5, 2, 4}, 268);
    expect_attention(in);
    in.mask.fill(false);
    expect_attention(in);
    in.V.fill(std::nan(""));
    expect_attention(in);
    in = some_problem({3, 1, 2, 4}, 269);
    in.mask.fill(false);
    in.V.fill(-std::numeric_limits<double>::infinity());
    expect_attention(in);
}

TEST_CASE("08.3 attention_backward: weights that are 0 though nothing is blocked") {
    Problem in = some_problem({3, 5, 2, 4}, 275);
    in.Q(0, 0) = 1;
    for (std::size_t j = 0; j < 5; ++j) { // query 0 sees one key: the others are far below it
        in.K(j, 0) = j == 2 ? 0 : -3000;
    }
    expect_attention(in, {0, 3e-11, 1e-12}); // 3000 times the rounding of what comes in
}

TEST_CASE("08.3 attention_backward: weights of 1e-3, 1e-4, … 1e-16, whose values are as large") {
    for (int k = 3; k <= smallest; ++k) {
        const double score = -k * std::log(10.0), value = std::pow(10.0, k);
        expect_attention({{{1}},
                          {{0}, {score}, {0.5}},
                          {{1, -2}, {3 * value, value}, {2, 5}},
                          xt::ones<bool>({1, 3}),
                          {{1, 0.25}}},
                         {0, 0, 1e-10});
    }
}

TEST_CASE(
    "08.3 attention_backward: sizes of 1 beside others, nothing blocked, and the first pair") {
    for (const auto& size : with_ones<4>({2, 3, 4, 5})) {
        Problem in = some_problem(size, 281);
        expect_attention(in);
        in.mask(0, 0) = false;
        expect_attention(in);
    }
}

// ---- 08.5

namespace {

struct Lookup {
    Matrix asked, entries, wanted, W_q, W_k, W_v;
};

Lookup some_lookup(const std::array<std::size_t, 5>& size, std::uint64_t seed) {
    const auto& [n_queries, n_keys, d_model, d_k, d_v] = size;
    return {standard_normal(n_queries, d_model, seed),
            standard_normal(n_keys, d_model, seed + 1),
            standard_normal(n_queries, d_v, seed + 2),
            0.5 * standard_normal(d_model, d_k, seed + 3),
            0.5 * standard_normal(d_model, d_k, seed + 4),
            0.5 * standard_normal(d_model, d_v, seed + 5)};
}

void expect_learned(const Lookup& of, std::size_t steps) {
    const std::vector<lesson::Table> tables{{of.asked, of.entries, of.wanted}};
    const lesson::Projections start{of.W_q, of.W_k, of.W_v};
    expect_close(graded::learn_lookup(tables, start, steps, 0.2),
                 plain::learn_lookup(tables, start, steps, 0.2), judge::Tolerance{0, 1e-13, 1e-10});
}

} // namespace

TEST_CASE("08.5 learn_lookup: exact zeros in what is asked, wanted and started from, and rows and "
          "columns of them") {
    const Lookup in = some_lookup({4, 5, 3, 6, 7}, 291);
    for (const auto argument : {&Lookup::asked, &Lookup::entries, &Lookup::wanted, &Lookup::W_q,
                                &Lookup::W_k, &Lookup::W_v}) {
        for (const Matrix& zeros : each_with_zeros(in.*argument)) {
            Lookup other = in;
            other.*argument = zeros;
            expect_learned(other, 2);
        }
    }
}

TEST_CASE("08.5 learn_lookup: sizes of 1 beside others") {
    for (const auto& size : with_ones<5>({2, 3, 4, 5, 6})) {
        expect_learned(some_lookup(size, 301), 2);
    }
}

} // namespace grader_zeros
