#pragma once

#include <cstddef>

namespace attention {

/// The expected entropy of softmax over the scores q·k of a query and n_keys keys, all of d_k
/// standard normal components: that of normal scores, averaged over ‖q‖² ~ χ²(d_k).
///   scaled, whether the scores are divided by √d_k
///   returns nats, to 1e-6
double expected_entropy(std::size_t n_keys, std::size_t d_k, bool scaled);

/// The back-of-an-envelope form: ln n − σ²/2 while σ² < 2 ln n, frozen at 0 beyond (Derrida 1981,
/// "Random-energy model"). True only as n → ∞: at variance 8, 64 keys have 1.93 nats and not 0.16.
///   variance σ², of normal scores: d_k, or 1 when scaled
///   returns nats
double predicted_entropy(std::size_t n_keys, double variance);

} // namespace attention
