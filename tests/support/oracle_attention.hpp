#pragma once

// The oracle, continued: masks, the whole mechanism, entropy. As in oracle.hpp: plain loops in long
// double, rounded once at the end, on their own from the first input on. A weight that is used
// further is therefore one that was never rounded.

#include "support/oracle.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace oracle {

using attention::Tensor3;
using Row = std::vector<long double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

inline xt::xtensor<bool, 2> causal_mask(std::size_t n) {
    xt::xtensor<bool, 2> mask = xt::zeros<bool>({n, n});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            mask(i, j) = true;
        }
    }
    return mask;
}

/// The scores, with −∞ where the mask blocks.
inline Matrix apply_mask(Matrix scores, const xt::xtensor<bool, 2>& mask) {
    for (std::size_t k = 0; k < scores.size(); ++k) {
        scores.data()[k] = mask.data()[k] ? scores.data()[k] : -infinity;
    }
    return scores;
}

/// softmax of the allowed scores; all 0 if there is nothing but blocked ones and −∞.
inline Row masked_softmax_row(const Row& scores, const std::vector<char>& allowed) {
    long double maximum = -infinity;
    bool nothing = true;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        if (allowed[j] && scores[j] != -infinity) {
            nothing = false;
            maximum = scores[j] > maximum ? scores[j] : maximum;
        }
    }
    Row weights(scores.size(), 0.0L);
    if (nothing) {
        return weights;
    }
    long double sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        if (allowed[j]) {
            weights[j] = std::exp(scores[j] - maximum);
            sum += weights[j];
        }
    }
    for (std::size_t j = 0; j < scores.size(); ++j) {
        if (allowed[j]) {
            weights[j] /= sum;
        }
    }
    return weights;
}

template <class T>
Matrix masked_softmax(const xt::xtensor<T, 2>& scores, const xt::xtensor<bool, 2>& mask) {
    expect_equal(scores.shape(0), mask.shape(0));
    expect_equal(scores.shape(1), mask.shape(1));
    Matrix weights = Matrix::from_shape({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        Row row;
        std::vector<char> allowed;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            row.push_back(static_cast<long double>(scores(i, j)));
            allowed.push_back(mask(i, j));
        }
        const Row row_weights = masked_softmax_row(row, allowed);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = static_cast<double>(row_weights[j]);
        }
    }
    return weights;
}

template <class T>
Matrix aggregate(const xt::xtensor<T, 2>& weights, const xt::xtensor<T, 2>& V) {
    return matmul(weights, V);
}

struct BatchedAttention {
    Tensor3 output, weights;
};

/// allowed and additive have the weights' full shape: broadcasting is for the code under test.
template <class T>
BatchedAttention
scaled_dot_product_attention(const xt::xtensor<T, 3>& Q, const xt::xtensor<T, 3>& K,
                             const xt::xtensor<T, 3>& V, const xt::xtensor<bool, 3>& allowed,
                             const xt::xtensor<double, 3>& additive) {
    const std::size_t batch = Q.shape(0), n_queries = Q.shape(1), d_k = Q.shape(2);
    const std::size_t n_keys = K.shape(1), d_v = V.shape(2);
    expect_equal(K.shape(0), batch);
    expect_equal(V.shape(0), batch);
    expect_equal(K.shape(2), d_k);
    expect_equal(V.shape(1), n_keys);
    for (const auto& mask_shape : {allowed.shape(), additive.shape()}) {
        expect_equal(mask_shape[0], batch);
        expect_equal(mask_shape[1], n_queries);
        expect_equal(mask_shape[2], n_keys);
    }
    BatchedAttention result{Tensor3::from_shape({batch, n_queries, d_v}),
                            Tensor3::from_shape({batch, n_queries, n_keys})};
    const long double root = std::sqrt(static_cast<long double>(d_k));
    for (std::size_t row = 0; row < batch * n_queries; ++row) {
        const std::size_t first_key = row / n_queries * n_keys;
        Row scores(n_keys), sums(d_v);
        std::vector<char> row_allowed(n_keys);
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double added = additive.data()[row * n_keys + j];
            row_allowed[j] = allowed.data()[row * n_keys + j] && added > -HUGE_VAL;
            scores[j] = dot(Q.data() + row * d_k, K.data() + (first_key + j) * d_k, d_k) / root +
                        static_cast<long double>(added);
        }
        const Row weights = masked_softmax_row(scores, row_allowed);
        for (std::size_t j = 0; j < n_keys; ++j) {
            result.weights.data()[row * n_keys + j] = static_cast<double>(weights[j]);
            const T* value = V.data() + (first_key + j) * d_v;
            const std::size_t components = row_allowed[j] ? d_v : 0;
            for (std::size_t c = 0; c < components; ++c) {
                sums[c] += weights[j] * static_cast<long double>(value[c]);
            }
        }
        for (std::size_t c = 0; c < d_v; ++c) {
            result.output.data()[row * d_v + c] = static_cast<double>(sums[c]);
        }
    }
    return result;
}

