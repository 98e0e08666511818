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

    // solution 07.4 (hypotheses, references): count over the corpus, then put the counts together
    std::array<double, 4> matches{}, totals{};
    double length = 0, reference_length = 0; // words
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        const double own = static_cast<double>(hypotheses[i].size());
        double closest = static_cast<double>(references[i].front().size());
        for (const Words& reference : references[i]) {
            const double other = static_cast<double>(reference.size());
            const double nearer = std::abs(closest - own) - std::abs(other - own);
            closest = nearer > 0 || (nearer == 0 && other < closest) ? other : closest;
        }
        length += own;
        reference_length += closest;

        for (std::size_t n = 1; n <= 4; ++n) {
            std::map<Words, std::size_t> most; // how often the reference with most of them has it
            for (const Words& reference : references[i]) {
                for (const auto& [ngram, count] : count_ngrams(reference, n)) {
                    most[ngram] = std::max(most[ngram], count);
                }
            }
            for (const auto& [ngram, count] : count_ngrams(hypotheses[i], n)) {
                matches[n - 1] += static_cast<double>(std::min(count, most[ngram]));
                totals[n - 1] += static_cast<double>(count);
            }
        }
    }

    if (matches[0] == 0 || totals[3] == 0) { // no word matches, or there is no n-gram of four
        return 0;
    }
    double log_precision = 0, share = 1; // mean of ln p_n; what an order without a match counts
    for (std::size_t n = 1; n <= 4; ++n) {
        double matched = matches[n - 1];
        if (matched == 0) {
            share /= 2;
            matched = share;
        }
        log_precision += std::log(matched / totals[n - 1]) / 4;
    }
    const double penalty = length >= reference_length ? 0 : 1 - reference_length / length;
    return 100 * std::exp(penalty + log_precision);
    // end
}

} // namespace lesson
