// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/attention.hpp"
#include "exports.hpp"
#include "support/oracle_attention.hpp"

using lesson::Attention;
using lesson::Mask;
using lesson::Matrix;
using lesson::Tensor3;
using oracle::infinity;
using OptionalMask = std::optional<xt::xarray<bool>>;

namespace {

// ---- 05.1 causal_mask

ALTERNATIVE(causal_mask, filled_then_opened, [](std::size_t n) -> Mask {
    Mask mask = xt::zeros<bool>({n, n});
    for (std::size_t i = 0; i < n; ++i) {
        std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(i * n), i + 1, true);
    }
    return mask;
});
ALTERNATIVE(causal_mask, by_tril, [](std::size_t n) -> Mask {
    const xt::xtensor<int, 2> ones = xt::ones<int>({n, n});
    Mask mask = xt::zeros<bool>({n, n});
    if (n > 0) {
        mask = xt::tril(ones) > 0;
    }
    return mask;
});

// ---- 05.2 apply_mask

ALTERNATIVE(apply_mask, by_where, [](const Matrix& scores, const Mask& mask) -> Matrix {
    lesson::require_same_shape("apply_mask", scores, mask);
    return xt::where(mask, scores, -infinity);
});
ALTERNATIVE(apply_mask, with_an_iterator, [](const Matrix& scores, const Mask& mask) -> Matrix {
    if (scores.shape() != mask.shape()) {
        throw std::invalid_argument("shapes differ: " + lesson::shape_text(mask) + " " +
                                    lesson::shape_text(scores));
    }
    Matrix result = scores;
    auto allowed = mask.begin();
    for (double& score : result) {
        score = *allowed++ ? score : std::log(0.0);
    }
    return result;
});
ALTERNATIVE(apply_mask, adds_the_additive_one,
            [](const Matrix& scores, const Mask& mask) -> Matrix {
                lesson::require_same_shape("apply_mask", scores, mask);
                return scores + lesson::additive_mask(mask);
            });

// ---- 05.3 masked_softmax

/// One loop a row, with the sum in Number.
template <class Number>
Matrix in_loops(const Matrix& scores, const Mask& mask) {
    lesson::require_same_shape("masked_softmax", scores, mask);
    Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        std::vector<std::size_t> open;
        double maximum = -infinity;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (mask(i, j)) {
                open.push_back(j);
                maximum = std::max(maximum, scores(i, j));
            }
        }
        Number sum = 0;
        for (const std::size_t j : open) {
            sum += std::exp(static_cast<Number>(scores(i, j) - maximum));
        }
        for (const std::size_t j : open) {
            weights(i, j) =
                static_cast<double>(std::exp(static_cast<Number>(scores(i, j) - maximum)) / sum);
        }
    }
    return weights;
}

ALTERNATIVE(masked_softmax, only_the_open_keys, in_loops<double>);
ALTERNATIVE(masked_softmax, long_double_inside, in_loops<long double>);
ALTERNATIVE(masked_softmax, a_safe_maximum_and_a_safe_sum,
            [](const Matrix& scores, const Mask& mask) -> Matrix {
                const Matrix masked = lesson::apply_mask(scores, mask);
                const Matrix maxima = xt::amax(masked, {1}, xt::keep_dims);
                const Matrix safe = xt::where(maxima > -infinity, maxima, 0.0);
                const Matrix terms = xt::exp(masked - safe);
                const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);
                const Matrix divisors = xt::where(sums > 0.0, sums, 1.0);
                return terms / divisors;
            });
ALTERNATIVE(masked_softmax, mends_the_nans, [](const Matrix& scores, const Mask& mask) -> Matrix {
    const Matrix masked = lesson::apply_mask(scores, mask);
    const Matrix maxima = xt::amax(masked, {1}, xt::keep_dims);
    const Matrix terms = xt::exp(masked - maxima);
    const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);
    Matrix weights = terms / sums;
    for (double& weight : weights) {
        weight = std::isnan(weight) ? 0 : weight;
    }
    return weights;
});

// ---- 05.4 additive_mask

ALTERNATIVE(additive_mask, by_where,
            [](const Mask& mask) -> Matrix { return xt::where(mask, 0.0, -infinity); });
