#include "aggregation.hpp"

#include "attention/shapes.hpp"

namespace lesson {

Matrix aggregate(const Matrix& weights, const Matrix& V) {
    attention::require_shared("aggregate", "n_keys", attention::Axis{"weights", weights, 1},
                              attention::Axis{"V", V, 0});

    // solution 04.1 (weights, V): return weights · V; row i mixes the rows of V as query i weighs them
    const std::size_t n_queries = weights.shape(0);
    const std::size_t n_keys = weights.shape(1);
    const std::size_t d_v = V.shape(1);

    Matrix output = xt::zeros<double>({n_queries, d_v});
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            for (std::size_t c = 0; c < d_v; ++c) {
                output(i, c) += weights(i, j) * V(j, c); // value j, as often as it weighs
            }
        }
    }
    return output;
    // end
}

} // namespace lesson
