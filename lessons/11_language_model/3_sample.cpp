#include "language_model.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "attention/softmax.hpp" // attention::softmax, from lesson 03

namespace lesson {

std::size_t sample(const Vector& logits, double temperature, std::size_t top_k, double top_p,
                   std::uint64_t seed) {
    require_sampling(logits, temperature, top_p);

    // TODO 11.3: sort, cut twice, draw
    todo("11.3", logits, temperature, top_k, top_p, seed);
}

} // namespace lesson
