#pragma once

// Lesson 05, causal masking: what its exercises promise.
//
//   batch      sequences side by side, which never look at each other
//   n_queries  number of queries              d_k  components of a query and of a key
//   n_keys     number of keys                 d_v  components of a value
//
// Every size is at least 1, unless a function says that it throws.
//
// All inputs are finite, those at blocked places too, and so are the scores made of them: a weight
// of 0 removes any finite value, but not a NaN or an infinity, since 0 · NaN is NaN.
//
// Precision: a weight is right to about twelve digits, and an output to twelve digits of the
// largest value that goes into it. Sums in float have only seven. What is copied is the same to the
// last bit, but 0 and -0 count as one.

#include <optional>
#include <stdexcept>

#include "attention/shapes.hpp" // require_shared
#include "attention/tensor.hpp" // Matrix, Tensor3, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::shape_text;
using attention::Tensor3;

/// Who may see whom: true where query i may attend to key j, false where that is blocked.
using Mask = xt::xtensor<bool, 2>; // (n_queries, n_keys)

/// 05.1  Each position sees itself and those before it.
///   returns (n, n): true at and below the diagonal, false above
Mask causal_mask(std::size_t n);

/// 05.2  The scores with −∞ in place of every blocked one; the others stay as they are, to the last
/// bit but for the sign of a 0.
///   scores, mask (n_queries, n_keys)   returns (n_queries, n_keys)
/// Throws std::invalid_argument, with both shapes in its text, if they differ.
Matrix apply_mask(const Matrix& scores, const Mask& mask);

/// 05.3  softmax of every row over what it may attend to.
///   scores, mask (n_queries, n_keys)
///   returns weights (n_queries, n_keys): exactly 0 where blocked; a row with anything to attend to
///   sums to 1, and a row in which everything is blocked is 0 throughout
/// Right for any finite scores: a blocked one has no influence, however large it is.
/// Throws std::invalid_argument, with both shapes in its text, if they differ.
Matrix masked_softmax(const Matrix& scores, const Mask& mask);

/// 05.4  The mask as numbers to add to the scores: 0 where allowed, −∞ where blocked.
///   mask (n_queries, n_keys)   returns (n_queries, n_keys)
Matrix additive_mask(const Mask& mask);

/// What attention returns.
struct Attention {
    Tensor3 output;  // (batch, n_queries, d_v)
    Tensor3 weights; // (batch, n_queries, n_keys)
};

/// 05.5  softmax(Q Kᵀ / √d_k) V under a mask, for every sequence of a batch by itself
/// (Vaswani et al. 2017, §3.2.1).
///   Q (batch, n_queries, d_k)   K (batch, n_keys, d_k)   V (batch, n_keys, d_v)
///   mask: none, and nothing is blocked; or of rank 2 or 3 and broadcastable to (batch, n_queries,
///         n_keys): (n_queries, n_keys), (1, n_queries, n_keys), (batch, 1, n_keys), …
///   A row of weights is as in 05.3. One in which everything is blocked gives an output of zeros.
///   What a query may not see changes nothing about its weights and its output, not one bit.
/// Throws std::invalid_argument if two of the arguments do not fit, or if d_k is 0. Its text has
/// both shapes: for a d_k of 0 those of Q and K, for a mask its own and (batch, n_queries, n_keys).
Attention scaled_dot_product_attention(const Tensor3& Q, const Tensor3& K, const Tensor3& V,
                                       const std::optional<xt::xarray<bool>>& mask = std::nullopt);

// ---- Already written, for you to use.

/// Whether query i of sequence b may attend to its key j, by a mask such as 05.5 takes. It does the
/// broadcasting: an axis of size 1 holds for every index, and a mask of rank 2 for every b. Without
/// a mask the answer is yes.
inline bool attends(const std::optional<xt::xarray<bool>>& mask, std::size_t b, std::size_t i,
                    std::size_t j) {
    if (!mask) {
        return true;
    }
    const auto along = [&](std::size_t axis, std::size_t index) {
        return mask->shape(axis) == 1 ? 0 : index;
    };
    if (mask->dimension() == 2) {
        return (*mask)(along(0, i), along(1, j));
    }
    return (*mask)(along(0, b), along(1, i), along(2, j));
}

/// The check of 05.2 and 05.3.
inline void require_same_shape(const char* function, const Matrix& scores, const Mask& mask) {
    if (scores.shape() != mask.shape()) {
        throw std::invalid_argument(std::string(function) +
                                    ": one bool for each score; scores is " + shape_text(scores) +
                                    ", mask is " + shape_text(mask));
    }
}

/// The check of 05.5.
inline void require_fit(const Tensor3& Q, const Tensor3& K, const Tensor3& V,
                        const std::optional<xt::xarray<bool>>& mask) {
    using attention::Axis;
    using attention::require_shared;
    const char* const function = "scaled_dot_product_attention";
    require_shared(function, "batch", Axis{"Q", Q, 0}, Axis{"K", K, 0});
    require_shared(function, "batch", Axis{"K", K, 0}, Axis{"V", V, 0});
    require_shared(function, "d_k", Axis{"Q", Q, 2}, Axis{"K", K, 2});
    require_shared(function, "n_keys", Axis{"K", K, 1}, Axis{"V", V, 1});
    if (Q.shape(2) == 0) {
        throw std::invalid_argument(std::string(function) + ": d_k must not be 0; Q is " +
                                    shape_text(Q) + ", K is " + shape_text(K));
    }
    if (!mask) {
        return;
    }
    const std::size_t rank = mask->dimension();
    bool fits = rank == 2 || rank == 3;
    for (std::size_t axis = 0; fits && axis < rank; ++axis) {
        const std::size_t of_weights = axis + 3 - rank; // shapes are aligned at their last axes
        const std::size_t size = of_weights == 0   ? Q.shape(0)
                                 : of_weights == 1 ? Q.shape(1)
                                                   : K.shape(1);
        fits = mask->shape(axis) == 1 || mask->shape(axis) == size;
    }
    if (!fits) {
        const std::string wanted = "(" + std::to_string(Q.shape(0)) + ", " +
                                   std::to_string(Q.shape(1)) + ", " + std::to_string(K.shape(1)) +
                                   ")";
        throw std::invalid_argument(std::string(function) +
                                    ": a mask must have rank 2 or 3 and be broadcastable to "
                                    "(batch, n_queries, n_keys); mask is " +
                                    shape_text(*mask) + ", the weights are " + wanted);
    }
}

} // namespace lesson
