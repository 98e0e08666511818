// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// the maximum or the sum of a row lines up with the columns, or is that of a column.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_axes {

using namespace wrong;

namespace {

using M = const Matrix&;
using attention::Vector;

// ---- 05.3 masked_softmax, and 05.5: softmax of whole arrays

Matrix kept(const Vector& rows) {
    return xt::view(rows, xt::all(), xt::newaxis());
}

/// exp(s − maxima) / sums, with one of each for a row, as Vectors or as columns. What is blocked as
/// a whole is 0 in the end.
Matrix softmax_by_arrays(M scores, const Mask& mask, bool vector_of_maxima, bool vector_of_sums) {
    const Matrix masked = filled(scores, mask, -infinity);
    const Vector largest = xt::amax(masked, {1});
    const Vector maxima = xt::where(xt::equal(largest, -infinity), 0.0, largest);
    const Matrix terms = vector_of_maxima ? Matrix(xt::exp(masked - maxima))
                                          : Matrix(xt::exp(masked - kept(maxima)));
    const Vector total = xt::sum(terms, {1});
    const Vector sums = xt::where(xt::equal(total, 0.0), 1.0, total);
    const Matrix weights = vector_of_sums ? Matrix(terms / sums) : Matrix(terms / kept(sums));
    return plain::blocked_rows_zeroed(weights, mask);
}

constexpr const char* says_keep_dims =
    "the maximum of a row, or its sum, is used for a column: a reduction over axis 1 gives a "
    "Vector, and xtensor lines a Vector up with the columns. Where there are as many queries as "
    "keys that passes without a word, and elsewhere it throws. xt::keep_dims keeps the shape "
    "(n_queries, 1), which lines up with the rows.";

WITHIN_ONE_SEQUENCE(maxima_without_keep_dims, says_keep_dims, [](M scores, const Mask& mask) {
    return softmax_by_arrays(scores, mask, true, false);
});
WITHIN_ONE_SEQUENCE(sums_without_keep_dims, says_keep_dims, [](M scores, const Mask& mask) {
    return softmax_by_arrays(scores, mask, false, true);
});
WITHIN_ONE_SEQUENCE(rows_without_keep_dims, says_keep_dims, [](M scores, const Mask& mask) {
    return softmax_by_arrays(scores, mask, true, true);
});

WITHIN_ONE_SEQUENCE(
    maximum_of_the_column,
    "the maximum of each column is subtracted, and then each row is divided by its sum. Only a "
    "number that all scores of a row share cancels there: take the maximum along the row, axis 1.",
    [](M scores, const Mask& mask) {
        const Matrix masked = filled(scores, mask, -infinity);
        const Vector largest = xt::amax(masked, {0});
        const Vector maxima = xt::where(xt::equal(largest, -infinity), 0.0, largest);
        const Matrix terms = xt::exp(masked - maxima);
        const Vector total = xt::sum(terms, {1});
        const Vector sums = xt::where(xt::equal(total, 0.0), 1.0, total);
        return plain::blocked_rows_zeroed(Matrix(terms / kept(sums)), mask);
    });

} // namespace

} // namespace misconceptions_axes
