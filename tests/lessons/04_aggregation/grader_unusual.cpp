// 04.1 to 04.3 and 04.5 asked with arguments of every kind, with huge scores that tie, and with
// sizes that are alike; the rest of the lesson: grader.cpp, grader_attention.cpp and
// grader_cost.cpp.

#include <doctest/doctest.h>

#include "parts.hpp"
#include "support/far_above.hpp"
#include "support/kinds.hpp"
#include "support/nearly_special.hpp"
#include "support/one_more.hpp"

namespace grader_unusual {

using namespace parts;
using judge::componentwise;
using judge::normwise;

namespace {

void expect_mixture(const Matrix& weights, const Matrix& V) {
    expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V), normwise);
}

void expect_weights(const Matrix& Q, const Matrix& K) {
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
}

void expect_output(const Matrix& Q, const Matrix& K, const Matrix& V) {
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), normwise);
}

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

/// Rows with the sum 1: all alike, nearly alike, one again and again, a 1 that goes on from row to
/// row or stays in the first or in the last column, half and half, a first or a last column of 0.
std::vector<Matrix> weights_of_each_kind(std::size_t n_queries, std::size_t n_keys) {
    const Matrix some = some_weights(n_queries, n_keys, 81);
    std::vector<Matrix> all(8, zeros(n_queries, n_keys));
    all[0].fill(1 / static_cast<double>(n_keys));
    all[1] = oracle::softmax_rows<double>(1e-3 * standard_normal(n_queries, n_keys, 82));
    for (std::size_t i = 0; i < n_queries; ++i) {
        xt::row(all[2], static_cast<std::ptrdiff_t>(i)) = xt::row(some, 0);
        all[3](i, i % n_keys) = 1;
        all[4](i, 0) = all[5](i, n_keys - 1) = 1;
        all[6](i, i % n_keys) += 0.5;
        all[6](i, n_keys - 1) += 0.5;
    }
    for (const std::size_t without : {std::size_t{0}, n_keys - 1}) {
        Matrix weights = some;
        xt::view(weights, xt::all(), without) = 0;
        const Matrix sums = xt::sum(weights, {1}, xt::keep_dims);
        all.emplace_back(weights / sums);
    }
    all[7] = some;
    return all;
}

/// Scores that tie for the maximum, or that of their opposites do. Beside it the logarithm of a sum
/// is lost, in part or, from 1e17 on, altogether.
std::vector<std::vector<double>> huge_and_tied(double s) {
    return {{s, s, 0}, {0, s, s}, {s, -s, s}, {s, s, 2 * s}, {s, s, s}};
}
constexpr double huge[] = {1e10, 1e13, 1e17, 1e30, 1e100};

} // namespace

// ---- 04.1

TEST_CASE("04.1 aggregate: values of every kind: all 0, all one number, one row again and again, "
          "an identity; and weights of every kind") {
    drawn::suspect_an_incomplete_look();
    for (const auto& [n_queries, n_keys, d_v] :
         {std::array<std::size_t, 3>{3, 4, 5}, {4, 3, 3}, {3, 3, 3}}) {
        const std::vector<Matrix> kinds = weights_of_each_kind(n_queries, n_keys);
        for (const Matrix& weights : kinds) {
            expect_mixture(weights, standard_normal(n_keys, d_v, 83));
            expect_mixture(weights, zeros(n_keys, d_v));
        }
        std::size_t next = 0;
        for (const Matrix& V : drawn::of_each_kind(n_keys, d_v, 84)) {
            expect_mixture(some_weights(n_queries, n_keys, 85), V);
            expect_mixture(kinds[next++ % kinds.size()], V);
        }
        expect_mixture(some_weights(n_queries, n_keys, 85), drawn::nearly_one(n_keys, d_v, 86));
    }
    const Matrix square = some_weights(4, 4, 87); // that mixes itself
    expect_mixture(square, square);
    expect_mixture({{1}}, {{0}});
}

TEST_CASE("04.1 aggregate: rows that are nearly certain, and differ in what is left") {
    expect_mixture(drawn::nearly_certain_rows(), standard_normal(3, 2, 84));
}

TEST_CASE("04.1 aggregate: all sizes 8, all 72, or 17, 33, 65 and 129") {
    for (const std::size_t n : {8U, 72U}) {
        expect_mixture(some_weights(n, n, 88), standard_normal(n, n, 89));
    }
    for (const auto& [n_queries, n_keys, d_v] : drawn::and_one_more<3>()) {
        expect_mixture(some_weights(n_queries, n_keys, 88), standard_normal(n_keys, d_v, 89));
    }
}

// ---- 04.2

TEST_CASE("04.2 attention_weights: queries and keys of every kind: all 0, all one number, one row "
          "again and again, an identity") {
    drawn::suspect_an_incomplete_look();
    const Matrix Q = standard_normal(3, 4, 90), K = standard_normal(5, 4, 91);
    drawn::each_in_turn<2>({Q, K}, expect_weights);
    drawn::each_in_turn<2>({standard_normal(4, 4, 92), standard_normal(4, 4, 93)}, expect_weights);
    expect_weights(drawn::nearly_one(3, 4, 94), K);
    expect_weights(Q, drawn::nearly_one(5, 4, 94));
    for (const auto& [q, k] : {std::array<double, 2>{0, 2}, {2, 0}, {0, 0}}) {
        expect_weights({{q}}, {{k}});
    }
}

