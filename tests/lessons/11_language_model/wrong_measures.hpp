#pragma once

// What the misconceptions of 11.4 are made of.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "exports.hpp"

namespace wrong {

using lesson::Vector;

inline double sum(const Vector& logs) {
    return std::accumulate(logs.begin(), logs.end(), 0.0);
}

inline double count(const Vector& logs) {
    return static_cast<double>(logs.size());
}

inline double mean(const Vector& logs) {
    return sum(logs) / count(logs);
}

template <class Term>
double mean_of(const Vector& logs, Term term) {
    double total = 0;
    for (const double log : logs) {
        total += term(log);
    }
    return total / count(logs);
}

inline double probability(double log) {
    return std::exp(log);
}

inline double product(const Vector& logs) {
    double all = 1;
    for (const double log : logs) {
        all *= std::exp(log);
    }
    return all;
}

/// What the middle one is, of the logarithms in their order.
enum class Middle { lower, upper, between };
inline double median(const Vector& logs, Middle middle) {
    std::vector<double> ordered(logs.begin(), logs.end());
    std::sort(ordered.begin(), ordered.end());
    const double lower = ordered[(ordered.size() - 1) / 2], upper = ordered[ordered.size() / 2];
    return middle == Middle::lower ? lower : middle == Middle::upper ? upper : (lower + upper) / 2;
}

/// The mean of the means of both halves, of which one may be longer, and so on.
inline double mean_of_halves(const double* first, std::size_t n) {
    return n == 1 ? *first
                  : (mean_of_halves(first, n / 2) + mean_of_halves(first + n / 2, n - n / 2)) / 2;
}

/// A mean that is moved towards each number by a fixed share, in place of 1 / n.
inline double moving_mean(const Vector& logs, double share) {
    double mean = logs(0);
    for (const double log : logs) {
        mean = (1 - share) * mean + share * log;
    }
    return mean;
}

inline const double ln_2 = std::log(2.0);

} // namespace wrong
