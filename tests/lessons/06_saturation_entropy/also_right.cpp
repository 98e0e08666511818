// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/entropy.hpp"
#include "attention/scores.hpp"
#include "attention/softmax.hpp"
#include "exports.hpp"

using lesson::EntropyCurve;
using lesson::Matrix;
using lesson::Vector;
using DKs = std::vector<std::size_t>;

namespace {

/// number(p) of each row.
template <class Number>
auto of_each_row(Number number) {
    return [=](const Matrix& weights) -> Vector {
        Vector result = Vector::from_shape({weights.shape(0)});
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            result(i) = number(Vector(xt::view(weights, i, xt::all())));
        }
        return result;
    };
}

// ---- 06.1 entropy

/// Σ term(p), from the last key to the first.
template <class Term>
auto sum_of(Term term) {
    return of_each_row([=](const Vector& p) {
        long double sum = 0;
        for (std::size_t j = p.size(); j-- > 0;) {
            sum += term(p(j));
        }
        return static_cast<double>(sum);
    });
}

ALTERNATIVE(entropy, of_one_over_p,
            sum_of([](double p) { return p == 0 ? 0 : p * std::log(1 / p); }));
ALTERNATIVE(entropy, one_hot_rows_give_negative_zero,
            sum_of([](double p) { return p > 0 && p < 1 ? -p * std::log(p) : -0.0; }));
ALTERNATIVE(entropy, of_powers, // 0^0 is 1
            sum_of([](double p) { return -std::log(std::pow(p, p)); }));
ALTERNATIVE(entropy, by_where, [](const Matrix& weights) -> Vector {
    const Matrix safe = xt::where(weights > 0.0, weights, 1.0);
    const Matrix terms = weights * xt::log(safe);
    return -xt::sum(terms, {1});
});

// ---- 06.2 gradient_gain

ALTERNATIVE(gradient_gain, of_the_library,
            [](const Matrix& weights) -> Vector { return attention::gradient_gain(weights); });

ALTERNATIVE(gradient_gain, squared_matrices, of_each_row([](const Vector& p) {
                const Matrix J = attention::softmax_jacobian(p);
                Matrix power = J;
                for (int k = 0; k < 12; ++k) { // power is J to the 2^k, apart from a factor
                    power = attention::raw_scores(power, power); // it is symmetric
                    const double largest = xt::amax(xt::abs(power))();
                    if (largest == 0) {
                        return 0.0;
                    }
                    power /= largest;
                }
                // A nonzero column of it is parallel to the gradient that gets through best.
                std::size_t column = 0;
                for (std::size_t j = 0; j < p.size(); ++j) {
                    column = power(j, j) > power(column, column) ? j : column;
                }
                const Vector g = xt::view(power, xt::all(), column);
                const Vector Jg = xt::sum(J * g, {1});
                return xt::sum(g * Jg)() / xt::sum(g * g)();
            }));

// ---- 06.3 entropy_sweep

double mean_entropy(const Matrix& scores) {
    return xt::mean(attention::entropy(attention::softmax_rows(scores)))();
}

ALTERNATIVE(entropy_sweep, scores_that_grow_by_a_component,
            [](const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) -> EntropyCurve {
                lesson::require_sweep(Q, K, d_ks);
                EntropyCurve curve{d_ks, xt::zeros<double>({d_ks.size()})};
                Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
                for (std::size_t c = 0; c < Q.shape(1); ++c) {
                    const Matrix q = xt::view(Q, xt::all(), xt::range(c, c + 1));
                    const Vector k = xt::view(K, xt::all(), c);
                    scores += q * k;
                    for (std::size_t i = 0; i < d_ks.size(); ++i) {
                        if (d_ks[i] == c + 1) {
                            const double root = scaled ? std::sqrt(static_cast<double>(c + 1)) : 1;
                            curve.entropies(i) = mean_entropy(scores / root);
                        }
                    }
                }
                return curve;
            });

// ---- 06.4 predicted_entropy

void require_sense(std::size_t n_keys, double variance) {
    if (n_keys < 1 || std::isnan(variance) || variance < 0) {
        throw std::invalid_argument("no prediction for " + std::to_string(n_keys) + " keys and " +
                                    std::to_string(variance));
    }
}

ALTERNATIVE(predicted_entropy, two_cases, [](std::size_t n_keys, double variance) -> double {
    require_sense(n_keys, variance);
    const double ln_n = std::log(n_keys);
    return variance < 2 * ln_n ? ln_n - 0.5 * variance : 0;
});
// ---- 06.5 dk_at_collapse

void require_curve(const EntropyCurve& curve) {
    if (curve.d_ks.empty() || curve.d_ks.size() != curve.entropies.size()) {
        throw std::invalid_argument("a curve of " + std::to_string(curve.d_ks.size()) + " and " +
                                    std::to_string(curve.entropies.size()));
    }
}

ALTERNATIVE(dk_at_collapse, by_find_if, [](const EntropyCurve& curve) -> std::size_t {
    require_curve(curve);
    const auto found = std::find_if(curve.entropies.begin(), curve.entropies.end(),
                                    [&](double h) { return 2 * h <= curve.entropies(0); });
    const auto index = static_cast<std::size_t>(found - curve.entropies.begin());
    return index < curve.d_ks.size() ? curve.d_ks[index] : 0;
});
ALTERNATIVE(dk_at_collapse, from_the_last_to_the_first,
            [](const EntropyCurve& curve) -> std::size_t {
                require_curve(curve);
                std::size_t found = 0;
                for (std::size_t i = curve.d_ks.size(); i-- > 0;) {
                    found = curve.entropies(i) <= 0.5 * curve.entropies(0) ? curve.d_ks[i] : found;
                }
                return found;
            });
} // namespace
