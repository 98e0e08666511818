// 04.3 self_attention

#include "attention/projections.hpp"
#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_self_attention {

using namespace proof;

Matrix right_output(const Matrix& Q, const Matrix& K, const Matrix& V) {
    return oracle::attention(Q, K, V).output;
}

const auto self_attention = Domain(graded::self_attention, right_output,
                                   {{"Q", Kind::array, "n_queries x d_k"},
                                    {"K", Kind::array, "n_keys x d_k"},
                                    {"V", Kind::array, "n_keys x d_v"}},
                                   normwise)
                                .scaled({{"V", ""}, {"Q", "K"}, {"Q", ""}, {"K", ""}})
                                .dot_products("Q", "K")
                                .large("d_k", 2501);

TEST_CASE("04.3 self_attention: two queries and three keys, small enough to do by hand") {
    // Half of 2 ln 2 and half of 2 ln 3 are scores; the weights are 1/6, 1/3 and 1/2, and a third
    // each.
    expect_close(
        graded::self_attention({{2, 0, 0, 0}, {0, 0, 0, 0}},
                               {{0, 1, 0, 0}, {std::log(2.0), 0, 3, 0}, {std::log(3.0), 0, 0, -1}},
                               {{6, 0, 12, 0, 6}, {0, 3, 0, 6, 6}, {2, 4, 0, 0, 6}}),
        Matrix{{2, 3, 2, 2, 6}, {8.0 / 3, 7.0 / 3, 4, 2, 6}}, normwise);
}

TEST_CASE(
    "04.3 self_attention: the worked examples of lesson 01, from the sequence to the output") {
    const auto expect = [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                           const Matrix& output) {
        const auto [Q, K, V] = attention::compute_qkv(X, W_q, W_k, W_v);
        expect_close(graded::self_attention(Q, K, V), output, {0, 1e-6});
    };
    const Matrix eye2{{1, 0}, {0, 1}}, eye3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Matrix rising{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
    expect(eye2, eye2, eye2, {{1, 2}, {3, 4}}, {{1.660477, 2.660477}, {2.339523, 3.339523}});
    expect(eye3, eye3, eye3, eye3,
           {{0.471083, 0.264458, 0.264458},
            {0.264458, 0.471083, 0.264458},
            {0.264458, 0.264458, 0.471083}});
    expect({{1, 2, 3}, {4, 5, 6}}, rising, rising, {{1, 0}, {0, 1}, {1, 1}},
           {{9.999928, 10.999928}, {10.000000, 11.000000}});
}

TEST_CASE("04.3 self_attention: agrees with PyTorch") {
    const auto saved = [](const std::string& name) -> Matrix {
        return xt::view(golden_tensor3("attention/" + name), 0, xt::all(), xt::all());
    };
    expect_close(graded::self_attention(saved("Q"), saved("K"), saved("V")), saved("none_output"),
                 normwise);
}

PROPERTIES("04.3 self_attention", self_attention)

TEST_CASE("04.3 self_attention: vectors without components are refused") {
    const Matrix Q = xt::zeros<double>({2, 0});
    const Matrix K = xt::zeros<double>({3, 0});
    expect_invalid_argument(graded::self_attention.attempt(Q, K, Matrix{{1}, {2}, {3}}),
                            {sizes(Q), sizes(K)});
}

} // namespace of_self_attention
