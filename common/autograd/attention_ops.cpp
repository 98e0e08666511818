#include "autograd/check.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

#include <algorithm>
#include <array>

namespace autograd {
namespace {

template <class T>
void require_scores(const char* function, const BasicValue<T>& states, const BasicValue<T>& keys) {
    require_rank(function, "states", states, 2);
    require_rank(function, "keys", keys, 3);
    require_shared(function, "batch", "states", states, 0, "keys", keys, 0);
    require_shared(function, "d", "states", states, 1, "keys", keys, 2);
}

} // namespace

template <class T>
BasicValue<T> masked_softmax(const BasicValue<T>& scores, const std::vector<std::size_t>& lengths) {
    require_rank("masked_softmax", "scores", scores, 2);
    const std::size_t batch = scores.shape(0), n_keys = scores.shape(1);
    require_count("masked_softmax", "lengths", "batch", lengths.size(), batch, "scores", scores);
    Array<T> weights = scores.data();
    for (std::size_t b = 0; b < batch; ++b) {
        if (lengths[b] == 0 || lengths[b] > n_keys) {
            throw std::invalid_argument("masked_softmax: lengths must be 1 to n_keys, got " +
                                        std::to_string(lengths[b]) + "; scores is " +
                                        attention::shape_text(scores.data()));
        }
        T* row = weights.data() + b * n_keys;
        kernels::softmax(row, lengths[b]);
        std::fill(row + lengths[b], row + n_keys, T(0));
    }
    return scores.tape().record(std::move(weights), scores.needs_gradient(),
                                [scores, lengths, n_keys](const Array<T>& dw, const Array<T>& w) {
                                    T* ds = scores.gradient_accumulator().data();
                                    for (std::size_t b = 0; b < lengths.size(); ++b) {
                                        const T* p = w.data() + b * n_keys;
                                        const T* dp = dw.data() + b * n_keys;
                                        const T mean = kernels::dot(p, dp, lengths[b]);
                                        for (std::size_t j = 0; j < lengths[b]; ++j) {
                                            ds[b * n_keys + j] += p[j] * (dp[j] - mean);
                                        }
                                    }
                                });
}

template <class T>
BasicValue<T> weighted_sum(const BasicValue<T>& weights, const BasicValue<T>& values) {
    require_rank("weighted_sum", "weights", weights, 2);
    require_rank("weighted_sum", "values", values, 3);
    require_shared("weighted_sum", "batch", "weights", weights, 0, "values", values, 0);
    require_shared("weighted_sum", "n_keys", "weights", weights, 1, "values", values, 1);
    const std::size_t batch = values.shape(0), n_keys = values.shape(1), d = values.shape(2);
    Array<T> y(Shape{batch, d}, T(0));
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            kernels::add(weights.data().data()[b * n_keys + j],
                         values.data().data() + (b * n_keys + j) * d, y.data() + b * d, d);
        }
    }
    return weights.tape().record(
        std::move(y), weights.needs_gradient() || values.needs_gradient(),
        [weights, values, batch, n_keys, d](const Array<T>& dy, const Array<T>&) {
            T* d_weights =
                weights.needs_gradient() ? weights.gradient_accumulator().data() : nullptr;
            T* d_values = values.needs_gradient() ? values.gradient_accumulator().data() : nullptr;
            for (std::size_t row = 0; row < batch * n_keys; ++row) {
                const T* up = dy.data() + row / n_keys * d;
                if (d_weights != nullptr) {
                    d_weights[row] += kernels::dot(up, values.data().data() + row * d, d);
                }
                if (d_values != nullptr) {
                    kernels::add(weights.data().data()[row], up, d_values + row * d, d);
                }
            }
        });
}

template <class T>
BasicValue<T> additive_scores(const BasicValue<T>& states, const BasicValue<T>& keys,
                              const BasicValue<T>& v) {
    require_scores("additive_scores", states, keys);
    require_rank("additive_scores", "v", v, 1);
    require_shared("additive_scores", "d", "keys", keys, 2, "v", v, 0);
    const std::size_t batch = keys.shape(0), n_keys = keys.shape(1), d = keys.shape(2);
    Array<T> scores = Array<T>::from_shape({batch, n_keys});
    for (std::size_t b = 0; b < batch; ++b) {
        kernels::additive_scores(states.data().data() + b * d, keys.data().data() + b * n_keys * d,
                                 v.data().data(), n_keys, d, scores.data() + b * n_keys);
    }
    return states.tape().record(
        std::move(scores), states.needs_gradient() || keys.needs_gradient() || v.needs_gradient(),
        [states, keys, v, batch, n_keys, d](const Array<T>& de, const Array<T>&) {
            // One pass makes all three gradients; those that nobody needs go to spare arrays.
            std::array<Array<T>, 3> spare;
            const auto gradient = [&spare](const BasicValue<T>& value, std::size_t i) {
                if (value.needs_gradient()) {
                    return value.gradient_accumulator().data();
                }
                spare[i] = Array<T>::from_shape(shape_of(value.data()));
                return spare[i].data();
            };
            T* dv = gradient(v, 0);
            T* dq = gradient(states, 1);
            T* dk = gradient(keys, 2);
            for (std::size_t b = 0; b < batch; ++b) {
                kernels::additive_scores_backward(states.data().data() + b * d,
                                                  keys.data().data() + b * n_keys * d,
                                                  v.data().data(), de.data() + b * n_keys, n_keys,
                                                  d, dq + b * d, dk + b * n_keys * d, dv);
            }
        });
}

template <class T>
BasicValue<T> dot_scores(const BasicValue<T>& states, const BasicValue<T>& keys, T factor) {
    require_scores("dot_scores", states, keys);
    const std::size_t batch = keys.shape(0), n_keys = keys.shape(1), d = keys.shape(2);
    Array<T> scores = Array<T>::from_shape({batch, n_keys});
    for (std::size_t row = 0; row < batch * n_keys; ++row) {
        scores.data()[row] = factor * kernels::dot(states.data().data() + row / n_keys * d,
                                                   keys.data().data() + row * d, d);
    }
    return states.tape().record(
        std::move(scores), states.needs_gradient() || keys.needs_gradient(),
        [states, keys, factor, batch, n_keys, d](const Array<T>& de, const Array<T>&) {
            T* dq = states.needs_gradient() ? states.gradient_accumulator().data() : nullptr;
            T* dk = keys.needs_gradient() ? keys.gradient_accumulator().data() : nullptr;
            for (std::size_t row = 0; row < batch * n_keys; ++row) {
                const std::size_t state = row / n_keys * d;
                const T e = factor * de.data()[row];
                if (dq != nullptr) {
                    kernels::add(e, keys.data().data() + row * d, dq + state, d);
                }
                if (dk != nullptr) {
                    kernels::add(e, states.data().data() + state, dk + row * d, d);
                }
            }
        });
}

#define AUTOGRAD_ATTENTION(T)                                                                      \
    template BasicValue<T> masked_softmax(const BasicValue<T>&, const std::vector<std::size_t>&);  \
    template BasicValue<T> weighted_sum(const BasicValue<T>&, const BasicValue<T>&);               \
    template BasicValue<T> additive_scores(const BasicValue<T>&, const BasicValue<T>&,             \
                                           const BasicValue<T>&);                                  \
    template BasicValue<T> dot_scores(const BasicValue<T>&, const BasicValue<T>&, T);
AUTOGRAD_ATTENTION(float)
AUTOGRAD_ATTENTION(double)
#undef AUTOGRAD_ATTENTION

} // namespace autograd
