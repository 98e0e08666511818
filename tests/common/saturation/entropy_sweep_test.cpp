#include "saturation/entropy_sweep.hpp"

#include "attention/entropy.hpp"
#include "attention/scores.hpp"
#include "attention/softmax.hpp"
#include "support/check_close.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace attention;
using support::check_close;

namespace {

struct ByHand {
    Vector entropy, largest_weight; // (max_dk), means over the queries
    Matrix gains;                   // (max_dk, n_queries), each row sorted
};

// One trial by the library's other functions, in double.
ByHand by_hand(const SweepInputs& inputs, bool scaled) {
    const std::size_t max_dk = inputs.Q.shape(1);
    ByHand result;
    for (Vector* numbers : {&result.entropy, &result.largest_weight}) {
        *numbers = Vector::from_shape({max_dk});
    }
    result.gains = Matrix::from_shape({max_dk, inputs.Q.shape(0)});
    for (std::size_t d_k = 1; d_k <= max_dk; ++d_k) {
        const Matrix Q = xt::view(inputs.Q, xt::all(), xt::range(std::size_t{0}, d_k));
        const Matrix K = xt::view(inputs.K, xt::all(), xt::range(std::size_t{0}, d_k));
        const Matrix weights = softmax_rows(scaled ? scaled_scores(Q, K) : raw_scores(Q, K));
        result.entropy(d_k - 1) = xt::mean(entropy(weights))();
        result.largest_weight(d_k - 1) = xt::mean(largest_weight(weights))();
        Vector gains = gradient_gain(weights);
        std::sort(gains.begin(), gains.end());
        xt::view(result.gains, d_k - 1, xt::all()) = gains;
    }
    return result;
}

void check_arm(const SweepArm& arm, const ByHand& expected) {
    check_close(arm.entropy.mean, expected.entropy, {0, 1e-4});
    check_close(arm.largest_weight.mean, expected.largest_weight, {0, 1e-4});
}

// The smallest number that a share of the row does not exceed, at each d_k.
Vector quantile(const Matrix& sorted, double share) {
    const auto n = static_cast<double>(sorted.shape(1));
    const auto place = static_cast<std::size_t>(std::ceil(share * n)) - 1;
    return xt::view(sorted, xt::all(), place);
}

void check_gains(const SweepQuartiles& gain, const Matrix& sorted) {
    check_close(gain.lower, quantile(sorted, 0.25), {1e-4, 1e-6});
    check_close(gain.median, quantile(sorted, 0.5), {1e-4, 1e-6});
    check_close(gain.upper, quantile(sorted, 0.75), {1e-4, 1e-6});
}

std::vector<std::size_t> every_dk(std::size_t max_dk) {
    std::vector<std::size_t> d_ks(max_dk);
    std::iota(d_ks.begin(), d_ks.end(), std::size_t{1});
    return d_ks;
}

void check_same(const SweepBand& a, const SweepBand& b) {
    check_close(a.mean, b.mean, {0, 0});
    check_close(a.deviation, b.deviation, {0, 0});
}

void check_same(const EntropySweep& a, const EntropySweep& b) {
    for (const auto arm : {&EntropySweep::unscaled, &EntropySweep::scaled}) {
        check_same((a.*arm).entropy, (b.*arm).entropy);
        check_same((a.*arm).largest_weight, (b.*arm).largest_weight);
        check_close((a.*arm).gradient_gain.lower, (b.*arm).gradient_gain.lower, {0, 0});
        check_close((a.*arm).gradient_gain.median, (b.*arm).gradient_gain.median, {0, 0});
        check_close((a.*arm).gradient_gain.upper, (b.*arm).gradient_gain.upper, {0, 0});
    }
}

SweepOptions small_sweep(std::size_t trials) {
    SweepOptions options;
    options.n_keys = 7;
    options.n_queries = 5;
    options.max_dk = 11;
    options.trials = trials;
    options.seed = 3;
    options.gain_dks = {1, 4, 11};
    return options;
}

} // namespace

TEST_CASE("entropy_sweep: one trial agrees with the library's functions, both arms") {
    struct Sizes {
        std::size_t n_queries, n_keys, max_dk;
    };
    const Sizes awkward[] = {{1, 1, 3},     {1, 64, 5},    {17, 2, 31},
                             {64, 61, 300}, {5, 1009, 20}, {3, 7, 1024}};
    for (const Sizes& sizes : awkward) {
        INFO("n_queries ", sizes.n_queries, ", n_keys ", sizes.n_keys, ", max_dk ", sizes.max_dk);
        SweepOptions options;
        options.n_queries = sizes.n_queries;
        options.n_keys = sizes.n_keys;
        options.max_dk = sizes.max_dk;
        options.trials = 1;
        options.gain_dks = every_dk(sizes.max_dk);
        const EntropySweep sweep = entropy_sweep(options);
        const SweepInputs inputs = sweep_inputs(options, 0);
        const ByHand unscaled = by_hand(inputs, false), scaled = by_hand(inputs, true);
        check_arm(sweep.unscaled, unscaled);
        check_arm(sweep.scaled, scaled);
        check_gains(sweep.unscaled.gradient_gain, unscaled.gains);
        check_gains(sweep.scaled.gradient_gain, scaled.gains);
        CHECK(shape_text(sweep.scaled.entropy.mean) == "(" + std::to_string(sizes.max_dk) + ",)");
        CHECK(std::isnan(sweep.scaled.entropy.deviation(0)));
    }
}

TEST_CASE("entropy_sweep: mean and deviation are those between trials") {
    const SweepOptions options = small_sweep(4);
    const EntropySweep sweep = entropy_sweep(options);
    Matrix numbers = Matrix::from_shape({4, 11});
    for (std::size_t trial = 0; trial < 4; ++trial) {
        xt::view(numbers, trial, xt::all()) = by_hand(sweep_inputs(options, trial), false).entropy;
    }
    const Vector mean = xt::mean(numbers, {0});
    const Matrix off = numbers - mean;
    const Vector deviation = xt::sqrt(xt::sum(off * off, {0}) / 3.0);
    check_close(sweep.unscaled.entropy.mean, mean, {0, 1e-4});
    check_close(sweep.unscaled.entropy.deviation, deviation, {0, 2e-4});
}

TEST_CASE("entropy_sweep: quartiles of the gain are those of all queries of all trials") {
    const SweepOptions options = small_sweep(9);
    const EntropySweep sweep = entropy_sweep(options);
    Matrix all = Matrix::from_shape({options.gain_dks.size(), 9 * options.n_queries});
    for (std::size_t i = 0; i < options.gain_dks.size(); ++i) {
        for (std::size_t trial = 0; trial < 9; ++trial) {
            const Matrix gains = by_hand(sweep_inputs(options, trial), true).gains;
            for (std::size_t query = 0; query < options.n_queries; ++query) {
                all(i, trial * options.n_queries + query) = gains(options.gain_dks[i] - 1, query);
            }
        }
        auto row = xt::row(all, static_cast<std::ptrdiff_t>(i));
        std::sort(row.begin(), row.end());
    }
    check_gains(sweep.scaled.gradient_gain, all);
}

TEST_CASE("entropy_sweep: does not depend on the number of threads, to the last bit") {
    SweepOptions options = small_sweep(23);
    options.threads = 1;
    const EntropySweep alone = entropy_sweep(options);
    for (const std::size_t threads : {0U, 2U, 3U, 50U}) {
        CAPTURE(threads);
        options.threads = threads;
        check_same(entropy_sweep(options), alone);
    }
}
