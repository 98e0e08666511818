#include "seq2seq/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

namespace seq2seq {
namespace {

constexpr std::size_t longest = 4;

using Counts = std::map<Words, std::size_t>;

Counts count_ngrams(const Words& words, std::size_t n) {
    Counts counts;
    for (std::size_t first = 0; first + n <= words.size(); ++first) {
        const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
        ++counts[Words(begin, begin + static_cast<std::ptrdiff_t>(n))];
    }
    return counts;
}

// An n-gram of the hypothesis counts as often as the reference has it.
std::size_t clipped_matches(const Words& hypothesis, const Words& reference, std::size_t n) {
    Counts most = count_ngrams(reference, n);
    std::size_t matches = 0;
    for (const auto& [ngram, count] : count_ngrams(hypothesis, n)) {
        matches += std::min(count, most[ngram]);
    }
    return matches;
}

} // namespace

Bleu bleu_from_counts(const std::array<std::size_t, 4>& matches,
                      const std::array<std::size_t, 4>& totals, std::size_t system_length,
                      std::size_t reference_length) {
    Bleu result;
    result.matches = matches;
    result.totals = totals;
    result.system_length = system_length;
    result.reference_length = reference_length;
    result.brevity_penalty = 1;
    if (system_length < reference_length) {
        result.brevity_penalty = system_length == 0
                                     ? 0
                                     : std::exp(1 - static_cast<double>(reference_length) /
                                                        static_cast<double>(system_length));
    }
    if (std::all_of(matches.begin(), matches.end(), [](std::size_t n) { return n == 0; })) {
        return result;
    }
    double smoothing = 1;
    double log_sum = 0;
    std::size_t orders = 0; // those for which the hypotheses are long enough
    for (std::size_t n = 0; n < longest && totals[n] > 0; ++n) {
        ++orders;
        const double total = static_cast<double>(totals[n]);
        if (matches[n] == 0) {
            smoothing *= 2;
            result.precisions[n] = 100 / (smoothing * total);
        } else {
            result.precisions[n] = 100 * static_cast<double>(matches[n]) / total;
        }
        log_sum += std::log(result.precisions[n]);
    }
    // An order without any n-gram has precision 0, and with it the geometric mean.
    result.score = orders < longest ? 0 : result.brevity_penalty * std::exp(log_sum / longest);
    return result;
}

Bleu bleu(const std::vector<Words>& hypotheses, const std::vector<Words>& references) {
    std::array<std::size_t, 4> matches{}, totals{};
    std::size_t system_length = 0, reference_length = 0;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        const std::size_t length = hypotheses[i].size();
        system_length += length;
        reference_length += references[i].size();
        for (std::size_t n = 1; n <= longest; ++n) {
            matches[n - 1] += clipped_matches(hypotheses[i], references[i], n);
            totals[n - 1] += length >= n ? length - n + 1 : 0;
        }
    }
    return bleu_from_counts(matches, totals, system_length, reference_length);
}

Words tokenize_13a(const std::string& line) {
    static const std::vector<std::pair<std::regex, const char*>> rules{
        {std::regex("<skipped>|-\n"), ""},
        {std::regex("\n"), " "},
        {std::regex("&quot;"), "\""},
        {std::regex("&amp;"), "&"},
        {std::regex("&lt;"), "<"},
        {std::regex("&gt;"), ">"},
        {std::regex(R"([{-~[-` -&(-+:-@/])"), " $& "},
        {std::regex("([^0-9])([.,])"), "$1 $2 "},
        {std::regex("([.,])([^0-9])"), " $1 $2"},
        {std::regex("([0-9])(-)"), "$1 $2 "}};
    std::string text = " " + line + " ";
    for (const auto& [pattern, by] : rules) {
        text = std::regex_replace(text, pattern, by);
    }
    return split(text);
}

} // namespace seq2seq
