#include "language_model.hpp"

#include <cmath>

namespace lesson {

double perplexity(const Vector& log_probabilities) {
    require_any("perplexity", log_probabilities);

    // TODO 11.4: exp of the mean surprise
    todo("11.4", log_probabilities);
}

double bits_per_character(const Vector& log_probabilities) {
    require_any("bits_per_character", log_probabilities);

    // TODO 11.4: the mean surprise, in bits
    todo("11.4", log_probabilities);
}

} // namespace lesson
