#include "comparison/bootstrap.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace comparison {
namespace {

// Adds up the counts of the sentences, each as often as it was drawn.
double drawn_bleu(const std::vector<Bleu>& sentences, const std::vector<std::size_t>& times) {
    Bleu sum;
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        for (std::size_t n = 0; n < sum.matches.size(); ++n) {
            sum.matches[n] += times[s] * sentences[s].matches[n];
            sum.totals[n] += times[s] * sentences[s].totals[n];
        }
        sum.system_length += times[s] * sentences[s].system_length;
        sum.reference_length += times[s] * sentences[s].reference_length;
    }
    return bleu_from_counts(sum.matches, sum.totals, sum.system_length, sum.reference_length).score;
}

// Corpus BLEU on resampled test sets: [sample][system].
std::vector<std::vector<double>> resampled_bleu(const std::vector<std::vector<Bleu>>& systems) {
    constexpr std::size_t n_samples = 1000;
    const std::size_t n = systems.at(0).size();
    std::mt19937_64 engine(1);
    std::vector<std::vector<double>> samples;
    for (std::size_t sample = 0; sample < n_samples; ++sample) {
        std::vector<std::size_t> times(n, 0);
        for (std::size_t draw = 0; draw < n; ++draw) {
            ++times[engine() % n]; // n is tiny beside 2^64
        }
        samples.emplace_back();
        for (const std::vector<Bleu>& system : systems) {
            samples.back().push_back(drawn_bleu(system, times));
        }
    }
    return samples;
}

double mean_of(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) /
           static_cast<double>(numbers.size());
}

// The value on the whole test set, between the 2.5th and the 97.5th percentile of the samples.
Difference with_percentiles(double value, std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    const std::size_t tail = samples.size() / 40;
    return {value, samples[tail], samples[samples.size() - 1 - tail]};
}

} // namespace

double corpus_bleu(const std::vector<Bleu>& sentences) {
    return drawn_bleu(sentences, std::vector<std::size_t>(sentences.size(), 1));
}

std::vector<Bleu> sentence_bleus(const std::vector<Words>& hypotheses,
                                 const std::vector<Words>& references) {
    std::vector<Bleu> sentences;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        sentences.push_back(bleu({hypotheses[i]}, std::vector<Words>{references[i]}));
    }
    return sentences;
}

Difference paired_bootstrap(const std::vector<Bleu>& a, const std::vector<Bleu>& b) {
    std::vector<double> differences;
    for (const std::vector<double>& sample : resampled_bleu({a, b})) {
        differences.push_back(sample[0] - sample[1]);
    }
    return with_percentiles(corpus_bleu(a) - corpus_bleu(b), std::move(differences));
}

Difference mean_bleu(const std::vector<std::vector<Bleu>>& systems) {
    std::vector<double> means;
    for (const std::vector<double>& sample : resampled_bleu(systems)) {
        means.push_back(mean_of(sample));
    }
    std::vector<double> whole;
    for (const std::vector<Bleu>& system : systems) {
        whole.push_back(corpus_bleu(system));
    }
    return with_percentiles(mean_of(whole), std::move(means));
}

} // namespace comparison
