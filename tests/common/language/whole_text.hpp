#pragma once

#include "language/generation.hpp"

#include <algorithm>
#include <memory>

namespace language_tests {

/// Logits of the character after the last of a text.
inline language::Vector last_logits(const language::Model<float>& model, const language::Ids& ids) {
    autograd::Tape tape;
    const auto all = model.logits(tape, ids, 1).data();
    language::Vector last = language::Vector::from_shape({model.sizes().n_characters});
    for (std::size_t c = 0; c < last.size(); ++c) {
        last(c) = static_cast<double>(all(ids.size() - 1, c));
    }
    return last;
}

/// Reads without a cache: the whole text again for each character.
inline language::NextLogits whole_text(const language::Model<float>& model) {
    const auto ids = std::make_shared<language::Ids>();
    return [&model, ids](std::size_t id, std::size_t position) {
        ids->resize(position + 1);
        ids->at(position) = id;
        return last_logits(model, *ids);
    };
}

/// Always the most probable.
inline std::size_t greedy(const attention::Vector& logits, std::uint64_t) {
    return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) -
                                    logits.begin());
}

} // namespace language_tests
