#pragma once

// Corpus BLEU-4 as sacreBLEU computes it, in plain loops. It goes over the places of each
// hypothesis, not over counts: an n-gram there matches while it has come less often before than in
// the reference that has it most often.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace oracle {

using Words = std::vector<std::string>;

inline bool same_ngram(const Words& words, std::size_t first, const Words& other,
                       std::size_t second, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        if (words[first + i] != other[second + i]) {
            return false;
        }
    }
    return true;
}

/// How often the n words of `words` from `first` on occur in `other`, at places before `end`.
inline std::size_t occurrences(const Words& words, std::size_t first, std::size_t n,
                               const Words& other, std::size_t end) {
    std::size_t found = 0;
    for (std::size_t place = 0; place < end && place + n <= other.size(); ++place) {
        found += same_ngram(words, first, other, place, n) ? 1 : 0;
    }
    return found;
}

/// Of the closest reference; of two, of the shorter.
inline std::size_t closest_length(std::size_t own, const std::vector<Words>& references) {
    for (std::size_t distance = 0;; ++distance) { // first below, then above
        for (const std::size_t wanted : {own - std::min(distance, own), own + distance}) {
            for (const Words& reference : references) {
                if (reference.size() == wanted) {
                    return wanted;
                }
            }
        }
    }
}

inline double bleu(const std::vector<Words>& hypotheses,
                   const std::vector<std::vector<Words>>& references) {
    long double log_precision = 0, halves = 1;
    std::size_t length = 0, reference_length = 0;
    bool any_match = false;
    for (std::size_t s = 0; s < hypotheses.size(); ++s) {
        length += hypotheses[s].size();
        reference_length += closest_length(hypotheses[s].size(), references[s]);
    }
    for (std::size_t n = 1; n <= 4; ++n) {
        std::size_t matches = 0, total = 0;
        for (std::size_t s = 0; s < hypotheses.size(); ++s) {
            const Words& words = hypotheses[s];
            for (std::size_t place = 0; place + n <= words.size(); ++place, ++total) {
                std::size_t most = 0;
                for (const Words& reference : references[s]) {
                    most =
                        std::max(most, occurrences(words, place, n, reference, reference.size()));
                }
                matches += occurrences(words, place, n, words, place) < most ? 1 : 0;
            }
        }
        if (total == 0) {
            return 0;
        }
        any_match = any_match || matches > 0;
        halves = matches > 0 ? halves : halves / 2;
        const auto matched = matches > 0 ? static_cast<long double>(matches) : halves;
        log_precision += std::log(matched / static_cast<long double>(total)) / 4;
    }
    const long double short_by =
        1 - static_cast<long double>(reference_length) / static_cast<long double>(length);
    return any_match ? static_cast<double>(100 * std::exp(std::min(short_by, 0.0L) + log_precision))
                     : 0;
}

} // namespace oracle
