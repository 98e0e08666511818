// 04.1 to 04.3 asked with numbers far from 1, and with keys that are alike; the rest of the lesson:
// grader.cpp, grader_attention.cpp and grader_cost.cpp.

#include <doctest/doctest.h>

#include <cmath>

#include "parts.hpp"
#include "support/magnitudes.hpp"

namespace grader_magnitudes {

using namespace parts;
using judge::componentwise;
using judge::normwise;

TEST_CASE("04.1 aggregate: tiny and huge values are numbers like any other, and so are tiny "
          "weights") {
    const Matrix weights = some_weights(3, 5, 61);
    const Matrix V = standard_normal(5, 4, 62);
    expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V), normwise);
    drawn::suspect_a_fixed_bound();
    for (const double size : drawn::magnitudes) {
        expect_close(graded::aggregate(weights, size * V),
                     oracle::matmul(weights, Matrix(size * V)), normwise);
    }
    // A weight that is small, and a value that is as large: it counts like any other. (Its opposite
    // beside it, so that whoever subtracts the mean of all values first is right, too.)
    for (const double size : {1e-17, 1e-30, 1e-100}) {
        const Matrix large{{2}, {3 / size}, {-3 / size}};
        expect_close(graded::aggregate({{1, size, 0}}, large), Matrix{{5}}, normwise);
        expect_close(graded::aggregate({{0, size, 1}}, rows(large, {2, 1, 0})), Matrix{{5}},
                     normwise);
    }
}

TEST_CASE("04.2 attention_weights: tiny and huge components are numbers like any other") {
    const Matrix Q = standard_normal(3, 5, 63);
    const Matrix K = standard_normal(4, 5, 64);
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
    drawn::suspect_a_fixed_bound();
    for (const double size : drawn::magnitudes) {
        for (const auto& [queries, keys] : {drawn::Pair{size * Q, K / size}, {Q, size * K}}) {
            expect_close(graded::attention_weights(queries, keys), right_weights(queries, keys),
                         far_out);
        }
    }
}

TEST_CASE("04.2 attention_weights: scores that are nearly equal, to three, five, seven or nine "
          "digits") {
    const Matrix Q = standard_normal(3, 5, 65);
    const Matrix K = standard_normal(4, 5, 66);
    for (const double size : {1e-3, 1e-5, 1e-7, 1e-9}) {
        expect_close(graded::attention_weights(size * Q, K), right_weights(size * Q, K),
                     componentwise);
    }
}

TEST_CASE("04.2 attention_weights: scores beyond a billion, of both signs") {
    const Matrix Q = standard_normal(3, 4, 28);
    const Matrix K = standard_normal(2, 4, 29);
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
    for (const std::vector<double>& scores : beyond_a_billion) {
        for (const double sign : {1.0, -1.0}) {
            expect_close(graded::attention_weights(queries({sign}), keys(scores)),
                         right_weights(queries({sign}), keys(scores)), far_out);
        }
    }
}

TEST_CASE("04.2 attention_weights: keys that are alike share, wherever they stand, and so do "
          "queries") {
    const Matrix K{{1, 2}, {0.5, -1}, {1, 2}, {2, 3}, {0.5, -1}, {2, 3}};
    const Matrix Q{{1, 0.5}, {-1, 0}, {1, 0.5}};
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K), componentwise);
}

TEST_CASE("04.3 self_attention: tiny and huge values are numbers like any other") {
    const Matrix Q = standard_normal(3, 5, 65);
    const Matrix K = standard_normal(4, 5, 66);
    const Matrix V = standard_normal(4, 2, 67);
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), normwise);
    drawn::suspect_a_fixed_bound();
    for (const double size : drawn::magnitudes) {
        expect_close(graded::self_attention(Q, K, size * V), right_output(Q, K, Matrix(size * V)),
                     normwise);
    }
}

TEST_CASE("04.3 self_attention: tiny and huge components of queries and keys are like any other") {
    const Matrix Q = standard_normal(3, 5, 68);
    const Matrix K = standard_normal(4, 5, 69);
    const Matrix V = standard_normal(4, 2, 70);
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), normwise);
    drawn::suspect_a_fixed_bound();
    for (const double size : drawn::magnitudes) {
        for (const auto& [queries, keys] : {drawn::Pair{size * Q, K / size}, {Q, size * K}}) {
            expect_close(graded::self_attention(queries, keys, V), right_output(queries, keys, V),
                         far_out);
        }
    }
}

TEST_CASE("04.3 self_attention: scores beyond a billion, of both signs") {
    const Matrix Q = standard_normal(2, 4, 28);
    const Matrix K = standard_normal(3, 4, 29);
    expect_close(graded::self_attention(Q, K, values), right_output(Q, K, values), normwise);
    for (const std::vector<double>& scores : beyond_a_billion) {
        for (const double sign : {1.0, -1.0}) {
            expect_close(graded::self_attention(queries({sign}), keys(scores), values),
                         right_output(queries({sign}), keys(scores), values), far_out);
        }
    }
}

TEST_CASE(
    "04.3 self_attention: keys that are alike share, wherever they stand, and so do queries") {
    const Matrix K{{1, 2}, {0.5, -1}, {1, 2}, {2, 3}, {0.5, -1}, {2, 3}};
    const Matrix Q{{1, 0.5}, {-1, 0}, {1, 0.5}};
    const Matrix V = standard_normal(6, 3, 71);
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), normwise);
}

} // namespace grader_magnitudes
