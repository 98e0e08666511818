#include "attention/entropy.hpp"

#include <cmath>

namespace attention {
namespace {

// One number a row, from 0: after(number so far, weight) is the next. In double, since a float sum
// over many keys would lose digits that the weights have.
template <class T, class Step>
xt::xtensor<T, 1> over_rows(const xt::xtensor<T, 2>& weights, Step after) {
    auto result = xt::xtensor<T, 1>::from_shape({weights.shape(0)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const T* row = weights.data() + i * weights.shape(1);
        double so_far = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            so_far = after(so_far, static_cast<double>(row[j]));
        }
        result(i) = static_cast<T>(so_far);
    }
    return result;
}

double add_entropy(double sum, double p) {
    return p == 0 ? sum : sum - p * std::log(p);
}
double add_gradient(double sum, double p) {
    return sum + p * (1 - p);
}
double larger(double most, double p) {
    return most >= p || std::isnan(most) ? most : p;
}

} // namespace

Vector entropy(const Matrix& weights) {
    return over_rows(weights, add_entropy);
}
VectorF entropy(const MatrixF& weights) {
    return over_rows(weights, add_entropy);
}

Vector remaining_gradient(const Matrix& weights) {
    return over_rows(weights, add_gradient);
}
VectorF remaining_gradient(const MatrixF& weights) {
    return over_rows(weights, add_gradient);
}

Vector largest_weight(const Matrix& weights) {
    return over_rows(weights, larger);
}
VectorF largest_weight(const MatrixF& weights) {
    return over_rows(weights, larger);
}

} // namespace attention
