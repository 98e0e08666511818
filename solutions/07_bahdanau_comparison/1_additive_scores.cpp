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

    // solution 07.1 (S, H, W_s, W_h, v): project both sides, then v · tanh(sum) for each pair
    const Matrix queries = attention::matmul(S, W_s); // (n_queries, d_a)
    const Matrix keys = attention::matmul(H, W_h);    // (n_keys, d_a)
    Matrix scores = Matrix::from_shape({S.shape(0), H.shape(0)});
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
