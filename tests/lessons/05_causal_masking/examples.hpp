#pragma once

// Examples that the graders of 05.2, 05.3 and 05.4 share.

#include <cmath>
#include <vector>

#include "batches.hpp"

namespace examples {

using lesson::Mask;
using lesson::Matrix;

inline const Matrix hand_scores{{0, std::log(2.0), std::log(3.0)}, {1, -2, 0.5}};
inline const Mask hand_mask{{true, true, false}, {false, true, false}};
inline const Mask all_allowed{{true, true, true}, {true, true, true}};
inline const Mask nothing_allowed{{false, false, false}, {false, false, false}};

// Beyond 64 and beyond 256, too, where buffers and tiles end; and as large as those are.
constexpr std::size_t awkward_sizes[][2] = {
    {1, 1},   {1, 5},   {5, 1},    {2, 3},    {13, 11}, {3, 31},  {3, 67},   {71, 2},
    {2, 261}, {263, 3}, {2053, 2}, {2, 2063}, {8, 8},   {4, 16},  {16, 32},  {32, 4},
    {64, 64}, {128, 1}, {1, 128},  {256, 2},  {2, 256}, {1, 512}, {2, 1024}, {1, 4099}};

// Of scores and of mask, which differ: in one size, in both, turned around, with one of 1 on either
// side, with no element at all, and in five digits.
constexpr std::size_t other_shapes[][4] = {
    {2, 3, 2, 4}, {2, 3, 2, 2}, {2, 3, 4, 3},         {2, 3, 1, 3}, {2, 3, 2, 1},
    {2, 3, 3, 2}, {4, 3, 2, 6}, {12345, 3, 3, 12345}, {2, 3, 1, 1}, {1, 3, 2, 3},
    {2, 1, 2, 3}, {1, 1, 2, 3}, {2, 3, 0, 0},         {2, 3, 0, 3}, {2, 3, 2, 0}};

/// Rows that begin and end alike, and allow as many keys.
inline Mask alike_mask() {
    return {{true, true, false, true, false, false},
            {true, false, true, true, false, false},
            {true, true, true, false, false, false},
            {true, false, false, true, true, false}};
}

/// Scores some of which are 0, with a mask that allows and blocks some of those and of the others.
inline Matrix scores_with_zeros(std::size_t n_queries, std::size_t n_keys) {
    return drawn::with_zeros(drawn::standard_normal(n_queries, n_keys, 60 + n_keys));
}

inline Mask every_other(std::size_t n_queries, std::size_t n_keys) {
    return plain::mask_of(n_queries, n_keys, [](auto i, auto j) { return (i + j / 2) % 2 == 0; });
}

/// The largest first: it tells the ways to stumble over a 0 apart.
constexpr std::size_t sizes_with_zeros[][2] = {{5, 8}, {4, 4}, {1, 6}, {6, 1}, {3, 2}};

/// One key or one query, with everything that a mask can say of it; first a blocked row that is
/// more than one key.
struct Smallest {
    Matrix scores;
    Mask mask;
};
inline const std::vector<Smallest> smallest{
    {{{2, -1, 0.5}}, {{false, false, false}}},
    {{{0.5}}, {{true}}},
    {{{0.5}}, {{false}}},
    {{{0}}, {{true}}},
    {{{0}}, {{false}}},
    {{{2}, {-1}, {0}}, {{true}, {false}, {true}}},
    {{{2}, {-1}}, {{false}, {true}}},
    {{{2, -1, 0.5}}, {{false, true, true}}},
    {{{2, -1, 0.5}}, {{true, false, true}}},
    {{{2, -1, 0.5}}, {{true, true, false}}},
};

inline std::string place(std::size_t i, std::size_t j) {
    return "element " + judge::index_text({i, j});
}

} // namespace examples
