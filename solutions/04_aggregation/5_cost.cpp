#include "aggregation.hpp"

namespace lesson {

double attention_flops(std::size_t n, std::size_t d_k, std::size_t d_v) {
    // solution 04.5 (n, d_k, d_v): return the operations of Q · Kᵀ and of weights · V together
    const double scores = static_cast<double>(n) * static_cast<double>(n);
    const double terms = static_cast<double>(d_k) + static_cast<double>(d_v);
    return 2 * scores * terms; // a multiplication and an addition for each term
    // end
}

double attention_bytes(std::size_t n, std::size_t d_k, std::size_t d_v) {
    // solution 04.5 (n, d_k, d_v): return the bytes of Q, K, V, the weights and the output together
    const double positions = static_cast<double>(n);
    const double queries_and_keys = 2 * positions * static_cast<double>(d_k);
    const double values_and_output = 2 * positions * static_cast<double>(d_v);
    const double weights = positions * positions;
    return 8 * (queries_and_keys + values_and_output + weights);
    // end
}

} // namespace lesson
