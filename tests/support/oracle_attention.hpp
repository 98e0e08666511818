#pragma once

// The oracle, continued: masks, attention, entropy. As in oracle.hpp: plain loops in long double,
// rounded once at the end. A weight that is used further has never been rounded.

#include <optional>

#include "support/oracle.hpp"

namespace oracle {

using attention::Tensor3;

inline Mask causal_mask(std::size_t n) {
    return filled<bool>(n, n, [](std::size_t i, std::size_t j) { return j <= i; });
}

/// The scores, with −∞ where the mask blocks.
template <class T>
Matrix apply_mask(const xt::xtensor<T, 2>& scores, const Mask& mask) {
    expect_equal(scores.shape(0), mask.shape(0));
    expect_equal(scores.shape(1), mask.shape(1));
    return filled(mask.shape(0), mask.shape(1), [&](std::size_t i, std::size_t j) {
        return mask(i, j) ? double(scores(i, j)) : -infinity;
    });
}

inline Matrix additive_mask(const Mask& mask) {
    return apply_mask(Matrix(xt::zeros<double>(mask.shape())), mask);
}

template <class T>
Matrix masked_softmax(const xt::xtensor<T, 2>& scores, const Mask& mask) {
    return softmax_rows(apply_mask(scores, mask));
}

struct Attention {
    Matrix output, weights;
    Vector logsumexp; // −∞ where a query sees no key
};

/// softmax(Q Kᵀ / √d_k + added) V. Where −∞ is added, key and value are not read.
template <class T>
Attention attention_adding(const Matrix& added, const xt::xtensor<T, 2>& Q,
                           const xt::xtensor<T, 2>& K, const xt::xtensor<T, 2>& V) {
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0), d_k = Q.shape(1);
    expect_equal(K.shape(1), d_k);
    expect_equal(V.shape(0), n_keys);
    expect_equal(added.shape(0), n_queries);
    expect_equal(added.shape(1), n_keys);
    const Real root = std::sqrt(Real(d_k));
    Attention result{Matrix::from_shape({n_queries, V.shape(1)}),
                     Matrix::from_shape({n_queries, n_keys}), Vector::from_shape({n_queries})};
    for (std::size_t i = 0; i < n_queries; ++i) {
        Row scores(row_of(added, i), row_of(added, i) + n_keys), sums(V.shape(1));
        for (std::size_t j = 0; j < n_keys; ++j) {
            if (scores[j] != -infinity) {
                scores[j] += dot(row_of(Q, i), row_of(K, j), d_k) / root;
            }
        }
        const Row weights = softmax(scores);
        const auto most = std::max_element(scores.begin(), scores.end());
        const Real its_weight = weights[static_cast<std::size_t>(most - scores.begin())];
        result.logsumexp(i) =
            static_cast<double>(*most - (its_weight > 0 ? std::log(its_weight) : 0));
        for (std::size_t j = 0; j < n_keys; ++j) {
            for (std::size_t c = 0; scores[j] != -infinity && c < sums.size(); ++c) {
                sums[c] += weights[j] * Real(row_of(V, j)[c]);
            }
        }
        std::copy(weights.begin(), weights.end(), result.weights.data() + i * n_keys);
        std::copy(sums.begin(), sums.end(), result.output.data() + i * sums.size());
    }
    return result;
}

/// Under a mask or none.
template <class T>
Attention attention(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K,
                    const xt::xtensor<T, 2>& V, const std::optional<Mask>& mask = {}) {
    const Matrix nothing = xt::zeros<double>({Q.shape(0), K.shape(0)});
    return attention_adding(mask ? additive_mask(*mask) : nothing, Q, K, V);
}

inline Matrix attention_weights(const Matrix& Q, const Matrix& K) {
    return attention(Q, K, K).weights;
}

struct BatchedAttention {
    Tensor3 output, weights;
};

/// added has the weights' full shape: broadcasting is for the code under test. Where K has fewer
/// matrices than Q, each is that of a group of queries.
template <class T>
BatchedAttention scaled_dot_product_attention(const xt::xtensor<T, 3>& Q,
                                              const xt::xtensor<T, 3>& K,
                                              const xt::xtensor<T, 3>& V, const Tensor3& added) {
    const std::size_t batch = Q.shape(0), group = batch / K.shape(0);
    expect_equal(V.shape(0), K.shape(0));
    BatchedAttention result{Tensor3::from_shape({batch, Q.shape(1), V.shape(2)}),
                            Tensor3::from_shape({batch, Q.shape(1), K.shape(1)})};
    for (std::size_t b = 0; b < batch; ++b) {
        const xt::xtensor<T, 2> Q_b = xt::view(Q, b), K_b = xt::view(K, b / group);
        const xt::xtensor<T, 2> V_b = xt::view(V, b / group);
        const Attention one = attention_adding(Matrix(xt::view(added, b)), Q_b, K_b, V_b);
        xt::view(result.output, b) = one.output;
        xt::view(result.weights, b) = one.weights;
    }
    return result;
}

/// of(row) for each row.
template <class T, class Of>
Vector of_rows(const xt::xtensor<T, 2>& A, const Of& of) {
    Vector result = Vector::from_shape({A.shape(0)});
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        result(i) = static_cast<double>(of(Row(row_of(A, i), row_of(A, i) + A.shape(1))));
    }
    return result;
}

template <class T>
Vector entropy(const xt::xtensor<T, 2>& weights) {
    return of_rows(weights, [](const Row& p) {
        return sum(p.size(), [&](std::size_t j) { return p[j] == 0 ? 0 : -p[j] * std::log(p[j]); });
    });
}

/// The eigenvalue of diag(p) − p pᵀ that has `place` larger ones. Eigenvalues lie between the
/// weights: 1 = Σ p² / (p − λ) has one solution between each and the next smaller one (Golub and
/// Van Loan, Matrix Computations, §8.5.3).
inline Real softmax_eigenvalue(Row p, std::size_t place) {
    std::sort(p.rbegin(), p.rend());
    Real low = place + 1 < p.size() ? p[place + 1] : 0;
    Real high = p[place];
    while (high - low > 1e-18L * high && high > 1e-40L) {
        const Real middle = (low + high) / 2;
        const Real all =
            sum(p.size(), [&](std::size_t j) { return p[j] * p[j] / (p[j] - middle); });
        (all < 1 ? low : high) = middle;
    }
    return low;
}

inline Vector gradient_gain(const Matrix& weights) {
    return of_rows(weights, [](const Row& p) { return softmax_eigenvalue(p, 0); });
}

} // namespace oracle
