// 01.1 and 01.2 asked with large arguments, one after the other, that differ in a single number;
// the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/drawn.hpp"
#include "support/large_alike.hpp"
#include "support/oracle.hpp"

namespace grader_unnoticed {

using drawn::one_unnoticed;
using drawn::standard_normal;
using lesson::Matrix;
using lesson::QKV;

TEST_CASE("01.1 project: large arguments that differ in one number only") {
    const Matrix X = standard_normal(33, 16, 151), W = standard_normal(16, 33, 152);
    const auto expect = [](const Matrix& input, const Matrix& weight) {
        judge::expect_close(graded::project(input, weight), oracle::project(input, weight),
                            judge::normwise);
    };
    for (const Matrix& input : one_unnoticed(X)) {
        expect(input, W);
    }
    for (const Matrix& weight : one_unnoticed(W)) {
        expect(X, weight);
    }
}

TEST_CASE("01.2 compute_qkv: large arguments that differ in one number only") {
    const Matrix X = standard_normal(33, 16, 153), W = standard_normal(16, 20, 154);
    const auto expect = [](const Matrix& input, const Matrix& W_q, const Matrix& W_k,
                           const Matrix& W_v) {
        judge::expect_close(graded::compute_qkv(input, W_q, W_k, W_v),
                            QKV{oracle::project(input, W_q), oracle::project(input, W_k),
                                oracle::project(input, W_v)},
                            judge::normwise);
    };
    for (const Matrix& input : one_unnoticed(X)) {
        expect(input, W, -W, 2 * W);
    }
    for (const Matrix& weight : one_unnoticed(W)) {
        expect(X, weight, W, W);
        expect(X, W, weight, W);
        expect(X, W, W, weight);
    }
}

} // namespace grader_unnoticed
