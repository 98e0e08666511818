#include "support/oracle.hpp"

#include "support/check_close.hpp"
#include "support/golden.hpp"
#include "support/oracle_attention.hpp"

using attention::Matrix;
using attention::Vector;
using support::check_close;
using support::golden;
using support::golden_f;
using support::golden_vector;

// The oracle is compared with PyTorch too: an error in it would otherwise excuse the same in the
// library.

TEST_CASE("oracle: project agrees with PyTorch") {
    for (const std::string view : {"q", "k", "v"}) {
        const std::string output(1, static_cast<char>(view[0] - 'a' + 'A'));
        CAPTURE(output);
        check_close(oracle::project(golden("projections/X"), golden("projections/W_" + view)),
                    golden("projections/" + output), {1e-14, 1e-14});
    }
}

TEST_CASE("oracle: raw_scores and scaled_scores agree with PyTorch") {
    const Matrix Q = golden("scores/Q");
    const Matrix K = golden("scores/K");
    check_close(oracle::raw_scores(Q, K), golden("scores/raw"), {1e-14, 1e-14});
    check_close(oracle::scaled_scores(Q, K), golden("scores/scaled"), {1e-14, 1e-14});
    check_close(golden_f("scores/scaled_float"),
                oracle::scaled_scores(golden_f("scores/Q_float"), golden_f("scores/K_float")),
                {1e-6, 1e-6});
}

TEST_CASE("oracle: softmax and its Jacobian agree with PyTorch") {
    const Vector scores = golden_vector("softmax/vector_scores");
    check_close(oracle::softmax(scores), golden_vector("softmax/vector"), {1e-14, 0});
    check_close(oracle::softmax_jacobian(oracle::softmax(scores)), golden("softmax/jacobian"),
                {1e-13, 1e-17});
}

TEST_CASE("oracle: softmax_rows agrees with PyTorch, large scores too") {
    const double smallest = std::numeric_limits<double>::denorm_min();
    check_close(oracle::softmax_rows(golden("softmax/scores")), golden("softmax/rows"), {1e-14, 0});
    check_close(oracle::softmax_rows(golden("softmax/large_scores")), golden("softmax/large_rows"),
                {1e-14, smallest});
}

TEST_CASE("oracle: masked_softmax agrees with PyTorch") {
    const xt::xtensor<bool, 2> mask = support::golden_bools("masks/mask");
    check_close(oracle::masked_softmax(golden("masks/scores"), mask), golden("masks/softmax"),
                {1e-14, 0});
    check_close(golden_f("masks/softmax_float"),
                oracle::masked_softmax(golden_f("masks/scores_float"), mask), {2e-6, 0});
}

TEST_CASE("oracle: a fully blocked row weighs nothing, and its neighbour as ever") {
    const xt::xtensor<bool, 2> mask{{false, false, false}, {true, false, true}};
    check_close(oracle::masked_softmax(Matrix{{1, 2, 3}, {4, 5, 4}}, mask),
                Matrix{{0, 0, 0}, {0.5, 0, 0.5}}, {0, 0});
}

TEST_CASE("oracle: attention agrees with PyTorch, without a mask and with numbers to add") {
    const auto Q = support::golden_tensor3("attention/Q");
    const auto K = support::golden_tensor3("attention/K");
    const auto V = support::golden_tensor3("attention/V");
    const auto additive = support::golden_tensor3("attention/additive");
    const xt::xtensor<bool, 3> all = xt::ones<bool>({2, 5, 7});
    const attention::Tensor3 zeros = xt::zeros<double>({2, 5, 7});
    const auto plain = oracle::scaled_dot_product_attention(Q, K, V, all, zeros);
    check_close(plain.output, support::golden_tensor3("attention/none_output"), {1e-13, 1e-14});
    check_close(plain.weights, support::golden_tensor3("attention/none_weights"), {1e-13, 0});
    const auto added = oracle::scaled_dot_product_attention(Q, K, V, all, additive);
    check_close(added.output, support::golden_tensor3("attention/additive_output"), {1e-13, 1e-14});
    check_close(added.weights, support::golden_tensor3("attention/additive_weights"), {1e-13, 0});

    const Matrix Q_0 = xt::view(Q, 0, xt::all(), xt::all());
    const Matrix K_0 = xt::view(K, 0, xt::all(), xt::all());
    const Matrix V_0 = xt::view(V, 0, xt::all(), xt::all());
    const Matrix output_0 = xt::view(plain.output, 0, xt::all(), xt::all());
    check_close(oracle::attention(Q_0, K_0, V_0).output, output_0, {0, 0});
}

TEST_CASE("oracle: entropy, gradient gain and largest weight of rows done by hand") {
    const Matrix weights{{0.5, 0.25, 0.25}, {1, 0, 0}};
    check_close(oracle::entropy(weights), Vector{1.5 * std::log(2.0), 0}, {1e-15, 0});
    check_close(oracle::gradient_gain(weights), Vector{0.375, 0}, {1e-16, 0});
    check_close(oracle::largest_weight(weights), Vector{0.5, 1}, {0, 0});
}

TEST_CASE("oracle: the eigenvalues of a softmax's Jacobian, where they are known") {
    const auto eigenvalues = [](const oracle::Row& p) {
        const oracle::Row found = oracle::softmax_eigenvalues(p);
        Vector rounded = Vector::from_shape({found.size()});
        std::transform(found.begin(), found.end(), rounded.begin(),
                       [](long double value) { return static_cast<double>(value); });
        return rounded;
    };
    check_close(eigenvalues({0.5L, 0.25L, 0.25L}), Vector{0.375, 0.25, 0}, {1e-16, 1e-18});
    check_close(eigenvalues({0.3L, 0.4L, 0.3L}), Vector{0.36, 0.3, 0}, {1e-16, 1e-18});
    check_close(eigenvalues({0.2L, 0.2L, 0.2L, 0.2L, 0.2L}), Vector{0.2, 0.2, 0.2, 0.2, 0},
                {1e-16, 1e-18});
    check_close(eigenvalues({0.9L, 0.1L}), Vector{0.18, 0}, {1e-16, 1e-18});
    check_close(eigenvalues({0.5L, 0, 0.5L}), Vector{0.5, 0, 0}, {1e-16, 1e-18});
    check_close(eigenvalues({1}), Vector{0}, {0, 0});
}

TEST_CASE("oracle: shapes that do not fit are the test's mistake") {
    CHECK_THROWS_WITH_AS(oracle::matmul(Matrix::from_shape({2, 3}), Matrix::from_shape({2, 3})),
                         "oracle: the test passes shapes that do not fit", std::logic_error);
}
