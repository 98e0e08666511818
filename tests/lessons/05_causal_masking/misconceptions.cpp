// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.1 causal_mask

/// The mask with allowed(i, j) at (i, j).
template <class Allowed>
auto square(Allowed allowed) {
    return [=](std::size_t n) -> Mask {
        return mask_of(n, n, [=](std::size_t i, std::size_t j) {
            return allowed(static_cast<long>(i), static_cast<long>(j));
        });
    };
}

MISCONCEPTION(causal_mask, strict,
              "the diagonal is blocked: no position sees itself, and the first one sees nothing at "
              "all. A position knows its own token, so i may attend to j = i.",
              square([](long i, long j) { return j < i; }));

MISCONCEPTION(causal_mask, upper_triangle,
              "this is the upper triangle: each position sees itself and the future. Rows are "
              "queries and columns are keys; query i may attend to keys up to i.",
              square([](long i, long j) { return j >= i; }));

MISCONCEPTION(causal_mask, inverted,
              "true and false are exchanged: this marks what is blocked. In this "
              "course true means attend.",
              square([](long i, long j) { return j > i; }));

MISCONCEPTION(causal_mask, sees_the_next,
              "every position also sees the next one, which it has to predict.",
              square([](long i, long j) { return j <= i + 1; }));

MISCONCEPTION(causal_mask, difference_wraps,
              "every position sees all but the one right after it: i - j is computed in "
              "std::size_t, which has no negative numbers, and is huge where j is larger. Compare "
              "the two, j <= i.",
              square([](long i, long j) { return j != i + 1; }));

MISCONCEPTION(
    causal_mask, nothing_blocked,
    "nothing is blocked: every position sees the whole future. Where key j is later than "
    "query i, the mask has to be false, and false has to be written there: memory that is "
    "not set may hold anything. (i - j >= 0 is always true: std::size_t has no negative "
    "numbers.)",
    square([](long, long) { return true; }));

MISCONCEPTION(causal_mask, everything_blocked,
              "everything is blocked: no position sees anything, not even itself. Look whether the "
              "loops run, and where true is written.",
              square([](long, long) { return false; }));

MISCONCEPTION(causal_mask, diagonal_only,
              "every position sees itself and nothing else. It may look back as well: at every "
              "j up to i.",
              square([](long i, long j) { return i == j; }));

MISCONCEPTION(causal_mask, diagonal_blocked,
              "every position sees all others, before and after it, but not itself. Only later "
              "positions must be hidden.",
              square([](long i, long j) { return i != j; }));

MISCONCEPTION(causal_mask, one_step_back,
              "every position sees itself and the one before it, no further back. It may look at "
              "every j up to i.",
              square([](long i, long j) { return j <= i && j >= i - 1; }));

MISCONCEPTION(causal_mask, first_row_missing,
              "the first row is false throughout: the loop over the queries begins at 1. Position "
              "0 sees itself.",
              square([](long i, long j) { return j <= i && i > 0; }));

MISCONCEPTION(causal_mask, first_column_missing,
              "the first column is false throughout: the loop over the keys begins at 1. Position "
              "0 is seen by all.",
              square([](long i, long j) { return j <= i && j > 0; }));

MISCONCEPTION(causal_mask, first_row_only,
              "only the first row is filled. Look where the loop over the queries ends, or whether "
              "it returns too early.",
              square([](long i, long j) { return j <= i && i == 0; }));

MISCONCEPTION(causal_mask, first_row_masked_only,
              "only the first row hides what is later; all other rows are true throughout. Does "
              "the loop over the queries end after one? Row i is false beyond i.",
              square([](long i, long j) { return i > 0 || j == 0; }));

/// The mask with allowed(i, j, n) at (i, j).
template <class Allowed>
auto square_of(Allowed allowed) {
    return [=](std::size_t n) {
        return mask_of(n, n, [=](std::size_t i, std::size_t j) { return allowed(i, j, n); });
    };
}

MISCONCEPTION(causal_mask, last_row_missing,
              "the last row is false throughout: the loop over the queries ends one too early.",
              square_of([](auto i, auto j, auto n) { return j <= i && i + 1 < n; }));

