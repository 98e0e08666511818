#include "seq2seq/batches.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace seq2seq {
namespace {

// std::shuffle is free to differ between standard libraries.
template <class Item>
void shuffle(std::vector<Item>& items, std::mt19937_64& engine) {
    for (std::size_t i = items.size(); i > 1; --i) {
        std::swap(items[i - 1], items[engine() % i]);
    }
}

void sort_by_length(Ids::iterator first, Ids::iterator last, const std::vector<Example>& examples) {
    std::stable_sort(first, last, [&examples](std::size_t a, std::size_t b) {
        const auto lengths = [&examples](std::size_t i) {
            return std::pair(examples[i].source.size(), examples[i].target.size());
        };
        return lengths(a) < lengths(b);
    });
}

void cut(const Ids& sentences, std::size_t batch_size, std::vector<Ids>& batches) {
    for (std::size_t first = 0; first < sentences.size(); first += batch_size) {
        const auto begin = sentences.begin() + static_cast<std::ptrdiff_t>(first);
        const std::size_t n = std::min(batch_size, sentences.size() - first);
        batches.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(n));
    }
}

} // namespace

Batch make_batch(const std::vector<Example>& examples, const Ids& sentences) {
    Batch batch;
    batch.size = sentences.size();
    for (const std::size_t i : sentences) {
        batch.source_lengths.push_back(examples[i].source.size());
        batch.source_steps = std::max(batch.source_steps, examples[i].source.size());
        batch.target_steps = std::max(batch.target_steps, examples[i].target.size());
    }
    for (std::size_t t = 0; t < batch.source_steps; ++t) {
        batch.source_active.emplace_back();
        for (const std::size_t i : sentences) {
            const Ids& source = examples[i].source;
            batch.source.push_back(t < source.size() ? source[t] : Vocabulary::padding);
            batch.source_active.back().push_back(t < source.size() ? 1 : 0);
        }
    }
    for (std::size_t t = 0; t < batch.target_steps; ++t) {
        batch.target_active.emplace_back();
        for (const std::size_t i : sentences) {
            const Ids& target = examples[i].target;
            const bool active = t < target.size();
            if (active) {
                batch.target_rows.push_back(batch.target_in.size());
                batch.target_words.push_back(target[t]);
            }
            const std::size_t previous = t == 0 ? Vocabulary::begin : target[active ? t - 1 : 0];
            batch.target_in.push_back(active ? previous : Vocabulary::padding);
            batch.target_active.back().push_back(active ? 1 : 0);
        }
    }
    return batch;
}

std::vector<Ids> make_epoch(const std::vector<Example>& examples, std::size_t batch_size,
                            std::uint64_t seed, std::size_t epoch) {
    std::mt19937_64 engine(mix(seed, epoch, 1));
    Ids order(examples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(order, engine);
    // Sorted within pools of many batches: batches of one length, yet others in every epoch.
    const std::size_t pool = 100 * batch_size;
    std::vector<Ids> batches;
    for (std::size_t first = 0; first < order.size(); first += pool) {
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
        const std::size_t n = std::min(pool, order.size() - first);
        const auto end = begin + static_cast<std::ptrdiff_t>(n);
        sort_by_length(begin, end, examples);
        cut(Ids(begin, end), batch_size, batches);
    }
    shuffle(batches, engine);
    return batches;
}

std::vector<Ids> batches_by_length(const std::vector<Example>& examples, std::size_t batch_size) {
    Ids order(examples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    sort_by_length(order.begin(), order.end(), examples);
    std::vector<Ids> batches;
    cut(order, batch_size, batches);
    return batches;
}

Ids part_of(const Ids& sentences, std::size_t part, std::size_t n_parts) {
    Ids result;
    for (std::size_t i = part; i < sentences.size(); i += n_parts) {
        result.push_back(sentences[i]);
    }
    return result;
}

} // namespace seq2seq
