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

} // namespace

} // namespace misconceptions_counts
