#pragma once

// What the misconceptions of 11.4 are made of.

#include <algorithm>
#include <cmath>
#include <numeric>

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

inline const double ln_2 = std::log(2.0);

} // namespace wrong
