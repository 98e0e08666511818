#include "streaming/backward_kernel.hpp"

#include "streaming/score_tile.hpp"

namespace attention {
namespace {

// Smaller tiles than the forward's: here the weights and their gradients of a whole tile wait for
// each other.
constexpr std::size_t block_rows = 128; // queries
constexpr std::size_t tile_keys = 128;

template <class T>
struct Workspace {
    std::size_t k_width, v_width; // d_k and d_v rounded up to panels

    // Of the whole head.
    T* keys;          // Kᵀ in panels
    T *sum_K, *sum_V; // (n_keys, k_width), (n_keys, v_width), where columns fill no whole panels
    // Of one block of queries; panels are of columns.
    T* Q_left;    // packed, times scale · log₂e: gives scores in units of log₂
    T* Q_panels;  // (k_width / panel, block_rows, panel)
    T* dO_left;   // packed, times scale: gives dP · scale
    T* dO_panels; // (v_width / panel, block_rows, panel)
    T* D;         // (block_rows), times scale
    T* logsumexp; // (block_rows), in units of log₂
    T* dQ;        // (block_rows, k_width)
    // Of one tile of keys.
    T* values;        // Vᵀ in panels
    T* K_panels;      // (k_width / panel, tile_keys, panel)
    T* P;             // (block_rows, tile_keys)
    T* dS;            // (block_rows, tile_keys), times scale
    std::size_t size; // of it all

