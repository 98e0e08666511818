#include "causal_masking.hpp"

namespace lesson {

Mask causal_mask(std::size_t n) {
    // solution 05.1 (n): true where key j is not later than query i, false elsewhere
    Mask mask = Mask::from_shape({n, n});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            mask(i, j) = j <= i;
        }
    }
    return mask;
    // end
}

} // namespace lesson
