// 08.1 to 08.3 and 08.5 with what random numbers never are: arguments and masks of every kind, and
// sizes that vector code likes.

#include <doctest/doctest.h>

#include <array>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"

namespace grader_unusual {

using drawn::each_in_turn;
using drawn::masks_of_each_kind;
using drawn::of_each_kind;
using drawn::standard_normal;
using judge::expect_close;
using lesson::Mask;
using lesson::Matrix;

namespace {

double largest(const Matrix& X) {
    return xt::amax(xt::abs(X))();
}

/// Where nothing gets through, a right sum in another order leaves a rounding of what came in.
void expect_softmax(const Matrix& weights, const Matrix& d_weights) {
    expect_close(graded::softmax_backward(weights, d_weights),
                 plain::softmax_backward(weights, d_weights),
                 {0, 1e-14 * largest(d_weights), 1e-12});
}

void expect_product(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    expect_close(graded::matmul_backward(A, B, d_C), plain::matmul_backward(A, B, d_C),
                 judge::normwise);
}

void expect_transposed(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    expect_close(graded::matmul_transposed_backward(A, B, d_C),
                 plain::matmul_transposed_backward(A, B, d_C), judge::normwise);
}

void expect_attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Mask& mask,
                      const Matrix& d_output) {
    const Matrix weights = plain::attention_weights(Q, K, mask);
    expect_close(graded::attention_backward(Q, K, V, mask, weights, d_output),
                 plain::attention_backward(Q, K, V, mask, weights, d_output), {0, 1e-13, 1e-12});
}

// m, k, n
const auto vector_products = drawn::and_one_more<3>(
    {{8, 3, 4}, {3, 8, 16}, {16, 24, 2}, {24, 16, 8}, {16, 16, 16}, {72, 72, 72}});

} // namespace

TEST_CASE("08.1 softmax_backward: gradients of every kind: all 0, all one number, one row again "
          "and again, the identity ...") {
    const Matrix weights = oracle::softmax_rows(standard_normal(4, 5, 801));
    for (const Matrix& d_weights : of_each_kind(4, 5, 802)) {
        expect_softmax(weights, d_weights);
        expect_softmax(weights, 1000 + d_weights);
    }
    expect_softmax({{0}}, {{0}});
    expect_softmax({{1}}, {{0}});
}

TEST_CASE("08.1 softmax_backward: weights of every kind: all alike, one row again and again, under "
          "masks of every kind ...") {
    const Matrix d_weights = standard_normal(4, 5, 803), scores = standard_normal(4, 5, 804);
    for (const Matrix& some : of_each_kind(4, 5, 805)) {
        expect_softmax(oracle::softmax_rows(some), d_weights);
        expect_softmax(oracle::softmax_rows(Matrix(100 * some)), d_weights);
    }
    for (const Mask& mask : masks_of_each_kind(4, 5)) {
        expect_softmax(oracle::masked_softmax(scores, mask), d_weights);
        expect_softmax(oracle::masked_softmax(Matrix(0 * scores), mask), d_weights);
    }
    expect_softmax(xt::eye<double>(4), standard_normal(4, 4, 806));
    expect_softmax(drawn::nearly_certain_rows(), {{1, 2, 5}, {1, 2, 5}, {1, 2, 5}, {1, 2, 5}});
}

TEST_CASE("08.1 softmax_backward: 8, 16, 17, 24, 33, 65, 72 and 129 queries and keys") {
    for (const auto& [n_queries, n_keys] :
         drawn::and_one_more<2>({{8, 3}, {16, 8}, {24, 16}, {3, 24}, {16, 16}, {72, 72}})) {
        expect_softmax(oracle::softmax_rows(standard_normal(n_queries, n_keys, 807)),
                       standard_normal(n_queries, n_keys, 808));
    }
}

TEST_CASE("08.2 matmul_backward: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    each_in_turn(std::array{standard_normal(3, 4, 811), standard_normal(4, 5, 812),
                            standard_normal(3, 5, 813)},
                 expect_product);
    each_in_turn(std::array{standard_normal(4, 4, 814), standard_normal(4, 4, 815),
                            standard_normal(4, 4, 816)},
                 expect_product);
    expect_product({{0}}, {{0}}, {{0}});
}

TEST_CASE("08.2 matmul_backward: sizes of 8, 16, 17, 24, 33, 65, 129, and of 72 throughout") {
    for (const auto& [m, k, n] : vector_products) {
        expect_product(standard_normal(m, k, 821), standard_normal(k, n, 822),
                       standard_normal(m, n, 823));
    }
}