    Workspace(const Head<T>& head, T* memory)
        : k_width(rounded_up(head.d_k, panel<T>)), v_width(rounded_up(head.d_v, panel<T>)) {
        Scratch<T> scratch(memory);
        keys = scratch.take(rounded_up(head.n_keys, panel<T>) * head.d_k);
        sum_K = scratch.take(head.d_k == k_width ? 0 : head.n_keys * k_width);
        sum_V = scratch.take(head.d_v == v_width ? 0 : head.n_keys * v_width);
        Q_left = scratch.take(block_rows * head.d_k);
        Q_panels = scratch.take(block_rows * k_width);
        dO_left = scratch.take(block_rows * head.d_v);
        dO_panels = scratch.take(block_rows * v_width);
        D = scratch.take(block_rows);
        logsumexp = scratch.take(block_rows);
        dQ = scratch.take(block_rows * k_width);
        values = scratch.take(tile_keys * head.d_v);
        K_panels = scratch.take(tile_keys * k_width);
        P = scratch.take(block_rows * tile_keys);
        dS = scratch.take(block_rows * tile_keys);
        size = scratch.size();
    }
};

template <class T>
void start_block(const Head<T>& head, const HeadGradient<T>& gradient, const Workspace<T>& work,
                 std::size_t first, std::size_t count) {
    const T* const Q = head.Q + first * head.d_k;
    const T* const dO = gradient.d_output + first * head.d_v;
    const T scale = static_cast<T>(head.scale);
    pack_left(Q, count, head.d_k, static_cast<T>(head.scale * log2_e), work.Q_left);
    pack_panels(Q, head.d_k, count, head.d_k, work.Q_panels);
    pack_left(dO, count, head.d_v, scale, work.dO_left);
    pack_panels(dO, head.d_v, count, head.d_v, work.dO_panels);
    for (std::size_t row = 0; row < count; ++row) {
        const T* const output = gradient.output + (first + row) * head.d_v;
        const T* const d_output = dO + row * head.d_v;
        Lanes<T> sums(T{0});
        std::size_t c = 0;
        for (; c + lanes<T> <= head.d_v; c += lanes<T>) {
            sums = xsimd::fma(Lanes<T>::load_unaligned(d_output + c),
                              Lanes<T>::load_unaligned(output + c), sums);
        }
        T sum = sum_of(sums);
        for (; c < head.d_v; ++c) {
            sum += d_output[c] * output[c];
        }
        work.D[row] = sum * scale;
        // A query that sees nothing: exp(s − ∞) makes all its weights 0.
        const T logsumexp = gradient.logsumexp[first + row];
        work.logsumexp[row] = logsumexp == -std::numeric_limits<T>::infinity()
                                  ? -logsumexp
                                  : logsumexp * static_cast<T>(log2_e);
    }
    std::fill_n(work.dQ, count * work.k_width, T{0});
}

// P and dS of a few queries and a tile of keys, and their share of dQ.
template <std::size_t rows, class T>
void weigh(const Head<T>& head, const Workspace<T>& work, std::size_t first, std::size_t row,
           const KeyRange& keys) {
    T* const P = work.P + row * tile_keys;
    T* const dS = work.dS + row * tile_keys;
    Lanes<T> most[rows];
    score_tile<rows, tile_keys>(head, work.Q_left + row * head.d_k,
                                work.keys + keys.first * head.d_k, first + row, keys, P, most);
    const std::size_t padded = rounded_up(keys.count, panel<T>);
    for (std::size_t j = 0; j < padded; j += panel<T>) {
        RegisterTile<T, rows> dP;
        dP.template add_product<1, rows>(work.dO_left + row * head.d_v, work.values + j * head.d_v,
                                         panel<T>, head.d_v);
        for (std::size_t r = 0; r < rows; ++r) {
            const Lanes<T> logsumexp(work.logsumexp[row + r]);
            const Lanes<T> D(work.D[row + r]);
            for (std::size_t half = 0; half < 2; ++half) {
                const std::size_t at = r * tile_keys + j + half * lanes<T>;
                const Lanes<T> p = exp2(Lanes<T>::load_aligned(P + at) - logsumexp);
                p.store_aligned(P + at);
                (p * (dP.sum[r][half] - D)).store_aligned(dS + at);
            }
        }
    }
    // Keys of the tile that none of these queries sees, though later ones do.
    for (std::size_t r = 0; r < rows && padded < keys.tile_count; ++r) {
        std::fill(P + r * tile_keys + padded, P + r * tile_keys + keys.tile_count, T{0});
        std::fill(dS + r * tile_keys + padded, dS + r * tile_keys + keys.tile_count, T{0});
    }
    for (std::size_t c = 0; c < work.k_width; c += panel<T>) {
        RegisterTile<T, rows> tile;
        tile.template add_product<tile_keys, 1>(dS, work.K_panels + c * keys.tile_count, panel<T>,
                                                keys.count);
        tile.add_to(work.dQ + row * work.k_width + c, work.k_width);
    }
}

// sums (keys, width) += Xᵀ (keys, count) · panels (count, width), for a few keys of a tile. Rows of
// X before `start` are known to be 0.
template <std::size_t rows, class T>
void add_transposed(const T* X, const T* panels, std::size_t start, std::size_t count,
                    std::size_t width, T* sums) {
    for (std::size_t c = 0; c < width; c += panel<T>) {
        RegisterTile<T, rows> tile;
        tile.template add_product<1, tile_keys>(
            X + start * tile_keys, panels + c * count + start * panel<T>, panel<T>, count - start);
        tile.add_to(sums + c, width);
    }
}

} // namespace

template <class T>
std::size_t backward_scratch_size(const Head<T>& head) {
    return Workspace<T>(head, nullptr).size;
}

template <class T>
void backward_head(const Head<T>& head, const HeadGradient<T>& gradient, T* scratch, T* dQ, T* dK,
                   T* dV) {
    const Workspace<T> work(head, scratch);
    pack_transposed_panels(head.K, head.d_k, head.n_keys, head.d_k, work.keys);
    T* const sum_K = head.d_k == work.k_width ? dK : work.sum_K;
    T* const sum_V = head.d_v == work.v_width ? dV : work.sum_V;
    std::fill_n(sum_K, head.n_keys * work.k_width, T{0});
    std::fill_n(sum_V, head.n_keys * work.v_width, T{0});

    for (std::size_t first = 0; first < head.n_queries; first += block_rows) {
        const std::size_t count = std::min(block_rows, head.n_queries - first);
        start_block(head, gradient, work, first, count);
        const std::size_t seen = keys_seen(head, first + count);
        for (std::size_t key = 0; key < seen; key += tile_keys) {
            const std::size_t in_tile = std::min(tile_keys, seen - key);
            pack_panels(head.K + key * head.d_k, head.d_k, in_tile, head.d_k, work.K_panels);
            pack_transposed_panels(head.V + key * head.d_v, head.d_v, in_tile, head.d_v,
                                   work.values);
            in_row_blocks(count, [&]<std::size_t rows>(std::size_t row) {
                const std::size_t limit = std::max(key, keys_seen(head, first + row + rows));
                weigh<rows>(head, work, first, row, {key, std::min(in_tile, limit - key), in_tile});
            });
            in_row_blocks(in_tile, [&]<std::size_t rows>(std::size_t j) {
                // Under a causal mask no query before a key has anything to do with it.
                const std::size_t start =
                    head.mask.is_causal && key + j > first ? key + j - first : 0;
                add_transposed<rows>(work.P + j, work.dO_panels, start, count, work.v_width,
                                     sum_V + (key + j) * work.v_width);
                add_transposed<rows>(work.dS + j, work.Q_panels, start, count, work.k_width,
                                     sum_K + (key + j) * work.k_width);
            });
        }
        for (std::size_t row = 0; row < count; ++row) {
            std::copy_n(work.dQ + row * work.k_width, head.d_k, dQ + (first + row) * head.d_k);
        }
    }
    for (std::size_t j = 0; j < head.n_keys && sum_K != dK; ++j) {
        std::copy_n(sum_K + j * work.k_width, head.d_k, dK + j * head.d_k);
    }
    for (std::size_t j = 0; j < head.n_keys && sum_V != dV; ++j) {
        std::copy_n(sum_V + j * work.v_width, head.d_v, dV + j * head.d_v);
    }
}

template std::size_t backward_scratch_size(const Head<float>&);
template std::size_t backward_scratch_size(const Head<double>&);
template void backward_head(const Head<float>&, const HeadGradient<float>&, float*, float*, float*,
                            float*);
template void backward_head(const Head<double>&, const HeadGradient<double>&, double*, double*,
                            double*, double*);

} // namespace attention
