#include "bahdanau_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lesson {

Comparison compare_attention(const Matrix& A, const Matrix& B, const Mask& gold) {
    require_equal("compare_attention", "n_queries", "A", A, 0, "B", B, 0);
    require_equal("compare_attention", "n_keys", "A", A, 1, "B", B, 1);
    require_equal("compare_attention", "n_queries", "A", A, 0, "gold", gold, 0);
    require_equal("compare_attention", "n_keys", "A", A, 1, "gold", gold, 1);

    // solution 07.5 (A, B, gold): go through the rows once, and divide at the end
    Comparison result;
    double aligned = 0, right = 0; // rows with a gold key, and those where A looks at one
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        std::size_t largest_A = 0, largest_B = 0;
        bool has_gold = false;
        for (std::size_t j = 0; j < A.shape(1); ++j) {
            const double a = A(i, j), b = B(i, j), m = (a + b) / 2;
            largest_A = a > A(i, largest_A) ? j : largest_A;
            largest_B = b > B(i, largest_B) ? j : largest_B;
            result.js_divergence += a > 0 ? a * std::log(a / m) / 2 : 0;
            result.js_divergence += b > 0 ? b * std::log(b / m) / 2 : 0;
            has_gold = has_gold || gold(i, j);
        }
        result.argmax_agreement += largest_A == largest_B ? 1 : 0;
        aligned += has_gold ? 1 : 0;
        right += gold(i, largest_A) ? 1 : 0;
    }
    const double n_queries = static_cast<double>(A.shape(0));
    result.argmax_agreement /= n_queries;
    result.js_divergence /= n_queries;
    result.alignment_accuracy =
        aligned > 0 ? right / aligned : std::numeric_limits<double>::quiet_NaN();
    return result;
    // end
}

} // namespace lesson
