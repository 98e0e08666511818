#include "softmax.hpp"

#include <cmath>

namespace lesson {

Matrix softmax_rows(const Matrix& scores) {
    // solution 03.2 (scores): softmax of each row; every row has a maximum and a sum of its own
    const Matrix maxima = xt::amax(scores, {1}, xt::keep_dims); // (n_queries, 1)
    const Matrix terms = xt::exp(scores - maxima);              // (n_queries, n_keys)
    const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);     // (n_queries, 1)
    return terms / sums;
    // end
}

} // namespace lesson
