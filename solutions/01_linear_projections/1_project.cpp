#include "linear_projections.hpp"

#include "attention/shapes.hpp"

namespace lesson {

Matrix project(const Matrix& X, const Matrix& W) {
    // Throws, naming both shapes, if X · W does not exist. In 01.3 you write such a check yourself.
    attention::require_shared("project", "d_model", attention::Axis{"X", X, 1},
                              attention::Axis{"W", W, 0});

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
