#include "aggregation.hpp"

#include "attention/shapes.hpp"

namespace lesson {

Matrix aggregate(const Matrix& weights, const Matrix& V) {
    attention::require_shared("aggregate", "n_keys", attention::Axis{"weights", weights, 1},
                              attention::Axis{"V", V, 0});

    // TODO 04.1: return weights · V; row i mixes the rows of V as query i weighs them
    todo("04.1", weights, V);
}

} // namespace lesson
