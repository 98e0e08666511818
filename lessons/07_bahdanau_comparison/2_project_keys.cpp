#include "bahdanau_comparison.hpp"

#include <cmath>

#include "attention/product.hpp" // attention::matmul

namespace lesson {

Matrix project_keys(const Matrix& H, const Matrix& W_h) {
    require_equal("project_keys", "d_h", "H", H, 1, "W_h", W_h, 0);

    // TODO 07.2: what does not depend on the decoder's state
    todo("07.2", H, W_h);
}

Matrix additive_scores_from(const Matrix& S, const Matrix& keys, const Matrix& W_s,
                            const Vector& v) {
    require_equal("additive_scores_from", "d_s", "S", S, 1, "W_s", W_s, 0);
    require_equal("additive_scores_from", "d_a", "keys", keys, 1, "W_s", W_s, 1);
    require_equal("additive_scores_from", "d_a", "W_s", W_s, 1, "v", v, 0);

    // TODO 07.2: what is left for every step
    todo("07.2", S, keys, W_s, v);
}

} // namespace lesson
