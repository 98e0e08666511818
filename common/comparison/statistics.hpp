#pragma once

#include <vector>

namespace comparison {

/// The statistics of one number over several seeds.
struct Estimate {
    double mean = 0;
    double deviation = 0; // of one seed's number, estimated; NaN of a single seed
    std::size_t n_seeds = 0;
};

/// There is a number.
Estimate estimate(const std::vector<double>& numbers);

/// By how much a exceeds b, seed by seed, with the interval that holds the true mean in 95 of 100
/// such experiments (Student 1908).
struct Difference {
    double mean = 0;
    double low = 0, high = 0; // NaN of a single seed

    /// Whether the seeds show a difference: the interval does not contain 0.
    bool is_clear() const { return low > 0 || high < 0; }
};

/// a[i] and b[i] belong to one seed; there is one.
Difference difference(const std::vector<double>& a, const std::vector<double>& b);

} // namespace comparison
