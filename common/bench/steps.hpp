#pragma once

// The ideas of lesson 10.4 one after the other, each of them a correct streaming attention in
// floats, so that ./course bench --mine can show what each gains.

#include <functional>
#include <string>
#include <vector>

#include "attention/tensor.hpp"

namespace bench {

/// softmax(Q Kᵀ / √d_k) V of one head.
///   Q (n_queries, d_k)   K (n_keys, d_k)   V (n_keys, d_v)   threads: at most this many
///   returns the output (n_queries, d_v)
using Attend =
    std::function<attention::MatrixF(const attention::MatrixF& Q, const attention::MatrixF& K,
                                     const attention::MatrixF& V, std::size_t threads)>;

struct Step {
    std::string name;
    Attend compute;
    bool on_threads; // else it is meant for one
};

/// From 10.2 in floats on; each adds an idea to the one before it.
std::vector<Step> steps();

} // namespace bench
