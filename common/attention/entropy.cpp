#include "attention/entropy.hpp"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// Folds each row: so_far = after(so_far, weight), from 0. In double, since a float sum over many
// keys would lose digits that the weights have.
template <class T, class Step>
xt::xtensor<T, 1> over_rows(const xt::xtensor<T, 2>& weights, Step after) {
    auto result = xt::xtensor<T, 1>::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const T* row = weights.data() + i * weights.shape(1);
        double so_far = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            so_far = after(so_far, static_cast<double>(row[j]));
        }
        result(i) = static_cast<T>(so_far);
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
template <class T>
double gain_of(const T* row, std::size_t n) {
    double first = 0, second = 0, rest = 0; // the two largest weights; the sum of all but the first
    for (std::size_t j = 0; j < n; ++j) {
        const double p = static_cast<double>(row[j]);
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
            const double p = static_cast<double>(row[j]);
            sum += p / (middle - p);
        }
        (sum > 0 ? low : high) = middle;
    }
}

template <class T>
xt::xtensor<T, 1> gains(const xt::xtensor<T, 2>& weights) {
    auto result = xt::xtensor<T, 1>::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        result(i) =
            static_cast<T>(gain_of(weights.data() + i * weights.shape(1), weights.shape(1)));
    }
    return result;
}

} // namespace

Vector entropy(const Matrix& weights) {
    return over_rows(weights, add_entropy);
}
VectorF entropy(const MatrixF& weights) {
    return over_rows(weights, add_entropy);
}

Vector gradient_gain(const Matrix& weights) {
    return gains(weights);
}
VectorF gradient_gain(const MatrixF& weights) {
    return gains(weights);
}

Vector largest_weight(const Matrix& weights) {
    return over_rows(weights, larger);
}
VectorF largest_weight(const MatrixF& weights) {
    return over_rows(weights, larger);
}

} // namespace attention
