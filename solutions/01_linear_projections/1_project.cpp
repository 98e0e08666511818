#include "linear_projections.hpp"

namespace lesson {

Matrix project(const Matrix& X, const Matrix& W) {
    check_projection(X, W); // throws if they do not fit; you write it yourself in 01.3

    // solution 01.1 (X, W): return X · W; result(i, j) is row i of X times column j of W, summed
    const std::size_t n = X.shape(0);
    const std::size_t d_model = X.shape(1);
    const std::size_t d_out = W.shape(1);

    Matrix result = xt::zeros<double>({n, d_out});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < d_out; ++j) {
            for (std::size_t k = 0; k < d_model; ++k) {
                result(i, j) += X(i, k) * W(k, j);
            }
        }
    }
    return result;
    // end
}

} // namespace lesson
