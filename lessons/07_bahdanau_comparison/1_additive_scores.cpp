#include "bahdanau_comparison.hpp"

#include <cmath>

#include "attention/product.hpp" // attention::matmul

namespace lesson {

Matrix additive_scores(const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                       const Vector& v) {
    require_equal("additive_scores", "d_s", "S", S, 1, "W_s", W_s, 0);
    require_equal("additive_scores", "d_h", "H", H, 1, "W_h", W_h, 0);
    require_equal("additive_scores", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
    require_equal("additive_scores", "d_a", "W_h", W_h, 1, "v", v, 0);

    // TODO 07.1: project both sides, then v · tanh(sum) for each pair
    todo("07.1", S, H, W_s, W_h, v);
}

} // namespace lesson
