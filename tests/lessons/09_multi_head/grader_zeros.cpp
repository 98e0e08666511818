// 09.1 to 09.4 with what drawn numbers never are: exact zeros among them, sizes of 1 beside others,
// and heads and rows whose scores lie far apart.

#include <doctest/doctest.h>

#include "layers.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_zeros {

using namespace sequences;
using drawn::each_with_zeros;
using drawn::with_ones;

namespace {

/// False where X is 0.
Mask zeros_blocked(const Matrix& X) {
    return xt::not_equal(X, 0.0);
}

} // namespace

// ---- 09.1

TEST_CASE("09.1 split_heads: exact zeros, and rows and columns of them") {
    for (const Matrix& X : each_with_zeros(standard_normal(5, 12, 201))) {
        expect_close(graded::split_heads(X, 3), plain::stacked(plain::split(X, 3)), exact);
    }
}

TEST_CASE("09.1 split_heads: one, two or three sizes of 1") {
    for (const auto& [n_heads, n, d] : with_ones<3>({3, 4, 5})) {
        const Matrix X = standard_normal(n, n_heads * d, 202);
        expect_close(graded::split_heads(X, n_heads), plain::stacked(plain::split(X, n_heads)),
                     exact);
    }
}

TEST_CASE("09.1 merge_heads: exact zeros, and rows and columns of them") {
    for (const Matrix& X : each_with_zeros(standard_normal(5, 12, 203))) {
        expect_close(graded::merge_heads(plain::stacked(plain::split(X, 3))), X, exact);
    }
}

TEST_CASE("09.1 merge_heads: one, two or three sizes of 1") {
    for (const auto& [n_heads, n, d] : with_ones<3>({3, 4, 5})) {
        const Matrix X = standard_normal(n, n_heads * d, 204);
        expect_close(graded::merge_heads(plain::stacked(plain::split(X, n_heads))), X, exact);
    }
}

// ---- 09.2

TEST_CASE("09.2 multi_head_attention: exact zeros in X and in the weights, and rows and columns of "
          "them") {
    const Layer in = random_layer({5, 6, 2, 3, 4, 7}, 211);
    const Mask mask = random_mask(5, 212);
    for (const auto part : {&Layer::X, &Layer::W_q, &Layer::W_k, &Layer::W_v, &Layer::W_o}) {
        for (const Matrix& zeros : each_with_zeros(in.*part)) {
            Layer other = in;
            other.*part = zeros;
            expect_attention(other, {});
            expect_attention(other, mask);
        }
    }
}

TEST_CASE("09.2 multi_head_attention: blocked at the beginning of a row, at its end and between, "
          "and rows and columns of a mask") {
    const Layer in = random_layer({5, 6, 2, 3, 4, 7}, 221);
    for (const Matrix& seen : each_with_zeros(Matrix(xt::ones<double>({5, 5})))) {
        expect_attention(in, zeros_blocked(seen));
    }
}

TEST_CASE("09.2 multi_head_attention: sizes of 1 beside others, without a mask, and where position "
          "0 may not see itself") {
    for (const auto& [n, d_model, n_heads, d_k, d_v, d_out] : with_ones<6>({3, 4, 2, 5, 6, 7}, 2)) {
        const Layer in = random_layer({n, d_model, n_heads, d_k, d_v, d_out}, 231);
        expect_attention(in, {});
        Mask mask = plain::all_allowed(n);
        mask(0, 0) = false;
        expect_attention(in, mask);
    }
}

TEST_CASE("09.2 multi_head_attention: scores of 1000 in one head and in one row, of −1000 in "
          "another") {
    const Layer ordinary = random_layer({4, 5, 3, 2, 3, 6}, 241);
    expect_attention(ordinary, {}); // what follows is asked only of what is right here
    for (const double sign : {1.0, -1.0}) {
        Layer in = ordinary;
        for (std::size_t i = 0; i < 4; ++i) {
            in.X(i, 0) = i % 2 == 0 ? sign : -sign; // the queries' level
            in.X(i, 1) = 1;                         // the keys'
        }
        for (std::size_t c = 0; c < 6; ++c) {
            const double level[] = {1500, -1500, 2};
            in.W_q(0, c) = level[c / 2];
            in.W_q(1, c) = 0;
            in.W_k(0, c) = 0;
            in.W_k(1, c) = 1;
        }
        expect_attention(in, {}, {1e-9, 0, 1e-9});
        in.X(1, 0) = sign; // so that rows above each other are alike, too
        expect_attention(in, plain::all_allowed(4), {1e-9, 0, 1e-9});
    }
}

// ---- 09.3

