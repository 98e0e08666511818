#pragma once

#include "seq2seq/batches.hpp"

namespace seq2seq {

// Sentences of random words and lengths 1 … longest, each with the end.
inline std::vector<Example> random_examples(std::size_t n, std::size_t longest,
                                            std::size_t source_words, std::size_t target_words) {
    std::vector<Example> examples;
    for (std::uint64_t i = 0; i < n; ++i) {
        Example example;
        for (std::uint64_t t = 0; t < 1 + mix(i, 1) % longest; ++t) {
            example.source.push_back(4 + mix(i, t, 3) % (source_words - 4));
        }
        for (std::uint64_t t = 0; t < 1 + mix(i, 2) % longest; ++t) {
            example.target.push_back(4 + mix(i, t, 4) % (target_words - 4));
        }
        example.source.push_back(Vocabulary::end);
        example.target.push_back(Vocabulary::end);
        examples.push_back(std::move(example));
    }
    return examples;
}

} // namespace seq2seq
