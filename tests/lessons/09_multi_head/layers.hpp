#pragma once

// 09.2's examples, and what is expected of each of them.

#include "sequences.hpp"

namespace sequences {

/// A layer's input and its weights.
struct Layer {
    Matrix X, W_q, W_k, W_v, W_o;
    std::size_t n_heads;
};

struct LayerSize {
    std::size_t n, d_model, n_heads, d_k, d_v, d_out;
};

/// Weights such that queries, keys and values are about as large as X.
inline Layer random_layer(const LayerSize& size, std::uint64_t seed = 10) {
    const auto weights = [&](std::size_t rows, std::size_t columns, std::uint64_t k) -> Matrix {
        return standard_normal(rows, columns, seed + k) / plain::root(rows);
    };
    const std::size_t width_k = size.n_heads * size.d_k, width_v = size.n_heads * size.d_v;
    return {standard_normal(size.n, size.d_model, seed),
            weights(size.d_model, width_k, 1),
            weights(size.d_model, width_k, 2),
            weights(size.d_model, width_v, 3),
            weights(width_v, size.d_out, 4),
            size.n_heads};
}

/// The output and the weights, those of blocked keys to the last bit.
inline void expect_attention(const Layer& in, const OptionalMask& mask,
                             judge::Tolerance tolerance = judge::normwise) {
    const lesson::MultiHead answer =
        graded::multi_head_attention(in.X, in.W_q, in.W_k, in.W_v, in.W_o, in.n_heads, mask);
    expect_close(answer, plain::Mechanism{}(in.X, in.W_q, in.W_k, in.W_v, in.W_o, in.n_heads, mask),
                 tolerance);
    for (std::size_t h = 0; mask && h < in.n_heads; ++h) {
        for (std::size_t i = 0; i < mask->shape(0); ++i) {
            for (std::size_t j = 0; j < mask->shape(1); ++j) {
                expect_that((*mask)(i, j) || answer.weights(h, i, j) == 0,
                            "a weight is exactly 0 where the mask blocks",
                            "at " + judge::index_text({h, i, j}) + " it is " +
                                number_text(answer.weights(h, i, j)));
            }
        }
    }
}

} // namespace sequences