TEST_CASE("08.2 matmul_transposed_backward: arguments of every kind: all 0, one row again and "
          "again, the identity ...") {
    each_in_turn(std::array{standard_normal(3, 4, 831), standard_normal(5, 4, 832),
                            standard_normal(3, 5, 833)},
                 expect_transposed);
    each_in_turn(std::array{standard_normal(4, 4, 834), standard_normal(4, 4, 835),
                            standard_normal(4, 4, 836)},
                 expect_transposed);
    expect_transposed({{0}}, {{0}}, {{0}});
}

TEST_CASE("08.2 matmul_transposed_backward: sizes of 8, 16, 17, 24, 33, 65, 129, and of 72 "
          "throughout") {
    for (const auto& [m, k, n] : vector_products) {
        expect_transposed(standard_normal(m, k, 841), standard_normal(n, k, 842),
                          standard_normal(m, n, 843));
    }
}

TEST_CASE("08.3 attention_backward: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    for (const Mask& mask : {Mask(xt::ones<bool>({3, 4})), masks_of_each_kind(3, 4)[0]}) {
        each_in_turn(std::array{standard_normal(3, 2, 851), standard_normal(4, 2, 852),
                                standard_normal(4, 5, 853), standard_normal(3, 5, 854)},
                     [&](const Matrix& Q, const Matrix& K, const Matrix& V,
                         const Matrix& d_output) { expect_attention(Q, K, V, mask, d_output); });
    }
    expect_attention({{0}}, {{0}}, {{0}}, {{true}}, {{0}});
}

TEST_CASE("08.3 attention_backward: masks of every kind, beside zeros, too, with fewer queries "
          "than keys, with more and with as many") {
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{3, 5}, {5, 3}, {4, 4}}) {
        const Matrix Q = standard_normal(n_queries, 2, 861), K = standard_normal(n_keys, 2, 862),
                     V = standard_normal(n_keys, 6, 863),
                     d_output = standard_normal(n_queries, 6, 864);
        for (const Mask& mask : masks_of_each_kind(n_queries, n_keys)) {
            expect_attention(Q, K, V, mask, d_output);
            expect_attention(0 * Q, K, V, mask, d_output);
            expect_attention(Q, 0 * K, V, mask, d_output);
            expect_attention(Q, K, 0 * V, mask, d_output);
            expect_attention(0 * Q, 0 * K, V, mask, d_output);
        }
    }
}

TEST_CASE("08.3 attention_backward: sizes of 8, 16, 17, 24, 33, 65, 129, and of 72 throughout") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : drawn::and_one_more<4>({{8, 3, 4, 2},
                                                                             {3, 8, 2, 16},
                                                                             {16, 24, 8, 3},
                                                                             {24, 16, 3, 8},
                                                                             {16, 16, 16, 16},
                                                                             {72, 72, 72, 72}})) {
        expect_attention(standard_normal(n_queries, d_k, 871), standard_normal(n_keys, d_k, 872),
                         standard_normal(n_keys, d_v, 873),
                         masks_of_each_kind(n_queries, n_keys)[1],
                         standard_normal(n_queries, d_v, 874));
    }
}

namespace {

void expect_learned(const Matrix& asked, const Matrix& entries, const Matrix& wanted,
                    const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
    const std::vector<lesson::Table> tables{{asked, entries, wanted}};
    const lesson::Projections start{W_q, W_k, W_v};
    expect_close(graded::learn_lookup(tables, start, 2, 0.1),
                 plain::learn_lookup(tables, start, 2, 0.1), judge::Tolerance{0, 1e-13, 1e-10});
}

} // namespace

TEST_CASE("08.5 learn_lookup: tables and starts of every kind: all 0, one row again and again, the "
          "identity ...") {
    each_in_turn(std::array{standard_normal(3, 4, 881), standard_normal(5, 4, 882),
                            standard_normal(3, 2, 883), standard_normal(4, 6, 884),
                            standard_normal(4, 6, 885), standard_normal(4, 2, 886)},
                 expect_learned);
    expect_learned({{0}}, {{0}}, {{0}}, {{0}}, {{0}}, {{0}});
}

TEST_CASE("08.5 learn_lookup: 8, 16, 17, 33, 65 and 129 queries, entries and components") {
    for (const auto& [n_queries, n_keys, d_model, d_k, d_v] :
         drawn::and_one_more<5>({{8, 16, 4, 2, 3},
                                 {16, 8, 3, 8, 2},
                                 {2, 3, 8, 16, 8},
                                 {3, 4, 16, 8, 16},
                                 {16, 16, 16, 16, 16}})) {
        expect_learned(
            standard_normal(n_queries, d_model, 891), standard_normal(n_keys, d_model, 892),
            standard_normal(n_queries, d_v, 893), 0.5 * standard_normal(d_model, d_k, 894),
            0.5 * standard_normal(d_model, d_k, 895), 0.5 * standard_normal(d_model, d_v, 896));
    }
}

} // namespace grader_unusual
