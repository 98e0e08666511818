#include "language_model.hpp"

#include <cmath>

namespace lesson {

double perplexity(const Vector& log_probabilities) {
    require_any("perplexity", log_probabilities);

    // solution 11.4 (log_probabilities): exp of the mean surprise
    return std::exp(-xt::mean(log_probabilities)());
    // end
}

double bits_per_character(const Vector& log_probabilities) {
    require_any("bits_per_character", log_probabilities);

    // solution 11.4 (log_probabilities): the mean surprise, in bits
    return -xt::mean(log_probabilities)() / std::log(2.0);
    // end
}

} // namespace lesson
