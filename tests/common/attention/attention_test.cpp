#include "attention/attention.hpp"

#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "attention/softmax.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/oracle_attention.hpp"

using namespace attention;
using support::check_close;
using support::check_within;

namespace {

// A score is off by δ = (d_k + 3) ε Σ|q k|/√d_k, so a weight by 2δ relatively, and by softmax's own
// roundings (the depth of the row, n_keys and 4); the product adds n_keys ε Σ w |v|.
void check_attention(const Matrix& Q, const Matrix& K, const Matrix& V) {
    const double epsilon = std::numeric_limits<double>::epsilon();
    const double d_k = static_cast<double>(Q.shape(1));
    const double n_keys = static_cast<double>(K.shape(0));
    const Matrix Q_size = xt::abs(Q);
    const Matrix K_size = xt::abs(K);
    const double largest = xt::amax(oracle::scaled_scores(Q_size, K_size))();
    const double relative = (2 * (d_k + 3) * largest + 2 * largest + n_keys + 4) * epsilon;

    const oracle::Attention expected = oracle::attention(Q, K, V);
    const Matrix V_size = xt::abs(V);
    const Matrix output_size = oracle::matmul(expected.weights, V_size);
    const Matrix weights_bound =
        relative * expected.weights + std::numeric_limits<double>::denorm_min();
    const Matrix output_bound = (relative + n_keys * epsilon) * output_size + 1e-300;
    const auto got = attention::attention(Q, K, V);
    check_within(got.weights, expected.weights, weights_bound);
    check_within(got.output, expected.output, output_bound);
    check_close(attention_weights(Q, K), got.weights, {0, 0});
}

} // namespace

TEST_CASE("attention: the hand-worked exercise") {
    const Matrix Q{{1, 0}, {0, 1}, {1, 1}};
    const Matrix K{{1, 0}, {0, 1}, {0.5, 0.5}};
    const double third = 1.0 / 3.0;
    const Attention result = attention::attention(Q, K, K);
    check_close(result.weights,
                Matrix{{0.455527, 0.224606, 0.319866},
                       {0.224606, 0.455527, 0.319866},
                       {third, third, third}},
                {0, 1e-6});
    check_close(result.output, Matrix{{0.615461, 0.384539}, {0.384539, 0.615461}, {0.5, 0.5}},
                {0, 1e-6});
}

TEST_CASE("attention, attention_weights: awkward sizes stay within the bound") {
    struct Sizes {
        std::size_t n_queries, n_keys, d_k, d_v;
    };
    const Sizes awkward[] = {{1, 1, 1, 1},  {1, 2, 3, 5},     {3, 1, 2, 7},    {2, 3, 1, 4},
                             {5, 7, 11, 2}, {37, 29, 64, 31}, {64, 65, 63, 1}, {13, 101, 17, 8}};
    for (const Sizes& sizes : awkward) {
        INFO("n_queries ", sizes.n_queries, ", n_keys ", sizes.n_keys, ", d_k ", sizes.d_k,
             ", d_v ", sizes.d_v);
        const Matrix Q = standard_normal(sizes.n_queries, sizes.d_k, 1);
        const Matrix K = standard_normal(sizes.n_keys, sizes.d_k, 2);
        const Matrix V = standard_normal(sizes.n_keys, sizes.d_v, 3);
        check_attention(Q, K, V);
    }
}

TEST_CASE("attention: one array may be queries, keys and values") {
    const Matrix X = standard_normal(7, 5, 4);
    check_attention(X, X, X);
}

TEST_CASE("attention: no queries give no rows, and no keys outputs of 0") {
    const Attention none = attention::attention(Matrix::from_shape({0, 3}),
                                                standard_normal(4, 3, 1), standard_normal(4, 2, 2));
    CHECK(shape_text(none.output) == "(0, 2)");
    CHECK(shape_text(none.weights) == "(0, 4)");
    const Attention lonely = attention::attention(
        standard_normal(5, 3, 1), Matrix::from_shape({0, 3}), Matrix::from_shape({0, 2}));
    const Matrix zeros = xt::zeros<double>({5, 2});
    check_close(lonely.output, zeros, {0, 0});
    CHECK(shape_text(lonely.weights) == "(5, 0)");
}

TEST_CASE("attention_weights: shapes that do not fit are an invalid_argument that shows both") {
    const Matrix Q = standard_normal(2, 3, 1);
    CHECK_REFUSED(
        attention_weights(Q, standard_normal(5, 4, 2)),
        "attention_weights: Q and K must share d_k, got 3 and 4; Q is (2, 3), K is (5, 4)");
    CHECK_REFUSED(attention_weights(Matrix::from_shape({2, 0}), Matrix::from_shape({5, 0})),
                  "attention_weights: d_k must be at least 1, got 0; Q is (2, 0), K is (5, 0)");
}

TEST_CASE("attention: shapes that do not fit are an invalid_argument that shows both") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 3, 2);
    const Matrix V = standard_normal(7, 6, 3);
    CHECK_REFUSED(attention::attention(Q, standard_normal(5, 4, 2), V),
                  "attention: Q and K must share d_k, got 3 and 4; Q is (2, 3), K is (5, 4)");
    CHECK_REFUSED(attention::attention(Q, K, V),
                  "attention: K and V must share n_keys, got 5 and 7; K is (5, 3), V is (7, 6)");
    CHECK_REFUSED(attention::attention(Matrix::from_shape({2, 0}), Matrix::from_shape({5, 0}),
                                       Matrix::from_shape({5, 6})),
                  "attention: d_k must be at least 1, got 0; Q is (2, 0), K is (5, 0)");
}
