#include "multi_head.hpp"

#include "attention/attention.hpp" // attention::attention(Q, K, V).output

#include <cmath>

namespace lesson {

Matrix sinusoidal_positions(std::size_t n, std::size_t d) {
    require_even("sinusoidal_positions", "d", d);

    // TODO 09.3: a sine and a cosine a pair of columns, each pair slower than the one before
    todo("09.3", n, d);
}

Matrix rotate(const Matrix& X, const Vector& positions) {
    require_fit(X, positions);

    // TODO 09.3: turn each pair of columns by its own angle
    todo("09.3", X, positions);
}

Matrix rotary_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                        const Vector& positions) {
    require_fit(Q, K, V, positions);

    // TODO 09.3: rotate Q and K, then attend
    todo("09.3", Q, K, V, positions);
}

} // namespace lesson
