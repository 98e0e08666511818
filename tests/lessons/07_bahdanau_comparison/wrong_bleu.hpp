#pragma once

// What the misconceptions of 07.4 are made of: a BLEU score whose rules can be changed one by one.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "exports.hpp"

namespace wrong_bleu {

using lesson::Words;
using Corpus = std::vector<Words>;
using References = std::vector<std::vector<Words>>;
using Counts = std::map<Words, std::size_t>;

/// What is counted of a corpus; n-grams of n words at n − 1.
struct Tally {
    std::array<double, 4> matches{}, totals{};
    double length = 0, reference_length = 0; // words
};

/// How many of `count` equal n-grams match; in_references: how often each reference has them.
using Clip = std::function<double(double count, const std::vector<double>& in_references)>;
/// The length that counts; lengths: of each reference, in their order.
using Length = std::function<double(double own, const std::vector<double>& lengths)>;
using Score = std::function<double(const Tally& tally)>;
using Penalty = std::function<double(double length, double reference_length)>;

inline double largest(const std::vector<double>& numbers) {
    return *std::max_element(numbers.begin(), numbers.end());
}

inline double smallest(const std::vector<double>& numbers) {
    return *std::min_element(numbers.begin(), numbers.end());
}

inline double sum(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

inline double clipped(double count, const std::vector<double>& in_references) {
    return std::min(count, largest(in_references));
}

inline double closest(double own, std::vector<double> lengths) {
    std::sort(lengths.begin(), lengths.end());
    return *std::min_element(lengths.begin(), lengths.end(), [&](double a, double b) {
        return std::abs(a - own) < std::abs(b - own);
    });
}

inline double brevity(double length, double reference_length) {
    return length >= reference_length ? 1 : std::exp(1 - reference_length / length);
}

inline bool any_match(const Tally& tally) {
    return std::any_of(tally.matches.begin(), tally.matches.end(), [](double m) { return m > 0; });
}

inline bool all_counted(const Tally& tally, std::size_t orders = 4) {
    return tally.totals[orders - 1] > 0;
}

/// p_1 … p_orders, smoothed as sacreBLEU does.
inline std::vector<double> precisions(const Tally& tally, std::size_t orders = 4) {
    std::vector<double> found;
    double share = 1;
    for (std::size_t n = 0; n < orders; ++n) {
        share = tally.matches[n] > 0 ? share : share / 2;
        found.push_back((tally.matches[n] > 0 ? tally.matches[n] : share) / tally.totals[n]);
    }
    return found;
}

inline double geometric_mean(const std::vector<double>& numbers) {
    double product = 1;
    for (const double number : numbers) {
        product *= number;
    }
    return std::pow(product, 1 / static_cast<double>(numbers.size()));
}

inline double penalty_of(const Tally& tally) {
    return brevity(tally.length, tally.reference_length);
}

inline double right_score(const Tally& tally) {
    if (!any_match(tally) || !all_counted(tally)) {
        return 0;
    }
    return 100 * penalty_of(tally) * geometric_mean(precisions(tally));
}

inline Tally tally_of(const Corpus& hypotheses, const References& references,
                      const Clip& clip = clipped, const Length& length = closest) {
    Tally tally;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        std::vector<double> lengths;
        for (const Words& reference : references[i]) {
            lengths.push_back(static_cast<double>(reference.size()));
        }
        const auto own = static_cast<double>(hypotheses[i].size());
        tally.length += own;
        tally.reference_length += length(own, lengths);
        for (std::size_t n = 1; n <= 4; ++n) {
            for (const auto& entry : lesson::count_ngrams(hypotheses[i], n)) {
                std::vector<double> in_references;
                for (const Words& reference : references[i]) {
                    const Counts counts = lesson::count_ngrams(reference, n);
                    const auto found = counts.find(entry.first);
                    in_references.push_back(
                        found == counts.end() ? 0 : static_cast<double>(found->second));
                }
                const auto count = static_cast<double>(entry.second);
                tally.matches[n - 1] += clip(count, in_references);
                tally.totals[n - 1] += count;
            }
        }
    }
    return tally;
}

/// Checks first, as the stub does.
template <class Wrong>
inline auto checked(Wrong wrong) {
    return [=](const Corpus& hypotheses, const References& references) -> double {
        if (hypotheses.size() != references.size()) {
            throw std::invalid_argument("as many references as hypotheses");
        }
        for (const auto& translations : references) {
            if (translations.empty()) {
                throw std::invalid_argument("a sentence without a reference");
            }
        }
        return wrong(hypotheses, references);
    };
}

inline auto clipped_by(Clip clip) {
    return checked([=](const Corpus& hypotheses, const References& references) {
        return right_score(tally_of(hypotheses, references, clip));
    });
}

inline auto length_by(Length length) {
    return checked([=](const Corpus& hypotheses, const References& references) {
        return right_score(tally_of(hypotheses, references, clipped, length));
    });
}

inline auto scored_by(Score score) {
    return checked([=](const Corpus& hypotheses, const References& references) {
        return score(tally_of(hypotheses, references));
    });
}

/// What is done right where there are counts, but for the number that is made of them.
inline auto score_where_counted(Score score) {
    return scored_by([=](const Tally& tally) {
        return any_match(tally) && all_counted(tally) ? score(tally) : 0.0;
    });
}

inline auto penalised_by(Penalty penalty) {
    return score_where_counted([=](const Tally& tally) {
        return 100 * penalty(tally.length, tally.reference_length) *
               geometric_mean(precisions(tally));
    });
}

} // namespace wrong_bleu
