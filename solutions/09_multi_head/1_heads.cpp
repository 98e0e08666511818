#include "multi_head.hpp"

namespace lesson {

Tensor3 split_heads(const Matrix& X, std::size_t n_heads) {
    const std::size_t d = columns_of_a_head("split_heads", "X", X, n_heads);

    // solution 09.1 (X, n_heads, d): head h gets d columns of every row, from column h·d on
    const std::size_t n = X.shape(0);

    Tensor3 heads = Tensor3::from_shape({n_heads, n, d});
    for (std::size_t h = 0; h < n_heads; ++h) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t c = 0; c < d; ++c) {
                heads(h, i, c) = X(i, h * d + c);
            }
        }
    }
    return heads;
    // end
}

Matrix merge_heads(const Tensor3& heads) {
    // solution 09.1 (heads): the columns of all heads next to each other, head 0 first
    const std::size_t n_heads = heads.shape(0);
    const std::size_t n = heads.shape(1);
    const std::size_t d = heads.shape(2);

    Matrix merged = Matrix::from_shape({n, n_heads * d});
    for (std::size_t h = 0; h < n_heads; ++h) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t c = 0; c < d; ++c) {
                merged(i, h * d + c) = heads(h, i, c);
            }
        }
    }
    return merged;
    // end
}

} // namespace lesson
