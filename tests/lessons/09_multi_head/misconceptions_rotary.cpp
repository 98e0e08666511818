// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong_positions.hpp"

using namespace wrong;

namespace {

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
             "the scores are not divided by √d_k: not at all, or by 1, as pow(d_k, 1 / 2) is, "
             "where 1 / 2 is 0. Rotation keeps lengths, and so the scores are as large as ever.",
             return of_scores(oracle::raw_scores(Q_r, K_r), V);)
WRONG_ROTARY(scaled_twice,
             "the scores are divided by d_k, or twice by its root. The library's functions divide "
             "already.",
             return of_scores(oracle::raw_scores(Q_r, K_r) / real(Q.shape(1)), V);)
WRONG_ROTARY(root_of_d_v, "the scores are divided by √d_v. A score sums d_k products.",
             return of_scores(oracle::raw_scores(Q_r, K_r) / root(V.shape(1)), V);)
WRONG_ROTARY(root_of_one_more, "the scores are divided by √(d_k + 1). A score sums d_k products.",
             return of_scores(oracle::raw_scores(Q_r, K_r) / root(Q.shape(1) + 1), V);)
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

WRONG_ROTARY(
    table_of_the_rows_added,
    "sinusoidal_positions is added to queries and keys, row by row, and `positions` is not looked "
    "at. Here they are turned: rotate does it.",
    const auto with_table = [&](In X) -> Matrix {
        return X + plain::sinusoidal_positions(X.shape(0), X.shape(1));
    };
    return plain::attention_of(with_table(Q), with_table(K), V);)

WRONG_ROTARY(
    values_rotated_where_they_come_in_pairs,
    "the values are rotated as well. Rotations are for what is compared: a value is what a "
    "position gives, and it should be the same wherever that position stands.",
    return plain::attention_of(Q_r, K_r, V.shape(1) % 2 == 0 ? plain::rotate(V, positions) : V);)
WRONG_ROTARY(queries_turned_back,
             "the queries are turned the other way, so that scores depend on i + j. Query and key "
             "turn alike, and what is left between them is i − j.",
             const Vector back = -positions;
             return plain::attention_of(plain::rotate(Q, back), K_r, V);)
WRONG_ROTARY(
    no_maximum_subtracted,
    "right until a score is large: exp overflows, since the row's maximum is not subtracted. "
    "attention::softmax_rows does it.",
    return oracle::matmul(softmax_unshifted(oracle::scaled_scores(Q_r, K_r)), V);)
WRONG_ROTARY(
    maximum_from_0,
    "the search for the largest score begins at 0. Where all of a row are far below, every "
    "exponential is 0, and 0 / 0 is NaN. Begin at the first score, or at −∞.",
    return oracle::matmul(softmax_from_0(oracle::scaled_scores(Q_r, K_r)), V);)
WRONG_ROTARY(
    keys_at_their_rows,
    "the keys are turned by the numbers of their rows, the queries by `positions`. Both stand "
    "where `positions` says.",
    Vector rows = Vector::from_shape({K.shape(0)});
    for (std::size_t i = 0; i < rows.size();
         ++i) { rows(i) = real(i); } return plain::attention_of(Q_r, plain::rotate(K, rows), V);)
WRONG_ROTARY(
    queries_at_their_rows,
    "the queries are turned by the numbers of their rows, the keys by `positions`. Both stand "
    "where `positions` says.",
    Vector rows = Vector::from_shape({Q.shape(0)});
    for (std::size_t i = 0; i < rows.size();
         ++i) { rows(i) = real(i); } return plain::attention_of(plain::rotate(Q, rows), K_r, V);)
WRONG_ROTARY(
    mixed_by_columns,
    "the values are mixed by the columns of the weights. The shares of query i stand in "
    "row i.",
    return oracle::matmul(transposed(oracle::softmax_rows(oracle::scaled_scores(Q_r, K_r))), V);)

} // namespace
