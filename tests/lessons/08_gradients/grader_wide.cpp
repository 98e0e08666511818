// 08.1 to 08.3 and 08.5 with more numbers than 16 bits can count, where the other sizes leave
// little to do.

#include <doctest/doctest.h>

#include <array>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

namespace grader_wide {

using drawn::standard_normal;
using judge::expect_close;
using lesson::Mask;
using lesson::Matrix;

namespace {

constexpr std::size_t many = 66001; // above 2¹⁶

/// Sums of so many terms, in any order.
constexpr judge::Tolerance of_long_sums{0, 0, 1e-10};

} // namespace

// So many keys that to sum anew for each of them takes longer than a call may.
TEST_CASE("08.1 softmax_backward: 66,001 queries of two keys, and one query of 250,001") {
    for (const auto& [n_queries, n_keys] : {std::array<std::size_t, 2>{many, 2}, {1, 250'001}}) {
        const Matrix weights = oracle::softmax_rows(standard_normal(n_queries, n_keys, 701)),
                     d_weights = standard_normal(n_queries, n_keys, 702);
        expect_close(graded::softmax_backward(weights, d_weights),
                     plain::softmax_backward(weights, d_weights), of_long_sums);
    }
}

namespace {

constexpr std::array<std::size_t, 3> wide_products[] = {{many, 1, 2}, {1, many, 2}, {2, 1, many}};

} // namespace

TEST_CASE("08.2 matmul_backward: 66,001 rows, columns, and terms of a sum") {
    for (const auto& [m, k, n] : wide_products) {
        const Matrix A = standard_normal(m, k, 711), B = standard_normal(k, n, 712),
                     d_C = standard_normal(m, n, 713);
        expect_close(graded::matmul_backward(A, B, d_C), plain::matmul_backward(A, B, d_C),
                     of_long_sums);
    }
}

TEST_CASE("08.2 matmul_transposed_backward: 66,001 rows, columns, and terms of a sum") {
    for (const auto& [m, k, n] : wide_products) {
        const Matrix A = standard_normal(m, k, 721), B = standard_normal(n, k, 722),
                     d_C = standard_normal(m, n, 723);
        expect_close(graded::matmul_transposed_backward(A, B, d_C),
                     plain::matmul_transposed_backward(A, B, d_C), of_long_sums);
    }
}

// Not as many keys: a Jacobian of each row is slow, and not wrong. Nor queries: neither is what
// looks at all of them for each.
TEST_CASE("08.3 attention_backward: 66,001 components") {
    constexpr std::array<std::size_t, 4> sizes[] = {{1, 2, many, 1}, {1, 2, 1, many}};
    for (const auto& [n_queries, n_keys, d_k, d_v] : sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, 731),
                     K = standard_normal(n_keys, d_k, 732), V = standard_normal(n_keys, d_v, 733),
                     d_output = standard_normal(n_queries, d_v, 734);
        const Mask mask = xt::ones<bool>({n_queries, n_keys});
        const Matrix weights = plain::attention_weights(Q, K, mask);
        expect_close(graded::attention_backward(Q, K, V, mask, weights, d_output),
                     plain::attention_backward(Q, K, V, mask, weights, d_output), of_long_sums);
    }
}

TEST_CASE("08.5 learn_lookup: 66,001 components") {
    constexpr std::array<std::size_t, 4> sizes[] = {// n_queries, d_model, d_k, d_v
                                                    {1, many, 1, 1},
                                                    {1, 1, many, 1},
                                                    {1, 1, 1, many}};
    for (const auto& [n_queries, d_model, d_k, d_v] : sizes) {
        const double root = std::sqrt(static_cast<double>(d_model));
        const std::vector<lesson::Table> tables{{standard_normal(n_queries, d_model, 741),
                                                 standard_normal(2, d_model, 742),
                                                 standard_normal(n_queries, d_v, 743)}};
        const lesson::Projections start{standard_normal(d_model, d_k, 744) / root,
                                        standard_normal(d_model, d_k, 745) / root,
                                        standard_normal(d_model, d_v, 746) / root};
        expect_close(graded::learn_lookup(tables, start, 1, 0.01),
                     plain::learn_lookup(tables, start, 1, 0.01), judge::Tolerance{0, 0, 1e-9});
    }
}

} // namespace grader_wide
