#include "softmax.hpp"

namespace lesson {

Matrix softmax_jacobian(const Vector& p) {
    // TODO 03.3: diag(p) − p pᵀ; element (i, j) says how weight i moves with score j
    todo("03.3", p);
}

} // namespace lesson
