#pragma once

// What the wrong positions of lesson 09 are put together from.

#include <functional>

#include "wrong.hpp"

namespace wrong {

inline double power(double base, double exponent) {
    return std::pow(base, exponent);
}

inline double omega(std::size_t k, std::size_t d) {
    return power(10000, -2 * real(k) / real(d));
}

/// The angle by which pair k of d columns is turned at a position.
using Angle = std::function<double(double position, std::size_t k, std::size_t d)>;

inline double right_angle(double position, std::size_t k, std::size_t d) {
    return position * omega(k, d);
}

/// result(p, c) = element(p, c, n, d), behind the check that stands in the stub.
template <class Element>
auto table(Element element) {
    return [=](std::size_t n, std::size_t d) -> Matrix {
        lesson::require_even("sinusoidal_positions", "d", d);
        return matrix_of(n, d, [&](auto p, auto c) { return element(p, c, n, d); });
    };
}

/// Sines and cosines in their places, of another angle.
inline auto table_of_angles(const Angle& angle) {
    return table([=](auto p, auto c, auto, auto d) {
        const double x = angle(real(p), c / 2, d);
        return c % 2 == 0 ? std::sin(x) : std::cos(x);
    });
}

/// (x, y) of row i and pair k in a matrix of d columns becomes turn(x, y, cos, sin), of this angle.
struct Pair {
    double x, y;
};
using Turn = std::function<Pair(double x, double y, double c, double s)>;

inline Pair right_turn(double x, double y, double c, double s) {
    return {x * c - y * s, x * s + y * c};
}

inline Matrix turned(const Matrix& X, const Vector& positions, const Angle& angle,
                     const Turn& turn = right_turn) {
    Matrix result = X;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t k = 0; k < X.shape(1) / 2; ++k) {
            const double a = angle(positions(i), k, X.shape(1));
            const Pair pair = turn(X(i, 2 * k), X(i, 2 * k + 1), std::cos(a), std::sin(a));
            result(i, 2 * k) = pair.x;
            result(i, 2 * k + 1) = pair.y;
        }
    }
    return result;
}

/// A wrong rotation behind the check that stands in the stub.
template <class Wrong>
auto checked_rotation(Wrong wrong) {
    return [=](const Matrix& X, const Vector& positions) -> Matrix {
        lesson::require_fit(X, positions);
        return wrong(X, positions);
    };
}

inline auto by_angle(const Angle& angle) {
    return checked_rotation(
        [=](const Matrix& X, const Vector& positions) { return turned(X, positions, angle); });
}

inline auto by_turn(const Turn& turn) {
    return checked_rotation([=](const Matrix& X, const Vector& positions) {
        return turned(X, positions, right_angle, turn);
    });
}

/// Columns k and k + d/2 are a pair.
inline Matrix turned_halves(const Matrix& X, const Vector& positions, const Angle& angle) {
    const std::size_t half = X.shape(1) / 2;
    return matrix_of(X.shape(0), X.shape(1), [&](auto i, auto c) {
        const double a = angle(positions(i), c % half, X.shape(1));
        const double x = X(i, c % half);
        const double y = X(i, c % half + half);
        return c < half ? x * std::cos(a) - y * std::sin(a) : x * std::sin(a) + y * std::cos(a);
    });
}

inline Vector shifted(const Vector& positions, double by) {
    return positions + by;
}

} // namespace wrong

/// A wrong angle, in the table and in the rotation.
#define WRONG_ANGLE(name, explanation, ...)                                                        \
    MISCONCEPTION(sinusoidal_positions, name, explanation, table_of_angles(__VA_ARGS__));          \
    MISCONCEPTION(rotate, name##_in_rotation, explanation, by_angle(__VA_ARGS__))
