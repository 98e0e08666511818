// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here a
// mask is taken for one with fewer rows, fewer places or fewer gaps than it has.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_other_masks {

using namespace wrong;

namespace {

using S = std::size_t;

bool everything_allowed_in(const Mask& mask, S i) {
    bool all = true;
    for (S j = 0; j < mask.shape(1); ++j) {
        all = all && mask(i, j);
    }
    return all;
}

// ---- Rows

MASK_READ_WRONGLY(nothing_blocked_if_the_first_row_allows_all,
                  "a mask whose first row allows every key is taken for one that blocks nothing. "
                  "Other rows may block: look at all of them, or at none.",
                  [](const Mask& mask) {
                      const bool all = everything_allowed_in(mask, 0);
                      return asked_only(mask, [=](auto, auto) { return !all; });
                  });

MASK_READ_WRONGLY(
    nothing_blocked_if_the_first_query_sees_the_last_key,
    "a mask that lets the first query see the last key is taken for one that blocks nothing, since "
    "a causal one would not. Others may, and block elsewhere: ask mask(i, j) for each.",
    [](const Mask& mask) {
        const bool seen = mask(0, mask.shape(1) - 1);
        return asked_only(mask, [=](auto, auto) { return !seen; });
    });

MASK_READ_WRONGLY(
    done_at_a_row_that_allows_all,
    "after a row that allows every key nothing is blocked any more, as if later queries always saw "
    "more: break or return leaves the loop there. Go on to the next row.",
    [](const Mask& mask) {
        S end = 0;
        while (end < mask.shape(0) && !everything_allowed_in(mask, end)) {
            ++end;
        }
        return asked_only(mask, [=](auto i, auto) { return i < end; });
    });

MASK_READ_WRONGLY(
    row_before_but_for_its_own_key,
    "row i is the row before it, and only its own place, (i, i), is asked. Rows of a causal mask "
    "differ in no other; those of other masks may: ask mask(i, j) for each.",
    [](const Mask& mask) {
        return mask_of(mask.shape(0), mask.shape(1),
                       [&](auto i, auto j) { return mask(j <= i ? j : 0, j); });
    });

// ---- Places of a row

MASK_READ_WRONGLY(all_blocked_between_the_first_and_the_last,
                  "all keys between the first and the last that a row blocks are blocked. Some "
                  "between them may be allowed: ask mask(i, j) for each.",
                  [](const Mask& mask) {
                      Mask read = mask;
                      for (S i = 0; i < mask.shape(0); ++i) {
                          S first = mask.shape(1), last = 0;
                          for (S j = 0; j < mask.shape(1); ++j) {
                              first = mask(i, j) ? first : std::min(first, j);
                              last = mask(i, j) ? last : j;
                          }
                          for (S j = first; j < last; ++j) {
                              read(i, j) = false;
                          }
                      }
                      return read;
                  });

/// A row in so many bits, in which key j has the bit j % bits: blocked if one of its keys is, or if
/// all are.
auto in_bits(S bits, bool if_one_is) {
    return [=](const Mask& mask) {
        Mask allowed = mask_of(mask.shape(0), bits, [=](auto, auto) { return if_one_is; });
        for (S i = 0; i < mask.shape(0); ++i) {
            for (S j = 0; j < mask.shape(1); ++j) {
                if (mask(i, j) != if_one_is) {
                    allowed(i, j % bits) = !if_one_is;
                }
            }
        }
        return mask_of(mask.shape(0), mask.shape(1),
                       [&](auto i, auto j) { return allowed(i, j % bits); });
    };
}

constexpr const char* says_bits =
    "a row of the mask is packed into the bits of one number, 64 or 32 of them, and beyond those "
    "keys share a bit: a key is blocked if any is that has the same. Ask mask(i, j) for each.";
constexpr const char* says_bits_of_the_allowed =
    "a row of the mask is packed into the bits of one number, 64 or 32 of them, and beyond those "
    "keys share a bit: a key is allowed if any is that has the same. Ask mask(i, j) for each.";

MASK_READ_WRONGLY(rows_in_64_bits, says_bits, in_bits(64, true));
MASK_READ_WRONGLY(rows_in_32_bits, says_bits, in_bits(32, true));
MASK_READ_WRONGLY(allowed_in_64_bits, says_bits_of_the_allowed, in_bits(64, false));
MASK_READ_WRONGLY(allowed_in_32_bits, says_bits_of_the_allowed, in_bits(32, false));

/// Only as many keys are asked as fill whole blocks; or all of them in rows shorter than one.
auto whole_blocks_of(S size, bool all_of_short_rows) {
    return [=](const Mask& mask) {
        const S n = mask.shape(1);
        const S asked = all_of_short_rows && n < size ? n : n / size * size;
        return asked_only(mask, [=](auto, auto j) { return j < asked; });
    };
}

constexpr const char* says_left_over =
    "the keys of a row are taken in blocks, and those that are left over where n_keys is no "
    "multiple of a block are never blocked. Add a loop for the rest.";

MASK_READ_WRONGLY(keys_past_blocks_of_2_not_masked, says_left_over, whole_blocks_of(2, false));
MASK_READ_WRONGLY(keys_past_blocks_of_4_not_masked, says_left_over, whole_blocks_of(4, false));
MASK_READ_WRONGLY(keys_past_blocks_of_8_not_masked, says_left_over, whole_blocks_of(8, false));
MASK_READ_WRONGLY(rest_of_rows_beyond_4_not_masked, says_left_over, whole_blocks_of(4, true));
MASK_READ_WRONGLY(rest_of_rows_beyond_8_not_masked, says_left_over, whole_blocks_of(8, true));

/// Only as many elements are asked, row after row, as fill whole blocks.
auto whole_blocks_of_all(S size) {
    return [=](const Mask& mask) {
        const S asked = mask.size() / size * size;
        return asked_only(mask, [&](auto i, auto j) { return i * mask.shape(1) + j < asked; });
    };
}

constexpr const char* says_last_elements =
    "the elements are taken in blocks, row after row, and those at the very end that are left over "
    "where their number is no multiple of a block are never blocked. Add a loop for the rest.";

MASK_READ_WRONGLY(elements_past_blocks_of_2_not_masked, says_last_elements, whole_blocks_of_all(2));
MASK_READ_WRONGLY(elements_past_blocks_of_4_not_masked, says_last_elements, whole_blocks_of_all(4));
MASK_READ_WRONGLY(elements_past_blocks_of_8_not_masked, says_last_elements, whole_blocks_of_all(8));

} // namespace

} // namespace misconceptions_other_masks
