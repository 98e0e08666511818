// 07.4 and 07.5, written otherwise.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "exports.hpp"
#include "plain.hpp"

using lesson::Comparison;
using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;
using lesson::Words;
using plain::Corpus;
using plain::References;

namespace {

// ---- 07.4

void require(const Corpus& hypotheses, const References& references) {
    const bool some_empty = std::any_of(references.begin(), references.end(),
                                        [](const auto& some) { return some.empty(); });
    if (hypotheses.size() != references.size() || some_empty) {
        throw std::invalid_argument("a list of references is missing or empty");
    }
}

/// The n-grams of 1 … 4 words together, as texts joined by spaces: their length tells them apart.
std::map<std::string, int> texts_of(const Words& sentence, std::array<double, 4>& totals) {
    std::map<std::string, int> counts;
    for (std::size_t first = 0; first < sentence.size(); ++first) {
        std::string text;
        for (std::size_t n = 0; n < 4 && first + n < sentence.size(); ++n) {
            text += sentence[first + n] + " ";
            ++counts[text];
            ++totals[n];
        }
    }
    return counts;
}

double bleu_of_texts(const Corpus& hypotheses, const References& references) {
    require(hypotheses, references);
    std::array<double, 4> matches{}, totals{}, unused{};
    std::size_t length = 0, reference_length = 0;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        std::map<std::string, int> most;
        std::set<std::pair<std::size_t, std::size_t>> lengths; // distance, then length
        const std::size_t own = hypotheses[i].size();
        for (const Words& reference : references[i]) {
            const std::size_t other = reference.size();
            lengths.insert({std::max(own, other) - std::min(own, other), other});
            for (const auto& entry : texts_of(reference, unused)) {
                most[entry.first] = std::max(most[entry.first], entry.second);
            }
        }
        length += own;
        reference_length += lengths.begin()->second;
        for (const auto& entry : texts_of(hypotheses[i], totals)) {
            const auto spaces = std::count(entry.first.begin(), entry.first.end(), ' ');
            matches[static_cast<std::size_t>(spaces - 1)] +=
                std::min(entry.second, most[entry.first]);
        }
    }
    double score = 100, k = 1;
    for (std::size_t n = 0; n < 4; ++n) {
        if (totals[n] == 0 || matches[0] == 0) {
            return 0;
        }
        k = matches[n] == 0 ? 2 * k : k;
        score *= std::pow((matches[n] == 0 ? 1 / k : matches[n]) / totals[n], 0.25);
    }
    const double ratio = static_cast<double>(reference_length) / static_cast<double>(length);
    return score * std::min(1.0, std::exp(1 - ratio));
}

/// Each n-gram of the hypothesis takes one from the references, while there are any.
double bleu_by_taking(const Corpus& hypotheses, const References& references) {
    require(hypotheses, references);
    std::size_t length = 0, reference_length = 0;
    std::vector<double> precisions;
    bool any = false;
    int halvings = 0;
    for (std::size_t n = 1; n <= 4; ++n) {
        std::size_t matches = 0, total = 0;
        for (std::size_t i = 0; i < hypotheses.size(); ++i) {
            std::map<Words, std::size_t> left;
            for (const Words& reference : references[i]) {
                for (const auto& entry : lesson::count_ngrams(reference, n)) {
                    left[entry.first] = std::max(left[entry.first], entry.second);
                }
            }
            const Words& words = hypotheses[i];
            for (std::size_t first = 0; first + n <= words.size(); ++first, ++total) {
                const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
                std::size_t& there = left[Words(begin, begin + static_cast<std::ptrdiff_t>(n))];
                matches += there > 0 ? 1 : 0;
                there -= there > 0 ? 1 : 0;
            }
        }
        if (total == 0) {
            return 0;
        }
        any = any || matches > 0;
        precisions.push_back(matches > 0
                                 ? static_cast<double>(matches) / static_cast<double>(total)
                                 : std::ldexp(1.0, -++halvings) / static_cast<double>(total));
    }
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        length += hypotheses[i].size();
        std::vector<std::size_t> lengths;
        for (const Words& reference : references[i]) {
            lengths.push_back(reference.size());
        }
        std::sort(lengths.begin(), lengths.end());
        const auto distance = [&](std::size_t other) {
            return std::abs(static_cast<long>(other) - static_cast<long>(hypotheses[i].size()));
        };
        reference_length +=
            *std::min_element(lengths.begin(), lengths.end(), [&](std::size_t a, std::size_t b) {
                return distance(a) < distance(b);
            });
    }
    const double h = static_cast<double>(length), r = static_cast<double>(reference_length);
    const double product = precisions[0] * precisions[1] * precisions[2] * precisions[3];
    return any ? 100 * (h < r ? std::exp(1 - r / h) : 1) * std::sqrt(std::sqrt(product)) : 0;
}

