#include "saturation/entropy_sweep.hpp"

#include "attention/random.hpp"
#include "machine/parallel.hpp"
#include "saturation/entropy_sweep_kernel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>
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

bool is_cancelled(const SweepOptions& options) {
    return options.cancelled != nullptr && options.cancelled->load();
}

// For a trial that was cancelled on the way, nothing.
TrialResult run_trial(const SweepOptions& options, std::size_t trial) {
    const SweepInputs inputs = sweep_inputs(options, trial);
    const std::size_t padded = sweep_padded(options.n_queries);
    const std::vector<float> q = components(inputs.Q, padded);
    const std::vector<float> k = components(inputs.K, options.n_keys);
    std::vector<float> scores(options.n_keys * padded, 0.0F);
    std::vector<float> workspace(options.n_keys * sweep_lanes), gains(padded);
    TrialResult result;
    result.steps.reserve(options.max_dk);
    result.unscaled_gains.resize(options.gain_dks.size() * options.n_queries);
    result.gains.resize(result.unscaled_gains.size());
    const auto measure_gains = [&](float scale, float* into) {
        sweep_gains(scores.data(), options.n_queries, options.n_keys, scale, workspace.data(),
                    gains.data());
        std::copy_n(gains.data(), options.n_queries, into);
    };
    for (std::size_t c = 0; c < options.max_dk; ++c) {
        if (is_cancelled(options)) {
            return {};
        }
        const float scale = 1.0F / std::sqrt(static_cast<float>(c + 1));
        result.steps.push_back(sweep_step(scores.data(), options.n_queries, options.n_keys,
                                          q.data() + c * padded, k.data() + c * options.n_keys,
                                          scale));
        for (std::size_t i = 0; i < options.gain_dks.size(); ++i) {
            if (options.gain_dks[i] == c + 1) {
                measure_gains(1, result.unscaled_gains.data() + i * options.n_queries);
                measure_gains(scale, result.gains.data() + i * options.n_queries);
            }
        }
    }
    return result;
}

// The mean and the spread of a number that arrives trial by trial (Welford 1962).
class Statistics {
public:
    explicit Statistics(std::size_t max_dk) : mean_(max_dk, 0.0), squares_(max_dk, 0.0) {}

    void add(std::size_t index, double value, double count) {
        const double before = value - mean_[index];
        mean_[index] += before / count;
        squares_[index] += before * (value - mean_[index]);
    }

    SweepBand band(std::size_t trials) const {
        const double count = static_cast<double>(trials);
        const double NaN = std::numeric_limits<double>::quiet_NaN();
        const auto shape = std::array{mean_.size()};
        SweepBand result{Vector(shape), Vector(shape), Vector(shape)};
        for (std::size_t i = 0; i < mean_.size(); ++i) {
            result.mean(i) = trials == 0 ? NaN : mean_[i];
            result.deviation(i) = trials < 2 ? NaN : std::sqrt(squares_[i] / (count - 1));
            result.error(i) = result.deviation(i) / std::sqrt(count);
        }
        return result;
    }

private:
    std::vector<double> mean_, squares_;
};

// The quartiles of numbers from 0 to ½, in memory that does not grow with them. A float's bits,
// read as a whole number, are in the order of the floats: the first of them name its bin.
class Quartiles {
public:
    void add(float number) {
        // −0 counts as the least, and NaN, whose bits are above those of 1, as the most.
        ++counts_[std::min(bin(std::max(number, smallest)), bin(1.0F) - 1) - bin(smallest)];
        ++total_;
    }

    // The smallest number that is not less than a share of all of them: the middle of its bin.
    double quantile(double share) const {
        if (total_ == 0) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        std::size_t i = 0, up_to = counts_[0];
        while (static_cast<double>(up_to) < share * static_cast<double>(total_)) {
            up_to += counts_[++i];
        }
        const auto number = [](std::uint32_t b) {
            return static_cast<double>(std::bit_cast<float>(b << dropped));
        };
        const std::uint32_t found = bin(smallest) + static_cast<std::uint32_t>(i);
        return i == 0 ? 0 : (number(found) + number(found + 1)) / 2;
    }

private:
    static constexpr int dropped = 14; // of the 23 bits of a mantissa: bins are 0.1 to 0.2 % wide
    static constexpr float smallest = 1e-9F;
    static constexpr std::uint32_t bin(float number) {
        return std::bit_cast<std::uint32_t>(number) >> dropped;
    }
    std::vector<std::size_t> counts_ = std::vector<std::size_t>(bin(1.0F) - bin(smallest));
    std::size_t total_ = 0;
};

