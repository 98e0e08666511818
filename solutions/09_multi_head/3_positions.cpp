#include "multi_head.hpp"

#include "attention/attention.hpp" // attention::attention(Q, K, V).output

#include <cmath>

namespace lesson {

Matrix sinusoidal_positions(std::size_t n, std::size_t d) {
    require_even("sinusoidal_positions", "d", d);

    // solution 09.3 (n, d): a sine and a cosine a pair of columns, each pair slower than the one before
    Matrix result = Matrix::from_shape({n, d});
    for (std::size_t k = 0; k < d / 2; ++k) {
        const double exponent = -2.0 * static_cast<double>(k) / static_cast<double>(d);
        const double omega = std::pow(10000.0, exponent); // radians a position
        for (std::size_t p = 0; p < n; ++p) {
            const double angle = static_cast<double>(p) * omega;
            result(p, 2 * k) = std::sin(angle);
            result(p, 2 * k + 1) = std::cos(angle);
        }
    }
    return result;
    // end
}

Matrix rotate(const Matrix& X, const Vector& positions) {
    require_fit(X, positions);

    // solution 09.3 (X, positions): turn each pair of columns by its own angle
    const std::size_t d = X.shape(1);

    Matrix result = Matrix::from_shape({X.shape(0), d});
    for (std::size_t k = 0; k < d / 2; ++k) {
        const double exponent = -2.0 * static_cast<double>(k) / static_cast<double>(d);
        const double omega = std::pow(10000.0, exponent); // radians a position
        for (std::size_t i = 0; i < X.shape(0); ++i) {
            const double cosine = std::cos(positions(i) * omega);
            const double sine = std::sin(positions(i) * omega);
            const double x = X(i, 2 * k);
            const double y = X(i, 2 * k + 1);
            result(i, 2 * k) = x * cosine - y * sine;
            result(i, 2 * k + 1) = x * sine + y * cosine;
        }
    }
    return result;
    // end
}

Matrix rotary_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                        const Vector& positions) {
    require_fit(Q, K, V, positions);

    // solution 09.3 (Q, K, V, positions): rotate Q and K, then attend
    return attention::attention(rotate(Q, positions), rotate(K, positions), V).output;
    // end
}

} // namespace lesson
