// Wrong versions of 09.2 that take a mask for another one: for the causal one, or for one row of
// it.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_masks {

using namespace wrong;

namespace {

/// Right, under what other(mask) makes of the caller's mask; under none if there is none.
template <class Other>
auto under(Other other) {
    return [=](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
               const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) {
        lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
        return Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads,
                           mask ? OptionalMask(other(*mask)) : mask);
    };
}

/// result(i, j) = element(i, j), of the shape of this mask.
template <class Element>
Mask shaped_as(const Mask& mask, Element element) {
    Mask result = mask;
    for (std::size_t i = 0; i < mask.shape(0); ++i) {
        for (std::size_t j = 0; j < mask.shape(1); ++j) {
            result(i, j) = element(i, j);
        }
    }
    return result;
}

Mask causal(const Mask& mask) {
    return shaped_as(mask, [](auto i, auto j) { return j <= i; });
}

MISCONCEPTION(multi_head_attention, causal_where_there_is_a_mask,
              "where there is a mask, this is causal, whatever the mask says. The caller decides "
              "who may see whom.",
              under(causal));

MISCONCEPTION(multi_head_attention, causal_where_there_is_no_mask,
              "where there is no mask, this is causal. No mask blocks nothing: every position sees "
              "every other, later ones too.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                 const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) {
                  lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
                  const Mask instead = causal(plain::all_allowed(X.shape(0)));
                  return Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, mask.value_or(instead));
              });

bool corner_blocked(const Mask& mask) {
    return !mask(0, mask.shape(1) - 1);
}

constexpr const char* by_the_corner =
    "a mask that blocks the last position for position 0 is taken for the causal one, and the rest "
    "of it is not looked at. Other masks block that place too, such as one of padding or of a "
    "window: hand on the mask as it is.";

MISCONCEPTION(multi_head_attention, causal_by_the_corner, by_the_corner,
              under([](const Mask& own) { return corner_blocked(own) ? causal(own) : own; }));
MISCONCEPTION(multi_head_attention, causal_by_the_corner_or_unmasked, by_the_corner,
              under([](const Mask& own) {
                  return corner_blocked(own) ? causal(own) : plain::all_allowed(own.shape(0));
              }));

MISCONCEPTION(multi_head_attention, mask_of_position_0,
              "what position 0 may not see is blocked for every position, and nothing else: "
              "mask(0, j) where mask(i, j) is meant.",
              under([](const Mask& own) {
                  return shaped_as(own, [&](auto, auto j) { return own(0, j); });
              }));
MISCONCEPTION(multi_head_attention, mask_of_the_last_position,
              "what the last position may not see is blocked for every position, and nothing else: "
              "one row of the mask is taken for all. It has a row for each position: mask(i, j).",
              under([](const Mask& own) {
                  return shaped_as(own, [&](auto, auto j) { return own(own.shape(0) - 1, j); });
              }));

MISCONCEPTION(
    multi_head_attention, nan_left_in_the_weights,
    "the output is right, but the weights beside it are NaN for a position that may see nothing: "
    "NaN is cleaned out of the output only. There the weights are 0; if they are, the output is.",
    [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v, const Matrix& W_o,
       std::size_t n_heads, const OptionalMask& mask) {
        auto right = Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, mask);
        Heads weights = plain::unstacked(right.weights);
        for (Matrix& each : weights) {
            for (std::size_t i = 0; i < each.shape(0); ++i) {
                auto row = xt::view(each, i, xt::all());
                if (xt::sum(row)() == 0) {
                    row.fill(std::numeric_limits<double>::quiet_NaN());
                }
            }
        }
        right.weights = plain::stacked(weights);
        return right;
    });

} // namespace

} // namespace misconceptions_masks
