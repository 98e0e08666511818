#include "attention/weights_kernel.hpp"

#include "attention/mask_row.hpp"
#include "machine/register_tile.hpp"

namespace attention {
namespace {

using Register = Lanes<float>;

// Scores are in tiles of this many keys, (n_keys / key_tile, weights_block, key_tile).
constexpr std::size_t key_tile = 256;
constexpr std::size_t tile_size = weights_block * key_tile;
constexpr float infinity = std::numeric_limits<float>::infinity();

// The memory in which one block of queries is computed.
struct Block {
    float* Q;          // packed: (weights_block, d_k), times the scale
    float* scores;     // in tiles; the weights, before they are divided by their sum
    float* output;     // (weights_block, width)
    std::size_t width; // d_v rounded up to panels
    std::size_t size;  // of it all

    Block(float* memory, const Head<float>& head) : width(rounded_up(head.d_v, panel<float>)) {
        Scratch<float> scratch(memory);
        Q = scratch.take(weights_block * head.d_k);
        scores = scratch.take(rounded_up(head.n_keys, key_tile) * weights_block);
        output = scratch.take(weights_block * width);
        size = scratch.size();
    }
    float* row(std::size_t key, std::size_t r) const {
        return scores + key / key_tile * tile_size + r * key_tile;
    }
};

// Calls work(first, count) for each tile of n keys.
template <class Work>
void in_key_tiles(std::size_t n, Work work) {
    for (std::size_t key = 0; key < n; key += key_tile) {
        work(key, std::min(key_tile, n - key));
    }
}

// Scores of `count` queries for the keys before `seen`, masked; after them −∞, up to a whole panel.
void score(const Head<float>& head, const float* packed_keys, std::size_t first, std::size_t count,
           std::size_t seen, const Block& block) {
    const HeadMask& mask = head.mask;
    in_key_tiles(seen, [&](std::size_t key, std::size_t in_tile) {
        const std::size_t padded = rounded_up(in_tile, panel<float>);
        in_row_blocks(count, [&]<std::size_t rows>(std::size_t row) {
            for (std::size_t j = 0; j < padded; j += panel<float>) {
                RegisterTile<float, rows> tile;
                tile.template add_product<1, rows>(block.Q + row * head.d_k,
                                                   packed_keys + (key + j) * head.d_k, panel<float>,
                                                   head.d_k);
                tile.store(block.row(key, row) + j, key_tile);
            }
        });
        if (mask.allowed != nullptr || padded != in_tile ||
            (mask.is_causal && key + in_tile > first + 1)) {
            for (std::size_t r = 0; r < count; ++r) {
                mask_row(mask, first + r, {key, in_tile, in_tile}, padded, block.row(key, r));
            }
        }
    });
}

// Scores of one row to exp(score − maximum), in place; returns their sum.
float exponentiate(const Block& block, std::size_t r, std::size_t seen) {
    Register most(-infinity);
    in_key_tiles(seen, [&](std::size_t key, std::size_t in_tile) {
        const float* const row = block.row(key, r);
        for (std::size_t j = 0; j < in_tile; j += lanes<float>) {
            most = larger(most, Register::load_aligned(row + j));
        }
    });
    const float maximum = largest_lane(most);
    // All −∞: any reference will do, but −∞ − (−∞) is NaN.
    const Register reference(maximum == -infinity ? 0.0F : maximum);
    const Register log2_e(1.44269504F);
    Register sum(0.0F);
    in_key_tiles(seen, [&](std::size_t key, std::size_t in_tile) {
        float* const row = block.row(key, r);
        for (std::size_t j = 0; j < in_tile; j += lanes<float>) {
            const Register weight = exp2((Register::load_aligned(row + j) - reference) * log2_e);
            weight.store_aligned(row + j);
            sum += weight;
        }
    });
    return sum_of(sum);
}

// weights · V, not yet divided by the weights' sum.
void aggregate(const Head<float>& head, const float* packed_values, std::size_t count,
               std::size_t seen, const Block& block) {
    std::fill_n(block.output, count * block.width, 0.0F);
    in_key_tiles(seen, [&](std::size_t key, std::size_t in_tile) {
        in_row_blocks(count, [&]<std::size_t rows>(std::size_t row) {
            for (std::size_t c = 0; c < block.width; c += panel<float>) {
                RegisterTile<float, rows> tile;
                tile.template add_product<key_tile, 1>(
                    block.row(key, row), packed_values + c * head.n_keys + key * panel<float>,
                    panel<float>, in_tile);
                tile.add_to(block.output + row * block.width + c, block.width);
            }
        });
    });
}

// Divides a row by the sum of its weights, on the way to the result: 0 where no key is seen.
void finish_row(const Head<float>& head, const Block& block, std::size_t r, std::size_t seen,
                float sum, float* weights, float* output) {
    const float normaliser = sum == 0 ? 0 : 1 / sum;
    in_key_tiles(seen, [&](std::size_t key, std::size_t in_tile) {
        const float* const row = block.row(key, r);
        for (std::size_t j = 0; j < in_tile; ++j) {
            weights[key + j] = row[j] * normaliser;
        }
    });
    std::fill(weights + seen, weights + head.n_keys, 0.0F);
    for (std::size_t c = 0; c < head.d_v; ++c) {
        output[c] = block.output[r * block.width + c] * normaliser;
    }
}

} // namespace

std::size_t packed_size(std::size_t in_panels, std::size_t other) {
    return rounded_up(in_panels, panel<float>) * other;
}

void pack_head(const Head<float>& head, float* packed_keys, float* packed_values) {
    pack_transposed_panels(head.K, head.d_k, head.n_keys, head.d_k, packed_keys);
    pack_panels(head.V, head.d_v, head.n_keys, head.d_v, packed_values);
}

std::size_t weights_scratch_size(const Head<float>& head) {
    return Block(nullptr, head).size;
}

void weights_and_output(const Head<float>& head, const float* packed_keys,
                        const float* packed_values, std::size_t first, std::size_t count,
                        float* scratch, float* weights, float* output) {
    const Block block(scratch, head);
    const std::size_t seen = keys_seen(head, first + count);
    pack_left(head.Q + first * head.d_k, count, head.d_k, static_cast<float>(head.scale), block.Q);
    score(head, packed_keys, first, count, seen, block);
    float sum[weights_block];
    for (std::size_t r = 0; r < count; ++r) {
        sum[r] = exponentiate(block, r, seen);
    }
    aggregate(head, packed_values, count, seen, block);
    for (std::size_t r = 0; r < count; ++r) {
        const std::size_t i = first + r;
        finish_row(head, block, r, seen, sum[r], weights + i * head.n_keys, output + i * head.d_v);
    }
}

} // namespace attention
