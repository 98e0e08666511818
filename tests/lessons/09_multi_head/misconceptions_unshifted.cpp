// Wrong versions of 09.2, 09.3 and 09.4 in which the largest score of a row is not what is
// subtracted, and a row whose exponentials are all 0 is taken for one that sees nothing.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_unshifted {

using namespace wrong;

namespace {

/// exp(s) / Σ exp(s), and 0 where that sum is.
Matrix softmax_if_any_is_left(const Matrix& scores) {
    Matrix weights = xt::exp(scores);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            sum += weights(i, j);
        }
        xt::view(weights, i, xt::all()) /= sum > 0 ? sum : 1;
    }
    return weights;
}

Matrix from_0(const Matrix& scores) {
    const Matrix largest = xt::amax(scores, {1}, xt::keep_dims);
    return softmax_if_any_is_left(scores - xt::maximum(largest, 0.0));
}

IN_EVERY_ATTENTION(
    no_maximum_subtracted_and_0_for_none,
    "right until a score is large: exp overflows, since the row's maximum is not subtracted. "
    "And where all of a row are far below 0, every exponential is 0, and the row is left at 0 "
    "as if nothing were seen. With the maximum subtracted the largest is exp(0) = 1; "
    "attention::softmax_rows does it.",
    softmax_if_any_is_left);

IN_EVERY_ATTENTION(
    maximum_from_0_and_0_for_none,
    "the search for the largest score begins at 0. Where all of a row are far below, every "
    "exponential is 0, and the row is left at 0 as if nothing were seen. Begin at the first "
    "score that is not blocked, or at −∞.",
    from_0);

} // namespace

} // namespace misconceptions_unshifted
