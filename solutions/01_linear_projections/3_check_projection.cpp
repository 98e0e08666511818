#include "linear_projections.hpp"

#include <stdexcept>
#include <string>

namespace lesson {

void check_projection(const Matrix& X, const Matrix& W) {
    // solution 01.3 (X, W): throw std::invalid_argument, naming both shapes, if X · W does not exist
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument("check_projection: X and W must share d_model, got " +
                                    std::to_string(X.shape(1)) + " and " +
                                    std::to_string(W.shape(0)) + "; X is " + shape_text(X) +
                                    ", W is " + shape_text(W));
    }
    // end
}

} // namespace lesson
