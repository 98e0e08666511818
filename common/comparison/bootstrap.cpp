#include "comparison/bootstrap.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

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

namespace {

std::vector<double> on_the_whole(const std::vector<std::vector<Bleu>>& systems) {
    std::vector<double> scores;
    for (const std::vector<Bleu>& system : systems) {
        scores.push_back(corpus_bleu(system));
    }
    return scores;
}

} // namespace

std::vector<Bleu> sentence_bleus(const std::vector<Words>& hypotheses,
                                 const std::vector<Words>& references) {
    if (hypotheses.size() != references.size()) {
        bleu(hypotheses, references); // says what is wrong
    }
    std::vector<Bleu> sentences;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        sentences.push_back(bleu({hypotheses[i]}, std::vector<Words>{references[i]}));
    }
    return sentences;
}

std::vector<std::vector<double>> resampled_bleu(const std::vector<std::vector<Bleu>>& systems,
                                                std::size_t n_samples, std::uint64_t seed) {
    if (systems.empty() || systems[0].empty()) {
        throw std::invalid_argument("resampled_bleu: there must be a system and a sentence, got "
                                    "none");
    }
    const std::size_t n = systems[0].size();
    for (const std::vector<Bleu>& system : systems) {
        if (system.size() != n) {
            throw std::invalid_argument("resampled_bleu: systems must have translated the same "
                                        "sentences, got " +
                                        std::to_string(n) + " and " +
                                        std::to_string(system.size()));
        }
    }
    std::mt19937_64 engine(seed);
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

Difference paired_bootstrap(const std::vector<Bleu>& a, const std::vector<Bleu>& b,
                            std::size_t n_samples, std::uint64_t seed) {
    std::vector<double> differences;
    for (const std::vector<double>& sample : resampled_bleu({a, b}, n_samples, seed)) {
        differences.push_back(sample[0] - sample[1]);
    }
    const std::vector<double> whole = on_the_whole({a, b});
    return with_percentiles(whole[0] - whole[1], std::move(differences));
}

Difference mean_bleu(const std::vector<std::vector<Bleu>>& systems, std::size_t n_samples,
                     std::uint64_t seed) {
    std::vector<double> means;
    for (const std::vector<double>& sample : resampled_bleu(systems, n_samples, seed)) {
        means.push_back(mean_of(sample));
    }
    return with_percentiles(mean_of(on_the_whole(systems)), std::move(means));
}

} // namespace comparison