TEST_CASE("04.2 attention_weights: all sizes 8, all 72, or 17, 33, 65 and 129") {
    for (const std::size_t n : {8U, 72U}) {
        expect_weights(standard_normal(n, n, 95), standard_normal(n, n, 96));
    }
    for (const auto& [n_queries, n_keys, d_k] : drawn::and_one_more<3>()) {
        expect_weights(standard_normal(n_queries, d_k, 95), standard_normal(n_keys, d_k, 96));
    }
}

TEST_CASE("04.2 attention_weights: keys with huge scores that tie share, beside others that are "
          "lower") {
    expect_weights(standard_normal(3, 4, 90), standard_normal(5, 4, 91));
    for (const double s : huge) {
        for (const std::vector<double>& scores : huge_and_tied(s)) {
            for (const Matrix& Q : {queries({1}), queries({-1}), queries({1, -1, 0})}) {
                expect_close(graded::attention_weights(Q, keys(scores)),
                             right_weights(Q, keys(scores)), far_out);
            }
        }
    }
}

TEST_CASE("04.2 attention_weights: the last of 5 to 33 keys scores far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 107)) {
        expect_weights({{1}, {-1}}, drawn::column(scores));
    }
}

// ---- 04.3

TEST_CASE("04.3 self_attention: queries, keys and values of every kind: all 0, all one number, one "
          "row again and again, an identity") {
    drawn::suspect_an_incomplete_look();
    const Matrix Q = standard_normal(3, 4, 97), K = standard_normal(5, 4, 98);
    const Matrix V = standard_normal(5, 2, 99);
    drawn::each_in_turn<3>({Q, K, V}, expect_output);
    drawn::each_in_turn<3>(
        {standard_normal(4, 4, 100), standard_normal(4, 4, 101), standard_normal(4, 4, 102)},
        expect_output);
    expect_output(zeros(3, 4), zeros(5, 4), V);
    expect_output(zeros(3, 4), K, zeros(5, 2));
    expect_output(Q, zeros(5, 4), zeros(5, 2));
    expect_output(drawn::nearly_one(3, 4, 103), K, V);
    expect_output(Q, drawn::nearly_one(5, 4, 103), V);
    expect_output(Q, K, drawn::nearly_one(5, 2, 103));
    for (const auto& [q, k, v] :
         {std::array<double, 3>{0, 2, 3}, {2, 0, 3}, {2, 3, 0}, {0, 0, 0}}) {
        expect_output({{q}}, {{k}}, {{v}});
    }
}

TEST_CASE("04.3 self_attention: all sizes 8, all 72, or 17, 33, 65 and 129") {
    for (const std::size_t n : {8U, 72U}) {
        expect_output(standard_normal(n, n, 104), standard_normal(n, n, 105),
                      standard_normal(n, n, 106));
    }
    for (const auto& [n_queries, n_keys, d_k, d_v] : drawn::and_one_more<4>()) {
        expect_output(standard_normal(n_queries, d_k, 104), standard_normal(n_keys, d_k, 105),
                      standard_normal(n_keys, d_v, 106));
    }
}

TEST_CASE("04.3 self_attention: keys with huge scores that tie share, beside others that are "
          "lower") {
    expect_output(standard_normal(3, 4, 97), standard_normal(5, 4, 98), standard_normal(5, 2, 99));
    for (const double s : huge) {
        for (const std::vector<double>& scores : huge_and_tied(s)) {
            for (const Matrix& Q : {queries({1}), queries({-1}), queries({1, -1, 0})}) {
                expect_close(graded::self_attention(Q, keys(scores), values),
                             right_output(Q, keys(scores), values), far_out);
            }
        }
    }
}

TEST_CASE("04.3 self_attention: the last of 5 to 33 keys scores far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 108)) {
        expect_output({{1}, {-1}}, drawn::column(scores), standard_normal(scores.size(), 2, 109));
    }
}

// ---- 04.5

namespace {

/// n, d_k, d_v: powers of two, and all alike.
constexpr std::size_t round_sizes[][3] = {{4, 8, 64}, {8, 64, 4},   {64, 4, 8},  {2, 2, 2},
                                          {8, 8, 8},  {64, 64, 64}, {72, 72, 72}};

} // namespace

TEST_CASE("04.5 attention_flops: sizes that are powers of two, or all alike") {
    for (const auto& [n, d_k, d_v] : round_sizes) {
        expect_close(graded::attention_flops(n, d_k, d_v),
                     static_cast<double>(2 * n * n * (d_k + d_v)), {1e-12, 0});
    }
}

TEST_CASE("04.5 attention_bytes: sizes that are powers of two, or all alike") {
    for (const auto& [n, d_k, d_v] : round_sizes) {
        expect_close(graded::attention_bytes(n, d_k, d_v),
                     static_cast<double>(8 * n * (2 * (d_k + d_v) + n)), {1e-12, 0});
    }
}

} // namespace grader_unusual
