#include "attention/masks.hpp"

#include "attention/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

template <class T>
constexpr T minus_infinity = -std::numeric_limits<T>::infinity();

template <class T>
void check_shapes(const char* function, const xt::xtensor<T, 2>& scores, const Mask& mask) {
    require_shared(function, "n_queries", Axis{"scores", scores, 0}, Axis{"mask", mask, 0});
    require_shared(function, "n_keys", Axis{"scores", scores, 1}, Axis{"mask", mask, 1});
}

template <class T, std::size_t rank>
xt::xtensor<T, rank> as_numbers(const xt::xtensor<bool, rank>& mask) {
    auto numbers = xt::xtensor<T, rank>::from_shape(mask.shape());
    std::transform(mask.begin(), mask.end(), numbers.begin(),
                   [](bool allowed) { return allowed ? T{0} : minus_infinity<T>; });
    return numbers;
}

template <class T>
xt::xtensor<T, 2> masked(const xt::xtensor<T, 2>& scores, const Mask& mask) {
    check_shapes("apply_mask", scores, mask);
    auto result = xt::xtensor<T, 2>::from_shape(scores.shape());
    std::transform(scores.begin(), scores.end(), mask.begin(), result.begin(),
                   [](T score, bool allowed) { return allowed ? score : minus_infinity<T>; });
    return result;
}

// The maximum starts at −∞ and a NaN never replaces it; a NaN that was passed over comes back
// through the sum.
template <class T>
void masked_softmax_row(const T* scores, const bool* allowed, std::size_t n, T* weights) {
    T maximum = minus_infinity<T>;
    bool nothing = true;
    for (std::size_t j = 0; j < n; ++j) {
        if (allowed[j] && scores[j] != minus_infinity<T>) {
            maximum = scores[j] > maximum ? scores[j] : maximum;
            nothing = false;
        }
    }
    if (nothing) {
        std::fill_n(weights, n, T{0});
        return;
    }
    T sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
        weights[j] = allowed[j] ? std::exp(scores[j] - maximum) : T{0};
        sum += weights[j];
    }
    for (std::size_t j = 0; j < n; ++j) {
        weights[j] = allowed[j] ? weights[j] / sum : T{0};
    }
}

template <class T>
xt::xtensor<T, 2> masked_weights(const xt::xtensor<T, 2>& scores, const Mask& mask) {
    check_shapes("masked_softmax", scores, mask);
    const std::size_t n_keys = scores.shape(1);
    auto weights = xt::xtensor<T, 2>::from_shape(scores.shape());
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const std::size_t row = i * n_keys;
        masked_softmax_row(scores.data() + row, mask.data() + row, n_keys, weights.data() + row);
    }
    return weights;
}

} // namespace

Mask causal_mask(std::size_t n) {
    return causal_mask(n, n);
}
Mask causal_mask(std::size_t n_queries, std::size_t n_keys) {
    auto mask = Mask::from_shape({n_queries, n_keys});
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            mask(i, j) = j <= i;
        }
    }
    return mask;
}

Mask3 padding_mask(const std::vector<std::size_t>& lengths, std::size_t n_keys) {
    auto mask = Mask3::from_shape({lengths.size(), 1, n_keys});
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        if (lengths[b] > n_keys) {
            throw std::invalid_argument(
                "padding_mask: lengths[" + std::to_string(b) + "] must be at most n_keys, got " +
                std::to_string(lengths[b]) + " and " + std::to_string(n_keys));
        }
        for (std::size_t j = 0; j < n_keys; ++j) {
            mask(b, 0, j) = j < lengths[b];
        }
    }
    return mask;
}

xt::xarray<bool> combine(const xt::xarray<bool>& a, const xt::xarray<bool>& b) {
    for (std::size_t last = 1; last <= std::min(a.dimension(), b.dimension()); ++last) {
        const std::size_t a_size = a.shape(a.dimension() - last);
        const std::size_t b_size = b.shape(b.dimension() - last);
        if (a_size != b_size && a_size != 1 && b_size != 1) {
            throw std::invalid_argument("combine: a and b must broadcast, got " +
                                        std::to_string(a_size) + " and " + std::to_string(b_size) +
                                        "; a is " + shape_text(a) + ", b is " + shape_text(b));
        }
    }
    return a && b;
}

template <class T>
xt::xtensor<T, 2> additive_mask(const Mask& mask) {
    return as_numbers<T>(mask);
}
template <class T>
xt::xtensor<T, 3> additive_mask(const Mask3& mask) {
    return as_numbers<T>(mask);
}
template Matrix additive_mask<double>(const Mask&);
template MatrixF additive_mask<float>(const Mask&);
template Tensor3 additive_mask<double>(const Mask3&);
template Tensor3F additive_mask<float>(const Mask3&);

Matrix apply_mask(const Matrix& scores, const Mask& mask) {
    return masked(scores, mask);
}
MatrixF apply_mask(const MatrixF& scores, const Mask& mask) {
    return masked(scores, mask);
}

Matrix masked_softmax(const Matrix& scores, const Mask& mask) {
    return masked_weights(scores, mask);
}
MatrixF masked_softmax(const MatrixF& scores, const Mask& mask) {
    return masked_weights(scores, mask);
}

} // namespace attention
