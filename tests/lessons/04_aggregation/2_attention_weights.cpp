// 04.2 attention_weights

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_attention_weights {

using namespace proof;

const auto attention_weights =
    Domain(graded::attention_weights, oracle::attention_weights,
           {{"Q", Kind::array, "n_queries x d_k"}, {"K", Kind::array, "n_keys x d_k"}}, in_double)
        .scaled({{"Q", "K"}, {"Q", ""}, {"K", ""}})
        .dot_products("Q", "K")
        .large("d_k", 2501);

TEST_CASE("04.2 attention_weights: two queries and three keys, small enough to do by hand") {
    // Half of 2 ln 2 and half of 2 ln 3 are scores.
    expect_close(graded::attention_weights(
                     {{2, 0, 0, 0}, {0, 0, 0, 0}},
                     {{0, 1, 0, 0}, {std::log(2.0), 0, 3, 0}, {std::log(3.0), 0, 0, -1}}),
                 Matrix{{1.0 / 6, 1.0 / 3, 1.0 / 2}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}, in_double);
}

TEST_CASE("04.2 attention_weights: first worked example, 0.669762 and 0.330238") {
    expect_close(graded::attention_weights({{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}),
                 Matrix{{0.669762, 0.330238}, {0.330238, 0.669762}}, {0, 1e-6});
}

TEST_CASE("04.2 attention_weights: agrees with PyTorch") {
    const auto saved = [](const std::string& name) -> Matrix {
        return xt::view(golden_tensor3("attention/" + name), 0, xt::all(), xt::all());
    };
    expect_close(graded::attention_weights(saved("Q"), saved("K")), saved("none_weights"),
                 in_double);
}

PROPERTIES("04.2 attention_weights", attention_weights)

TEST_CASE("04.2 attention_weights: vectors without components are refused") {
    const Matrix Q = xt::zeros<double>({2, 0});
    const Matrix K = xt::zeros<double>({3, 0});
    expect_invalid_argument(graded::attention_weights.attempt(Q, K), {sizes(Q), sizes(K)});
}

} // namespace of_attention_weights
