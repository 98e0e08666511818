// Wrong versions of 08.4 that divide by the largest of one side alone, and lose a NaN besides, as a
// loop with std::max does.

#include "wrong_check.hpp"

namespace misconceptions_measure_and_nan {

using namespace wrong;

namespace {

enum class Side { gradient, differences };
enum class At0 { returns_0, divides };

/// One loop with std::max: of a component that is NaN it keeps nothing.
auto losing_nan(Side side, At0 at_0) {
    return by_measure([=](const Vector& d, const Vector& g) {
        double error = 0, largest = 0;
        for (std::size_t i = 0; i < g.size(); ++i) {
            error = std::max(error, std::abs(g(i) - d(i)));
            largest = std::max(largest, std::abs(side == Side::gradient ? g(i) : d(i)));
        }
        return at_0 == At0::returns_0 ? over(error, largest) : error / largest;
    });
}

constexpr const char* by_the_gradient =
    "the error is divided by the largest component of the gradient alone: if that is wrong, so is "
    "the measure. Look at the differences as well. And a NaN is lost, since std::max(worst, NaN) "
    "is worst: ask with std::isnan.";
MISCONCEPTION_IN(by_name, gradient_check, by_the_gradient_without_nan, by_the_gradient,
                 losing_nan(Side::gradient, At0::returns_0));
MISCONCEPTION_IN(by_name, gradient_check, by_the_gradient_without_nan_over_0, by_the_gradient,
                 losing_nan(Side::gradient, At0::divides));

constexpr const char* by_the_differences =
    "the error is divided by the largest difference alone: look at the gradient as well. And a NaN "
    "is lost, since std::max(worst, NaN) is worst: ask with std::isnan.";
MISCONCEPTION_IN(by_name, gradient_check, by_the_differences_without_nan, by_the_differences,
                 losing_nan(Side::differences, At0::returns_0));
MISCONCEPTION_IN(by_name, gradient_check, by_the_differences_without_nan_over_0, by_the_differences,
                 losing_nan(Side::differences, At0::divides));

} // namespace

} // namespace misconceptions_measure_and_nan
