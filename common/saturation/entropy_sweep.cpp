#include "saturation/entropy_sweep.hpp"

#include "attention/random.hpp"
#include "machine/parallel.hpp"
#include "saturation/entropy_sweep_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attention {
namespace {

struct TrialResult {
    std::vector<SweepStep> steps;             // (max_dk), sums over queries
    std::vector<float> unscaled_gains, gains; // (gain_dks, n_queries)
};

// Seeds that differ in one bit give unrelated streams.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t stream) {
    return scrambled(seed + (stream + 1) * golden_ratio);
}

// (rows, columns) to (columns, padded rows): the kernel takes one component of all rows at a time.
std::vector<float> components(const Matrix& X, std::size_t padded_rows) {
    const std::size_t columns = X.shape(1);
    std::vector<float> transposed(columns * padded_rows, 0.0F);
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        const double* row = X.data() + i * columns;
        for (std::size_t c = 0; c < columns; ++c) {
            transposed[c * padded_rows + i] = static_cast<float>(row[c]);
        }
    }
    return transposed;
}

TrialResult run_trial(const SweepOptions& options, std::size_t trial) {
    const SweepInputs inputs = sweep_inputs(options, trial);
    const std::size_t padded = sweep_padded(options.n_queries);
    const std::vector<float> q = components(inputs.Q, padded);
    const std::vector<float> k = components(inputs.K, options.n_keys);
    std::vector<float> scores(options.n_keys * padded, 0.0F);
    std::vector<float> workspace(options.n_keys * sweep_lanes), gains(padded);
    TrialResult result;
    const auto measure_gains = [&](float scale, std::vector<float>& into) {
        sweep_gains(scores.data(), options.n_queries, options.n_keys, scale, workspace.data(),
                    gains.data());
        into.insert(into.end(), gains.begin(),
                    gains.begin() + static_cast<std::ptrdiff_t>(options.n_queries));
    };
    for (std::size_t c = 0; c < options.max_dk; ++c) {
        const float scale = 1.0F / std::sqrt(static_cast<float>(c + 1));
        result.steps.push_back(sweep_step(scores.data(), options.n_queries, options.n_keys,
                                          q.data() + c * padded, k.data() + c * options.n_keys,
                                          scale));
        if (std::binary_search(options.gain_dks.begin(), options.gain_dks.end(), c + 1)) {
            measure_gains(1, result.unscaled_gains);
            measure_gains(scale, result.gains);
        }
    }
    return result;
}

// One arm, trial by trial: mean and spread are Welford's (1962), whose sums of squares wait in
// `deviation`.
struct Arm {
    SweepArm result;
    std::vector<std::vector<float>> gains; // (gain_dks), of all queries so far

    explicit Arm(const SweepOptions& options) : gains(options.gain_dks.size()) {
        for (SweepBand* band : {&result.entropy, &result.largest_weight}) {
            band->mean = band->deviation = xt::zeros<double>({options.max_dk});
        }
    }

    static void add(SweepBand& band, std::size_t index, double value, double count) {
        const double before = value - band.mean(index);
        band.mean(index) += before / count;
        band.deviation(index) += before * (value - band.mean(index));
    }

    void add(std::size_t index, const SweepSums& sums, double n_queries, double count) {
        add(result.entropy, index, sums.entropy / n_queries, count);
        add(result.largest_weight, index, sums.largest_weight / n_queries, count);
    }

    void add(const std::vector<float>& of_trial) {
        const std::size_t n_queries = of_trial.size() / std::max<std::size_t>(gains.size(), 1);
        for (std::size_t i = 0; i < of_trial.size(); ++i) {
            gains[i / n_queries].push_back(of_trial[i]);
        }
    }

    // The smallest gain at each d_k that is not less than a share of all.
    Vector quantile(double share) {
        Vector quantiles = Vector::from_shape({gains.size()});
        for (std::size_t i = 0; i < gains.size(); ++i) {
            const double place = std::ceil(share * static_cast<double>(gains[i].size())) - 1;
            const auto found = gains[i].begin() + static_cast<std::ptrdiff_t>(place);
            std::nth_element(gains[i].begin(), found, gains[i].end());
            quantiles(i) = static_cast<double>(*found);
        }
        return quantiles;
    }

    SweepArm finished(std::size_t trials) {
        for (SweepBand* band : {&result.entropy, &result.largest_weight}) {
            const double NaN = std::numeric_limits<double>::quiet_NaN();
            const double freedom = trials == 1 ? NaN : static_cast<double>(trials - 1);
            band->deviation = xt::sqrt(band->deviation / freedom);
        }
        result.gradient_gain = {quantile(0.25), quantile(0.5), quantile(0.75)};
        return result;
    }
};

} // namespace

SweepInputs sweep_inputs(const SweepOptions& options, std::size_t trial) {
    return {standard_normal(options.n_queries, options.max_dk, mixed(options.seed, 2 * trial)),
            standard_normal(options.n_keys, options.max_dk, mixed(options.seed, 2 * trial + 1))};
}

EntropySweep entropy_sweep(const SweepOptions& options) {
    const std::size_t threads = thread_count(options.threads);
    const double n_queries = static_cast<double>(options.n_queries);
    Arm unscaled(options), scaled(options);
    for (std::size_t done = 0; done < options.trials;) {
        std::vector<TrialResult> some(std::min(4 * threads, options.trials - done));
        parallel_for(threads, some.size(),
                     [&](std::size_t i, std::size_t) { some[i] = run_trial(options, done + i); });
        for (const TrialResult& trial : some) { // in their order, as rounding depends on it
            const double count = static_cast<double>(++done);
            for (std::size_t i = 0; i < trial.steps.size(); ++i) {
                unscaled.add(i, trial.steps[i].unscaled, n_queries, count);
                scaled.add(i, trial.steps[i].scaled, n_queries, count);
            }
            unscaled.add(trial.unscaled_gains);
            scaled.add(trial.gains);
            if (options.progress) {
                options.progress(done, options.trials);
            }
        }
    }
    return {unscaled.finished(options.trials), scaled.finished(options.trials)};
}

} // namespace attention
