#include "saturation_entropy.hpp"

#include <algorithm>
#include <cmath>

namespace lesson {

Vector gradient_gain(const Matrix& weights) {
    // TODO 06.2: for each row p the largest eigenvalue of diag(p) − p pᵀ
    todo("06.2", weights);
}

} // namespace lesson