namespace {

constexpr judge::Tolerance eleven_digits{0, 1e-13, 1e-11};

void expect_rotated(const Matrix& X, const Vector& positions) {
    expect_close(graded::rotate(X, positions), plain::rotate(X, positions), eleven_digits);
}

void expect_rotary(const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions,
                   judge::Tolerance tolerance = eleven_digits) {
    expect_close(graded::rotary_attention(Q, K, V, positions),
                 plain::rotary_attention(Q, K, V, positions), tolerance);
}

} // namespace

TEST_CASE("09.3 rotate: exact zeros among the numbers and among the positions") {
    const Matrix X = standard_normal(5, 6, 251);
    const Vector positions{3, 1, -2, 0.5, 7};
    for (const Matrix& zeros : each_with_zeros(X)) {
        expect_rotated(zeros, positions);
    }
    for (const Vector& zeros : each_with_zeros(positions)) {
        expect_rotated(X, zeros);
    }
}

TEST_CASE("09.3 rotary_attention: exact zeros in Q, K, V and the positions") {
    const Matrix Q = standard_normal(5, 6, 261), K = standard_normal(5, 6, 262),
                 V = standard_normal(5, 4, 263);
    const Vector positions{3, 1, -2, 0.5, 7};
    for (std::size_t k = 0; k < 8; ++k) {
        expect_rotary(each_with_zeros(Q)[k], K, V, positions);
        expect_rotary(Q, each_with_zeros(K)[k], V, positions);
        expect_rotary(Q, K, each_with_zeros(V)[k], positions);
    }
    for (const Vector& zeros : each_with_zeros(positions)) {
        expect_rotary(Q, K, V, zeros);
    }
}

TEST_CASE("09.3 rotary_attention: one position, one component of the values, one pair of a key") {
    for (const auto& [n, pairs, d_v] : with_ones<3>({3, 2, 5})) {
        expect_rotary(standard_normal(n, 2 * pairs, 271), standard_normal(n, 2 * pairs, 272),
                      standard_normal(n, d_v, 273), counting(n, 2));
    }
}

TEST_CASE("09.3 rotary_attention: one row of scores of 1000, and the next of −1000") {
    const Matrix V = standard_normal(4, 3, 281);
    Matrix Q = standard_normal(4, 4, 282), K = standard_normal(4, 4, 283);
    expect_rotary(Q, K, V, counting(4)); // asked only of what is right on ordinary scores
    for (const double sign : {-1.0, 1.0}) {
        for (std::size_t i = 0; i < 4; ++i) {
            Q(i, 2) = i % 2 == 0 ? sign * 2000 : -sign * 2000;
            K(i, 2) = 1;
        }
        expect_rotary(Q, K, V, {7, 7.01, 7.02, 7.03}, {0, 0, 1e-9});
    }
}

// ---- 09.4

namespace {

void expect_grouped(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads,
                    judge::Tolerance tolerance = judge::normwise) {
    expect_close(graded::grouped_query_attention(Q, K, V, n_kv_heads),
                 plain::GroupedMechanism{}(Q, K, V, n_kv_heads), tolerance);
}

} // namespace

TEST_CASE("09.4 grouped_query_attention: exact zeros in Q, K and V, and rows and columns of them") {
    const Matrix Q = standard_normal(4, 12, 291), K = standard_normal(5, 6, 292),
                 V = standard_normal(5, 8, 293);
    for (std::size_t k = 0; k < 8; ++k) {
        expect_grouped(each_with_zeros(Q)[k], K, V, 2);
        expect_grouped(Q, each_with_zeros(K)[k], V, 2);
        expect_grouped(Q, K, each_with_zeros(V)[k], 2);
    }
}

TEST_CASE("09.4 grouped_query_attention: sizes of 1 beside others") {
    for (const auto& [n_queries, n_keys, group, n_kv_heads, d_k, d_v] :
         with_ones<6>({4, 5, 3, 2, 6, 7})) {
        expect_grouped(standard_normal(n_queries, group * n_kv_heads * d_k, 301),
                       standard_normal(n_keys, n_kv_heads * d_k, 302),
                       standard_normal(n_keys, n_kv_heads * d_v, 303), n_kv_heads);
    }
}

TEST_CASE("09.4 grouped_query_attention: scores of 1000 in one head and in one row, of −1000 in "
          "another") {
    Matrix Q = standard_normal(4, 12, 311), K = standard_normal(5, 6, 312);
    const Matrix V = standard_normal(5, 8, 313);
    expect_grouped(Q, K, V, 2); // asked only of what is right on ordinary scores
    for (const double sign : {1.0, -1.0}) {
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t h = 0; h < 4; ++h) {
                Q(i, 3 * h) = (i + h) % 2 == 0 ? sign * 2000 : -sign * 2000;
            }
        }
        for (std::size_t j = 0; j < 5; ++j) {
            K(j, 0) = K(j, 3) = 1;
        }
        expect_grouped(Q, K, V, 2, {0, 0, 1e-9});
    }
}

} // namespace grader_zeros
