#include "bahdanau_comparison.hpp"

#include <cmath>

#include "attention/product.hpp" // attention::matmul

namespace lesson {

Matrix project_keys(const Matrix& H, const Matrix& W_h) {
    require_equal("project_keys", "d_h", "H", H, 1, "W_h", W_h, 0);

    // solution 07.2 (H, W_h): what does not depend on the decoder's state
    return attention::matmul(H, W_h); // (n_keys, d_a)
    // end
}

Matrix additive_scores_from(const Matrix& S, const Matrix& keys, const Matrix& W_s,
                            const Vector& v) {
    require_equal("additive_scores_from", "d_s", "S", S, 1, "W_s", W_s, 0);
    require_equal("additive_scores_from", "d_a", "keys", keys, 1, "W_s", W_s, 1);
    require_equal("additive_scores_from", "d_a", "W_s", W_s, 1, "v", v, 0);

    // solution 07.2 (S, keys, W_s, v): what is left for every step
    const Matrix queries = attention::matmul(S, W_s); // (n_queries, d_a)
    Matrix scores = Matrix::from_shape({S.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            double score = 0;
            for (std::size_t a = 0; a < v.size(); ++a) {
                score += v(a) * std::tanh(queries(i, a) + keys(j, a));
            }
            scores(i, j) = score;
        }
    }
    return scores;
    // end
}

} // namespace lesson
