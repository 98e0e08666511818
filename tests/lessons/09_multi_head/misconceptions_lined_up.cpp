// Wrong versions of 09.2 to 09.4: sums and maxima that meet columns in place of rows, a reshape for
// a transpose, and rows that are sought too close to each other.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_lined_up {

using namespace wrong;
using plain::GroupedMechanism;

namespace {

using S = std::size_t;

// ---- keep_dims forgotten

/// exp(s − maxima) / sums, of which either may be a Vector, which xtensor lines up with the
/// columns.
Matrix softmax_with(const Matrix& scores, bool maxima_lined_up, bool sums_lined_up) {
    const Vector largest = xt::amax(scores, {1});
    const Vector finite = xt::where(largest > -infinity, largest, 0.0);
    const Matrix in_column = xt::view(finite, xt::all(), xt::newaxis());
    const Matrix shifted = maxima_lined_up ? Matrix(scores - finite) : Matrix(scores - in_column);
    const Matrix terms = xt::exp(shifted);
    const Vector sums = xt::sum(terms, {1});
    const Vector divisors = xt::where(sums > 0.0, sums, 1.0);
    const Matrix divisors_in_column = xt::view(divisors, xt::all(), xt::newaxis());
    return sums_lined_up ? Matrix(terms / divisors) : Matrix(terms / divisors_in_column);
}

Matrix with_sums(const Matrix& scores) {
    return softmax_with(scores, false, true);
}
Matrix with_maxima(const Matrix& scores) {
    return softmax_with(scores, true, false);
}
Matrix with_both(const Matrix& scores) {
    return softmax_with(scores, true, true);
}

constexpr const char* says_lined_up =
    "the maxima or the sums of the softmax are a Vector, which xtensor lines up with the columns: "
    "with as many keys as queries, column j is divided by the sum of row j. Keep the dimension, "
    "xt::sum(…, {1}, xt::keep_dims), so that they stand as a column.";

IN_EVERY_ATTENTION(sums_lined_up_with_the_keys, says_lined_up, with_sums);
IN_EVERY_ATTENTION(maxima_lined_up_with_the_keys, says_lined_up, with_maxima);
IN_EVERY_ATTENTION(maxima_and_sums_lined_up_with_the_keys, says_lined_up, with_both);

// ---- a reshape for a transpose

/// K for which Q · Kᵀ is Q times the numbers of K under the shape of Kᵀ.
Matrix under_its_transposed_shape(const Matrix& K) {
    return matrix_of(K.shape(0), K.shape(1),
                     [&](auto j, auto c) { return K.flat(c * K.shape(0) + j); });
}

Heads keys_reshaped(const Matrix& X, S n_heads) {
    Heads heads = plain::split(X, n_heads);
    for (Matrix& head : heads) {
        head = under_its_transposed_shape(head);
    }
    return heads;
}

constexpr const char* says_keys_reshaped =
    "the keys of a head are brought to the shape (d_k, n_keys) by a reshape, which keeps the order "
    "of the numbers. A transpose moves element (j, c) to (c, j): xt::transpose, or "
    "matmul_transposed.";

MISCONCEPTION(multi_head_attention, keys_reshaped_for_transposed, says_keys_reshaped,
              Mechanism{.split_keys = keys_reshaped});
MISCONCEPTION(grouped_query_attention, keys_reshaped_for_transposed, says_keys_reshaped,
              GroupedMechanism{.split_keys = keys_reshaped});
MISCONCEPTION(rotary_attention, keys_reshaped_for_transposed, says_keys_reshaped,
              [](const Matrix& Q, const Matrix& K, const Matrix& V,
                 const Vector& positions) -> Matrix {
                  lesson::require_fit(Q, K, V, positions);
                  return plain::attention_of(
                      plain::rotate(Q, positions),
                      under_its_transposed_shape(plain::rotate(K, positions)), V);
              });

// ---- rows too close

/// Row i of head h begins at (i + h) · d, as if rows of X were only as long as a head's.
Heads rows_too_close(const Matrix& X, S n_heads) {
    const S d = X.shape(1) / n_heads;
    Heads heads;
    for (S h = 0; h < n_heads; ++h) {
        heads.push_back(
            matrix_of(X.shape(0), d, [&](auto i, auto c) { return X.flat((i + h) * d + c); }));
    }
    return heads;
}

constexpr const char* says_too_close =
    "row i of a head is sought d_k numbers after the row before it. In memory a row of the whole "
    "matrix lies between them, n_heads · d_k numbers: only the first rows of heads are right.";

#define TOO_CLOSE(name, ...)                                                                       \
    MISCONCEPTION(multi_head_attention, name, says_too_close, Mechanism{__VA_ARGS__});             \
    MISCONCEPTION(grouped_query_attention, name, says_too_close, GroupedMechanism{__VA_ARGS__})

TOO_CLOSE(rows_of_queries_too_close, .split_queries = rows_too_close);
TOO_CLOSE(rows_of_keys_too_close, .split_keys = rows_too_close);
TOO_CLOSE(rows_of_values_too_close, .split_values = rows_too_close);
TOO_CLOSE(rows_of_heads_too_close, .split_queries = rows_too_close, .split_keys = rows_too_close,
          .split_values = rows_too_close);
#undef TOO_CLOSE

} // namespace

} // namespace misconceptions_lined_up
