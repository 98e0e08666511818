#include "gradients.hpp"

#include <algorithm>
#include <cmath>

namespace lesson {

double gradient_check(const ScalarFunction& f, const Vector& x, const Vector& gradient, double h) {
    require_equal("gradient_check", "n", "x", x, 0, "gradient", gradient, 0);
    if (!(h > 0)) { // written so that NaN is refused too
        throw std::invalid_argument("gradient_check: h must be above 0, got " + std::to_string(h));
    }

    // solution 08.4 (f, x, gradient, h): largest error over the largest of gradient and differences
    double error = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        Vector above = x, below = x; // copies: every other component stays where it is
        above(i) += h;
        below(i) -= h;
        const double difference = (f(above) - f(below)) / (2 * h);
        if (std::isnan(difference) || std::isnan(gradient(i))) {
            return std::nan(""); // std::max would lose it
        }
        error = std::max(error, std::abs(gradient(i) - difference));
        largest = std::max({largest, std::abs(gradient(i)), std::abs(difference)});
    }
    return largest > 0 ? error / largest : 0;
    // end
}

} // namespace lesson
