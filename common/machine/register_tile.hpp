#pragma once

// What the kernels are made of: one register tile for every product, and exp2. Inner to the files
// compiled for the machine at hand, whatever its vectors hold: 16 floats with AVX-512, 8 with AVX2,
// 4 with NEON or SSE. Everything is in an unnamed namespace, because code compiled for this machine
// must never be merged with the same compiled for all.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "machine/memory.hpp"
#include "machine/simd.hpp"

namespace attention {
namespace {

template <class T>
constexpr std::size_t lanes = Lanes<T>::size;

// A panel is as wide as a register tile: two vectors. With AVX-512 and NEON there are 32 registers,
// of which 8 rows of two sums take 16; elsewhere 16, of which 6 rows take 12. Others hold the two
// vectors of B and what is broadcast from A. More rows would fit into 32, but they gain nothing: 16
// sums already wait for none, and fewer scores at a time stay closer.
template <class T>
constexpr std::size_t panel = 2 * lanes<T>;
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr std::size_t tile_rows = 8;
#else
inline constexpr std::size_t tile_rows = 6;
#endif

constexpr std::size_t rounded_up(std::size_t n, std::size_t step) {
    return (n + step - 1) / step * step;
}

/// Hands out pieces of one aligned memory, each aligned; without any it counts what is needed.
template <class T>
class Scratch {
public:
    explicit Scratch(T* memory) : memory_(memory) {}
    T* take(std::size_t n) {
        T* const piece = memory_ == nullptr ? nullptr : memory_ + size_;
        size_ += rounded_up(n, kernel_alignment / sizeof(T));
        return piece;
    }
    std::size_t size() const { return size_; }

private:
    T* memory_;
    std::size_t size_ = 0;
};

/// rows × panel numbers of a product, in registers while it is summed.
template <class T, std::size_t rows>
struct RegisterTile {
    Lanes<T> sum[rows][2] = {};

    /// += A (rows, depth) · B (depth, panel). Element (r, k) of A is at r · row_step + k ·
    /// depth_step: both orders of A are read, each number broadcast to a vector, and for steps
    /// known when compiling an address is one register and a constant.
    template <std::size_t row_step, std::size_t depth_step>
    void add_product(const T* A, const T* B, std::size_t B_stride, std::size_t depth) {
        add_product(A, row_step, depth_step, B, B_stride, depth);
    }
    [[gnu::always_inline]] void add_product(const T* A, std::size_t row_step,
                                            std::size_t depth_step, const T* B,
                                            std::size_t B_stride, std::size_t depth) {
        for (std::size_t k = 0; k < depth; ++k) {
            const Lanes<T> left = Lanes<T>::load_unaligned(B);
            const Lanes<T> right = Lanes<T>::load_unaligned(B + lanes<T>);
#pragma GCC unroll 16
            for (std::size_t r = 0; r < rows; ++r) {
                const Lanes<T> a(A[r * row_step]);
                sum[r][0] = xsimd::fma(a, left, sum[r][0]);
                sum[r][1] = xsimd::fma(a, right, sum[r][1]);
            }
            A += depth_step;
            B += B_stride;
        }
    }

    void store(T* C, std::size_t C_stride) const {
        for (std::size_t r = 0; r < rows; ++r) {
            sum[r][0].store_aligned(C + r * C_stride);
            sum[r][1].store_aligned(C + r * C_stride + lanes<T>);
        }
    }

