// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <xtensor-blas/xlinalg.hpp>

#include "attention/attention.hpp"
#include "attention/scores.hpp"
#include "exports.hpp"
#include "support/oracle_attention.hpp"

using lesson::ByHand;
using lesson::Matrix;

namespace {

[[noreturn]] void refuse(const Matrix& A, const Matrix& B) {
    throw std::invalid_argument(lesson::shape_text(A) + " and " + lesson::shape_text(B) +
                                " do not fit");
}

// ---- 04.1 aggregate

Matrix in_loops(const Matrix& weights, const Matrix& V) {
    if (weights.shape(1) != V.shape(0)) {
        refuse(weights, V);
    }
    return oracle::matmul(weights, V);
}

ALTERNATIVE(aggregate, in_long_double, in_loops);
ALTERNATIVE(aggregate, by_xtensor_blas, [](const Matrix& weights, const Matrix& V) -> Matrix {
    if (weights.shape(1) != V.shape(0)) {
        refuse(weights, V);
    }
    return xt::linalg::dot(weights, V);
});

ALTERNATIVE(aggregate, divided_by_the_sum_of_the_weights,
            [](const Matrix& weights, const Matrix& V) -> Matrix {
                const Matrix sums = xt::sum(weights, {1}, xt::keep_dims);
                return in_loops(weights, V) / sums;
            });

// ---- 04.2 attention_weights

Matrix weigh(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1) || Q.shape(1) == 0) {
        refuse(Q, K);
    }
    return oracle::attention_weights(Q, K);
}

ALTERNATIVE(attention_weights, in_long_double, weigh);
ALTERNATIVE(attention_weights, of_the_library, [](const Matrix& Q, const Matrix& K) -> Matrix {
    return attention::attention_weights(Q, K);
});

ALTERNATIVE(attention_weights, by_the_logarithm_of_the_sum,
            [](const Matrix& Q, const Matrix& K) -> Matrix {
                Matrix weights = attention::scaled_scores(Q, K);
                for (std::size_t i = 0; i < weights.shape(0); ++i) {
                    double maximum = weights(i, 0);
                    double sum = 1;
                    for (std::size_t j = 1; j < weights.shape(1); ++j) {
                        const double before = maximum;
                        maximum = std::max(maximum, weights(i, j));
                        sum = sum * std::exp(before - maximum) + std::exp(weights(i, j) - maximum);
                    }
                    xt::view(weights, i) = xt::exp(xt::view(weights, i) - maximum - std::log(sum));
                }
                return weights;
            });

// ---- 04.3 self_attention

void require_values(const Matrix& K, const Matrix& V) {
    if (K.shape(0) != V.shape(0)) {
        refuse(K, V);
    }
}

ALTERNATIVE(self_attention, in_loops,
            [](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                require_values(K, V);
                return in_loops(weigh(Q, K), V);
            });
ALTERNATIVE(self_attention, of_the_library,
            [](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                return attention::attention(Q, K, V).output;
            });

// ---- 04.4 by_hand

/// The sheet with every number rounded as `round` does it.
template <class Round>
ByHand sheet(Round round) {
    const Matrix Q{{1, 0}, {0, 1}, {1, 1}};
    const Matrix K{{1, 0}, {0, 1}, {0.5, 0.5}};
    ByHand result;
    result.raw_scores = in_loops(Q, Matrix(xt::transpose(K)));
    result.scaled_scores = result.raw_scores / std::sqrt(2.0);
    result.weights = weigh(Q, K);
    result.output = in_loops(result.weights, K);
    for (Matrix* step :
         {&result.raw_scores, &result.scaled_scores, &result.weights, &result.output}) {
        for (double& cell : *step) {
            cell = round(cell);
        }
    }
    result.most_uniform = 3;
    result.most_focused = {2, 1};
    return result;
}

ALTERNATIVE(by_hand, exact, [] { return sheet([](double cell) { return cell; }); });
ALTERNATIVE(by_hand, cut_after_three_decimals,
            [] { return sheet([](double cell) { return std::floor(cell * 1000) / 1000; }); });

// ---- 04.5 cost

ALTERNATIVE(attention_flops, multiplied_out,
            [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {
                const auto size = static_cast<double>(n);
                return 2 * size * size * static_cast<double>(d_k) +
                       2 * size * size * static_cast<double>(d_v);
            });
ALTERNATIVE(attention_bytes, matrix_by_matrix,
            [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {
                const auto bytes = [](std::size_t rows, std::size_t columns) {
                    return 8.0 * static_cast<double>(rows) * static_cast<double>(columns);
                };
                return bytes(n, d_k) + bytes(n, d_k) + bytes(n, d_v) + bytes(n, n) + bytes(n, d_v);
            });

} // namespace
