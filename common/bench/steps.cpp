#include "bench/steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "machine/parallel.hpp"
#include "machine/simd.hpp"

namespace bench {
namespace {

using attention::MatrixF;
using Floats = attention::Lanes<float>;

constexpr std::size_t lanes = Floats::size;
constexpr std::size_t tile = 128; // keys at a time
constexpr std::size_t block = 64; // queries worked on together
constexpr std::size_t rows = 4;   // in registers at once
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// 10.2 in floats: one query after the other, each number by its index.
MatrixF by_index(const MatrixF& Q, const MatrixF& K, const MatrixF& V, std::size_t) {
    const std::size_t n_keys = K.shape(0), d_k = K.shape(1), d_v = V.shape(1);
    const float root = std::sqrt(static_cast<float>(d_k));
    MatrixF output = xt::zeros<float>({Q.shape(0), d_v});
    std::vector<float> scores(tile);
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        float maximum = minus_infinity, sum = 0;
        for (std::size_t first = 0; first < n_keys; first += tile) {
            const std::size_t count = std::min(tile, n_keys - first);
            float most = maximum;
            for (std::size_t j = 0; j < count; ++j) {
                float dot = 0;
                for (std::size_t c = 0; c < d_k; ++c) {
                    dot += Q(i, c) * K(first + j, c);
                }
                scores[j] = dot / root;
                most = std::max(most, scores[j]);
            }
            const float shrink = std::exp(maximum - most);
            maximum = most;
            sum *= shrink;
            for (std::size_t c = 0; c < d_v; ++c) {
                output(i, c) *= shrink;
            }
            for (std::size_t j = 0; j < count; ++j) {
                const float p = std::exp(scores[j] - maximum);
                sum += p;
                for (std::size_t c = 0; c < d_v; ++c) {
                    output(i, c) += p * V(first + j, c);
                }
            }
        }
        for (std::size_t c = 0; c < d_v; ++c) {
            output(i, c) /= sum;
        }
    }
    return output;
}

enum class Idea { blocking, packing, registers }; // each with those before it

/// C (rows, columns) += A (rows, depth) · B (depth, columns): two registers of columns at a time,
/// whose sums stay in registers over the whole depth.
void add_product(const float* A, std::size_t depth, const float* B, std::size_t columns, float* C) {
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
                const Floats a(A[r * depth + k]);
                sum[r][0] = xsimd::fma(a, left, sum[r][0]);
                sum[r][1] = xsimd::fma(a, right, sum[r][1]);
            }
        }
        for (std::size_t r = 0; r < rows; ++r) {
            sum[r][0].store_unaligned(C + r * columns + j);
            sum[r][1].store_unaligned(C + r * columns + j + lanes);
        }
    }
}

/// The same number by number; the compiler makes vectors of the columns where it can.
void add_product_in_loops(const float* A, std::size_t depth, const float* B, std::size_t columns,
                          float* C) {
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < depth; ++k) {
            for (std::size_t j = 0; j < columns; ++j) {
                C[r * columns + j] += A[r * depth + k] * B[k * columns + j];
            }
        }
    }
}

/// row (tile), scores, becomes exp(score − maximum); returns the sum.
template <Idea idea>
float exponentials(float* row, float maximum) {
    float sum = 0;
    if constexpr (idea == Idea::registers) {
        for (std::size_t j = 0; j < tile; j += lanes) {
            const Floats p = xsimd::exp(Floats::load_unaligned(row + j) - Floats(maximum));
            p.store_unaligned(row + j);
            sum += attention::sum_of(p);
        }
    } else {
        for (std::size_t j = 0; j < tile; ++j) {
            row[j] = std::exp(row[j] - maximum);
            sum += row[j];
        }
    }
    return sum;
}

