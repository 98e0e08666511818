// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <xtensor-blas/xlinalg.hpp>

#include "attention/attention.hpp"
#include "attention/scores.hpp"
#include "exports.hpp"
#include "support/contract.hpp"

using lesson::ByHand;
using lesson::Matrix;

namespace {

[[noreturn]] void refuse(const Matrix& A, const Matrix& B) {
    throw std::invalid_argument(lesson::shape_text(A) + " and " + lesson::shape_text(B) +
                                " do not fit");
}

// ---- 04.1 aggregate

/// weights · V, each sum in Number, from the last key to the first.
template <class Number>
Matrix mix(const Matrix& weights, const Matrix& V) {
    if (weights.shape(1) != V.shape(0)) {
        refuse(weights, V);
    }
    Matrix output = Matrix::from_shape({weights.shape(0), V.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t c = 0; c < V.shape(1); ++c) {
            Number sum = 0;
            for (std::size_t j = V.shape(0); j-- > 0;) {
                sum += static_cast<Number>(weights(i, j)) * static_cast<Number>(V(j, c));
            }
            output(i, c) = static_cast<double>(sum);
        }
    }
    return output;
}

/// Skips what weighs nothing, as is natural with weights that are one-hot.
Matrix mix_what_weighs(const Matrix& weights, const Matrix& V) {
    if (weights.shape(1) != V.shape(0)) {
        refuse(weights, V);
    }
    Matrix output = xt::zeros<double>({weights.shape(0), V.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < V.shape(0); ++j) {
            if (weights(i, j) != 0) {
                xt::view(output, i) += weights(i, j) * xt::view(V, j);
            }
        }
    }
    return output;
}

ALTERNATIVE(aggregate, backwards_in_long_double, mix<long double>);
ALTERNATIVE(aggregate, skips_what_weighs_nothing, mix_what_weighs);
ALTERNATIVE(aggregate, by_xtensor_blas, [](const Matrix& weights, const Matrix& V) -> Matrix {
    if (weights.shape(1) != V.shape(0)) {
        refuse(weights, V);
    }
    return xt::linalg::dot(weights, V);
});
ALTERNATIVE(aggregate, zeros_are_negative, [](const Matrix& weights, const Matrix& V) -> Matrix {
    Matrix output = mix<double>(weights, V);
    for (double& value : output) {
        value = value == 0 ? -0.0 : value;
    }
    return output;
});

ALTERNATIVE(aggregate, divided_by_the_sum_of_the_weights,
            [](const Matrix& weights, const Matrix& V) -> Matrix {
                const Matrix sums = xt::sum(weights, {1}, xt::keep_dims);
                return mix<double>(weights, V) / sums;
            });
/// Around a row of V's own width, as the weights sum to 1.
Matrix mix_around(const Matrix& base, const Matrix& weights, const Matrix& V) {
    const Matrix deviations = V - base;
    return base + mix<double>(weights, deviations);
}
ALTERNATIVE(aggregate, mean_and_deviations, [](const Matrix& weights, const Matrix& V) {
    return mix_around(xt::mean(V, {0}, xt::keep_dims), weights, V);
});
ALTERNATIVE(aggregate, first_value_and_deviations, [](const Matrix& weights, const Matrix& V) {
    return mix_around(xt::view(V, xt::range(0, 1), xt::all()), weights, V);
});

// ---- 04.2 attention_weights

/// softmax(Q Kᵀ / √d_k), computed in Number.
template <class Number>
Matrix weigh(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1) || Q.shape(1) == 0) {
        refuse(Q, K);
    }
    const Number root = std::sqrt(static_cast<Number>(Q.shape(1)));
    Matrix weights = Matrix::from_shape({Q.shape(0), K.shape(0)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        std::vector<Number> row(K.shape(0));
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            for (std::size_t c = 0; c < Q.shape(1); ++c) {
                row[j] += static_cast<Number>(Q(i, c)) / root * static_cast<Number>(K(j, c));
            }
        }
        const Number maximum = *std::max_element(row.begin(), row.end());
        Number sum = 0;
        for (Number& score : row) {
            score = std::exp(score - maximum);
            sum += score;
        }
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            weights(i, j) = static_cast<double>(row[j] / sum);
        }
    }
    return weights;
}

