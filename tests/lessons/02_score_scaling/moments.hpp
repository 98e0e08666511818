#pragma once

// When estimates of 02.3 are of the same quantities: a mistake is known by them.

#include <algorithm>
#include <cmath>
#include <vector>

#include "exports.hpp"

namespace of_moments {

using lesson::Moments;
using of_seeds::Estimates;

inline double mean_of(const std::vector<double>& numbers) {
    double sum = 0;
    for (const double number : numbers) {
        sum += number;
    }
    return sum / static_cast<double>(numbers.size());
}

/// The mean of the squared distances from a middle.
inline double spread_of(const std::vector<double>& numbers, double middle) {
    double sum = 0;
    for (const double number : numbers) {
        sum += (number - middle) * (number - middle);
    }
    return sum / static_cast<double>(numbers.size());
}

/// The share of variances that are less than the square of their mean: 0 where the variance is not
/// centred.
inline double below_squared_mean(const Estimates& estimates) {
    double below = 0;
    for (std::size_t i = 0; i < estimates.means.size(); ++i) {
        below += estimates.variances[i] < estimates.means[i] * estimates.means[i] ? 1 : 0;
    }
    return below / static_cast<double>(estimates.means.size());
}

/// How far two lists of numbers rise together, from -1 to 1; 0 if one of them does not vary.
inline double correlation(const std::vector<double>& x, const std::vector<double>& y) {
    const double x_mean = mean_of(x), y_mean = mean_of(y);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += (x[i] - x_mean) * (y[i] - y_mean);
    }
    const double spreads = spread_of(x, x_mean) * spread_of(y, y_mean);
    return spreads > 0 ? sum / static_cast<double>(x.size()) / std::sqrt(spreads) : 0;
}

/// Whether the variances rise alike with the means, and with their squares.
inline bool same_correlations(const Estimates& x, const Estimates& y) {
    const auto squared = [](std::vector<double> numbers) {
        for (double& number : numbers) {
            number *= number;
        }
        return numbers;
    };
    const double with_means = correlation(x.means, x.variances) - correlation(y.means, y.variances);
    const double with_squares =
        correlation(squared(x.means), x.variances) - correlation(squared(y.means), y.variances);
    return std::abs(with_means) <= 0.14 && std::abs(with_squares) <= 0.14;
}

/// Whether all seeds give one estimate.
inline bool all_equal(const Estimates& estimates) {
    const auto repeated = [](const std::vector<double>& numbers) {
        return std::ranges::all_of(numbers, [&](double x) { return x == numbers.front(); });
    };
    return repeated(estimates.means) && repeated(estimates.variances);
}

/// For one seed, by the size of the numbers: at 40,000 samples an estimated variance strays by 1.4
/// % at most (d_k = 1), and a mean by far less than the variance. The part of 0.3 leaves room for
/// the mean where the variance is close to 0.
inline bool same_statistics(const Moments& x, const Moments& y) {
    if ((x.mean == 0) != (y.mean == 0)) {
        return false; // exactly 0 is never measured
    }
    const auto whole = [](double number) { return number == std::floor(number); };
    if (x.mean == 0 && whole(x.variance) != whole(y.variance)) {
        return false; // nor is exactly d_k, beside a mean that is 0 for a reason of its own
    }
    constexpr double nothing = 1e-6;
    if (std::abs(x.variance) < nothing && std::abs(y.variance) < nothing) {
        return true; // each the mean of one repeated number
    }
    const double largest =
        std::max({std::abs(x.mean), std::abs(x.variance), std::abs(y.mean), std::abs(y.variance)});
    // With thousands of components few samples are drawn, so their estimates stray farther.
    const double allowed = (largest < 1000 ? 0.1 : 0.6) * largest + 0.3;
    return std::abs(x.mean - y.mean) <= allowed && std::abs(x.variance - y.variance) <= allowed;
}

/// The same of many seeds: they stray by a few percent.
inline bool same_estimates(const judge::Value& a, const judge::Value& b) {
    const Estimates x = judge::from_value<Estimates>(a), y = judge::from_value<Estimates>(b);
    if (x.means.size() != y.means.size() || x.means.empty()) {
        return x.means.size() == y.means.size();
    }
    if (x.means.size() == 1) {
        return same_statistics({x.means[0], x.variances[0]}, {y.means[0], y.variances[0]});
    }
    if (all_equal(x) ||
        all_equal(y)) { // then it depends on chance which estimate it is, except for exact 0
        return all_equal(x) && all_equal(y) && (x.means[0] == 0) == (y.means[0] == 0);
    }
    const auto near = [](double p, double q) {
        return std::abs(p - q) <= 0.2 * std::max(std::abs(p), std::abs(q)) + 1e-9;
    };
    const double m = mean_of(x.means), v = mean_of(x.variances), w = mean_of(y.variances);
    const double typical = std::sqrt(spread_of(x.means, m));
    return std::abs(m - mean_of(y.means)) <= 0.2 * typical + 1e-9 && near(v, w) &&
           near(spread_of(x.means, m), spread_of(y.means, m)) &&
           std::abs(below_squared_mean(x) - below_squared_mean(y)) <= 0.1 &&
           (x.means.size() < 1000 || same_correlations(x, y)) &&
           near(std::sqrt(spread_of(x.variances, v)), std::sqrt(spread_of(y.variances, w)));
}

} // namespace of_moments
