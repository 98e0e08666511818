#include "language_model.hpp"

#include <cmath>

namespace lesson {

Vector next_logits(const LanguageModel& model, std::size_t token, std::size_t position,
                   Caches& caches) {
    require_fit(model, token, position, caches);

    // TODO 11.5: the token's row, through all layers, to the logits
    todo("11.5", model, token, position, caches);
}

} // namespace lesson
