#include "published_model.hpp"

#include <cmath>

namespace lesson {

Vector rms_norm(const Vector& x, const Vector& gain) {
    require_fit(x, gain);

    // solution 12.1 (x, gain): divide by the root of the mean square
    const double mean_square = xt::mean(x * x)();
    return gain * x / std::sqrt(mean_square + 1e-5);
    // end
}

} // namespace lesson
