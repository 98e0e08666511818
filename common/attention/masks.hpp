#pragma once

#include "attention/tensor.hpp"

#include <vector>

namespace attention {

// What a query may see: true = attend, false = block.
using Mask = xt::xtensor<bool, 2>;  // (n_queries, n_keys)
using Mask3 = xt::xtensor<bool, 3>; // (batch, n_queries, n_keys)

/// Query i sees the keys 0…i: lower triangular, the diagonal included.
///   returns (n, n)
Mask causal_mask(std::size_t n);

/// The same with as many keys as one likes, aligned top-left: both sequences start together, so
/// with fewer queries than keys the last keys are seen by no one.
///   returns (n_queries, n_keys)
Mask causal_mask(std::size_t n_queries, std::size_t n_keys);

/// Sequences of different lengths in one batch: every query of sequence b sees its first lengths[b]
/// keys and none of the padding behind them.
///   lengths (batch)
///   returns (batch, 1, n_keys), which broadcasts over the queries
/// Throws std::invalid_argument if a length is more than n_keys.
Mask3 padding_mask(const std::vector<std::size_t>& lengths, std::size_t n_keys);

/// What both masks allow, broadcast as numpy does: shapes are aligned at their last axes, and an
/// axis that is missing or 1 is repeated.
///   returns the common shape
/// Throws std::invalid_argument if two axes differ and neither is 1.
xt::xarray<bool> combine(const xt::xarray<bool>& a, const xt::xarray<bool>& b);

/// The mask as numbers to add to scores: 0 where it allows, −∞ where it blocks. T is double or
/// float.
///   returns the mask's shape
template <class T = double>
xt::xtensor<T, 2> additive_mask(const Mask& mask);
template <class T = double>
xt::xtensor<T, 3> additive_mask(const Mask3& mask);

/// The scores where the mask allows, −∞ where it blocks. Blocked scores are replaced and not added
/// to, so a NaN or +∞ among them is gone.
///   scores (n_queries, n_keys)   mask (n_queries, n_keys)
///   returns (n_queries, n_keys)
/// Throws std::invalid_argument if scores and mask differ in n_queries or n_keys.
Matrix apply_mask(const Matrix& scores, const Mask& mask);
MatrixF apply_mask(const MatrixF& scores, const Mask& mask);

/// softmax of every row's allowed scores alone; blocked ones weigh exactly 0, and are never read.
///   scores (n_queries, n_keys)   mask (n_queries, n_keys)
///   returns weights (n_queries, n_keys); a row sums to 1, or to 0 if there is nothing to attend to
/// Nothing to attend to means that every score is blocked, or allowed but −∞: all weights are 0,
/// the choice PyTorch made in 2.5, where softmax_rows gives NaN. Otherwise an allowed −∞ weighs
/// exactly 0, and an allowed NaN or +∞ makes every allowed weight of its row NaN; other rows are
/// untouched. Throws std::invalid_argument if scores and mask differ in n_queries or n_keys.
Matrix masked_softmax(const Matrix& scores, const Mask& mask);
MatrixF masked_softmax(const MatrixF& scores, const Mask& mask);

} // namespace attention
