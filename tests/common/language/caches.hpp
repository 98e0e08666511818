#pragma once

#include "attention/attention.hpp"
#include "language/generation.hpp"

#include <algorithm>
#include <memory>

namespace language_tests {

/// A head's cache as plainly as can be: attention of the query over all rows.
inline language::HeadCache plain_cache() {
    struct Kept {
        std::vector<attention::Vector> keys, values;
    };
    const auto kept = std::make_shared<Kept>();
    const auto matrix = [](const std::vector<attention::Vector>& rows) {
        auto all = attention::Matrix::from_shape({rows.size(), rows[0].size()});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::copy(rows[i].begin(), rows[i].end(), all.data() + i * rows[i].size());
        }
        return all;
    };
    return {
        [kept](const attention::Vector& k, const attention::Vector& v) {
            kept->keys.push_back(k);
            kept->values.push_back(v);
        },
        [kept, matrix](const attention::Vector& q) {
            const attention::Matrix output =
                attention::attention(matrix({q}), matrix(kept->keys), matrix(kept->values)).output;
            attention::Vector row = attention::Vector::from_shape({output.size()});
            std::copy(output.begin(), output.end(), row.begin());
            return row;
        }};
}

/// Always the most probable.
inline std::size_t greedy(const attention::Vector& logits, std::uint64_t) {
    return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) -
                                    logits.begin());
}

} // namespace language_tests
