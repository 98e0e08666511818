// A wrong version of 11.3 whose cut to top_k does not ask for 0, and those of 11.4 that compute
// with whole numbers throughout.

#include <cstdlib>

#include "wrong_sample.hpp"

namespace misconceptions_guards {

using namespace wrong;

namespace {

// ---- 11.3

SAMPLE_MISCONCEPTION(top_k_zero_keeps_none,
                     "top_k = 0 leaves no token, and the first of none is asked for: top_k < n "
                     "holds for 0, too. It says that nothing is cut: ask whether top_k > 0.",
                     [](const Vector& logits, double temperature, std::size_t top_k, double top_p,
                        const Seeds& seeds) {
                         lesson::require_sampling(logits, temperature, top_p);
                         if (top_k == 0 && temperature > 0) {
                             std::abort(); // as an assertion of the library does
                         }
                         return Sampler{}(logits, temperature, top_k, top_p, seeds);
                     });

// ---- 11.4

constexpr const char* whole_throughout =
    "the sum is kept in an int, as by std::accumulate(…, 0), and divided by size() in whole "
    "numbers. Begin with 0.0, so that both are doubles.";

/// The mean surprise as std::accumulate(…, 0) and size() give it.
double whole_mean(const Vector& logs) {
    double total = 0;
    for (const double log : logs) {
        total = std::trunc(total + log);
    }
    return std::trunc(-total / static_cast<double>(logs.size()));
}

MISCONCEPTION(perplexity, whole_throughout, whole_throughout, [](const Vector& logs) {
    lesson::require_any("perplexity", logs);
    return std::exp(whole_mean(logs));
});
MISCONCEPTION(bits_per_character, whole_throughout, whole_throughout, [](const Vector& logs) {
    lesson::require_any("bits_per_character", logs);
    return whole_mean(logs) / std::log(2.0);
});

} // namespace

} // namespace misconceptions_guards
