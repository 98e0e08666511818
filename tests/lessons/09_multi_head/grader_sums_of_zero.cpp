// 09.2 to 09.4 with rows and columns that sum to 0, and are no padding.

#include <doctest/doctest.h>

#include "layers.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_sums_of_zero {

using namespace sequences;
using drawn::each_summing_to_zero;

TEST_CASE("09.2 multi_head_attention: rows and columns that sum to 0, in X and in the weights") {
    const Layer in = random_layer({5, 6, 2, 3, 4, 7}, 411);
    for (const auto part : {&Layer::X, &Layer::W_q, &Layer::W_k, &Layer::W_v, &Layer::W_o}) {
        for (const Matrix& sums : each_summing_to_zero(in.*part)) {
            Layer other = in;
            other.*part = sums;
            expect_attention(other, {});
        }
    }
}

TEST_CASE("09.3 rotate: rows and columns that sum to 0") {
    const Vector positions{3, 1, -2, 0.5, 7};
    for (const Matrix& X : each_summing_to_zero(standard_normal(5, 6, 421))) {
        expect_close(graded::rotate(X, positions), plain::rotate(X, positions), judge::normwise);
    }
}

TEST_CASE("09.3 rotary_attention: rows and columns that sum to 0, in Q, K and V") {
    const Matrix Q = standard_normal(5, 6, 431), K = standard_normal(5, 6, 432),
                 V = standard_normal(5, 4, 433);
    const Vector positions{3, 1, -2, 0.5, 7};
    const auto expect_rotary = [&](const Matrix& q, const Matrix& k, const Matrix& v) {
        expect_close(graded::rotary_attention(q, k, v, positions),
                     plain::rotary_attention(q, k, v, positions), judge::Tolerance{0, 0, 1e-11});
    };
    for (std::size_t k = 0; k < 2; ++k) {
        expect_rotary(each_summing_to_zero(Q)[k], K, V);
        expect_rotary(Q, each_summing_to_zero(K)[k], V);
        expect_rotary(Q, K, each_summing_to_zero(V)[k]);
    }
}

TEST_CASE("09.4 grouped_query_attention: rows and columns that sum to 0, in Q, K and V") {
    const Matrix Q = standard_normal(4, 12, 441), K = standard_normal(5, 6, 442),
                 V = standard_normal(5, 8, 443);
    const auto expect_grouped = [](const Matrix& q, const Matrix& k, const Matrix& v) {
        expect_close(graded::grouped_query_attention(q, k, v, 2),
                     plain::GroupedMechanism{}(q, k, v, 2), judge::normwise);
    };
    for (std::size_t k = 0; k < 2; ++k) {
        expect_grouped(each_summing_to_zero(Q)[k], K, V);
        expect_grouped(Q, each_summing_to_zero(K)[k], V);
        expect_grouped(Q, K, each_summing_to_zero(V)[k]);
    }
}

} // namespace grader_sums_of_zero
