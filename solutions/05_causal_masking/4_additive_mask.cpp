#include "causal_masking.hpp"

#include <limits>

namespace lesson {

Matrix additive_mask(const Mask& mask) {
    // solution 05.4 (mask): 0 where the mask is true, −∞ where it is false
    const double infinity = std::numeric_limits<double>::infinity();

    Matrix result = Matrix::from_shape({mask.shape(0), mask.shape(1)});
    for (std::size_t i = 0; i < mask.shape(0); ++i) {
        for (std::size_t j = 0; j < mask.shape(1); ++j) {
            result(i, j) = mask(i, j) ? 0 : -infinity;
        }
    }
    return result;
    // end
}

} // namespace lesson
