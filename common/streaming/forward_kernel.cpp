#include "streaming/forward_kernel.hpp"

#include "streaming/score_tile.hpp"

#include <cmath>

namespace attention {
namespace {

// This many keys are scored before their weights are used: the scores of a register tile's rows
// stay in the first-level cache, and the keys and values of a tile in the second, for all rows of a
// block.
constexpr std::size_t key_tile = 256;

// The state of one block of queries between two tiles of keys.
template <class T>
struct Block {
    T* Q;              // packed: (query_block, d_k), times scale · log₂e
    T* V;              // panels of a tile's values, where copied: (d_v / panel, key_tile, panel)
    T* sum;            // (query_block, lanes): Σ exp2(s − maximum), a partial sum in each lane
    T* output;         // (query_block, padded d_v): Σ exp2(s − maximum) · v
    T* maximum;        // (query_block)
    T* scores;         // (tile_rows, key_tile)
    std::size_t width; // d_v rounded up to panels
    std::size_t size;  // of it all

    Block(T* memory, std::size_t d_k, std::size_t d_v) : width(rounded_up(d_v, panel<T>)) {
        Scratch<T> scratch(memory);
        Q = scratch.take(query_block * d_k);
        V = scratch.take(key_tile * width);
        sum = scratch.take(query_block * lanes<T>);
        output = scratch.take(query_block * width);
        maximum = scratch.take(query_block);
        scores = scratch.take(tile_rows * key_tile);
        size = scratch.size();
    }
};

// The new maximum of a row; the sums under the old one shrink with it. Most tiles of most rows have
// nothing larger, and change nothing.
template <class T>
void raise_maximum(const Block<T>& block, std::size_t row, Lanes<T> most) {
    T& maximum = block.maximum[row];
    if (!xsimd::any(most > Lanes<T>(maximum))) {
        return;
    }
    const T largest = largest_lane(most);
    const Lanes<T> shrink = exp2(Lanes<T>(maximum - largest));
    maximum = largest;
    T* const sum = block.sum + row * lanes<T>;
    (Lanes<T>::load_aligned(sum) * shrink).store_aligned(sum);
    T* const output = block.output + row * block.width;
    for (std::size_t c = 0; c < block.width; c += lanes<T>) {
        (Lanes<T>::load_aligned(output + c) * shrink).store_aligned(output + c);
    }
}

// Scores to unnormalised weights, in place, and their sum.
template <class T>
void exponentiate(T* scores, std::size_t n, T maximum, T* sum) {
    // Only −∞ so far: any reference will do, but −∞ − (−∞) is NaN.
    const Lanes<T> reference(maximum == -std::numeric_limits<T>::infinity() ? T{0} : maximum);
    Lanes<T> total = Lanes<T>::load_aligned(sum);
    for (std::size_t j = 0; j < n; j += lanes<T>) {
        const Lanes<T> weight = exp2(Lanes<T>::load_aligned(scores + j) - reference);
        weight.store_aligned(scores + j);
        total += weight;
    }
    total.store_aligned(sum);
}

// The values of one tile of keys. A panel of columns c … starts at data + c · column_step.
template <class T>
struct Values {
    const T* data;
    std::size_t row_step, column_step;
};

// If the columns fill their panels, they are read in place; otherwise they are copied to padded
// panels.
template <class T>
Values<T> values_of(const Head<T>& head, const Block<T>& block, std::size_t key,
                    std::size_t in_tile) {
    const T* const V = head.V + key * head.d_v;
    if (head.d_v % panel<T> == 0) {
        return {V, head.d_v, 1};
    }
    pack_panels(V, head.d_v, in_tile, head.d_v, block.V);
    return {block.V, panel<T>, in_tile};
}

// A few queries, as many as a register tile has rows, against one tile of keys.
template <std::size_t rows, class T>
void attend(const Head<T>& head, const Block<T>& block, std::size_t first, std::size_t row,
            const KeyRange& keys, const T* packed_keys, const Values<T>& values) {
    const std::size_t padded = rounded_up(keys.count, panel<T>);
    Lanes<T> most[rows];
    score_tile<rows, key_tile>(head, block.Q + row * head.d_k, packed_keys, first + row, keys,
                               block.scores, most);
    for (std::size_t r = 0; r < rows; ++r) {
        raise_maximum(block, row + r, most[r]);
        exponentiate(block.scores + r * key_tile, padded, block.maximum[row + r],
                     block.sum + (row + r) * lanes<T>);
    }
    for (std::size_t c = 0; c < block.width; c += panel<T>) {
        T* const output = block.output + row * block.width + c;
        RegisterTile<T, rows> tile;
        tile.template add_product<key_tile, 1>(block.scores, values.data + c * values.column_step,
                                               values.row_step, keys.count);
        tile.add_to(output, block.width);
    }
}

// Divides by the sum, which is 0 where no key is seen, and so all is.
template <class T>
void finish_row(const Head<T>& head, const Block<T>& block, std::size_t row, std::size_t i,
                T* output, T* logsumexp) {
    const T sum = sum_of(Lanes<T>::load_aligned(block.sum + row * lanes<T>));
    const T normaliser = sum == 0 ? T{0} : T{1} / sum;
    const T* const numbers = block.output + row * block.width;
    std::transform(numbers, numbers + head.d_v, output + i * head.d_v,
                   [normaliser](T number) { return number * normaliser; });
    logsumexp[i] = block.maximum[row] * ln_2<T> + std::log(sum);
}

} // namespace

template <class T>
std::size_t packed_keys_size(std::size_t n_keys, std::size_t d_k) {
    return rounded_up(n_keys, panel<T>) * d_k;
}

template <class T>
void pack_keys(const T* K, std::size_t n_keys, std::size_t d_k, T* packed) {
    pack_transposed_panels(K, d_k, n_keys, d_k, packed);
}

template <class T>
std::size_t forward_scratch_size(std::size_t d_k, std::size_t d_v) {
    return Block<T>(nullptr, d_k, d_v).size;
}

template <class T>
void forward_block(const Head<T>& head, const T* packed_keys, std::size_t first, std::size_t count,
                   T* scratch, T* output, T* logsumexp) {
    const Block<T> block(scratch, head.d_k, head.d_v);
    pack_left(head.Q + first * head.d_k, count, head.d_k, static_cast<T>(head.scale * log2_e),
              block.Q);
    std::fill_n(block.maximum, count, -std::numeric_limits<T>::infinity());
    std::fill_n(block.sum, count * lanes<T>, T{0});
    std::fill_n(block.output, count * block.width, T{0});

    const std::size_t seen = keys_seen(head, first + count);
    for (std::size_t key = 0; key < seen; key += key_tile) {
        const std::size_t in_tile = std::min(key_tile, seen - key);
        const Values<T> values = values_of(head, block, key, in_tile);
        in_row_blocks(count, [&]<std::size_t rows>(std::size_t row) {
            const std::size_t limit = keys_seen(head, first + row + rows);
            if (key < limit) {
                const KeyRange keys{key, std::min(in_tile, limit - key), in_tile};
                attend<rows>(head, block, first, row, keys, packed_keys + key * head.d_k, values);
            }
        });
    }
    for (std::size_t row = 0; row < count; ++row) {
        finish_row(head, block, row, first + row, output, logsumexp);
    }
}

template std::size_t packed_keys_size<float>(std::size_t, std::size_t);
template std::size_t packed_keys_size<double>(std::size_t, std::size_t);
template void pack_keys(const float*, std::size_t, std::size_t, float*);
template void pack_keys(const double*, std::size_t, std::size_t, double*);
template std::size_t forward_scratch_size<float>(std::size_t, std::size_t);
template std::size_t forward_scratch_size<double>(std::size_t, std::size_t);
template void forward_block(const Head<float>&, const float*, std::size_t, std::size_t, float*,
                            float*, float*);
template void forward_block(const Head<double>&, const double*, std::size_t, std::size_t, double*,
                            double*, double*);

} // namespace attention
