// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong_positions.hpp"

using namespace wrong;

namespace {

// ---- 09.3 rotate

#define WRONG_ROTATION(name, explanation, ...)                                                     \
    MISCONCEPTION(rotate, name, explanation, checked_rotation(__VA_ARGS__))

constexpr const char* halves =
    "the pairs are columns k and k + d/2 here: the other convention, in which Llama's weights are "
    "published at Hugging Face and GPT-NeoX was trained. Here, as in the paper, they are "
    "neighbours, 2k "
    "and 2k + 1. Scores depend on i − j in both, but weights that were trained with one are wrong "
    "with the other.";

WRONG_ROTATION(pairs_of_halves, halves,
               [](auto& X, auto& positions) { return turned_halves(X, positions, right_angle); });

WRONG_ROTATION(pairs_of_halves_backwards, halves, [](auto& X, auto& positions) {
    return turned_halves(X, positions,
                         [](double p, auto k, auto d) { return -right_angle(p, k, d); });
});

WRONG_ROTATION(mirrored_pairs,
               "column c is paired with column d − 1 − c. Pairs are neighbours, 2k and 2k + 1.",
               [](auto& X, auto& positions) {
                   const std::size_t d = X.shape(1);
                   return matrix_of(X.shape(0), d, [&](auto i, auto c) {
                       const std::size_t k = std::min(c, d - 1 - c);
                       const double a = right_angle(positions(i), k, d);
                       const double x = X(i, k);
                       const double y = X(i, d - 1 - k);
                       return c == k ? x * std::cos(a) - y * std::sin(a)
                                     : x * std::sin(a) + y * std::cos(a);
                   });
               });

WRONG_ROTATION(
    an_angle_a_column,
    "every column has an angle of its own, with the column in the exponent. The two of a "
    "pair are turned by one angle, with −2k/d.",
    [](auto& X, auto& positions) {
        const std::size_t d = X.shape(1);
        return matrix_of(X.shape(0), d, [&](auto i, auto c) {
            const double a = positions(i) * power(10000, -real(c) / real(d));
            const double x = X(i, c - c % 2);
            const double y = X(i, c - c % 2 + 1);
            return c % 2 == 0 ? x * std::cos(a) - y * std::sin(a)
                              : x * std::sin(a) + y * std::cos(a);
        });
    });

#define WRONG_TURN(name, explanation, ...)                                                         \
    MISCONCEPTION(rotate, name, explanation,                                                       \
                  by_turn([]([[maybe_unused]] double x, [[maybe_unused]] double y,                 \
                             [[maybe_unused]] double c,                                            \
                             [[maybe_unused]] double s) -> Pair { return __VA_ARGS__; }))

WRONG_TURN(
    turned_backwards,
    "everything is turned the other way, clockwise. Scores depend on i − j all the same, but "
    "the contract says counter-clockwise: x cos − y sin, x sin + y cos.",
    {x * c + y * s, y* c - x* s});
WRONG_TURN(first_of_the_pair_overwritten,
           "the second of a pair is made from the first one's new value: it was overwritten before "
           "it was used. Keep x and y in variables of their own.",
           {x * c - y * s, (x * c - y * s) * s + y* c});
WRONG_TURN(second_of_the_pair_overwritten,
           "the first of a pair is made from the second one's new value: it was overwritten before "
           "it was used. Keep x and y in variables of their own.",
           {x * c - (x * s + y * c) * s, x* s + y* c});
WRONG_TURN(both_plus, "both parts have a plus. That is no rotation: x cos − y sin, x sin + y cos.",
           {x * c + y * s, x* s + y* c});
WRONG_TURN(both_minus,
           "both parts have a minus. That is no rotation: x cos − y sin, x sin + y cos.",
           {x * c - y * s, x* s - y* c});
WRONG_TURN(
    reflected,
    "this is a reflection, x cos + y sin and x sin − y cos: it keeps lengths, and position 0 "
    "changes the second of each pair. A rotation is x cos − y sin, x sin + y cos.",
    {x * c + y * s, x* s - y* c});
WRONG_TURN(sine_and_cosine_exchanged,
           "sine and cosine have changed places: at position 0, where nothing should change, the "
           "two of a pair do.",
           {x * s - y * c, x* c + y* s});
WRONG_TURN(pair_exchanged, "the results of a pair have changed places.",
           {x * s + y * c, x* c - y* s});
WRONG_TURN(components_exchanged, "x and y have changed places: x is column 2k, y column 2k + 1.",
           {y * c - x * s, y* s + x* c});
WRONG_TURN(cosine_only, "the terms with the sine are missing: x cos − y sin, x sin + y cos.",
           {x * c, y* c});
WRONG_TURN(cosine_for_the_one_sine_for_the_other,
           "each column is multiplied by one factor. A rotation mixes the two of a pair: x cos − y "
           "sin, x sin + y cos.",
           {x * c, y* s});
WRONG_TURN(first_of_the_pair_only, "column 2k + 1 is left as it was. Both of a pair turn.",
           {x * c - y * s, y});
WRONG_TURN(second_of_the_pair_only, "column 2k is left as it was. Both of a pair turn.",
           {x, x* s + y* c});
WRONG_TURN(second_of_the_pair_zero, "column 2k + 1 is 0. It is x sin + y cos.", {x * c - y * s, 0});
WRONG_TURN(first_of_the_pair_zero, "column 2k is 0. It is x cos − y sin.", {0, x* s + y* c});
WRONG_TURN(sine_squared_away,
           "x cos − x sin and y sin + y cos: each uses itself twice. A rotation mixes the two of a "
           "pair: x cos − y sin, x sin + y cos.",
           {x * c - x * s, y* s + y* c});

WRONG_TURN(second_made_of_the_wrong_ones,
           "in the second of each pair x and y have changed places: it is x sin + y cos.",
           {x * c - y * s, y* s + x* c});
WRONG_TURN(first_made_of_the_wrong_ones,
           "in the first of each pair x and y have changed places: it is x cos − y sin.",
           {y * c - x * s, x* s + y* c});
WRONG_TURN(second_without_the_sine,
           "the second of each pair is y cos alone: x sin + y cos, since turning mixes the two.",
           {x * c - y * s, y* c});
WRONG_TURN(first_without_the_sine,
           "the first of each pair is x cos alone: x cos − y sin, since turning mixes the two.",
           {x * c, x* s + y* c});
WRONG_TURN(second_with_a_minus,
           "the second of each pair has a minus, y cos − x sin: it is x sin + y cos.",
           {x * c - y * s, y* c - x* s});

WRONG_ROTATION(neighbours_written_to_halves,
               "neighbours are turned, but the result is written to columns k and k + d/2. A pair "
               "stays where it was: 2k and 2k + 1.",
               [](auto& X, auto& positions) {
                   const Matrix right = turned(X, positions, right_angle);
                   const std::size_t half = X.shape(1) / 2;
                   return matrix_of(X.shape(0), X.shape(1), [&](auto i, auto c) {
                       return c < half ? right(i, 2 * c) : right(i, 2 * (c - half) + 1);
                   });
               });

WRONG_ROTATION(halves_written_to_neighbours,
               "columns k and k + d/2 are turned, and written to 2k and 2k + 1. Neighbours are "
               "pairs: they are read there, too.",
               [](auto& X, auto& positions) {
                   const Matrix turned_so = turned_halves(X, positions, right_angle);
                   const std::size_t half = X.shape(1) / 2;
                   return matrix_of(X.shape(0), X.shape(1), [&](auto i, auto c) {
                       return turned_so(i, c / 2 + c % 2 * half);
                   });
               });

WRONG_ROTATION(
    added_and_not_turned,
    "sines and cosines are added to X. That is the older way, sinusoidal_positions; here "
    "each pair is turned.",
    [](auto& X, auto& positions) -> Matrix {
        return X + matrix_of(X.shape(0), X.shape(1), [&](auto i, auto c) {
                   const double a = right_angle(positions(i), c / 2, X.shape(1));
                   return c % 2 == 0 ? std::sin(a) : std::cos(a);
               });
    });

WRONG_ROTATION(multiplied_by_the_table,
               "X is multiplied by sines and cosines element by element. A rotation mixes the two "
               "of a pair.",
               [](auto& X, auto& positions) -> Matrix {
                   return X * matrix_of(X.shape(0), X.shape(1), [&](auto i, auto c) {
                              const double a = right_angle(positions(i), c / 2, X.shape(1));
                              return c % 2 == 0 ? std::sin(a) : std::cos(a);
                          });
               });

WRONG_ROTATION(row_for_position,
               "row i is turned by i · ω, whatever its position is. The caller says where each row "
               "stands: positions(i).",
               [](auto& X, auto&) {
                   Vector rows = Vector::from_shape({X.shape(0)});
                   for (std::size_t i = 0; i < rows.size(); ++i) {
                       rows(i) = real(i);
                   }
                   return turned(X, rows, right_angle);
               });

WRONG_ROTATION(from_the_first_position,
               "positions are counted from the first one, so that its row never turns. They are "
               "taken as they are given.",
               [](auto& X, auto& positions) {
                   return turned(X, shifted(positions, -positions(0)), right_angle);
               });

WRONG_ROTATION(one_position_for_all, "every row is turned by the position of row 0.",
               [](auto& X, auto& positions) {
                   const Vector same = Vector(xt::zeros<double>({positions.size()})) + positions(0);
                   return turned(X, same, right_angle);
               });

WRONG_ROTATION(alike_positions_not_turned,
               "where all rows have one position, or there is one row, nothing is turned. Scores "
               "depend on differences of positions alone, but the result here is the turned rows "
               "themselves: each turns by its own position, whatever the others are.",
               [](auto& X, auto& positions) {
                   const bool alike = std::all_of(positions.begin(), positions.end(),
                                                  [&](double p) { return p == positions(0); });
                   return alike ? X : turned(X, positions, right_angle);
               });

WRONG_ROTATION(whole_positions,
               "positions are cut to whole numbers. They may be anything, 2.25 too: no integer may "
               "hold one.",
               [](auto& X, auto& positions) {
                   const Vector whole = xt::trunc(positions);
                   return turned(X, whole, right_angle);
               });

WRONG_ROTATION(positions_in_float,
               "the positions pass through a float: 0.1 and 20000001 are rounded, and so are the "
               "angles. Keep them in double.",
               [](auto& X, auto& positions) {
                   const Vector rounded = xt::cast<double>(xt::cast<float>(positions));
                   return turned(X, rounded, right_angle);
               });

WRONG_ROTATION(positions_without_sign,
               "positions below 0 are turned the wrong way, as if they had no sign.",
               [](auto& X, auto& positions) {
                   const Vector absolute = xt::abs(positions);
                   return turned(X, absolute, right_angle);
               });

/// The right rotation where kept(i, k, d), and the row as it was elsewhere.
template <class Kept>
auto turned_where(Kept kept) {
    return [=](const Matrix& X, const Vector& positions) {
        const Matrix right = turned(X, positions, right_angle);
        return matrix_of(X.shape(0), X.shape(1),
                         [&](auto i, auto c) { return kept(i, c / 2, X) ? right(i, c) : X(i, c); });
    };
}

WRONG_ROTATION(first_pair_turned_only,
               "only the first pair is turned. All d/2 pairs are, each slower.",
               turned_where([](auto, auto k, auto&) { return k == 0; }));
WRONG_ROTATION(last_pair_not_turned,
               "the last pair is not turned: the loop over the d/2 pairs ends one too early.",
               turned_where([](auto, auto k, auto& X) { return k + 1 < X.shape(1) / 2; }));
WRONG_ROTATION(first_pair_left_out,
               "the first pair is not turned: the loop over the pairs begins at 1.",
               turned_where([](auto, auto k, auto&) { return k > 0; }));
WRONG_ROTATION(half_of_the_pairs,
               "only the first half of the columns is turned. Some models do that; here all d/2 "
               "pairs turn.",
               turned_where([](auto, auto k, auto& X) { return 2 * k + 1 < X.shape(1) / 2; }));
WRONG_ROTATION(first_row_left_out,
               "row 0 is not turned: the loop over the rows begins at 1. Its position need not be "
               "0.",
               turned_where([](auto i, auto, auto&) { return i > 0; }));
WRONG_ROTATION(last_row_left_out,
               "the last row is not turned: the loop over the rows ends one too early.",
               turned_where([](auto i, auto, auto& X) { return i + 1 < X.shape(0); }));
WRONG_ROTATION(first_row_only, "only row 0 is turned. Look where the loop over the rows ends.",
               turned_where([](auto i, auto, auto&) { return i == 0; }));

WRONG_ROTATION(rotation_divided_by_the_root,
               "everything is divided by √d. A rotation keeps lengths.",
               [](auto& X, auto& positions) -> Matrix {
                   return turned(X, positions, right_angle) / root(X.shape(1));
               });

WRONG_ROTATION(pairs_overlap,
               "the pairs are the columns k and k + 1, so that they overlap. Pair k is 2k and "
               "2k + 1.",
               [](auto& X, auto& positions) {
                   Matrix result = X;
                   const std::size_t d = X.shape(1);
                   for (std::size_t i = 0; i < X.shape(0); ++i) {
                       for (std::size_t k = 0; k < d / 2; ++k) {
                           const double a = right_angle(positions(i), k, d);
                           const Pair pair =
                               right_turn(X(i, k), X(i, k + 1), std::cos(a), std::sin(a));
                           result(i, k) = pair.x;
                           result(i, k + 1) = pair.y;
                       }
                   }
                   return result;
               });

} // namespace
