// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <cblas.h>

#include "attention/random.hpp"
#include "exports.hpp"

using lesson::Matrix;
using lesson::Moments;

namespace {

void require_fit(const Matrix& Q, const Matrix& K, bool components = false) {
    if (Q.shape(1) != K.shape(1) || (components && Q.shape(1) == 0)) {
        throw std::invalid_argument("Q " + lesson::shape_text(Q) + ", K " + lesson::shape_text(K));
    }
}

/// Q · Kᵀ, each sum in Number, its terms from the last to the first.
template <class Number>
Matrix product(const Matrix& Q, const Matrix& K) {
    require_fit(Q, K);
    Matrix scores = Matrix::from_shape({Q.shape(0), K.shape(0)});
    for (std::size_t j = 0; j < K.shape(0); ++j) {
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            Number sum = 0;
            for (std::size_t c = Q.shape(1); c-- > 0;) {
                sum += static_cast<Number>(Q(i, c)) * static_cast<Number>(K(j, c));
            }
            scores(i, j) = static_cast<double>(sum);
        }
    }
    return scores;
}

/// (‖q + k‖² − ‖q − k‖²) / 4.
template <class Number>
Matrix by_polarisation(const Matrix& Q, const Matrix& K) {
    require_fit(Q, K);
    Matrix scores = Matrix::from_shape({Q.shape(0), K.shape(0)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            Number of_sum = 0, of_difference = 0;
            for (std::size_t c = 0; c < Q.shape(1); ++c) {
                const Number q = static_cast<Number>(Q(i, c)), k = static_cast<Number>(K(j, c));
                of_sum += (q + k) * (q + k);
                of_difference += (q - k) * (q - k);
            }
            scores(i, j) = static_cast<double>((of_sum - of_difference) / 4);
        }
    }
    return scores;
}

// ---- 02.1 raw_scores

ALTERNATIVE(raw_scores, backwards_in_long_double, product<long double>);
ALTERNATIVE(raw_scores, by_polarisation, by_polarisation<double>);
ALTERNATIVE(raw_scores, by_cblas, [](const Matrix& Q, const Matrix& K) -> Matrix {
    require_fit(Q, K);
    Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
    const auto n = [](std::size_t size) { return static_cast<blasint>(size); };
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n(Q.shape(0)), n(K.shape(0)),
                n(Q.shape(1)), 1, Q.data(), n(Q.shape(1)), K.data(), n(K.shape(1)), 0,
                scores.data(), n(K.shape(0)));
    return scores;
});
ALTERNATIVE(raw_scores, by_broadcasting, [](const Matrix& Q, const Matrix& K) -> Matrix {
    require_fit(Q, K);
    const auto terms = xt::view(Q, xt::all(), xt::newaxis(), xt::all()) *
                       xt::view(K, xt::newaxis(), xt::all(), xt::all());
    return xt::sum(terms, {2});
});

// ---- 02.2 scaled_scores

ALTERNATIVE(scaled_scores, queries_scaled_first, [](const Matrix& Q, const Matrix& K) -> Matrix {
    require_fit(Q, K, true);
    const Matrix scaled = Q / std::sqrt(static_cast<double>(Q.shape(1)));
    return product<double>(scaled, K);
});
ALTERNATIVE(scaled_scores, both_scaled_by_the_fourth_root,
            [](const Matrix& Q, const Matrix& K) -> Matrix {
                require_fit(Q, K, true);
                const double root = std::pow(static_cast<double>(Q.shape(1)), 0.25);
                const Matrix of_Q = Q / root, of_K = K / root;
                return product<double>(of_Q, of_K);
            });
ALTERNATIVE(scaled_scores, by_a_power, [](const Matrix& Q, const Matrix& K) -> Matrix {
    require_fit(Q, K, true);
    const Matrix scores = by_polarisation<double>(Q, K);
    return scores * std::pow(static_cast<double>(Q.shape(1)), -0.5);
});

// ---- 02.3 dot_product_moments

template <class Right>
auto each_seed(Right right) {
    return [right](std::size_t d_k, std::size_t samples, const std::vector<std::uint64_t>& seeds) {
        if (d_k == 0 || samples < 2) {
            throw std::invalid_argument("nothing to draw");
        }
        return of_seeds::dot_product_moments_by(right, d_k, samples, seeds);
    };
}

#define MOMENTS_ALTERNATIVE(name, ...)                                                             \
    ALTERNATIVE_IN(of_seeds, dot_product_moments, name, each_seed(__VA_ARGS__))

MOMENTS_ALTERNATIVE(welford_on_the_other_engine,
                    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                        std::mt19937 engine(static_cast<std::mt19937::result_type>(seed));
                        std::normal_distribution<double> normal(0, 1);
                        double mean = 0, squares = 0;
                        for (std::size_t n = 1; n <= samples; ++n) {
                            double dot = 0;
                            for (std::size_t c = 0; c < d_k; ++c) {
                                dot += normal(engine) * normal(engine);
                            }
                            const double distance = dot - mean;
                            mean += distance / static_cast<double>(n);
                            squares += distance * (dot - mean);
                        }
                        return {mean, squares / static_cast<double>(samples)};
                    });
MOMENTS_ALTERNATIVE(unbiased_two_passes,
                    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                        std::mt19937_64 engine(seed);
                        std::normal_distribution<double> normal;
                        std::vector<double> dots(samples), q(d_k), k(d_k);
                        for (double& dot : dots) {
                            std::ranges::generate(q, [&] { return normal(engine); });
                            std::ranges::generate(k, [&] { return normal(engine); });
                            dot = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
                        }
                        const double n = static_cast<double>(samples);
                        const double mean = std::accumulate(dots.begin(), dots.end(), 0.0) / n;
                        double squares = 0;
                        for (const double dot : dots) {
                            squares += (dot - mean) * (dot - mean);
                        }
                        return {mean, squares / (n - 1)};
                    });
MOMENTS_ALTERNATIVE(matrices_of_the_course,
                    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                        const Matrix q = attention::standard_normal(samples, d_k, 2 * seed);
                        const Matrix k = attention::standard_normal(samples, d_k, 2 * seed + 1);
                        const Matrix products = q * k;
                        const attention::Vector dots = xt::sum(products, {1});
                        return {xt::mean(dots)(), xt::variance(dots)()};
                    });

} // namespace
