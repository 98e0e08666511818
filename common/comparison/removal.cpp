#include "comparison/removal.hpp"

#include <algorithm>

namespace comparison {

Removals try_removals(const Model<float>& model, Workers& workers,
                      const std::vector<Example>& examples, std::size_t n_sentences) {
    const std::size_t n = std::min(n_sentences, examples.size());
    const std::vector<Example> whole(examples.begin(),
                                     examples.begin() + static_cast<std::ptrdiff_t>(n));
    const std::vector<Translation> translations = translate(model, workers, whole);

    std::vector<Removal> removals;
    std::vector<Example> shortened;
    for (std::size_t s = 0; s < n; ++s) {
        const attention::Matrix& weights = translations[s].weights;
        const std::size_t n_source = whole[s].source.size() - 1; // the end is no word
        std::vector<bool> is_tried(n_source, n_source < 2);
        for (std::size_t t = 0; t < translations[s].words.size(); ++t) {
            const double* row = weights.data() + t * weights.shape(1);
            const double* most = std::max_element(row, row + weights.shape(1));
            const auto j = static_cast<std::size_t>(most - row);
            if (j < n_source && !is_tried[j]) {
                is_tried[j] = true;
                removals.push_back({s, t, j, *most, translations[s].words});
                shortened.push_back(whole[s]);
                Ids& source = shortened.back().source;
                source.erase(source.begin() + static_cast<std::ptrdiff_t>(j));
            }
        }
    }

    Removals result;
    result.n = removals.size();
    const std::vector<Translation> without = translate(model, workers, shortened);
    for (std::size_t i = 0; i < removals.size(); ++i) {
        if (without[i].words != removals[i].translation) {
            continue;
        }
        ++result.n_unchanged;
        Ids ended = removals[i].translation;
        ended.push_back(Vocabulary::end);
        const bool is_right = ended == whole[removals[i].sentence].target;
        const std::size_t longest = result.example ? result.example->translation.size() : 0;
        if (is_right && removals[i].weight > 0.9 && removals[i].translation.size() > longest) {
            result.example = removals[i];
        }
    }
    return result;
}

} // namespace comparison