struct Attention {
    Matrix output, weights;
};

template <class T>
Attention attention(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K,
                    const xt::xtensor<T, 2>& V) {
    const auto batch_of_one = [](const xt::xtensor<T, 2>& X) -> xt::xtensor<T, 3> {
        return xt::view(X, xt::newaxis(), xt::all(), xt::all());
    };
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
    const xt::xtensor<bool, 3> allowed = xt::ones<bool>({std::size_t{1}, n_queries, n_keys});
    const Tensor3 additive = xt::zeros<double>({std::size_t{1}, n_queries, n_keys});
    const BatchedAttention result = scaled_dot_product_attention(
        batch_of_one(Q), batch_of_one(K), batch_of_one(V), allowed, additive);
    return {xt::view(result.output, 0, xt::all(), xt::all()),
            xt::view(result.weights, 0, xt::all(), xt::all())};
}

template <class T>
Matrix attention_weights(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K) {
    return attention(Q, K, K).weights;
}

/// The largest p (1 − p) of each query: where the largest element of its softmax's Jacobian is.
inline Vector largest_derivative(const Matrix& Q, const Matrix& K, bool scaled) {
    const std::size_t d_k = Q.shape(1), n_keys = K.shape(0);
    expect_equal(K.shape(1), d_k);
    const long double root = scaled ? std::sqrt(static_cast<long double>(d_k)) : 1.0L;
    Vector largest = xt::zeros<double>({Q.shape(0)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        Row scores(n_keys);
        for (std::size_t j = 0; j < n_keys; ++j) {
            scores[j] = dot(Q.data() + i * d_k, K.data() + j * d_k, d_k) / root;
        }
        for (const long double p : masked_softmax_row(scores, std::vector<char>(n_keys, 1))) {
            largest(i) = std::max(largest(i), static_cast<double>(p * (1 - p)));
        }
    }
    return largest;
}

template <class T>
Vector entropy(const xt::xtensor<T, 2>& weights) {
    Vector result = Vector::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        long double sum = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            const long double p = static_cast<long double>(weights(i, j));
            if (p != 0) {
                sum -= p * std::log(p);
            }
        }
        result(i) = static_cast<double>(sum);
    }
    return result;
}

/// The eigenvalue of diag(p) − p pᵀ that has `place` larger ones. Eigenvalues lie between the
/// weights: 1 = Σ p² / (p − λ) has one solution between each and the next smaller one (Golub and
/// Van Loan, Matrix Computations, §8.5.3).
inline long double softmax_eigenvalue(Row p, std::size_t place) {
    std::sort(p.rbegin(), p.rend());
    long double low = place + 1 < p.size() ? p[place + 1] : 0;
    long double high = p[place];
    while (high - low > 1e-18L * high && high > 1e-40L) {
        const long double middle = (low + high) / 2;
        long double sum = 0;
        for (const long double each : p) {
            sum += each * each / (each - middle);
        }
        (sum < 1 ? low : high) = middle;
    }
    return low;
}

inline Row softmax_eigenvalues(const Row& p) {
    Row eigenvalues;
    for (std::size_t place = 0; place < p.size(); ++place) {
        eigenvalues.push_back(softmax_eigenvalue(p, place));
    }
    return eigenvalues;
}

template <class T>
Vector gradient_gain(const xt::xtensor<T, 2>& weights) {
    Vector result = Vector::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        Row p;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            p.push_back(static_cast<long double>(weights(i, j)));
        }
        result(i) = static_cast<double>(softmax_eigenvalue(p, 0));
    }
    return result;
}

template <class T>
Vector largest_weight(const xt::xtensor<T, 2>& weights) {
    Vector result = Vector::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        double most = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            const double p = static_cast<double>(weights(i, j));
            most = p > most ? p : most;
        }
        result(i) = most;
    }
    return result;
}

} // namespace oracle
