// 04.3 self_attention

#include <doctest/doctest.h>

#include <cmath>

#include "attention/projections.hpp"
#include "exports.hpp"
#include "support/domain.hpp"
#include "support/golden.hpp"
#include "support/oracle_attention.hpp"

namespace of_self_attention {

using domain::Kind;
using judge::expect_close;
using judge::normwise;
using lesson::Matrix;

Matrix right_output(const Matrix& Q, const Matrix& K, const Matrix& V) {
    return oracle::attention(Q, K, V).output;
}

const domain::Domain self_attention =
    domain::Domain("self_attention", domain::of<decltype(lesson::self_attention)>(right_output),
                   {{"Q", Kind::array, "n_queries x d_k"},
                    {"K", Kind::array, "n_keys x d_k"},
                    {"V", Kind::array, "n_keys x d_v"}},
                   normwise)
        .scaled({{"V", ""}, {"Q", "K"}, {"Q", ""}, {"K", ""}})
        .compared("Q", "K")
        .large("d_k", 2501);

/// A worked example of lesson 01, from the sequence to the output, to six decimals.
void expect_from_sequence(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                          const Matrix& output) {
    const auto [Q, K, V] = attention::compute_qkv(X, W_q, W_k, W_v);
    expect_close(graded::self_attention(Q, K, V), output, {0, 1e-6});
}

const Matrix eye2{{1, 0}, {0, 1}};
const Matrix eye3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const Matrix rising{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};

TEST_CASE("04.3 self_attention: two queries and three keys, small enough to do by hand") {
    // Half of 2 ln 2 and half of 2 ln 3 are scores; the weights are 1/6, 1/3 and 1/2, and a third
    // each.
    expect_close(
        graded::self_attention({{2, 0, 0, 0}, {0, 0, 0, 0}},
                               {{0, 1, 0, 0}, {std::log(2.0), 0, 3, 0}, {std::log(3.0), 0, 0, -1}},
                               {{6, 0, 12, 0, 6}, {0, 3, 0, 6, 6}, {2, 4, 0, 0, 6}}),
        Matrix{{2, 3, 2, 2, 6}, {8.0 / 3, 7.0 / 3, 4, 2, 6}}, normwise);
}

TEST_CASE("04.3 self_attention: first worked example, from the sequence to the output") {
    expect_from_sequence(eye2, eye2, eye2, {{1, 2}, {3, 4}},
                         {{1.660477, 2.660477}, {2.339523, 3.339523}});
}

TEST_CASE("04.3 self_attention: second worked example, from the sequence to the output") {
    expect_from_sequence(eye3, eye3, eye3, eye3,
                         {{0.471083, 0.264458, 0.264458},
                          {0.264458, 0.471083, 0.264458},
                          {0.264458, 0.264458, 0.471083}});
}

TEST_CASE("04.3 self_attention: third worked example, from the sequence to the output") {
    expect_from_sequence({{1, 2, 3}, {4, 5, 6}}, rising, rising, {{1, 0}, {0, 1}, {1, 1}},
                         {{9.999928, 10.999928}, {10.000000, 11.000000}});
}

TEST_CASE("04.3 self_attention: agrees with PyTorch") {
    const auto saved = [](const std::string& name) -> Matrix {
        return xt::view(support::golden_tensor3("attention/" + name), 0, xt::all(), xt::all());
    };
    expect_close(graded::self_attention(saved("Q"), saved("K"), saved("V")), saved("none_output"),
                 normwise);
}

PROPERTIES("04.3 self_attention", self_attention)

TEST_CASE("04.3 self_attention: a key with a small weight counts, since its value may be large") {
    const std::vector<double> scores{680, 672, 665, 658, 648, 635, 600, 380, 80};
    Matrix K = xt::zeros<double>({scores.size(), std::size_t{4}});
    Matrix V = Matrix::from_shape({scores.size(), std::size_t{2}});
    for (std::size_t j = 0; j < scores.size(); ++j) {
        xt::view(K, j, xt::all()) = 2.0 / 3 * scores[j]; // half of each dot product is the score
        V(j, 0) = 1e15 * std::exp(680 - scores[j]);      // as large as the weight is small
        V(j, 1) = j == 1 ? 1e-20 : V(j, 0);
    }
    const Matrix Q{{1, 1e-20, 1, 1}};
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), {1e-9, 0});
}

TEST_CASE("04.3 self_attention: keys and values in another order change nothing, and queries in "
          "another order put the output in that order") {
    const Matrix Q{{1, 2}, {0, -1}, {2, 0}};
    const Matrix K{{1, 0}, {0, 2}, {-1, 1}, {1, 1}};
    const Matrix V{{1, 2, 0, 4, 1}, {0, 1, 3, 2, 5}, {5, 1, 0, 2, 2}, {2, 2, 7, 1, 0}};
    const Matrix output = right_output(Q, K, V);
    const auto in_order = [](const Matrix& A, const std::vector<std::size_t>& order) -> Matrix {
        return xt::view(A, xt::keep(order), xt::all());
    };
    expect_close(graded::self_attention(Q, in_order(K, {2, 0, 3, 1}), in_order(V, {2, 0, 3, 1})),
                 output, normwise);
    expect_close(graded::self_attention(in_order(Q, {2, 0, 1}), K, V), in_order(output, {2, 0, 1}),
                 normwise);
}

TEST_CASE("04.3 self_attention: vectors without components are refused") {
    const Matrix Q = xt::zeros<double>({2, 0});
    const Matrix K = xt::zeros<double>({3, 0});
    judge::expect_invalid_argument(graded::self_attention.attempt(Q, K, Matrix{{1}, {2}, {3}}),
                                   {judge::sizes(Q), judge::sizes(K)});
}

} // namespace of_self_attention