MISCONCEPTION(causal_mask, other_diagonal,
              "this is the triangle of the other diagonal, from the upper right to the lower left: "
              "i + j is compared. Compare j with i.",
              square_of([](auto i, auto j, auto n) { return i + j < n; }));

MISCONCEPTION(causal_mask, cut_at_256,
              "right up to 256 positions, not beyond: a byte counts no further, and a buffer of "
              "256 is too small. Use std::size_t.",
              square_of([](auto i, auto j, auto) { return j % 256 <= i % 256; }));

MISCONCEPTION(causal_mask, false_beyond_256,
              "right up to 256 positions; beyond, nothing is filled in. n may be any number.",
              square_of([](auto i, auto j, auto) { return j <= i && i < 256; }));

constexpr const char* says_bits =
    "a row is kept in the bits of one number, 64 or 32 of them, and beyond those an index, or a "
    "shift by as many, begins anew at 0. n may be any number: compare j with i, element by "
    "element.";

/// The lowest i + 1 bits of a number that has `bits`: as (1 << (i + 1)) - 1, or as ~0 >> (63 - i).
auto in_bits_of(std::size_t bits, bool shifted_left) {
    return square_of([=](auto i, auto j, auto) {
        return shifted_left ? j % bits < (i + 1) % bits : j % bits <= i % bits;
    });
}

MISCONCEPTION(causal_mask, rows_in_64_bits, says_bits, in_bits_of(64, true));
MISCONCEPTION(causal_mask, rows_in_32_bits, says_bits, in_bits_of(32, true));
MISCONCEPTION(causal_mask, rows_in_64_bits_shifted_right, says_bits, in_bits_of(64, false));
MISCONCEPTION(causal_mask, rows_in_32_bits_shifted_right, says_bits, in_bits_of(32, false));

/// Tiles of so many positions, of which each sees all of its own.
auto in_tiles_of(long size) {
    return square([=](long i, long j) { return j / size <= i / size; });
}

constexpr const char* says_tiles =
    "positions are taken in tiles, and within a tile on the diagonal nothing is blocked: a "
    "position sees those after it in its tile. Compare j with i there, element by element.";

MISCONCEPTION(causal_mask, tiles_of_2, says_tiles, in_tiles_of(2));
MISCONCEPTION(causal_mask, tiles_of_4, says_tiles, in_tiles_of(4));
MISCONCEPTION(causal_mask, tiles_of_8, says_tiles, in_tiles_of(8));
MISCONCEPTION(causal_mask, tiles_of_16, says_tiles, in_tiles_of(16));
MISCONCEPTION(causal_mask, tiles_of_32, says_tiles, in_tiles_of(32));
MISCONCEPTION(causal_mask, tiles_of_64, says_tiles, in_tiles_of(64));

/// Two triangles of half the size each, and the square below both.
void fill_by_halves(Mask& mask, std::size_t first, std::size_t n) {
    const std::size_t half = n / 2;
    if (n == 1) {
        mask(first, first) = true;
        return;
    }
    fill_by_halves(mask, first, half);
    fill_by_halves(mask, first + half, half);
    xt::view(mask, xt::range(first + half, first + 2 * half), xt::range(first, first + half)) =
        true;
}

MISCONCEPTION(causal_mask, halves_of_odd_sizes,
              "the triangle is made of two of half its size, and where n is odd the last position "
              "is in neither of them: it sees nothing. The second half has n - n / 2 positions.",
              [](std::size_t n) {
                  Mask mask = xt::zeros<bool>({n, n});
                  fill_by_halves(mask, 0, n);
                  return mask;
              });

auto window_of(long size) {
    return square([=](long i, long j) { return j <= i && i - j < size; });
}

constexpr const char* says_window =
    "every position sees only so many before it, a window. It may look back as far as it likes: at "
    "every j up to i.";

MISCONCEPTION(causal_mask, window_of_3, says_window, window_of(3));
MISCONCEPTION(causal_mask, window_of_4, says_window, window_of(4));
MISCONCEPTION(causal_mask, window_of_8, says_window, window_of(8));
MISCONCEPTION(causal_mask, window_of_16, says_window, window_of(16));
MISCONCEPTION(causal_mask, window_of_64, says_window, window_of(64));
MISCONCEPTION(causal_mask, window_of_128, says_window, window_of(128));

} // namespace