    /// C += the tile. Long sums are made of short ones, and so lose fewer digits.
    void add_to(T* C, std::size_t C_stride) const {
        for (std::size_t r = 0; r < rows; ++r) {
            T* const left = C + r * C_stride;
            T* const right = left + lanes<T>;
            (Lanes<T>::load_unaligned(left) + sum[r][0]).store_unaligned(left);
            (Lanes<T>::load_unaligned(right) + sum[r][1]).store_unaligned(right);
        }
    }
};

/// Calls work<rows>(first) until n rows are done, with as many rows at a time as registers hold.
template <class Work>
void in_row_blocks(std::size_t n, Work work) {
    std::size_t first = 0;
    const auto blocks_of = [&]<std::size_t rows>() {
        for (; n - first >= rows; first += rows) {
            work.template operator()<rows>(first);
        }
    };
    blocks_of.template operator()<tile_rows>();
    blocks_of.template operator()<4>();
    blocks_of.template operator()<2>();
    blocks_of.template operator()<1>();
}

// 2^f for |f| <= 1/2 by the polynomial of least relative error (Remez): 7.5e-8 for float, 3e-18 for
// double, both below half a unit in the last place.
template <class T>
struct Exp2;
template <>
struct Exp2<float> {
    using Integer = std::int32_t;
    static constexpr float coefficients[] = {1.0000000716541244F,    0.69314696705868439F,
                                             0.24022119726572633F,   0.055507132866476412F,
                                             0.0096755412482862554F, 0.0013276467799312258F};
    static constexpr int mantissa = 23, bias = 127;
    static constexpr float round = 12582912.0F; // 1.5 · 2^23: adding it leaves no fraction
};
template <>
struct Exp2<double> {
    using Integer = std::int64_t;
    static constexpr double coefficients[] = {1.0,
                                              0.69314718055994529,
                                              0.24022650695910155,
                                              0.055504108664819925,
                                              0.0096181291075883354,
                                              0.0013333558146789955,
                                              0.00015403530462513906,
                                              1.525273348995556e-05,
                                              1.3215433089906126e-06,
                                              1.0178198035371478e-07,
                                              7.0741055798305341e-09,
                                              4.435280703192546e-10};
    static constexpr int mantissa = 52, bias = 1023;
    static constexpr double round = 6755399441055744.0; // 1.5 · 2^52
};

/// 2^x for x <= 0 and a little above: 2^n 2^f with n = round(x). Exactly 0 from the smallest normal
/// number down, -inf included; NaN for NaN.
template <class T>
Lanes<T> exp2(Lanes<T> x) {
    using E = Exp2<T>;
    using Integers = xsimd::batch<typename E::Integer>;
    x = larger(Lanes<T>(static_cast<T>(-E::bias)), x); // NaN stays
    // The sum's lowest bits are n + bias: shifted to the exponent's place, they are 2^n, or 0 for
    // n = -bias.
    const Lanes<T> shifter(E::round + static_cast<T>(E::bias));
    const Lanes<T> shifted = x + shifter;
    const Lanes<T> f = x - (shifted - shifter);
    constexpr int degree = static_cast<int>(std::size(E::coefficients)) - 1;
    Lanes<T> sum(E::coefficients[degree]);
#pragma GCC unroll 16
    for (int k = degree - 1; k >= 0; --k) {
        sum = xsimd::fma(sum, f, Lanes<T>(E::coefficients[k]));
    }
    return sum * same_bits<Lanes<T>>(same_bits<Integers>(shifted) << E::mantissa);
}

/// The largest number of a vector, by halves.
template <class T>
T largest_lane(Lanes<T> x) {
    T lane[lanes<T>];
    x.store_unaligned(lane);
    for (std::size_t half = lanes<T> / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) {
            lane[i] = lane[i] > lane[half + i] ? lane[i] : lane[half + i];
        }
    }
    return lane[0];
}

/// A register as the compiler's own vector, for __builtin_shufflevector.
template <class T>
using Plain [[gnu::vector_size(sizeof(Lanes<T>))]] = T;

// The numbers of a and b in turn, from number `first` of each on.
template <class T, std::size_t first, std::size_t... i>
Plain<T> in_turn(const Plain<T>& a, const Plain<T>& b, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, (first + i / 2 + i % 2 * sizeof...(i))...);
}

