#include "language_model.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "attention/softmax.hpp" // attention::softmax, from lesson 03

namespace lesson {

std::size_t sample(const Vector& logits, double temperature, std::size_t top_k, double top_p,
                   std::uint64_t seed) {
    require_sampling(logits, temperature, top_p);

    // solution 11.3 (logits, temperature, top_k, top_p, seed): sort, cut twice, draw
    std::vector<std::size_t> order(logits.size()); // the most probable token first
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return logits(a) > logits(b); });
    if (temperature == 0) {
        return order.front();
    }
    if (top_k > 0 && top_k < order.size()) {
        order.resize(top_k);
    }

    // probabilities of what is left, which sum to 1
    Vector left = Vector::from_shape({order.size()});
    for (std::size_t i = 0; i < order.size(); ++i) {
        left(i) = (logits(order[i]) - logits(order[0])) / temperature; // at most 0
    }
    const Vector probabilities = attention::softmax(left);
    if (top_p < 1) {
        std::size_t n_kept = 1;
        for (double sum = probabilities(0); sum < top_p && n_kept < order.size(); ++n_kept) {
            sum += probabilities(n_kept);
        }
        order.resize(n_kept);
    }

    // the distribution divides by the sum itself
    const auto end = probabilities.begin() + static_cast<std::ptrdiff_t>(order.size());
    std::discrete_distribution<std::size_t> distribution(probabilities.begin(), end);
    std::mt19937_64 engine(seed);
    return order[distribution(engine)];
    // end
}

} // namespace lesson
