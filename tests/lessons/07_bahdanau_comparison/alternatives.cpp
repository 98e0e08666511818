// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "attention/product.hpp"
#include "exports.hpp"
#include "plain.hpp"

using lesson::Comparison;
using lesson::Mask;
using lesson::Matrix;
using lesson::Value;
using lesson::Vector;
using lesson::Words;

namespace {

// ---- 07.1 and 07.2

void require(const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
             const Vector& v) {
    lesson::require_equal("scores", "d_s", "S", S, 1, "W_s", W_s, 0);
    lesson::require_equal("scores", "d_h", "H", H, 1, "W_h", W_h, 0);
    lesson::require_equal("scores", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
    lesson::require_equal("scores", "d_a", "W_s", W_s, 1, "v", v, 0);
}

/// Every sum in Number, the projections computed anew for every pair, from the last pair on.
template <class Number>
Matrix all_at_once(const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                   const Vector& v) {
    require(S, H, W_s, W_h, v);
    Matrix scores = Matrix::from_shape({S.shape(0), H.shape(0)});
    for (std::size_t j = H.shape(0); j-- > 0;) {
        for (std::size_t i = S.shape(0); i-- > 0;) {
            Number score = 0;
            for (std::size_t a = v.size(); a-- > 0;) {
                Number inside = 0;
                for (std::size_t c = 0; c < S.shape(1); ++c) {
                    inside += static_cast<Number>(W_s(c, a)) * static_cast<Number>(S(i, c));
                }
                for (std::size_t c = 0; c < H.shape(1); ++c) {
                    inside += static_cast<Number>(W_h(c, a)) * static_cast<Number>(H(j, c));
                }
                score += std::tanh(inside) * static_cast<Number>(v(a));
            }
            scores(i, j) = static_cast<double>(score);
        }
    }
    return scores;
}

/// Both sides broadcast to (n_queries, n_keys, d_a), in one expression.
Matrix broadcast(const Matrix& queries, const Matrix& keys, const Vector& v) {
    const xt::xtensor<double, 3> hidden =
        xt::tanh(xt::view(queries, xt::all(), xt::newaxis(), xt::all()) +
                 xt::view(keys, xt::newaxis(), xt::all(), xt::all()));
    return xt::sum(hidden * v, {2});
}

/// v · tanh(q + K) of one state after the other, by a product.
Matrix state_by_state(const Matrix& queries, const Matrix& keys, const Vector& v) {
    Matrix weights = Matrix::from_shape({v.size(), 1});
    std::copy(v.begin(), v.end(), weights.begin());
    Matrix scores = Matrix::from_shape({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        const Matrix hidden = xt::tanh(keys + xt::view(queries, i, xt::all()));
        const Matrix column = attention::matmul(hidden, weights); // (n_keys, 1)
        xt::view(scores, i, xt::all()) = xt::view(column, xt::all(), 0);
    }
    return scores;
}

/// tanh x = 2 σ(2x) − 1, which does not overflow.
Matrix by_sigmoid(const Matrix& queries, const Matrix& keys, const Vector& v) {
    Matrix scores = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t a = 0; a < v.size(); ++a) {
        for (std::size_t i = 0; i < queries.shape(0); ++i) {
            for (std::size_t j = 0; j < keys.shape(0); ++j) {
                scores(i, j) += v(a) * (2 / (1 + std::exp(-2 * (queries(i, a) + keys(j, a)))) - 1);
            }
        }
    }
    return scores;
}

template <class Scores>
auto projected_first(Scores scores) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        require(S, H, W_s, W_h, v);
        return scores(attention::matmul(S, W_s), attention::matmul(H, W_h), v);
    };
}

ALTERNATIVE(additive_scores, in_long_double, all_at_once<long double>);
ALTERNATIVE(additive_scores, broadcast, projected_first(broadcast));
ALTERNATIVE(additive_scores, state_by_state, projected_first(state_by_state));
ALTERNATIVE(additive_scores, by_sigmoid, projected_first(by_sigmoid));
ALTERNATIVE(additive_scores, side_by_side,
            // [s; h] with W_s above W_h: the concat score of Luong et al. 2015, the same sum
            [](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
                require(S, H, W_s, W_h, v);
                const Matrix W = xt::concatenate(xt::xtuple(W_s, W_h), 0);
                Matrix scores = Matrix::from_shape({S.shape(0), H.shape(0)});
                for (std::size_t i = 0; i < S.shape(0); ++i) {
                    for (std::size_t j = 0; j < H.shape(0); ++j) {
                        const Matrix s = xt::view(S, xt::range(i, i + 1));
                        const Matrix h = xt::view(H, xt::range(j, j + 1));
                        const Matrix both = xt::concatenate(xt::xtuple(s, h), 1);
                        const Matrix hidden = xt::tanh(attention::matmul(both, W));
                        scores(i, j) = std::inner_product(v.begin(), v.end(), hidden.begin(), 0.0);
                    }
                }
                return scores;
            });

template <class Number>
Matrix key_by_key(const Matrix& H, const Matrix& W_h) {
    lesson::require_equal("project_keys", "d_h", "H", H, 1, "W_h", W_h, 0);
    Matrix keys = xt::zeros<double>({H.shape(0), W_h.shape(1)});
    for (std::size_t c = 0; c < H.shape(1); ++c) {
        for (std::size_t j = 0; j < H.shape(0); ++j) {
            for (std::size_t a = 0; a < W_h.shape(1); ++a) {
                keys(j, a) = static_cast<double>(static_cast<Number>(keys(j, a)) +
                                                 static_cast<Number>(H(j, c)) *
                                                     static_cast<Number>(W_h(c, a)));
            }
        }
    }
    return keys;
}

ALTERNATIVE(project_keys, component_by_component, key_by_key<double>);
ALTERNATIVE(project_keys, in_long_double, key_by_key<long double>);
ALTERNATIVE(project_keys, by_the_transpose, [](const Matrix& H, const Matrix& W_h) -> Matrix {
    lesson::require_equal("project_keys", "d_h", "H", H, 1, "W_h", W_h, 0);
    return attention::matmul_transposed(H, Matrix(xt::transpose(W_h)));
});

template <class Scores>
auto from(Scores scores) {
    return [=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
        lesson::require_equal("scores", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("scores", "d_a", "keys", keys, 1, "W_s", W_s, 1);
        lesson::require_equal("scores", "d_a", "keys", keys, 1, "v", v, 0);
        return scores(attention::matmul(S, W_s), keys, v);
    };
}

ALTERNATIVE(additive_scores_from, broadcast, from(broadcast));
ALTERNATIVE(additive_scores_from, state_by_state, from(state_by_state));
ALTERNATIVE(additive_scores_from, by_sigmoid, from(by_sigmoid));
ALTERNATIVE(additive_scores_from, on_the_oracle, from(plain::scores_of_projected));

} // namespace
