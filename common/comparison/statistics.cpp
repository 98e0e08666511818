#include "comparison/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace comparison {
namespace {

// Student's t, 97.5 %, for 1, 2, … degrees of freedom; for more than these, a little too much.
constexpr std::array t_975{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
                           2.228,  2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101,
                           2.093,  2.086, 2.080, 2.074, 2.069, 2.064, 2.060};

} // namespace

Estimate estimate(const std::vector<double>& numbers) {
    Estimate result;
    result.n_seeds = numbers.size();
    const double n = static_cast<double>(numbers.size());
    for (const double x : numbers) {
        result.mean += x / n;
    }
    double squares = 0;
    for (const double x : numbers) {
        squares += (x - result.mean) * (x - result.mean);
    }
    result.deviation = numbers.size() > 1 ? std::sqrt(squares / (n - 1))
                                          : std::numeric_limits<double>::quiet_NaN();
    return result;
}

Difference difference(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i) {
        differences.push_back(a[i] - b[i]);
    }
    const Estimate all = estimate(differences);
    const std::size_t freedom = std::max<std::size_t>(all.n_seeds, 2) - 1;
    const double half = t_975[std::min(freedom, t_975.size()) - 1] * all.deviation /
                        std::sqrt(static_cast<double>(all.n_seeds));
    return {all.mean, all.mean - half, all.mean + half};
}

} // namespace comparison
