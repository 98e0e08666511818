#include "causal_masking.hpp"

#include <limits>

namespace lesson {

Matrix apply_mask(const Matrix& scores, const Mask& mask) {
    require_same_shape("apply_mask", scores, mask);

    // solution 05.2 (scores, mask): the scores, with −∞ wherever the mask is false
    const double infinity = std::numeric_limits<double>::infinity();

    Matrix result = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (!mask(i, j)) {
                result(i, j) = -infinity;
            }
        }
    }
    return result;
    // end
}

} // namespace lesson
