// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong_positions.hpp"

using namespace wrong;

namespace {

constexpr double pi = 3.14159265358979323846;

// ---- 09.3 sinusoidal_positions and rotate: the angle

WRONG_ANGLE(exponent_without_the_2,
            "ω_k is 10000^(−k/d) here: the 2 of 2k is missing, so the slowest pair is a hundred "
            "times too fast.",
            [](double p, auto k, auto d) { return p * power(10000, -real(k) / real(d)); });

WRONG_ANGLE(column_for_pair,
            "the exponent counts columns twice: −2c/d with c = 2k, the column, in place of −2k/d, "
            "with k the pair.",
            [](double p, auto k, auto d) { return p * power(10000, -4 * real(k) / real(d)); });

WRONG_ANGLE(integer_division,
            "all pairs have one speed, ω = 1. Either ω is left out, or 2 * k / d is taken in "
            "integers, where it is 0: make k and d doubles before you divide.",
            [](double p, auto, auto) { return p; });

WRONG_ANGLE(exponent_wraps_around,
            "from the second pair on everything is NaN: −2 * k / d in std::size_t is no negative "
            "number but a huge one, 10000 to its power is ∞, and so is the angle. Make k and d "
            "doubles before you change the sign and divide.",
            [](double p, auto k, auto d) { return p * power(10000, real(-2 * k / d)); });

WRONG_ANGLE(positive_exponent,
            "the exponent has the wrong sign: each pair is faster than the one before. ω_k is "
            "10000^(−2k/d), or 1 over 10000^(2k/d).",
            [](double p, auto k, auto d) { return p / omega(k, d); });

WRONG_ANGLE(base_1000, "the base is 1000 here. It is 10000.",
            [](double p, auto k, auto d) { return p * power(1000, -2 * real(k) / real(d)); });
WRONG_ANGLE(base_100000, "the base is 100000 here. It is 10000: four zeros.",
            [](double p, auto k, auto d) { return p * power(100000, -2 * real(k) / real(d)); });
WRONG_ANGLE(
    base_e,
    "ω_k is e^(−2k/d) here: the logarithm of 10000 is missing. 10000^x is exp(x · ln 10000).",
    [](double p, auto k, auto d) { return p * std::exp(-2 * real(k) / real(d)); });
WRONG_ANGLE(decimal_logarithm,
            "ω_k is exp(−2k/d · log10(10000)). exp goes with the natural logarithm, std::log.",
            [](double p, auto k, auto d) { return p * std::exp(-8 * real(k) / real(d)); });
WRONG_ANGLE(base_2, "the base is 2 here: exp2 goes with log2. It is 10000.",
            [](double p, auto k, auto d) { return p * power(2, -2 * real(k) / real(d)); });

WRONG_ANGLE(
    slowest_is_a_ten_thousandth,
    "the exponent is −2k/(d − 2), so that the last pair has exactly 1/10000. Some code does "
    "so; the papers divide by d.",
    [](double p, auto k, auto d) {
        return p * power(10000, -2 * real(k) / std::max(real(d) - 2, 1.0));
    });

WRONG_ANGLE(pairs_from_1,
            "the pairs are counted from 1: the first turns with 10000^(−2/d). It is pair 0, with "
            "ω = 1.",
            [](double p, auto k, auto d) { return p * omega(k + 1, d); });

WRONG_ANGLE(slowest_first,
            "the pairs are in reverse order, the slowest first. Pair 0 is the fastest, with ω = 1.",
            [](double p, auto k, auto d) { return p * omega(d / 2 - 1 - k, d); });

WRONG_ANGLE(degrees,
            "the angle is turned into radians as if it was in degrees: it is in radians already.",
            [](double p, auto k, auto d) { return right_angle(p, k, d) * pi / 180; });

WRONG_ANGLE(radians_to_degrees,
            "the angle is turned into degrees. std::sin and std::cos take radians, which it is in.",
            [](double p, auto k, auto d) { return right_angle(p, k, d) * 180 / pi; });

WRONG_ANGLE(full_turns, "the angle is multiplied by 2π. It is p · ω_k radians, as it stands.",
            [](double p, auto k, auto d) { return right_angle(p, k, d) * 2 * pi; });

WRONG_ANGLE(
    positions_from_1,
    "position 0 is turned: positions are counted from 1 here. The first is 0, and there the "
    "angle is 0.",
    [](double p, auto k, auto d) { return right_angle(p + 1, k, d); });

WRONG_ANGLE(position_before,
            "everything is one position too early: position 1 has the angle 0. Position p has p · "
            "ω_k.",
            [](double p, auto k, auto d) { return right_angle(p - 1, k, d); });

WRONG_ANGLE(angle_halved, "every angle is half as large as it should be: p · ω_k.",
            [](double p, auto k, auto d) { return right_angle(p, k, d) / 2; });

WRONG_ANGLE(angle_doubled, "every angle is twice as large as it should be: p · ω_k.",
            [](double p, auto k, auto d) { return right_angle(p, k, d) * 2; });

WRONG_ANGLE(omega_added,
            "position and ω are added. An angle is p · ω_k: each position turns on by "
            "ω_k.",
            [](double p, auto k, auto d) { return p + omega(k, d); });

WRONG_ANGLE(pair_times_position_only,
            "the angle is p · k. It is p · ω_k, with ω_k = 10000^(−2k/d).",
            [](double p, auto k, auto) { return p * real(k); });

WRONG_ANGLE(divided_by_10000,
            "the angle is p · 2k / d / 10000, with no power: ω_k is 10000 to the power of −2k/d.",
            [](double p, auto k, auto d) { return p * 2 * real(k) / real(d) / 10000; });

constexpr const char* begin_again =
    "from some position on, such as 4096, positions begin again at 0: of each the remainder is "
    "taken, which finds a place in a cache of that length. A position has the angle p · ω_k, "
    "however long the text is.";
#define BEGIN_AGAIN(length)                                                                        \
    WRONG_ANGLE(positions_begin_again_at_##length, begin_again,                                    \
                [](double p, auto k, auto d) { return right_angle(std::fmod(p, length), k, d); })
BEGIN_AGAIN(1024);
BEGIN_AGAIN(2048);
BEGIN_AGAIN(4096);
BEGIN_AGAIN(8192);
BEGIN_AGAIN(32768);
#undef BEGIN_AGAIN

// ---- 09.3 sinusoidal_positions: what stands where

#define WRONG_TABLE(name, explanation, ...)                                                        \
    MISCONCEPTION(sinusoidal_positions, name, explanation, table(__VA_ARGS__))

double angle_of(std::size_t p, std::size_t k, std::size_t d) {
    return real(p) * omega(k, d);
}

WRONG_TABLE(sines_then_cosines,
            "all sines come first and then all cosines. Some code does so; here, as in the paper, "
            "they take turns: column 2k is a sine and column 2k + 1 the cosine of the same angle.",
            [](auto p, auto c, auto, auto d) {
                return c < d / 2 ? std::sin(angle_of(p, c, d))
                                 : std::cos(angle_of(p, c - d / 2, d));
            });

WRONG_TABLE(cosine_first, "sine and cosine have changed places: the even columns hold the sine.",
            [](auto p, auto c, auto, auto d) {
                return c % 2 == 1 ? std::sin(angle_of(p, c / 2, d))
                                  : std::cos(angle_of(p, c / 2, d));
            });

WRONG_TABLE(a_speed_a_column,
            "every column has a speed of its own, 10000^(−c/d) with c the column. Sine and cosine "
            "of a pair share one: 10000^(−2k/d), c = 2k and c = 2k + 1.",
            [](auto p, auto c, auto, auto d) {
                const double x = real(p) * power(10000, -real(c) / real(d));
                return c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

WRONG_TABLE(twice_the_column,
            "every column has a speed of its own, 10000^(−2c/d) with c the column. The exponent "
            "counts pairs: −2k/d for the columns 2k and 2k + 1.",
            [](auto p, auto c, auto, auto d) {
                const double x = real(p) * power(10000, -2 * real(c) / real(d));
                return c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

WRONG_TABLE(cosine_of_the_next_pair,
            "the cosine is taken of the next pair's angle. Sine and cosine of a pair share one.",
            [](auto p, auto c, auto, auto d) {
                return c % 2 == 0 ? std::sin(angle_of(p, c / 2, d))
                                  : std::cos(angle_of(p, c / 2 + 1, d));
            });

WRONG_TABLE(sines_only, "all columns are sines. The odd columns hold the cosine of the same angle.",
            [](auto p, auto c, auto, auto d) { return std::sin(angle_of(p, c / 2, d)); });

WRONG_TABLE(cosines_only,
            "all columns are cosines. The even columns hold the sine of the same angle.",
            [](auto p, auto c, auto, auto d) { return std::cos(angle_of(p, c / 2, d)); });

WRONG_TABLE(even_columns_only,
            "the odd columns are 0. They hold the cosine of the angle whose sine stands before "
            "them.",
            [](auto p, auto c, auto, auto d) {
                return c % 2 == 0 ? std::sin(angle_of(p, c / 2, d)) : 0.0;
            });

WRONG_TABLE(odd_columns_only,
            "the even columns are 0. They hold the sine of the angle whose cosine stands behind "
            "them.",
            [](auto p, auto c, auto, auto d) {
                return c % 2 == 1 ? std::cos(angle_of(p, c / 2, d)) : 0.0;
            });

double cosine_of(double sine) {
    return std::sqrt(1 - sine * sine);
}
constexpr const char* cosine_from_the_sine_text =
    "the cosine is made of the sine, √(1 − sin²), which is never below 0, and near a quarter of a "
    "turn has lost digits. Beyond a quarter of a turn a cosine is negative: call std::cos.";
WRONG_TABLE(cosine_from_the_sine, cosine_from_the_sine_text, [](auto p, auto c, auto, auto d) {
    const double sine = std::sin(angle_of(p, c / 2, d));
    return c % 2 == 0 ? sine : cosine_of(sine);
});
MISCONCEPTION(rotate, cosine_from_the_sine_in_rotation, cosine_from_the_sine_text,
              by_turn([](double x, double y, double, double s) {
                  return right_turn(x, y, cosine_of(s), s);
              }));

WRONG_TABLE(angles_only, "these are the angles. Their sine and cosine are asked for.",
            [](auto p, auto c, auto, auto d) { return angle_of(p, c / 2, d); });

WRONG_TABLE(position_outside,
            "this is p · sin(ω_k): the position stands outside. It belongs into the angle.",
            [](auto p, auto c, auto, auto d) {
                return real(p) *
                       (c % 2 == 0 ? std::sin(omega(c / 2, d)) : std::cos(omega(c / 2, d)));
            });

WRONG_TABLE(omega_outside,
            "this is sin(p) · ω_k: the speed stands outside. It belongs into the angle.",
            [](auto p, auto c, auto, auto d) {
                return omega(c / 2, d) * (c % 2 == 0 ? std::sin(real(p)) : std::cos(real(p)));
            });

WRONG_TABLE(negative_sine, "the sines have the wrong sign; the cosines are right.",
            [](auto p, auto c, auto, auto d) {
                return c % 2 == 0 ? -std::sin(angle_of(p, c / 2, d))
                                  : std::cos(angle_of(p, c / 2, d));
            });

WRONG_TABLE(tangent_for_cosine, "the odd columns are tangents. They hold the cosine.",
            [](auto p, auto c, auto, auto d) {
                return c % 2 == 0 ? std::sin(angle_of(p, c / 2, d))
                                  : std::tan(angle_of(p, c / 2, d));
            });

WRONG_TABLE(position_as_a_share,
            "the position is divided by n, so that a row depends on how long the sequence is. "
            "Position p has the angle p · ω_k whatever comes after it.",
            [](auto p, auto c, auto n, auto d) {
                const double x = real(p) / real(n) * omega(c / 2, d);
                return c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

WRONG_TABLE(rows_and_pairs_exchanged,
            "positions and pairs have changed places in the angle: rows are positions.",
            [](auto p, auto c, auto n, auto) {
                const double x = real(c / 2) * power(10000, -2 * real(p) / real(n));
                return c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

WRONG_TABLE(divided_by_the_root, "every number is divided by √d. The sines are added as they are.",
            [](auto p, auto c, auto, auto d) {
                const double x = angle_of(p, c / 2, d);
                return (c % 2 == 0 ? std::sin(x) : std::cos(x)) / root(d);
            });

WRONG_TABLE(position_0_left_out,
            "row 0 is 0 throughout: the loop over the positions begins at 1. The cosine of 0 is 1.",
            [](auto p, auto c, auto, auto d) {
                const double x = angle_of(p, c / 2, d);
                return p == 0 ? 0.0 : c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

WRONG_TABLE(last_position_left_out,
            "the last row is 0 throughout: the loop over the positions ends one too early.",
            [](auto p, auto c, auto n, auto d) {
                const double x = angle_of(p, c / 2, d);
                return p + 1 == n ? 0.0 : c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

WRONG_TABLE(first_pair_only,
            "only the first pair of columns is filled. Look where the loop over the pairs ends.",
            [](auto p, auto c, auto, auto) {
                return c == 0 ? std::sin(real(p)) : c == 1 ? std::cos(real(p)) : 0.0;
            });

WRONG_TABLE(first_half_only,
            "only the first half of the columns is filled. There are d/2 pairs, and each has two "
            "columns.",
            [](auto p, auto c, auto, auto d) {
                const double x = angle_of(p, c / 2, d);
                return c >= d / 2 ? 0.0 : c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

WRONG_TABLE(last_pair_left_out,
            "the last pair of columns is 0: the loop over the d/2 pairs ends one too early.",
            [](auto p, auto c, auto, auto d) {
                const double x = angle_of(p, c / 2, d);
                return c / 2 + 1 == d / 2 ? 0.0 : c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

MISCONCEPTION(sinusoidal_positions, transposed_table,
              "this is transposed, (d, n). A row is a position.",
              [](std::size_t n, std::size_t d) -> Matrix {
                  lesson::require_even("sinusoidal_positions", "d", d);
                  return transposed(plain::sinusoidal_positions(n, d));
              });

WRONG_TABLE(derivative,
            "these are the cosine and its partner, −sin. A pair is the sine, then the cosine.",
            [](auto p, auto c, auto, auto d) {
                return c % 2 == 0 ? std::cos(angle_of(p, c / 2, d))
                                  : -std::sin(angle_of(p, c / 2, d));
            });

WRONG_TABLE(
    exponent_over_n,
    "the exponent is divided by n, the number of positions. It is −2k/d, with d the columns.",
    [](auto p, auto c, auto n, auto) {
        const double x = real(p) * power(10000, -2 * real(c / 2) / real(n));
        return c % 2 == 0 ? std::sin(x) : std::cos(x);
    });

WRONG_TABLE(without_the_position,
            "all rows are alike: the position is missing in the angle, p · ω_k.",
            [](auto, auto c, auto, auto d) {
                return c % 2 == 0 ? std::sin(omega(c / 2, d)) : std::cos(omega(c / 2, d));
            });

WRONG_TABLE(positions_in_reverse, "the positions are in reverse order: row 0 is position 0.",
            [](auto p, auto c, auto n, auto d) {
                const double x = angle_of(n - 1 - p, c / 2, d);
                return c % 2 == 0 ? std::sin(x) : std::cos(x);
            });

} // namespace