/// Keys and values of all tiles, padded with 0.
struct Copied {
    std::size_t width;         // of a row of values, whole registers
    std::vector<float> keys;   // packed: (tiles, d_k, tile), otherwise (tiles, tile, d_k)
    std::vector<float> values; // (tiles, tile, width)
    Copied(const MatrixF& K, const MatrixF& V, bool packed)
        : width((V.shape(1) + 2 * lanes - 1) / (2 * lanes) * (2 * lanes)) {
        const std::size_t n_keys = K.shape(0), d_k = K.shape(1), d_v = V.shape(1);
        const std::size_t tiles = (n_keys + tile - 1) / tile;
        keys.resize(tiles * d_k * tile);
        values.resize(tiles * tile * width);
        for (std::size_t j = 0; j < n_keys; ++j) {
            const float* const key = K.data() + j * d_k;
            for (std::size_t c = 0; c < d_k; ++c) {
                keys[packed ? (j / tile * d_k + c) * tile + j % tile : j * d_k + c] = key[c];
            }
            std::copy_n(V.data() + j * d_v, d_v, &values[j * width]);
        }
    }
};

template <Idea idea>
MatrixF in_blocks(const MatrixF& Q, const MatrixF& K, const MatrixF& V, std::size_t threads) {
    constexpr auto product = idea == Idea::registers ? add_product : add_product_in_loops;
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
    const std::size_t d_k = K.shape(1), d_v = V.shape(1);
    const Copied copied(K, V, idea != Idea::blocking);
    const std::size_t width = copied.width;
    const float scale = 1 / std::sqrt(static_cast<float>(d_k));
    MatrixF output = MatrixF::from_shape({n_queries, d_v});

    attention::parallel_for(
        threads, (n_queries + block - 1) / block, [&](std::size_t item, std::size_t) {
            const std::size_t first = item * block, count = std::min(block, n_queries - first);
            std::vector<float> scaled(block * d_k), p(rows * tile), sums(block * width);
            std::vector<float> maximum(block, minus_infinity), total(block);
            std::transform(Q.data() + first * d_k, Q.data() + (first + count) * d_k, scaled.begin(),
                           [&](float q) { return scale * q; });
            for (std::size_t t = 0; t * tile < n_keys; ++t) {
                const std::size_t seen = std::min(tile, n_keys - t * tile);
                const float* const keys = &copied.keys[t * d_k * tile];
                for (std::size_t i = 0; i < count; i += rows) {
                    std::fill(p.begin(), p.end(), 0.0F);
                    if constexpr (idea == Idea::blocking) {
                        for (std::size_t r = 0; r < rows; ++r) {
                            for (std::size_t j = 0; j < seen; ++j) {
                                for (std::size_t c = 0; c < d_k; ++c) {
                                    p[r * tile + j] +=
                                        scaled[(i + r) * d_k + c] * keys[j * d_k + c];
                                }
                            }
                        }
                    } else {
                        product(&scaled[i * d_k], d_k, keys, tile, p.data());
                    }
                    for (std::size_t r = 0; r < rows; ++r) {
                        float* const row = &p[r * tile];
                        std::fill(row + seen, row + tile, minus_infinity);
                        const float most =
                            std::max(maximum[i + r], *std::max_element(row, row + seen));
                        const float shrink = std::exp(maximum[i + r] - most);
                        maximum[i + r] = most;
                        total[i + r] = total[i + r] * shrink + exponentials<idea>(row, most);
                        for (std::size_t c = 0; c < width; ++c) {
                            sums[(i + r) * width + c] *= shrink;
                        }
                    }
                    product(p.data(), tile, &copied.values[t * tile * width], width,
                            &sums[i * width]);
                }
            }
            for (std::size_t i = 0; i < count; ++i) {
                for (std::size_t c = 0; c < d_v; ++c) {
                    output.data()[(first + i) * d_v + c] = sums[i * width + c] / total[i];
                }
            }
        });
    return output;
}

} // namespace

std::vector<Step> steps() {
    return {{"10.2 in floats, by index", by_index, false},
            {"1 blocks and raw pointers", in_blocks<Idea::blocking>, false},
            {"2 keys packed", in_blocks<Idea::packing>, false},
            {"3 vector registers", in_blocks<Idea::registers>, false},
            {"4 threads", in_blocks<Idea::registers>, true}};
}

} // namespace bench
