#include "published_model.hpp"

#include <cmath>

namespace lesson {

Vector rms_norm(const Vector& x, const Vector& gain) {
    require_fit(x, gain);

    // TODO 12.1: divide by the root of the mean square
    todo("12.1", x, gain);
}

} // namespace lesson
