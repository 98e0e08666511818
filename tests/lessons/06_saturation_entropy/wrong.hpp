#pragma once

// What the misconceptions are made of: right in everything but the one thing that is handed in.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "exports.hpp"
#include "support/oracle_attention.hpp"

namespace wrong {

using lesson::EntropyCurve;
using lesson::Matrix;
using lesson::Vector;

using RowFunction = std::function<double(const Vector& p)>;
using Term = std::function<double(double p)>;

inline double sum_over(const Vector& row, const Term& term) {
    double sum = 0;
    for (const double p : row) {
        sum += term(p);
    }
    return sum;
}

inline double plain_entropy(const Vector& p) {
    return sum_over(p, [](double x) { return x > 0 ? -x * std::log(x) : 0; });
}

/// Of the softmax's Jacobian.
inline double trace(const Vector& p) {
    return sum_over(p, [](double x) { return x * (1 - x); });
}

inline double largest(const Vector& row) {
    double most = 0;
    for (const double p : row) {
        most = std::max(most, p);
    }
    return most;
}

inline Vector in_rows(const Matrix& weights, const RowFunction& function) {
    Vector result = Vector::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        result(i) = function(Vector(xt::view(weights, i, xt::all())));
    }
    return result;
}

inline auto in_each_row(RowFunction function) {
    return [=](const Matrix& weights) -> Vector { return in_rows(weights, function); };
}

inline Vector in_columns(const Matrix& weights, const RowFunction& function) {
    return in_rows(Matrix(xt::transpose(weights)), function);
}

inline double total(const Vector& numbers) {
    return sum_over(numbers, [](double x) { return x; });
}

inline Matrix columns(const Matrix& X, std::size_t from, std::size_t to) {
    return xt::view(X, xt::all(), xt::range(from, to));
}

inline double mean_entropy(const Matrix& scores) {
    const Vector nats = in_rows(oracle::softmax_rows(scores), plain_entropy);
    return total(nats) / static_cast<double>(nats.size());
}

inline double root_if(bool scaled, double d_k) {
    return scaled ? std::sqrt(d_k) : 1;
}

/// A sweep that computes each entropy by point(Q, K, d_k, scaled).
using Point = std::function<double(const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled)>;
inline auto sweep(Point point) {
    return [=](const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
               bool scaled) -> EntropyCurve {
        lesson::require_sweep(Q, K, d_ks);
        EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
        for (std::size_t i = 0; i < d_ks.size(); ++i) {
            curve.entropies(i) = point(Q, K, d_ks[i], scaled);
        }
        return curve;
    };
}

/// What is done right, but for the number that scores are divided by.
inline auto sweep_divided(std::function<double(const Matrix& K, double d_k, bool scaled)> divisor) {
    return sweep([=](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
        return mean_entropy(oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                            divisor(K, static_cast<double>(d_k), scaled));
    });
}

/// What is done right, but for the number that is made of the weights.
inline auto sweep_weights(std::function<double(const Matrix& weights)> number) {
    return sweep([=](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
        return number(
            oracle::softmax_rows(Matrix(oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                                        root_if(scaled, static_cast<double>(d_k)))));
    });
}

} // namespace wrong
