#include "comparison/removal.hpp"

#include <algorithm>
#include <random>

namespace comparison {
namespace {

// The words that are attended to most, each at the first step that does.
std::vector<Removal> attended_most(const std::vector<Example>& examples,
                                   const std::vector<Translation>& translations) {
    std::vector<Removal> removals;
    for (std::size_t s = 0; s < examples.size(); ++s) {
        const attention::Matrix& weights = translations[s].weights;
        const std::size_t n_source = examples[s].source.size() - 1; // the end is not a word
        std::vector<bool> is_tried(n_source, n_source < 2);
        for (std::size_t t = 0; t < translations[s].words.size(); ++t) {
            const double* row = weights.data() + t * weights.shape(1);
            const double* most = std::max_element(row, row + weights.shape(1));
            const auto j = static_cast<std::size_t>(most - row);
            if (j < n_source && !is_tried[j]) {
                is_tried[j] = true;
                removals.push_back({s, {t, j}, *most, translations[s].words});
            }
        }
    }
    return removals;
}

// Weights to set to 0, one at a time, each in a translation of its own.
struct Zeroings {
    std::vector<Example> examples;
    std::vector<WeightAt> weights;
    std::vector<const Ids*> before;

    void add(const Example& example, const WeightAt& weight, const Ids& translation) {
        examples.push_back(example);
        weights.push_back(weight);
        before.push_back(&translation);
    }

    Outcome run(const Model<float>& model, Workers& workers) const {
        Outcome outcome;
        const std::vector<Translation> after = translate(model, workers, examples, 64, weights);
        for (std::size_t i = 0; i < after.size(); ++i) {
            const std::size_t t = weights[i].target_word;
            const Ids& words = after[i].words;
            ++outcome.n;
            outcome.n_unchanged += words == *before[i] ? 1 : 0;
            outcome.n_same_word += t < words.size() && words[t] == (*before[i])[t] ? 1 : 0;
        }
        return outcome;
    }
};

bool is_right(const Removal& removal, const Example& example) {
    Ids ended = removal.translation;
    ended.push_back(Vocabulary::end);
    return ended == example.target;
}

void delete_words(Removals& result, const Model<float>& model, Workers& workers,
                  const std::vector<Example>& examples, const std::vector<Removal>& removals) {
    std::vector<Example> shortened;
    for (const Removal& removal : removals) {
        shortened.push_back(examples[removal.sentence]);
        Ids& source = shortened.back().source;
        source.erase(source.begin() + static_cast<std::ptrdiff_t>(removal.at.source_word));
    }
    const std::vector<Translation> without = translate(model, workers, shortened);
    result.deleted.n = removals.size();
    for (std::size_t i = 0; i < removals.size(); ++i) {
        if (without[i].words != removals[i].translation) {
            continue;
        }
        ++result.deleted.n_unchanged;
        const std::size_t longest = result.example ? result.example->translation.size() : 0;
        if (removals[i].weight > 0.9 && removals[i].translation.size() > longest &&
            is_right(removals[i], examples[removals[i].sentence])) {
            result.example = removals[i];
        }
    }
}

} // namespace

Removals try_removals(const Model<float>& model, Workers& workers,
                      const std::vector<Example>& examples, std::size_t n_sentences) {
    const std::size_t n = std::min(n_sentences, examples.size());
    const std::vector<Example> whole(examples.begin(),
                                     examples.begin() + static_cast<std::ptrdiff_t>(n));
    const std::vector<Translation> translations = translate(model, workers, whole);
    const std::vector<Removal> removals = attended_most(whole, translations);

    Zeroings largest, largest_of_near, other_of_near;
    std::mt19937_64 engine(1);
    for (const Removal& removal : removals) {
        const attention::Matrix& weights = translations[removal.sentence].weights;
        const double* row = weights.data() + removal.at.target_word * weights.shape(1);
        std::vector<std::size_t> near;
        double others = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            if (j != removal.at.source_word) {
                others += row[j];
                if (row[j] >= Removals::nearly * removal.weight) {
                    near.push_back(j);
                }
            }
        }
        const Example& example = whole[removal.sentence];
        if (others > 0) {
            largest.add(example, removal.at, removal.translation);
        }
        if (!near.empty()) {
            const std::size_t other = near[engine() % near.size()];
            largest_of_near.add(example, removal.at, removal.translation);
            other_of_near.add(example, {removal.at.target_word, other}, removal.translation);
        }
    }
    Removals result;
    delete_words(result, model, workers, whole, removals);
    result.zeroed = largest.run(model, workers);
    result.largest_of_near = largest_of_near.run(model, workers);
    result.other_of_near = other_of_near.run(model, workers);
    return result;
}

} // namespace comparison