ALTERNATIVE(attention_weights, in_loops, weigh<double>);
ALTERNATIVE(attention_weights, long_double_inside, weigh<long double>);
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
ALTERNATIVE(attention_weights, by_differences, [](const Matrix& Q, const Matrix& K) -> Matrix {
    const Matrix scores = attention::scaled_scores(Q, K);
    Matrix weights = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < scores.shape(1); ++k) {
                sum += std::exp(scores(i, k) - scores(i, j));
            }
            weights(i, j) = 1 / sum; // 0 where that is infinite
        }
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
                return mix<double>(weigh<double>(Q, K), V);
            });
ALTERNATIVE(self_attention, of_the_library,
            [](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                return attention::attention(Q, K, V).output;
            });
ALTERNATIVE(self_attention, key_by_key_without_a_matrix_of_weights,
            [](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                if (Q.shape(1) != K.shape(1) || Q.shape(1) == 0) {
                    refuse(Q, K);
                }
                require_values(K, V);
                const double root = std::sqrt(static_cast<double>(Q.shape(1)));
                Matrix output = xt::zeros<double>({Q.shape(0), V.shape(1)});
                for (std::size_t i = 0; i < Q.shape(0); ++i) {
                    double maximum = -std::numeric_limits<double>::infinity();
                    double sum = 0;
                    auto mixed = xt::view(output, i, xt::all());
                    for (std::size_t j = 0; j < K.shape(0); ++j) {
                        double score = 0;
                        for (std::size_t c = 0; c < Q.shape(1); ++c) {
                            score += Q(i, c) * K(j, c);
                        }
                        score /= root;
                        const double before = maximum;
                        maximum = std::max(maximum, score);
                        const double shrink = std::exp(before - maximum);
                        const double weight = std::exp(score - maximum);
                        sum = sum * shrink + weight;
                        mixed = mixed * shrink + weight * xt::view(V, j, xt::all());
                    }
                    mixed /= sum;
                }
                return output;
            });

// ---- 04.4 by_hand

/// The sheet with every number rounded as `round` does it.
template <class Round>
ByHand sheet(Round round) {
    const Matrix Q{{1, 0}, {0, 1}, {1, 1}};
    const Matrix K{{1, 0}, {0, 1}, {0.5, 0.5}};
    ByHand result;
    result.raw_scores = mix<double>(Q, Matrix(xt::transpose(K)));
    result.scaled_scores = result.raw_scores / std::sqrt(2.0);
    result.weights = weigh<double>(Q, K);
    result.output = mix<double>(result.weights, K);
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
ALTERNATIVE(by_hand, six_decimals,
            [] { return sheet([](double cell) { return std::round(cell * 1e6) / 1e6; }); });

// ---- 04.5 cost

ALTERNATIVE(attention_flops, multiplied_out,
            [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {
                const auto size = static_cast<double>(n);
                return 2 * size * size * static_cast<double>(d_k) +
                       2 * size * size * static_cast<double>(d_v);
            });
ALTERNATIVE(attention_flops, by_powers,
            [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {
                return 2.0 * std::pow(static_cast<double>(n), 2) * static_cast<double>(d_k + d_v);
            });
ALTERNATIVE(attention_bytes, matrix_by_matrix,
            [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {
                const auto bytes = [](std::size_t rows, std::size_t columns) {
                    return 8.0 * static_cast<double>(rows) * static_cast<double>(columns);
                };
                return bytes(n, d_k) + bytes(n, d_k) + bytes(n, d_v) + bytes(n, n) + bytes(n, d_v);
            });
ALTERNATIVE(attention_bytes, n_taken_out,
            [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {
                const auto size = static_cast<double>(n);
                return size * (16.0 * static_cast<double>(d_k + d_v) + 8.0 * size);
            });

// ---- Solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

ALTERNATIVE(aggregate, that_relies_on_its_contract, [](const Matrix& weights, const Matrix& V) {
    auto result = lesson::aggregate(weights, V);
    contract::want_numbers(weights, V);
    contract::want_rows_of_weights(weights, "weights");
    return result;
});
ALTERNATIVE(attention_weights, that_relies_on_its_contract, [](const Matrix& Q, const Matrix& K) {
    auto result = lesson::attention_weights(Q, K);
    contract::want_numbers(Q, K);
    return result;
});
ALTERNATIVE(self_attention, that_relies_on_its_contract,
            [](const Matrix& Q, const Matrix& K, const Matrix& V) {
                auto result = lesson::self_attention(Q, K, V);
                contract::want_numbers(Q, K, V);
                return result;
            });

} // namespace
