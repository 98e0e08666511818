#include "gradients.hpp"

#include <algorithm>
#include <cmath>

namespace lesson {

double gradient_check(const ScalarFunction& f, const Vector& x, const Vector& gradient, double h) {
    require_equal("gradient_check", "n", "x", x, 0, "gradient", gradient, 0);
    if (!(h > 0)) { // written so that NaN is refused too
        throw std::invalid_argument("gradient_check: h must be above 0, got " + std::to_string(h));
    }

    // TODO 08.4: largest error over the largest of gradient and differences
    todo("08.4", f, x, gradient, h);
}

} // namespace lesson
