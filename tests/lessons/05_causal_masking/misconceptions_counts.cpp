// Wrong versions that count what a mask allows, or blocks, in too few bits.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_counts {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

S allowed_in_row(const Mask& mask, S i) {
    S count = 0;
    for (S j = 0; j < mask.shape(1); ++j) {
        count += mask(i, j) ? 1 : 0;
    }
    return count;
}

S allowed_in_column(const Mask& mask, S j) {
    S count = 0;
    for (S i = 0; i < mask.shape(0); ++i) {
        count += mask(i, j) ? 1 : 0;
    }
    return count;
}

S allowed_in_all(const Mask& mask) {
    S count = 0;
    for (const bool allowed : mask) {
        count += allowed ? 1 : 0;
    }
    return count;
}

// ---- 05.3 and 05.5: a count of 0 is taken for "nothing is allowed"

constexpr const char* says_allowed_counted =
    "what is allowed is counted in 8 bits, or in 16, as by std::uint8_t or unsigned char. A count "
    "of 256, or of 65,536, is 0 there, and what sees so many keys is taken for blocked throughout. "
    "Count in a std::size_t, or ask whether there is one: a bool.";

WITHIN_ONE_SEQUENCE(allowed_counted_in_8_bits, says_allowed_counted, [](M scores, auto& mask) {
    const Matrix weights = plain::masked_softmax(scores, mask);
    return zero_unless(weights, [&](S i, S) { return allowed_in_row(mask, i) % 256 != 0; });
});
WITHIN_ONE_SEQUENCE(allowed_in_all_counted_in_8_bits, says_allowed_counted,
                    [](M scores, auto& mask) -> Matrix {
                        const Matrix weights = plain::masked_softmax(scores, mask);
                        return allowed_in_all(mask) % 256 == 0 ? Matrix(0 * weights) : weights;
                    });
WITHIN_ONE_SEQUENCE(allowed_in_all_counted_in_16_bits, says_allowed_counted,
                    [](M scores, auto& mask) -> Matrix {
                        const Matrix weights = plain::masked_softmax(scores, mask);
                        return allowed_in_all(mask) % 65536 == 0 ? Matrix(0 * weights) : weights;
                    });
WITHIN_ONE_SEQUENCE(queries_counted_in_8_bits,
                    "how many queries see a key is counted in 8 bits, as by std::uint8_t or "
                    "unsigned char. A count of 256 is 0 there, and the key is left out as if "
                    "nobody saw it. Count in a std::size_t, or ask the mask of each query.",
                    [](M scores, auto& mask) {
                        return plain::masked_softmax(
                            scores, mask_of(mask.shape(0), mask.shape(1), [&](S i, S j) {
                                return mask(i, j) && allowed_in_column(mask, j) % 256 != 0;
                            }));
                    });

// ---- 05.2 to 05.4: a count of 0 is taken for "nothing is blocked"

constexpr const char* says_blocked_counted =
    "what is blocked is counted in 8 bits, or in 16, as by std::uint8_t or unsigned char. A count "
    "of 256, or of 65,536, is 0 there, and nothing is blocked where so much is. Count in a "
    "std::size_t, or ask the mask of each place.";

MASK_READ_WRONGLY(blocked_in_row_counted_in_8_bits, says_blocked_counted, [](const Mask& mask) {
    return asked_only(mask,
                      [&](S i, S) { return (mask.shape(1) - allowed_in_row(mask, i)) % 256 != 0; });
});
MASK_READ_WRONGLY(blocked_in_all_counted_in_8_bits, says_blocked_counted, [](const Mask& mask) {
    const S blocked = mask.size() - allowed_in_all(mask);
    return asked_only(mask, [=](S, S) { return blocked % 256 != 0; });
});
MASK_READ_WRONGLY(blocked_in_all_counted_in_16_bits, says_blocked_counted, [](const Mask& mask) {
    const S blocked = mask.size() - allowed_in_all(mask);
    return asked_only(mask, [=](S, S) { return blocked % 65536 != 0; });
});

// ---- 05.2 to 05.5: a mask is known by how many places it allows

constexpr const char* says_causal_by_counts =
    "a square mask is taken for the causal one where row i allows i + 1 keys, or where it allows "
    "as many in all. Those may be other keys than the first ones: ask mask(i, j) for each.";

Mask causal_by_counts_of_rows(const Mask& mask) {
    bool causal = mask.shape(0) == mask.shape(1);
    for (S i = 0; causal && i < mask.shape(0); ++i) {
        causal = allowed_in_row(mask, i) == i + 1;
    }
    return causal ? causal_like(mask) : mask;
}

Mask causal_by_count_of_all(const Mask& mask) {
    const S n = mask.shape(0);
    const bool causal = n == mask.shape(1) && allowed_in_all(mask) == n * (n + 1) / 2;
    return causal ? causal_like(mask) : mask;
}

MASK_READ_WRONGLY(causal_by_its_counts, says_causal_by_counts, causal_by_counts_of_rows);
MASK_READ_WRONGLY(causal_by_its_total, says_causal_by_counts, causal_by_count_of_all);
MISCONCEPTION(scaled_dot_product_attention, causal_by_its_counts_in_attention,
              says_causal_by_counts, Mechanism{.weigh = [](M scores, const Mask& mask) {
                  return plain::masked_softmax(scores, causal_by_counts_of_rows(mask));
              }});
MISCONCEPTION(scaled_dot_product_attention, causal_by_its_total_in_attention, says_causal_by_counts,
              Mechanism{.weigh = [](M scores, const Mask& mask) {
                  return plain::masked_softmax(scores, causal_by_count_of_all(mask));
              }});

} // namespace

} // namespace misconceptions_counts
