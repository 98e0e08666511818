#pragma once

// The task that 08.5 is about: codes with contents, looked up by code.

#include <algorithm>
#include <numeric>

#include "attention/random.hpp"
#include "gradients.hpp"

namespace tables {

constexpr std::size_t code = 4, content = 3, d_model = code + content;

/// Sixteen entries, each a code of four signs, in an order of its own, and a random content. What
/// is looked up is the code alone.
inline lesson::Table lookup_table(std::uint64_t seed) {
    constexpr std::size_t n = std::size_t{1} << code;
    const attention::Vector order = attention::standard_normal(n, seed);
    std::vector<std::size_t> codes(n);
    std::iota(codes.begin(), codes.end(), std::size_t{0});
    std::sort(codes.begin(), codes.end(),
              [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
    lesson::Table table{xt::zeros<double>({n, d_model}), xt::zeros<double>({n, d_model}),
                        attention::standard_normal(n, content, seed + 1000)};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t bit = 0; bit < code; ++bit) {
            const double sign = (codes[i] >> bit & 1U) == 1 ? 1 : -1;
            table.asked(i, bit) = table.entries(i, bit) = sign;
        }
        for (std::size_t c = 0; c < content; ++c) {
            table.entries(i, code + c) = table.wanted(i, c);
        }
    }
    return table;
}

inline std::vector<lesson::Table> lookup_tables(std::size_t count, std::uint64_t seed) {
    std::vector<lesson::Table> all;
    for (std::size_t t = 0; t < count; ++t) {
        all.push_back(lookup_table(seed + t));
    }
    return all;
}

inline lesson::Projections small_start(std::size_t d_k, std::uint64_t seed) {
    return {0.3 * attention::standard_normal(d_model, d_k, seed),
            0.3 * attention::standard_normal(d_model, d_k, seed + 1),
            0.3 * attention::standard_normal(d_model, content, seed + 2)};
}

} // namespace tables
