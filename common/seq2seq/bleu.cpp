#include "seq2seq/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

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

// A hypothesis' n-gram counts as often as the one reference that has it most often.
std::size_t clipped_matches(const Words& hypothesis, const std::vector<Words>& references,
                            std::size_t n) {
    Counts most;
    for (const Words& reference : references) {
        for (const auto& [ngram, count] : count_ngrams(reference, n)) {
            most[ngram] = std::max(most[ngram], count);
        }
    }
    std::size_t matches = 0;
    for (const auto& [ngram, count] : count_ngrams(hypothesis, n)) {
        const auto found = most.find(ngram);
        matches += found == most.end() ? 0 : std::min(count, found->second);
    }
    return matches;
}

std::size_t closest_length(std::size_t length, const std::vector<Words>& references) {
    const auto distance = [length](std::size_t other) {
        return other > length ? other - length : length - other;
    };
    std::size_t closest = references[0].size();
    for (const Words& reference : references) {
        const std::size_t size = reference.size();
        if (distance(size) < distance(closest) ||
            (distance(size) == distance(closest) && size < closest)) {
            closest = size;
        }
    }
    return closest;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
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

Bleu bleu(const std::vector<Words>& hypotheses, const std::vector<std::vector<Words>>& references) {
    std::array<std::size_t, 4> matches{}, totals{};
    std::size_t system_length = 0, reference_length = 0;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        const std::size_t length = hypotheses[i].size();
        system_length += length;
        reference_length += closest_length(length, references[i]);
        for (std::size_t n = 1; n <= longest; ++n) {
            matches[n - 1] += clipped_matches(hypotheses[i], references[i], n);
            totals[n - 1] += length >= n ? length - n + 1 : 0;
        }
    }
    return bleu_from_counts(matches, totals, system_length, reference_length);
}

Bleu bleu(const std::vector<Words>& hypotheses, const std::vector<Words>& references) {
    std::vector<std::vector<Words>> lists;
    for (const Words& reference : references) {
        lists.push_back({reference});
    }
    return bleu(hypotheses, lists);
}

Words tokenize_13a(const std::string& line) {
    std::string text = replaced(line, "<skipped>", "");
    text = replaced(text, "-\n", "");
    text = replaced(text, "\n", " ");
    text = replaced(text, "&quot;", "\"");
    text = replaced(text, "&amp;", "&");
    text = replaced(text, "&lt;", "<");
    text = replaced(text, "&gt;", ">");
    text = " " + text + " ";
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    // ASCII punctuation is a token of its own, except the four below within a number.
    const auto alone = [](char c) {
        return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
               (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
    };
    std::string spaced;
    for (const char c : text) {
        spaced += alone(c) ? std::string{' ', c, ' '} : std::string{c};
    }
    // The three rules run one after another over the whole line, each from left to right without
    // overlap, as regular expressions do: ([^0-9])([.,]), ([.,])([^0-9]), ([0-9])(-).
    const auto rule = [](const std::string& in, const auto& first, const auto& second,
                         bool space_first, bool space_second) {
        std::string out;
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (i + 1 < in.size() && first(in[i]) && second(in[i + 1])) {
                out += space_first ? std::string{' ', in[i], ' '} : std::string{in[i], ' '};
                out += in[++i];
                out += space_second ? " " : "";
            } else {
                out += in[i];
            }
        }
        return out;
    };
    const auto stop = [](char c) { return c == '.' || c == ','; };
    const auto no_digit = [&](char c) { return !digit(c); };
    const auto dash = [](char c) { return c == '-'; };
    spaced = rule(spaced, no_digit, stop, false, true);
    spaced = rule(spaced, stop, no_digit, true, false);
    spaced = rule(spaced, digit, dash, false, true);
    return split(spaced);
}

} // namespace seq2seq
