#include "saturation/expected_entropy.hpp"

#include "attention/entropy.hpp"
#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "attention/softmax.hpp"
#include "support/check_close.hpp"
#include "support/special_values.hpp"

#include <cmath>

using namespace attention;
using support::check_close;
using support::inf;

TEST_CASE("expected_entropy: the values of the page") {
    const std::size_t d_ks[] = {1, 4, 16, 64, 256, 1024};
    struct Row {
        std::size_t n_keys;
        double unscaled[6], scaled_limit;
    };
    const Row rows[] = {{16, {2.435, 1.767, 0.901, 0.411, 0.193, 0.094}, 2.357},
                        {64, {3.744, 2.808, 1.382, 0.584, 0.265, 0.126}, 3.685},
                        {256, {5.088, 3.949, 1.913, 0.751, 0.329, 0.154}, 5.052}};
    for (const Row& row : rows) {
        CAPTURE(row.n_keys);
        for (std::size_t i = 0; i < 6; ++i) {
            CAPTURE(d_ks[i]);
            const double got = expected_entropy(row.n_keys, d_ks[i], false);
            CHECK(std::abs(got - row.unscaled[i]) < 0.001);
        }
        CHECK(std::abs(expected_entropy(row.n_keys, 1024, true) - row.scaled_limit) < 0.001);
    }
}

TEST_CASE("expected_entropy: agrees with a simulation within five standard errors") {
    struct Case {
        std::size_t n_keys, d_k;
    };
    for (const Case& sizes : {Case{2, 1}, Case{7, 3}, Case{16, 4}, Case{64, 16}}) {
        const auto& [n_keys, d_k] = sizes;
        for (const bool scaled : {false, true}) {
            INFO("n_keys ", sizes.n_keys, ", d_k ", sizes.d_k, ", scaled ", scaled);
            const std::size_t trials = 4000; // one query each, so that they are independent
            const Matrix Q = standard_normal(trials, d_k, 1);
            double sum = 0, squares = 0;
            for (std::size_t trial = 0; trial < trials; ++trial) {
                const Matrix q = xt::view(Q, xt::range(trial, trial + 1), xt::all());
                const Matrix K = standard_normal(n_keys, d_k, 100 + trial);
                const Matrix scores = scaled ? scaled_scores(q, K) : raw_scores(q, K);
                const double H = entropy(softmax_rows(scores))(0);
                sum += H;
                squares += H * H;
            }
            const double count = static_cast<double>(trials);
            const double mean = sum / count;
            const double error = std::sqrt((squares / count - mean * mean) / count);
            const double off = mean - expected_entropy(n_keys, d_k, scaled);
            CHECK(std::abs(off) < 5 * error);
        }
    }
}

TEST_CASE("predicted_entropy: ln n less half the variance, then frozen at 0") {
    CHECK(predicted_entropy(64, 0) == std::log(64.0));
    CHECK(predicted_entropy(64, 1) == std::log(64.0) - 0.5);
    CHECK(std::abs(predicted_entropy(64, 8) - 0.1588831) < 1e-7);
    CHECK(predicted_entropy(64, 2 * std::log(64.0)) == 0);
    CHECK(predicted_entropy(64, 1024) == 0);
    CHECK(predicted_entropy(1, 0) == 0);
    CHECK(predicted_entropy(16, inf) == 0);
}
