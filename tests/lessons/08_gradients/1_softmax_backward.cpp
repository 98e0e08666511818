// 08.1 softmax_backward

#include "exports.hpp"
#include "support/oracle_gradients.hpp"
#include "support/proof.hpp"

namespace of_softmax_backward {

using namespace proof;

const auto oracle_of_matrices = [](const Matrix& weights, const Matrix& d_weights) {
    return oracle::softmax_backward(weights, d_weights);
};

const auto softmax_backward =
    Domain(graded::softmax_backward, oracle_of_matrices,
           {{"weights", Kind::weights, "n_queries x n_keys"},
            {"d_weights", Kind::array, "n_queries x n_keys"}},
           normwise)
        .cancels([](const judge::List& arguments) {
            return 1e-14 * xt::amax(xt::abs(from_value<Matrix>(arguments[1])))();
        })
        .scaled({{"d_weights", ""}});

TEST_CASE("08.1 softmax_backward: two queries and three keys, by hand") {
    // Σ p g is 3 in the first row and 4 in the second.
    expect_close(graded::softmax_backward({{1.0 / 2, 1.0 / 3, 1.0 / 6}, {0.25, 0.5, 0.25}},
                                          {{6, 0, 0}, {0, 4, 8}}),
                 Matrix{{1.5, -1, -0.5}, {-1, 0, 1}}, normwise);
}

TEST_CASE("08.1 softmax_backward: a gradient that is equal for all keys does not get through") {
    expect_close(graded::softmax_backward({{1.0 / 2, 1.0 / 4, 1.0 / 4}}, {{5, 5, 5}}),
                 Matrix{{0, 0, 0}}, {0, 1e-14});
}

TEST_CASE("08.1 softmax_backward: agrees with PyTorch") {
    expect_close(
        graded::softmax_backward(golden("gradients/weights"), golden("gradients/d_weights")),
        golden("gradients/d_scores"), normwise);
}

PROPERTIES("08.1 softmax_backward", softmax_backward)

TEST_CASE("08.1 softmax_backward: a weight of 0 gets exactly 0, and so does a row of zeros") {
    const Matrix weights{{0.25, 0, 0.75}, {0, 0, 0}}, d_weights{{1, 50, -2}, {3, 4, 5}};
    const Matrix d_scores = graded::softmax_backward(weights, d_weights);
    expect_close(d_scores, oracle_of_matrices(weights, d_weights), normwise);
    for (std::size_t at = 0; at < weights.size(); ++at) {
        expect_that(weights.flat(at) != 0 || d_scores.flat(at) == 0,
                    "where the weight is 0 the gradient is exactly 0",
                    "it is " + number_text(d_scores.flat(at)));
    }
}

TEST_CASE(
    "08.1 softmax_backward: weights of 1e-3, 1e-6, … 1e-200, with gradients that make up for them") {
    for (const int k : {3, 6, 8, 12, 16, 200}) {
        const double w = std::pow(10.0, -k), g = std::pow(10.0, k);
        const Matrix weights{{0.75 * (1 - w), w, 0.25 * (1 - w)}}, d_weights{{1, 3 * g, -2}};
        expect_close(graded::softmax_backward(weights, d_weights),
                     oracle_of_matrices(weights, d_weights), normwise);
    }
}

TEST_CASE("08.1 softmax_backward: 12,000 keys, which leave no room for a Jacobian") {
    judge::session().suspect(
        {"builds_the_jacobian",
         "the program needs an array with a number for each pair of keys: a Jacobian, which for "
         "12,000 keys has 144 million. Two loops over the keys do without it: one adds up Σ p g, "
         "the other writes p (g − that sum)."},
        judge::State::used_too_much_memory);
    softmax_backward.call(softmax_backward.draw({{"n_queries", 1}, {"n_keys", 12'000}}));
}

} // namespace of_softmax_backward
