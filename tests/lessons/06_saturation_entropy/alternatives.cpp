// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <algorithm>
#include <cmath>
#include <latch>
#include <thread>
#include <vector>

#include "attention/entropy.hpp"
#include "attention/scores.hpp"
#include "attention/softmax.hpp"
#include "exports.hpp"
#include "plain.hpp"

using lesson::EntropyCurve;
using lesson::Matrix;
using lesson::Vector;

namespace {

// ---- 06.1 entropy

/// Σ term(p) of each row, added in Number from the last key to the first.
template <class Number, class Term>
auto of_each_row(Term term) {
    return [=](const Matrix& weights) -> Vector {
        Vector sums = Vector::from_shape({weights.shape(0)});
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            Number sum = 0;
            for (std::size_t j = weights.shape(1); j-- > 0;) {
                sum += term(static_cast<Number>(weights(i, j)));
            }
            sums(i) = static_cast<double>(sum);
        }
        return sums;
    };
}

ALTERNATIVE(entropy, of_one_over_p,
            of_each_row<double>([](double p) { return p == 0 ? 0 : p * std::log(1 / p); }));
ALTERNATIVE(entropy, in_long_double, of_each_row<long double>([](long double p) {
                return p == 0 ? 0.0L : p * std::log(1 / p);
            }));
ALTERNATIVE(entropy, one_hot_rows_give_negative_zero,
            of_each_row<double>([](double p) { return p > 0 && p < 1 ? -p * std::log(p) : -0.0; }));
ALTERNATIVE(entropy, by_where, [](const Matrix& weights) -> Vector {
    const Matrix safe = xt::where(weights > 0.0, weights, 1.0);
    const Matrix terms = weights * xt::log(safe);
    return -xt::sum(terms, {1});
});
ALTERNATIVE(entropy, a_tiny_number_added, [](const Matrix& weights) -> Vector {
    const Matrix terms = weights * xt::log(weights + 1e-300);
    return -xt::sum(terms, {1});
});

// ---- 06.3 entropy_sweep

/// The scores of all d_k grow by one component at a time, and are looked at where asked for.
EntropyCurve by_growth(const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
                       bool scaled) {
    lesson::require_sweep(Q, K, d_ks);
    EntropyCurve curve{d_ks, xt::zeros<double>({d_ks.size()})};
    Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
    for (std::size_t c = 0; c < Q.shape(1); ++c) {
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            for (std::size_t j = 0; j < K.shape(0); ++j) {
                scores(i, j) += Q(i, c) * K(j, c);
            }
        }
        for (std::size_t k = 0; k < d_ks.size(); ++k) {
            if (d_ks[k] == c + 1) {
                const double root = scaled ? std::sqrt(static_cast<double>(c + 1)) : 1.0;
                const Matrix seen = scores / root;
                curve.entropies(k) = xt::mean(attention::entropy(attention::softmax_rows(seen)))();
            }
        }
    }
    return curve;
}

ALTERNATIVE(entropy_sweep, by_growth, by_growth);
ALTERNATIVE(entropy_sweep, on_the_oracle,
            [](const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
               bool scaled) -> EntropyCurve {
                lesson::require_sweep(Q, K, d_ks);
                return plain::sweep(Q, K, d_ks, scaled);
            });
ALTERNATIVE(entropy_sweep, a_thread_a_d_k,
            [](const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
               bool scaled) -> EntropyCurve {
                lesson::require_sweep(Q, K, d_ks);
                EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
                std::latch all_started(static_cast<std::ptrdiff_t>(d_ks.size()));
                std::vector<std::thread> threads;
                for (std::size_t i = 0; i < d_ks.size(); ++i) {
                    threads.emplace_back([&, i] {
                        all_started.arrive_and_wait();
                        curve.entropies(i) = plain::sweep(Q, K, {d_ks[i]}, scaled).entropies(0);
                    });
                }
                for (std::thread& thread : threads) {
                    thread.join();
                }
                return curve;
            });
ALTERNATIVE(entropy_sweep, components_beyond_d_k_set_to_zero,
            [](const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
               bool scaled) -> EntropyCurve {
                lesson::require_sweep(Q, K, d_ks);
                EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
                for (std::size_t k = 0; k < d_ks.size(); ++k) {
                    Matrix first = Q;
                    xt::view(first, xt::all(), xt::range(d_ks[k], Q.shape(1))) = 0;
                    const double root = std::sqrt(static_cast<double>(d_ks[k]));
                    Matrix scores = attention::raw_scores(first, K);
                    if (scaled) {
                        scores /= root;
                    }
                    const Vector nats = lesson::entropy(attention::softmax_rows(scores));
                    double sum = 0;
                    for (const double h : nats) {
                        sum += h;
                    }
                    curve.entropies(k) = sum / static_cast<double>(nats.size());
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
    const double ln_n = std::log(static_cast<double>(n_keys));
    return variance < 2 * ln_n ? ln_n - 0.5 * variance : 0;
});
ALTERNATIVE(predicted_entropy, a_negative_zero_when_frozen,
            [](std::size_t n_keys, double variance) -> double {
                require_sense(n_keys, variance);
                const double left = std::log(static_cast<double>(n_keys)) - variance / 2;
                return left > 0 ? left : -0.0;
            });
ALTERNATIVE(predicted_entropy, by_fmax_in_long_double,
            [](std::size_t n_keys, double variance) -> double {
                require_sense(n_keys, variance);
                const auto n = static_cast<long double>(n_keys);
                return static_cast<double>(
                    std::fmax(std::log(n) - static_cast<long double>(variance) / 2, 0.0L));
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
ALTERNATIVE(dk_at_collapse, as_a_share_of_the_first, [](const EntropyCurve& curve) -> std::size_t {
    require_curve(curve);
    std::size_t i = 0;
    while (i < curve.d_ks.size() && curve.entropies(i) / curve.entropies(0) > 0.5) {
        ++i;
    }
    return i == curve.d_ks.size() ? 0 : curve.d_ks[i];
});

} // namespace