struct ArmStatistics {
    Statistics entropy, largest_weight;
    std::vector<Quartiles> gradient_gain;

    ArmStatistics(std::size_t max_dk, std::size_t n_gains)
        : entropy(max_dk), largest_weight(max_dk), gradient_gain(n_gains) {}

    void add(std::size_t index, const SweepSums& sums, double n_queries, double count) {
        entropy.add(index, sums.entropy / n_queries, count);
        largest_weight.add(index, sums.largest_weight / n_queries, count);
    }

    void add(const std::vector<float>& gains, std::size_t n_queries) {
        for (std::size_t i = 0; i < gains.size(); ++i) {
            gradient_gain[i / n_queries].add(gains[i]);
        }
    }

    SweepArm arm(std::size_t trials) const {
        const auto quantiles = [this](double share) {
            Vector result = Vector::from_shape({gradient_gain.size()});
            for (std::size_t i = 0; i < gradient_gain.size(); ++i) {
                result(i) = gradient_gain[i].quantile(share);
            }
            return result;
        };
        return {entropy.band(trials),
                largest_weight.band(trials),
                {quantiles(0.25), quantiles(0.5), quantiles(0.75)}};
    }
};

// What the threads share. Trials end in any order but are added in their own, so that rounding does
// not depend on the number of threads.
class Sweep {
public:
    explicit Sweep(const SweepOptions& options)
        : options_(options), unscaled_(options.max_dk, options.gain_dks.size()),
          scaled_(options.max_dk, options.gain_dks.size()) {}

    void finish(std::size_t trial, TrialResult result) {
        const std::lock_guard lock(mutex_);
        waiting_.emplace(trial, std::move(result));
        while (!waiting_.empty() && waiting_.begin()->first == added_) {
            add(waiting_.begin()->second);
            waiting_.erase(waiting_.begin());
            if (options_.progress) {
                options_.progress(added_, options_.trials);
            }
        }
    }

    EntropySweep result() const { return {added_, unscaled_.arm(added_), scaled_.arm(added_)}; }

private:
    void add(const TrialResult& result) {
        const double count = static_cast<double>(++added_);
        const double n_queries = static_cast<double>(options_.n_queries);
        for (std::size_t i = 0; i < result.steps.size(); ++i) {
            unscaled_.add(i, result.steps[i].unscaled, n_queries, count);
            scaled_.add(i, result.steps[i].scaled, n_queries, count);
        }
        unscaled_.add(result.unscaled_gains, options_.n_queries);
        scaled_.add(result.gains, options_.n_queries);
    }

    const SweepOptions& options_;
    std::mutex mutex_; // of all below
    std::map<std::size_t, TrialResult> waiting_;
    std::size_t added_ = 0;
    ArmStatistics unscaled_, scaled_;
};

} // namespace

SweepInputs sweep_inputs(const SweepOptions& options, std::size_t trial) {
    return {standard_normal(options.n_queries, options.max_dk, mixed(options.seed, 2 * trial)),
            standard_normal(options.n_keys, options.max_dk, mixed(options.seed, 2 * trial + 1))};
}

EntropySweep entropy_sweep(const SweepOptions& options) {
    Sweep sweep(options);
    parallel_for(thread_count(options.threads), options.trials,
                 [&](std::size_t trial, std::size_t) {
                     if (is_cancelled(options)) {
                         return;
                     }
                     TrialResult result = run_trial(options, trial);
                     if (!result.steps.empty()) {
                         sweep.finish(trial, std::move(result));
                     }
                 });
    return sweep.result();
}

} // namespace attention
