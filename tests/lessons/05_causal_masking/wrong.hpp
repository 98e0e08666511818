#pragma once

// What the wrong versions of lesson 05 are put together from.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "exports.hpp"
#include "plain.hpp"

namespace wrong {

using attention::Tensor3;
using lesson::Attention;
using lesson::Mask;
using lesson::Matrix;
using plain::filled;
using plain::infinity;
using plain::mask_of;
using plain::Mechanism;
using plain::OptionalMask;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

/// A wrong function behind the check that stands in the stub.
template <class Wrong>
auto checked(Wrong wrong) {
    return [=](const Matrix& scores, const Mask& mask) -> Matrix {
        lesson::require_same_shape("a misconception", scores, mask);
        return wrong(scores, mask);
    };
}

inline Mask causal_like(const Mask& mask) {
    return mask_of(mask.shape(0), mask.shape(1), [](auto i, auto j) { return j <= i; });
}

/// mask(j, i) for mask(i, j), which an array refuses where it is outside.
inline Mask exchanged(const Mask& mask) {
    return mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) { return mask(j, i); });
}

/// The same where the mask is square, and elsewhere the mask as it is.
inline Mask exchanged_where_square(const Mask& mask) {
    return mask.shape(0) == mask.shape(1) ? exchanged(mask) : mask;
}

inline bool nothing_allowed_in(const Mask& mask, std::size_t i) {
    bool any = false;
    for (std::size_t j = 0; j < mask.shape(1); ++j) {
        any = any || mask(i, j);
    }
    return !any;
}

/// A row that allows nothing allows its own key, or the last one.
inline Mask with_own_key_in_blocked_rows(const Mask& mask) {
    return mask_of(mask.shape(0), mask.shape(1), [&](std::size_t i, std::size_t j) {
        const bool own = j == std::min(i, mask.shape(1) - 1);
        return mask(i, j) || (own && nothing_allowed_in(mask, i));
    });
}

/// A mask that is asked only where kept(i, j), and allows everything elsewhere.
template <class Kept>
Mask asked_only(const Mask& mask, Kept kept) {
    return mask_of(mask.shape(0), mask.shape(1),
                   [&](auto i, auto j) { return mask(i, j) || !kept(i, j); });
}

/// The result with 0 where not kept(i, j).
template <class Kept>
Matrix zero_unless(const Matrix& result, Kept kept) {
    return filled(result, mask_of(result.shape(0), result.shape(1), kept), 0);
}

} // namespace wrong

/// Wrong weights: in 05.3, and in 05.5 of every sequence.
#define WITHIN_ONE_SEQUENCE(name, explanation, ...)                                                \
    MISCONCEPTION(masked_softmax, name, explanation, checked(__VA_ARGS__));                        \
    MISCONCEPTION(scaled_dot_product_attention, name##_in_attention, explanation,                  \
                  Mechanism{.weigh = __VA_ARGS__})

/// A mask read wrongly, in 05.2, 05.3 and 05.4.
#define MASK_READ_WRONGLY(name, explanation, ...)                                                  \
    MISCONCEPTION(apply_mask, name, explanation, checked([](auto& scores, auto& given) {           \
                      return filled(scores, (__VA_ARGS__)(given), -infinity);                      \
                  }));                                                                             \
    MISCONCEPTION(masked_softmax, name##_in_softmax, explanation,                                  \
                  checked([](auto& scores, auto& given) {                                          \
                      return plain::masked_softmax(scores, (__VA_ARGS__)(given));                  \
                  }));                                                                             \
    MISCONCEPTION(additive_mask, name##_added, explanation, [](const Mask& given) -> Matrix {      \
        return filled(xt::zeros<double>({given.shape(0), given.shape(1)}), (__VA_ARGS__)(given),   \
                      -infinity);                                                                  \
    })

namespace wrong {

/// The right answer, spoilt.
template <class Spoil>
auto spoilt(Spoil spoil) {
    return [=](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        Attention right = Mechanism{}(Q, K, V, mask);
        const Attention unmasked = Mechanism{}(Q, K, V, {});
        spoil(right, unmasked);
        return right;
    };
}

} // namespace wrong
