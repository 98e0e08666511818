#include "attention/entropy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

// Folds each row: so_far = after(so_far, weight), from 0.
template <class Step>
Vector over_rows(const Matrix& weights, Step after) {
    auto result = Vector::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const double* row = weights.data() + i * weights.shape(1);
        result(i) = std::accumulate(row, row + weights.shape(1), 0.0, after);
    }
    return result;
}

double add_entropy(double sum, double p) {
    return p == 0 ? sum : sum - p * std::log(p);
}
double larger(double most, double p) {
    return most >= p || std::isnan(most) ? most : p;
}

// diag(p) − p pᵀ has the eigenvalues 0, those that several weights share, and the roots of
// Σ p_j / (λ − p_j) = 0: diag(p) less a matrix of rank 1 (Golub 1973), simplified by Σ p = 1. One
// root lies between each two neighbouring weights. The largest is between the two largest weights,
// and from p (1 − p) of the largest up to twice that (Gershgorin); the sum falls there as λ rises.
double gain_of(const double* row, std::size_t n) {
    double first = 0, second = 0, rest = 0; // the two largest weights; the sum of all but the first
    for (std::size_t j = 0; j < n; ++j) {
        const double p = row[j];
        if (std::isnan(p)) {
            return p;
        }
        rest += std::min(first, p);
        second = std::max(second, std::min(first, p));
        first = std::max(first, p);
    }
    double low = std::max(second, first * rest), high = std::min(first, 2 * first * rest);
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (!(low < middle && middle < high)) {
            return low;
        }
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const double p = row[j];
            sum += p / (middle - p);
        }
        (sum > 0 ? low : high) = middle;
    }
}

} // namespace

Vector entropy(const Matrix& weights) {
    return over_rows(weights, add_entropy);
}

Vector gradient_gain(const Matrix& weights) {
    auto result = Vector::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        result(i) = gain_of(weights.data() + i * weights.shape(1), weights.shape(1));
    }
    return result;
}

Vector largest_weight(const Matrix& weights) {
    return over_rows(weights, larger);
}

} // namespace attention