/// factor · so many rows of X (rows, lanes), to columns one after another: as many registers as
/// there were rows, `to_step` apart.
template <std::size_t rows, class T>
void transpose(const T* X, std::size_t row_step, T factor, T* to, std::size_t to_step) {
    constexpr auto each = std::make_index_sequence<lanes<T>>();
    Plain<T> row[rows];
    for (std::size_t r = 0; r < rows; ++r) {
        std::memcpy(&row[r], X + r * row_step, sizeof(row[r]));
        row[r] *= factor;
    }
    // Each round takes row r and row r + rows / 2 in turn; after log₂ rows of them rows are
    // columns.
    for (std::size_t round = 1; round < rows; round *= 2) {
        Plain<T> next[rows];
        for (std::size_t r = 0; r < rows / 2; ++r) {
            next[2 * r] = in_turn<T, 0>(row[r], row[r + rows / 2], each);
            next[2 * r + 1] = in_turn<T, lanes<T> / 2>(row[r], row[r + rows / 2], each);
        }
        std::copy(next, next + rows, row);
    }
    for (std::size_t r = 0; r < rows; ++r) {
        std::memcpy(to + r * to_step, &row[r], sizeof(row[r]));
    }
}

/// X (n, d), whose rows are `row_step` apart, to panels of its transpose, (n / panel, d, panel):
/// the numbers that a register tile takes from B in Q Kᵀ are side by side. The last panel is filled
/// up with zeros.
template <class T>
void pack_transposed_panels(const T* X, std::size_t row_step, std::size_t n, std::size_t d,
                            T* packed) {
    for (std::size_t first = 0; first < n; first += panel<T>, packed += d * panel<T>) {
        const std::size_t present = std::min(panel<T>, n - first);
        if (present < panel<T>) {
            std::fill_n(packed, d * panel<T>, T{0});
        }
        for (std::size_t j = 0; j < present;) {
            const T* const row = X + (first + j) * row_step;
            const std::size_t rows = j % lanes<T> == 0 && present - j >= lanes<T> ? lanes<T> : 1;
            std::size_t c = 0;
            for (; rows > 1 && c + lanes<T> <= d; c += lanes<T>) {
                transpose<lanes<T>>(row + c, row_step, T{1}, packed + c * panel<T> + j, panel<T>);
            }
            for (; c < d; ++c) {
                for (std::size_t r = 0; r < rows; ++r) {
                    packed[c * panel<T> + j + r] = row[r * row_step + c];
                }
            }
            j += rows;
        }
    }
}

/// The same X to panels of columns, (d / panel, n, panel), aligned and filled up with zeros.
template <class T>
void pack_panels(const T* X, std::size_t row_step, std::size_t n, std::size_t d, T* packed) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t first = 0; first < d; first += panel<T>) {
            const std::size_t present = std::min(panel<T>, d - first);
            const T* const from = X + i * row_step + first;
            T* const to = packed + first * n + i * panel<T>;
            if (present == panel<T>) {
                Lanes<T>::load_unaligned(from).store_aligned(to);
                Lanes<T>::load_unaligned(from + lanes<T>).store_aligned(to + lanes<T>);
            } else {
                std::fill(std::copy_n(from, present, to), to + panel<T>, T{0});
            }
        }
    }
}

/// factor · X (n, d), row block after row block as in_row_blocks takes them, each block transposed:
/// the rows of a register tile are broadcast from numbers side by side.
template <class T>
void pack_left(const T* X, std::size_t n, std::size_t d, T factor, T* packed) {
    in_row_blocks(n, [&]<std::size_t rows>(std::size_t first) {
        const T* const from = X + first * d;
        T* const to = packed + first * d;
        std::size_t c = 0;
        if constexpr (std::has_single_bit(rows) && rows <= lanes<T>) {
            for (; c + lanes<T> <= d; c += lanes<T>) {
                transpose<rows>(from + c, d, factor, to + c * rows, lanes<T>);
            }
        }
        for (; c < d; ++c) {
            for (std::size_t r = 0; r < rows; ++r) {
                to[c * rows + r] = factor * from[r * d + c];
            }
        }
    });
}

} // namespace
} // namespace attention
