#include "streaming.hpp"

#include "machine/parallel.hpp" // attention::parallel_for: work shared out over threads
#include "machine/simd.hpp"     // attention::Lanes<float>: a vector register, through xsimd

#include <cmath>
#include <vector>

namespace lesson {

MatrixF faster_attention(const MatrixF& Q, const MatrixF& K, const MatrixF& V,
                         std::size_t threads) {
    require_fit("faster_attention", Q, K, V);

    // solution 10.4 (Q, K, V, threads): the streaming form in floats, one idea of the page after the other
    using Floats = attention::Lanes<float>;
    constexpr std::size_t lanes = Floats::size;
    constexpr std::size_t block = 64; // queries worked on together, by one thread
    constexpr std::size_t tile = 128; // keys at a time, whole registers of them
    constexpr std::size_t rows = 4;   // queries whose sums are in registers at once
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
    const std::size_t d_k = K.shape(1), d_v = V.shape(1);
    const std::size_t width = (d_v + 2 * lanes - 1) / (2 * lanes) * (2 * lanes); // of a row of V
    const std::size_t tiles = (n_keys + tile - 1) / tile;

    // Packed once: the keys of each tile as columns, component after component, and the values in
    // whole registers. What is past the end is 0.
    std::vector<float> keys(tiles * d_k * tile), values(tiles * tile * width);
    for (std::size_t j = 0; j < n_keys; ++j) {
        for (std::size_t c = 0; c < d_k; ++c) {
            keys[(j / tile * d_k + c) * tile + j % tile] = K(j, c);
        }
        std::copy_n(V.data() + j * d_v, d_v, &values[j * width]);
    }

    // C (rows, columns) += A (rows, depth) · B (depth, columns): two registers of columns at a
    // time, whose sums stay in registers over the whole depth.
    const auto add_product = [](const float* A, std::size_t stride_A, std::size_t depth,
                                const float* B, std::size_t columns, float* C) {
        for (std::size_t j = 0; j < columns; j += 2 * lanes) {
            Floats sum[rows][2];
            for (std::size_t r = 0; r < rows; ++r) {
                sum[r][0] = Floats::load_unaligned(C + r * columns + j);
                sum[r][1] = Floats::load_unaligned(C + r * columns + j + lanes);
            }
            for (std::size_t k = 0; k < depth; ++k) {
                const Floats left = Floats::load_unaligned(B + k * columns + j);
                const Floats right = Floats::load_unaligned(B + k * columns + j + lanes);
                for (std::size_t r = 0; r < rows; ++r) {
                    const Floats a(A[r * stride_A + k]);
                    sum[r][0] = xsimd::fma(a, left, sum[r][0]);
                    sum[r][1] = xsimd::fma(a, right, sum[r][1]);
                }
            }
            for (std::size_t r = 0; r < rows; ++r) {
                sum[r][0].store_unaligned(C + r * columns + j);
                sum[r][1].store_unaligned(C + r * columns + j + lanes);
            }
        }
    };

    MatrixF output = MatrixF::from_shape({n_queries, d_v});
    const std::size_t blocks = (n_queries + block - 1) / block;
    attention::parallel_for(threads, blocks, [&](std::size_t item, std::size_t) {
        const std::size_t first = item * block;
        const std::size_t queries = std::min(block, n_queries - first);
        std::vector<float> scaled(block * d_k), p(rows * tile), sums(block * width);
        std::vector<float> maximum(block, -std::numeric_limits<float>::infinity()), total(block);
        const float scale = 1 / std::sqrt(static_cast<float>(d_k));
        for (std::size_t k = 0; k < queries * d_k; ++k) {
            scaled[k] = scale * Q.data()[first * d_k + k];
        }
        for (std::size_t t = 0; t < tiles; ++t) {
            const std::size_t count = std::min(tile, n_keys - t * tile);
            for (std::size_t i = 0; i < queries; i += rows) {
                std::fill(p.begin(), p.end(), 0.0F);
                add_product(&scaled[i * d_k], d_k, d_k, &keys[t * d_k * tile], tile, p.data());
                for (std::size_t r = 0; r < rows; ++r) {
                    float* const row = &p[r * tile];
                    std::fill(row + count, row + tile, -std::numeric_limits<float>::infinity());
                    const float most =
                        std::max(maximum[i + r], *std::max_element(row, row + count));
                    // All that was summed so far is brought to the new maximum.
                    const float shrink = std::exp(maximum[i + r] - most);
                    maximum[i + r] = most;
                    total[i + r] *= shrink;
                    for (std::size_t c = 0; c < width; ++c) {
                        sums[(i + r) * width + c] *= shrink;
                    }
                    for (std::size_t j = 0; j < tile; j += lanes) {
                        const Floats e = xsimd::exp(Floats::load_unaligned(row + j) - Floats(most));
                        e.store_unaligned(row + j);
                        total[i + r] += attention::sum_of(e);
                    }
                }
                add_product(p.data(), tile, tile, &values[t * tile * width], width,
                            &sums[i * width]);
            }
        }
        for (std::size_t i = 0; i < queries; ++i) {
            for (std::size_t c = 0; c < d_v; ++c) {
                output(first + i, c) = sums[i * width + c] / total[i];
            }
        }
    });
    return output;
    // end
}

} // namespace lesson
