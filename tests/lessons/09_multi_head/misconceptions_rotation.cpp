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
    a_speed_a_column,
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

WRONG_ROTATION(whole_positions,
               "positions are cut to whole numbers. They may be anything, 2.25 too: no integer may "
               "hold one.",
               [](auto& X, auto& positions) {
                   const Vector whole = xt::trunc(positions);
                   return turned(X, whole, right_angle);
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

WRONG_ROTATION(first_pair_only, "only the first pair is turned. All d/2 pairs are, each slower.",
               turned_where([](auto, auto k, auto&) { return k == 0; }));
WRONG_ROTATION(last_pair_left_out,
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

WRONG_ROTATION(divided_by_the_root, "everything is divided by √d. A rotation keeps lengths.",
               [](auto& X, auto& positions) -> Matrix {
                   return turned(X, positions, right_angle) / root(X.shape(1));
               });

// ---- 09.3 rotary_attention

using In = const Matrix&;

#define WRONG_ROTARY(name, explanation, ...)                                                       \
    MISCONCEPTION(rotary_attention, name, explanation,                                             \
                  [](In Q, In K, In V, const Vector& positions) -> Matrix {                        \
                      lesson::require_fit(Q, K, V, positions);                                     \
                      [[maybe_unused]] const Matrix Q_r = plain::rotate(Q, positions);             \
                      [[maybe_unused]] const Matrix K_r = plain::rotate(K, positions);             \
                      __VA_ARGS__                                                                  \
                  });

/// Values can be rotated only where they come in pairs.
Matrix rotated_values(const Matrix& V, const Vector& positions) {
    if (V.shape(1) % 2 != 0) {
        throw std::invalid_argument("d must be even");
    }
    return plain::rotate(V, positions);
}

Matrix of_scores(const Matrix& scores, const Matrix& V) {
    return oracle::matmul(oracle::softmax_rows(scores), V);
}

WRONG_ROTARY(
    values_rotated_too,
    "the values are rotated as well. Rotations are for what is compared: a value is what a "
    "position gives, and it should be the same wherever that position stands.",
    return plain::attention_of(Q_r, K_r, rotated_values(V, positions));)
WRONG_ROTARY(queries_only,
             "the keys are not rotated. Then a score depends on where the query stands, and not on "
             "how far the key is from it.",
             return plain::attention_of(Q_r, K, V);)
WRONG_ROTARY(
    keys_only,
    "the queries are not rotated. Then a score depends on where the key stands, and not on "
    "how far it is from the query.",
    return plain::attention_of(Q, K_r, V);)
WRONG_ROTARY(nothing_rotated, "nothing is rotated: this is attention that knows no order.",
             return plain::attention_of(Q, K, V);)
WRONG_ROTARY(
    keys_turned_back,
    "the keys are turned the other way, so that scores depend on i + j. Query and key turn "
    "alike, and what is left between them is i − j.",
    const Vector back = -positions;
    return plain::attention_of(Q_r, plain::rotate(K, back), V);)
WRONG_ROTARY(values_only, "the values are rotated, and queries and keys are not.",
             return plain::attention_of(Q, K, rotated_values(V, positions));)
WRONG_ROTARY(keys_and_values_rotated, "keys and values are rotated. Queries and keys are to be.",
             return plain::attention_of(Q, K_r, rotated_values(V, positions));)
WRONG_ROTARY(output_rotated, "the output is rotated. Only queries and keys are.",
             return rotated_values(plain::attention_of(Q_r, K_r, V), positions);)
WRONG_ROTARY(output_rotated_alone, "the output is rotated, and queries and keys are not.",
             return rotated_values(plain::attention_of(Q, K, V), positions);)
WRONG_ROTARY(rotated_keys_mixed, "the weights mix the rotated keys, and V is never looked at.",
             return plain::attention_of(Q_r, K_r, K_r);)
WRONG_ROTARY(keys_mixed, "the weights mix the keys, and V is never looked at.",
             return plain::attention_of(Q_r, K_r, K);)
WRONG_ROTARY(not_scaled,
             "the scores are not divided by √d_k. Rotation keeps lengths, and so the "
             "scores are as large as ever.",
             return of_scores(oracle::raw_scores(Q_r, K_r), V);)
WRONG_ROTARY(scaled_twice,
             "the scores are divided by d_k, or twice by its root. The library's functions divide "
             "already.",
             return of_scores(oracle::raw_scores(Q_r, K_r) / real(Q.shape(1)), V);)
WRONG_ROTARY(root_of_d_v, "the scores are divided by √d_v. A score sums d_k products.",
             return of_scores(oracle::raw_scores(Q_r, K_r) / root(V.shape(1)), V);)
WRONG_ROTARY(root_of_n, "the scores are divided by √n. A score sums d_k products.",
             return of_scores(oracle::raw_scores(Q_r, K_r) / root(Q.shape(0)), V);)
WRONG_ROTARY(no_softmax, "the values are mixed by the scores: the softmax is missing.",
             return oracle::matmul(oracle::scaled_scores(Q_r, K_r), V);)
WRONG_ROTARY(softmax_over_queries, "the softmax runs over the queries: columns sum to 1.",
             return oracle::matmul(softmax_of_columns(oracle::scaled_scores(Q_r, K_r)), V);)
WRONG_ROTARY(causal,
             "this is causal: later positions are hidden. The contract has no mask, so that all "
             "see all.",
             const Matrix scores = oracle::scaled_scores(Q_r, K_r);
             return of_scores(matrix_of(scores.shape(0), scores.shape(1),
                                        [&](auto i, auto j) {
                                            return j <= i ? scores(i, j) : -infinity;
                                        }),
                              V);)
WRONG_ROTARY(queries_and_keys_exchanged,
             "queries and keys have changed places: the queries are rows of the scores.",
             return plain::attention_of(K_r, Q_r, V);)
WRONG_ROTARY(queries_with_queries,
             "the queries are compared with each other, and K is never "
             "looked at.",
             return plain::attention_of(Q_r, Q_r, V);)
WRONG_ROTARY(keys_with_keys, "the keys are compared with each other, and Q is never looked at.",
             return plain::attention_of(K_r, K_r, V);)
WRONG_ROTARY(rotated_twice,
             "queries and keys are rotated twice. Once each is enough: rotate does it.",
             return plain::attention_of(plain::rotate(Q_r, positions),
                                        plain::rotate(K_r, positions), V);)
WRONG_ROTARY(
    rows_for_positions,
    "queries and keys are turned by the number of their row. The caller says where each "
    "stands: positions(i).",
    Vector rows = Vector::from_shape({Q.shape(0)});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows(i) = real(i);
    } return plain::attention_of(plain::rotate(Q, rows), plain::rotate(K, rows), V);)
WRONG_ROTARY(scores_rotated,
             "the scores are rotated, and queries and keys are not. Turn these before they are "
             "compared.",
             const Matrix scores = oracle::scaled_scores(Q, K);
             return of_scores(rotated_values(scores, positions), V);)

WRONG_ROTARY(
    table_added,
    "sines and cosines are added to queries and keys. Here they are turned: rotate does "
    "it.",
    const auto with_table = [&](In X) -> Matrix {
        return X + matrix_of(X.shape(0), X.shape(1), [&](auto i, auto c) {
                   const double a = right_angle(positions(i), c / 2, X.shape(1));
                   return c % 2 == 0 ? std::sin(a) : std::cos(a);
               });
    };
    return plain::attention_of(with_table(Q), with_table(K), V);)

} // namespace
