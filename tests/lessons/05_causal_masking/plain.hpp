#pragma once

// What the right answers of this lesson are, in plain loops. Of the contract it uses only the check
// that stands in the stub.

#include <cmath>
#include <functional>
#include <limits>

#include "causal_masking.hpp"
#include "support/oracle.hpp"

namespace plain {

using attention::Matrix;
using attention::Tensor3;
using attention::Vector;
using lesson::Attention;
using lesson::Mask;
using OptionalMask = std::optional<xt::xarray<bool>>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// mask(i, j) = allowed(i, j).
template <class Allowed>
Mask mask_of(std::size_t n_queries, std::size_t n_keys, Allowed allowed) {
    Mask mask = Mask::from_shape({n_queries, n_keys});
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            mask(i, j) = allowed(i, j);
        }
    }
    return mask;
}

inline Mask causal_mask(std::size_t n) {
    return mask_of(n, n, [](auto i, auto j) { return j <= i; });
}

/// The scores with `stand_in` where the mask blocks.
inline Matrix filled(const Matrix& scores, const Mask& mask, double stand_in) {
    Matrix result = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            result(i, j) = mask(i, j) ? scores(i, j) : stand_in;
        }
    }
    return result;
}

inline bool all_blocked(const Mask& mask, std::size_t i) {
    for (std::size_t j = 0; j < mask.shape(1); ++j) {
        if (mask(i, j)) {
            return false;
        }
    }
    return true;
}

/// The weights with 0 in every row that may attend to nothing.
inline Matrix blocked_rows_zeroed(Matrix weights, const Mask& mask) {
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < weights.shape(1) && all_blocked(mask, i); ++j) {
            weights(i, j) = 0;
        }
    }
    return weights;
}

inline Matrix masked_softmax(const Matrix& scores, const Mask& mask) {
    return blocked_rows_zeroed(oracle::softmax_rows(filled(scores, mask, -infinity)), mask);
}

inline Matrix slice(const Tensor3& tensor, std::size_t b) {
    Matrix matrix = Matrix::from_shape({tensor.shape(1), tensor.shape(2)});
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            matrix(i, j) = tensor(b, i, j);
        }
    }
    return matrix;
}

/// Sequence b's own part of a mask, which is stretched along its last two or three axes.
inline Mask mask_of_sequence(const OptionalMask& mask, std::size_t b, std::size_t n_queries,
                             std::size_t n_keys) {
    return mask_of(n_queries, n_keys, [&](std::size_t i, std::size_t j) {
        if (!mask) {
            return true;
        }
        const std::size_t index[] = {b, i, j};
        std::size_t offset = 0;
        for (std::size_t axis = 0; axis < mask->dimension(); ++axis) {
            const std::size_t position = index[axis + 3 - mask->dimension()];
            offset = offset * mask->shape(axis) + (mask->shape(axis) == 1 ? 0 : position);
        }
        return static_cast<bool>(mask->storage()[offset]);
    });
}

/// Attention, each of whose parts a misconception may exchange for a wrong one.
struct Mechanism {
    std::function<Matrix(const Tensor3&, std::size_t)> query = slice;
    std::function<Matrix(const Tensor3&, std::size_t)> key = slice;
    std::function<Matrix(const Tensor3&, std::size_t)> value = slice;
    std::function<Matrix(const Matrix&, const Matrix&)> compare = oracle::raw_scores<double>;
    std::function<double(const Tensor3&, const Tensor3&)> divisor = [](auto& Q, auto&) {
        return std::sqrt(static_cast<double>(Q.shape(2)));
    };
    std::function<Matrix(const Matrix&, const Mask&)> weigh = masked_softmax;
    std::function<Matrix(const Matrix&, const Matrix&)> mix = oracle::matmul<double>;
    bool first_mask = false;

    Attention operator()(const Tensor3& Q, const Tensor3& K, const Tensor3& V,
                         const OptionalMask& mask) const {
        lesson::require_fit(Q, K, V, mask);
        const std::size_t n_queries = Q.shape(1);
        const std::size_t n_keys = K.shape(1);
        Attention result{xt::zeros<double>({Q.shape(0), n_queries, V.shape(2)}),
                         xt::zeros<double>({Q.shape(0), n_queries, n_keys})};
        for (std::size_t b = 0; b < Q.shape(0); ++b) {
            const Matrix scores = compare(query(Q, b), key(K, b)) / divisor(Q, K);
            const Mask mask_b = mask_of_sequence(mask, first_mask ? 0 : b, n_queries, n_keys);
            const Matrix weights = weigh(scores, mask_b);
            xt::view(result.weights, b, xt::all(), xt::all()) = weights;
            xt::view(result.output, b, xt::all(), xt::all()) = mix(weights, value(V, b));
        }
        return result;
    }
};

} // namespace plain
