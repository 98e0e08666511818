#include "attention/softmax.hpp"

#include <cmath>

namespace attention {
namespace {

template <class T>
void softmax_row(const T* scores, std::size_t n, T* weights) {
    if (n == 0) {
        return;
    }
    T maximum = scores[0]; // a loop of its own: std::max_element has no meaning beside a NaN
    for (std::size_t j = 1; j < n; ++j) {
        maximum = scores[j] > maximum ? scores[j] : maximum;
    }
    T sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
        weights[j] = std::exp(scores[j] - maximum);
        sum += weights[j];
    }
    for (std::size_t j = 0; j < n; ++j) {
        weights[j] /= sum;
    }
}

template <class T>
xt::xtensor<T, 2> softmax_of_rows(const xt::xtensor<T, 2>& scores) {
    const std::size_t n_queries = scores.shape(0);
    const std::size_t n_keys = scores.shape(1);
    auto weights = xt::xtensor<T, 2>::from_shape({n_queries, n_keys});
    for (std::size_t i = 0; i < n_queries; ++i) {
        softmax_row(scores.data() + i * n_keys, n_keys, weights.data() + i * n_keys);
    }
    return weights;
}

} // namespace

Vector softmax(const Vector& scores) {
    auto weights = Vector::from_shape(scores.shape());
    softmax_row(scores.data(), scores.size(), weights.data());
    return weights;
}

Matrix softmax_rows(const Matrix& scores) {
    return softmax_of_rows(scores);
}
MatrixF softmax_rows(const MatrixF& scores) {
    return softmax_of_rows(scores);
}

Matrix softmax_jacobian(const Vector& p) {
    const std::size_t n = p.size();
    auto J = Matrix::from_shape({n, n});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            // p (1 − p) keeps every digit of a saturated weight's gradient; p − p² cancels them.
            J(i, j) = i == j ? p(i) * (1 - p(i)) : -p(i) * p(j);
        }
    }
    return J;
}

} // namespace attention
