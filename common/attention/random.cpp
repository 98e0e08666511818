#include "attention/random.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace attention {
namespace {

// The standard fixes every number of mt19937_64, but not the distributions.
double uniform(std::mt19937_64& engine) { // [0, 1), the top 53 bits
    return static_cast<double>(engine() >> 11) * 0x1p-53;
}

// The ratio of two uniforms (Kinderman and Monahan 1977). A number is one product and one quotient,
// which IEEE arithmetic rounds alike everywhere (a fused multiply-add has nothing to change here:
// the other products are by powers of 2, thus exact); the logarithm, whose last digit is the C
// library's choice, only decides whether to keep it. Box–Muller would put that digit into the
// number.
double normal(std::mt19937_64& engine) {
    constexpr double v_limit = 0.857763884960706797; // √(2/e)
    for (;;) {
        const double u = 1.0 - uniform(engine); // (0, 1], so that neither quotient nor log fails
        const double v = (2.0 * uniform(engine) - 1.0) * v_limit;
        const double x = v / u;
        if (x * x <= -4.0 * std::log(u)) {
            return x;
        }
    }
}

} // namespace

Vector standard_normal(std::size_t n, std::uint64_t seed) {
    auto numbers = Vector::from_shape({n});
    std::mt19937_64 engine(seed);
    for (double& x : numbers) {
        x = normal(engine);
    }
    return numbers;
}

Matrix standard_normal(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    const Vector numbers = standard_normal(rows * columns, seed);
    auto matrix = Matrix::from_shape({rows, columns});
    std::copy(numbers.begin(), numbers.end(), matrix.begin());
    return matrix;
}

} // namespace attention