ALTERNATIVE(bleu, ngrams_as_texts, bleu_of_texts);
ALTERNATIVE(bleu, taken_from_the_references, bleu_by_taking);
ALTERNATIVE(bleu, on_the_oracle,
            [](const Corpus& hypotheses, const References& references) -> double {
                require(hypotheses, references);
                return plain::bleu(hypotheses, references);
            });

// ---- 07.5

/// One message for all: both shapes of what does not fit.
void require(const Matrix& A, const Matrix& B, const Mask& gold) {
    if (A.shape() != B.shape()) {
        throw std::invalid_argument("A is " + lesson::shape_text(A) + " and B " +
                                    lesson::shape_text(B));
    }
    if (A.shape() != gold.shape()) {
        throw std::invalid_argument("A is " + lesson::shape_text(A) + " and gold " +
                                    lesson::shape_text(gold));
    }
}

/// The entropy of the middle less the mean of the entropies, which is the same.
template <class Number>
Comparison by_entropies(const Matrix& A, const Matrix& B, const Mask& gold) {
    require(A, B, gold);
    const auto term = [](Number p) { return p > 0 ? -p * std::log(p) : Number(0); };
    Number divergence = 0;
    int agree = 0, aligned = 0, right = 0;
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        std::size_t at_A = A.shape(1) - 1, at_B = at_A;
        bool any = false;
        for (std::size_t j = A.shape(1); j-- > 0;) {
            const auto a = static_cast<Number>(A(i, j)), b = static_cast<Number>(B(i, j));
            divergence += term((a + b) / 2) - (term(a) + term(b)) / 2;
            at_A = A(i, j) >= A(i, at_A) ? j : at_A;
            at_B = B(i, j) >= B(i, at_B) ? j : at_B;
            any = any || gold(i, j);
        }
        agree += at_A == at_B ? 1 : 0;
        aligned += any ? 1 : 0;
        right += gold(i, at_A) ? 1 : 0;
    }
    const auto rows = static_cast<double>(A.shape(0));
    return {agree / rows, static_cast<double>(divergence) / rows,
            static_cast<double>(right) / aligned}; // 0 / 0 is NaN
}

ALTERNATIVE(compare_attention, by_entropies, by_entropies<double>);
ALTERNATIVE(compare_attention, by_entropies_in_long_double, by_entropies<long double>);
ALTERNATIVE(
    compare_attention, by_xtensor,
    [](const Matrix& A, const Matrix& B, const Mask& gold) -> Comparison {
        require(A, B, gold);
        const Matrix middle = (A + B) / 2;
        // 0 · ln 1 in place of 0 · ln 0
        const Matrix of_A = A * xt::log(xt::where(A > 0.0, A / middle, 1.0));
        const Matrix of_B = B * xt::log(xt::where(B > 0.0, B / middle, 1.0));
        const double divergence = xt::sum(of_A + of_B)() / 2;
        double agree = 0, right = 0, aligned = 0;
        for (std::size_t i = 0; i < A.shape(0); ++i) {
            const Vector a = xt::view(A, i, xt::all()), b = xt::view(B, i, xt::all());
            const auto at_A = std::max_element(a.begin(), a.end()) - a.begin();
            agree += at_A == std::max_element(b.begin(), b.end()) - b.begin() ? 1 : 0;
            if (xt::any(xt::view(gold, i, xt::all()))) {
                aligned += 1;
                right += gold(i, at_A) ? 1 : 0;
            }
        }
        const auto rows = static_cast<double>(A.shape(0));
        return {agree / rows, divergence / rows, aligned == 0 ? std::nan("") : right / aligned};
    });
ALTERNATIVE(compare_attention, a_tiny_number_added,
            [](const Matrix& A, const Matrix& B, const Mask& gold) -> Comparison {
                require(A, B, gold);
                Comparison result = plain::compare_attention(A, B, gold);
                const Matrix a = A + 1e-300, b = B + 1e-300, m = (a + b) / 2;
                const Matrix terms = (A * xt::log(a / m) + B * xt::log(b / m)) / 2;
                result.js_divergence = xt::sum(terms)() / static_cast<double>(A.shape(0));
                return result;
            });

} // namespace
