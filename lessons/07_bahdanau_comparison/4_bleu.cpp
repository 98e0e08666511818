#include "bahdanau_comparison.hpp"

#include <algorithm>
#include <cmath>

namespace lesson {

double bleu(const std::vector<Words>& hypotheses,
            const std::vector<std::vector<Words>>& references) {
    if (hypotheses.size() != references.size()) {
        throw std::invalid_argument("bleu: there must be references for each hypothesis, got " +
                                    std::to_string(references.size()) + " for " +
                                    std::to_string(hypotheses.size()));
    }
    for (const std::vector<Words>& translations : references) {
        if (translations.empty()) {
            throw std::invalid_argument("bleu: every sentence needs a reference, got one without");
        }
    }

    // TODO 07.4: count over the corpus, then put the counts together
    todo("07.4", hypotheses, references);
}

} // namespace lesson