ALTERNATIVE(additive_mask, by_logarithm,
            [](const Mask& mask) -> Matrix { return xt::log(xt::cast<double>(mask)); });
ALTERNATIVE(additive_mask, allowed_is_a_negative_zero,
            [](const Mask& mask) -> Matrix { return xt::where(mask, -0.0, -infinity); });
ALTERNATIVE(additive_mask, by_division, [](const Mask& mask) -> Matrix {
    Matrix result = xt::cast<double>(mask);
    for (double& element : result) {
        element = 1 - 1 / element;
    }
    return result;
});
ALTERNATIVE(additive_mask, masks_a_matrix_of_zeros, [](const Mask& mask) -> Matrix {
    const Matrix zeros = xt::zeros<double>({mask.shape(0), mask.shape(1)});
    return lesson::apply_mask(zeros, mask);
});

// ---- 05.5 scaled_dot_product_attention

using Tensor = const Tensor3&;

/// Every element separately, with sums in Number.
template <class Number>
Attention element_by_element(Tensor Q, Tensor K, Tensor V, const OptionalMask& mask) {
    lesson::require_fit(Q, K, V, mask);
    const Number root = std::sqrt(static_cast<Number>(Q.shape(2)));
    Attention result{xt::zeros<double>({Q.shape(0), Q.shape(1), V.shape(2)}),
                     xt::zeros<double>({Q.shape(0), Q.shape(1), K.shape(1)})};
    for (std::size_t b = 0; b < Q.shape(0); ++b) {
        for (std::size_t i = 0; i < Q.shape(1); ++i) {
            Matrix scores = xt::zeros<double>({std::size_t{1}, K.shape(1)});
            Mask open = Mask::from_shape({1, K.shape(1)});
            for (std::size_t j = 0; j < K.shape(1); ++j) {
                Number sum = 0;
                for (std::size_t c = 0; c < Q.shape(2); ++c) {
                    sum += static_cast<Number>(Q(b, i, c)) * static_cast<Number>(K(b, j, c));
                }
                scores(0, j) = static_cast<double>(sum / root);
                open(0, j) = lesson::attends(mask, b, i, j);
            }
            const Matrix weights = in_loops<Number>(scores, open);
            for (std::size_t j = 0; j < K.shape(1); ++j) {
                result.weights(b, i, j) = weights(0, j);
                for (std::size_t c = 0; c < V.shape(2); ++c) {
                    result.output(b, i, c) += weights(0, j) * V(b, j, c);
                }
            }
        }
    }
    return result;
}

ALTERNATIVE(scaled_dot_product_attention, element_by_element, element_by_element<double>);
ALTERNATIVE(scaled_dot_product_attention, long_double_inside, element_by_element<long double>);
ALTERNATIVE(scaled_dot_product_attention, of_the_library,
            [](Tensor Q, Tensor K, Tensor V, const OptionalMask& mask) -> Attention {
                lesson::require_fit(Q, K, V, mask);
                const auto result =
                    attention::scaled_dot_product_attention(Q, K, V, {.mask = mask});
                return {result.output, result.weights};
            });
ALTERNATIVE(scaled_dot_product_attention, mask_broadcast_first,
            [](Tensor Q, Tensor K, Tensor V, const OptionalMask& mask) -> Attention {
                lesson::require_fit(Q, K, V, mask);
                const std::array<std::size_t, 3> shape{Q.shape(0), Q.shape(1), K.shape(1)};
                xt::xtensor<bool, 3> open = xt::ones<bool>(shape);
                if (mask) {
                    open = xt::broadcast(*mask, shape);
                }
                Attention result{xt::zeros<double>({Q.shape(0), Q.shape(1), V.shape(2)}),
                                 xt::zeros<double>(shape)};
                for (std::size_t b = 0; b < Q.shape(0); ++b) {
                    const Matrix Q_b = xt::view(Q, b);
                    const Matrix K_b = xt::view(K, b);
                    const Matrix V_b = xt::view(V, b);
                    const Mask mask_b = xt::view(open, b);
                    const Matrix weights =
                        lesson::masked_softmax(oracle::scaled_scores(Q_b, K_b), mask_b);
                    xt::view(result.weights, b) = weights;
                    xt::view(result.output, b) = oracle::matmul(weights, V_b);
                }
                return result;
            });

} // namespace
