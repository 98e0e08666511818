// 04.1 to 04.3 asked with large arguments, one after the other, that differ in a single number, and
// with a d_k beside a square. The rest of the lesson: grader.cpp, grader_attention.cpp,
// grader_magnitudes.cpp and grader_cost.cpp.

#include <doctest/doctest.h>

#include "parts.hpp"
#include "support/large_alike.hpp"

namespace grader_unnoticed {

using namespace parts;
using drawn::one_unnoticed;
using judge::componentwise;
using judge::normwise;

namespace {

/// With a whole number in place of a root 5e-5 is wrong; a sum of thousands of products, each
/// rounded, is right to much more.
constexpr judge::Tolerance of_many_products{1e-8, 1e-300, 1e-8};

/// Values above 0, tiny ones in a column beside huge ones.
Matrix tiny_beside_huge(std::size_t n, std::uint64_t seed) {
    return xt::exp(standard_normal(n, 2, seed)) * Matrix{{1e-9, 1e305}};
}

} // namespace

TEST_CASE("04.1 aggregate: tiny values beside huge ones in another column") {
    const Matrix weights = some_weights(3, 5, 159), V = tiny_beside_huge(5, 160);
    expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V), componentwise);
}

TEST_CASE("04.3 self_attention: tiny values beside huge ones in another column") {
    const Matrix Q = standard_normal(3, 3, 161), K = standard_normal(5, 3, 162);
    const Matrix V = tiny_beside_huge(5, 163);
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), componentwise);
}

TEST_CASE("04.1 aggregate: large arguments that differ in one number only") {
    const Matrix V = standard_normal(16, 20, 151);
    const Matrix weights = some_weights(33, 16, 152);
    const auto exchanged = [&](std::size_t row) { // its sum stays 1
        Matrix changed = weights;
        std::swap(changed(row, 1), changed(row, 3));
        return changed;
    };
    for (const Matrix& changed : {weights, exchanged(0), exchanged(16), exchanged(32)}) {
        expect_close(graded::aggregate(changed, V), oracle::matmul(changed, V), normwise);
    }
    for (const Matrix& values : one_unnoticed(V)) {
        expect_close(graded::aggregate(weights, values), oracle::matmul(weights, values), normwise);
    }
}

TEST_CASE("04.2 attention_weights: large arguments that differ in one number only") {
    const Matrix Q = standard_normal(33, 16, 153), K = standard_normal(20, 16, 154);
    for (const Matrix& queries : one_unnoticed(Q)) {
        expect_close(graded::attention_weights(queries, K), right_weights(queries, K),
                     componentwise);
    }
    for (const Matrix& keys : one_unnoticed(K)) {
        expect_close(graded::attention_weights(Q, keys), right_weights(Q, keys), componentwise);
    }
}

TEST_CASE("04.3 self_attention: large arguments that differ in one number only") {
    const Matrix Q = standard_normal(33, 16, 155), K = standard_normal(20, 16, 156);
    const Matrix V = standard_normal(20, 14, 157);
    const auto expect = [](const Matrix& queries, const Matrix& keys, const Matrix& values) {
        expect_close(graded::self_attention(queries, keys, values),
                     right_output(queries, keys, values), normwise);
    };
    for (const Matrix& queries : one_unnoticed(Q)) {
        expect(queries, K, V);
    }
    for (const Matrix& keys : one_unnoticed(K)) {
        expect(Q, keys, V);
    }
    for (const Matrix& values : one_unnoticed(V)) {
        expect(Q, K, values);
    }
}

TEST_CASE("04.2 attention_weights: a root that is nearly a whole number, and is none") {
    for (const std::size_t d_k : drawn::beside_squares) {
        const Matrix Q = xt::ones<double>({std::size_t{1}, d_k});
        const Matrix K = drawn::rows_of_one_number(4, d_k);
        expect_close(graded::attention_weights(Q, K), right_weights(Q, K), of_many_products);
    }
}

TEST_CASE("04.3 self_attention: a root that is nearly a whole number, and is none") {
    const Matrix V = standard_normal(4, 2, 158);
    for (const std::size_t d_k : drawn::beside_squares) {
        const Matrix Q = xt::ones<double>({std::size_t{1}, d_k});
        const Matrix K = drawn::rows_of_one_number(4, d_k);
        expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), of_many_products);
    }
}

} // namespace grader_unnoticed
