#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// What a query may see: true = attend, false = block.   (n_queries, n_keys)
using Mask = xt::xtensor<bool, 2>;

/// softmax of every row's allowed scores alone; blocked ones weigh exactly 0, and are never read.
///   scores (n_queries, n_keys)   mask (n_queries, n_keys)
///   returns weights (n_queries, n_keys); a row sums to 1, or to 0 if there is nothing to attend to
/// Nothing to attend to means that every score is blocked, or allowed but −∞: all weights are 0,
/// the choice PyTorch made in 2.5, where softmax_rows gives NaN. Otherwise an allowed −∞ weighs
/// exactly 0, and an allowed NaN or +∞ makes every allowed weight of its row NaN; other rows are
/// untouched. Throws std::invalid_argument if scores and mask differ in n_queries or n_keys.
Matrix masked_softmax(const Matrix& scores, const Mask& mask);

} // namespace attention
