#include "comparison/compare.hpp"

#include "attention/entropy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace comparison {
namespace {

using attention::Matrix;

std::size_t largest_in_row(const Matrix& weights, std::size_t row) {
    const double* first = weights.data() + row * weights.shape(1);
    return static_cast<std::size_t>(std::max_element(first, first + weights.shape(1)) - first);
}

// ½ KL(p | m) + ½ KL(q | m), m their mean
double js_of_row(const Matrix& A, const Matrix& B, std::size_t row) {
    double sum = 0;
    for (std::size_t j = 0; j < A.shape(1); ++j) {
        const double p = A(row, j), q = B(row, j), m = (p + q) / 2;
        sum += p > 0 ? p * std::log(p / m) / 2 : 0;
        sum += q > 0 ? q * std::log(q / m) / 2 : 0;
    }
    return sum;
}

} // namespace

AttentionComparison compare_attention(const std::vector<Matrix>& A, const std::vector<Matrix>& B) {
    AttentionComparison result;
    double n = 0;
    for (std::size_t i = 0; i < A.size(); ++i) {
        for (std::size_t row = 0; row < A[i].shape(0); ++row, ++n) {
            result.argmax_agreement +=
                largest_in_row(A[i], row) == largest_in_row(B[i], row) ? 1 : 0;
            result.js_divergence += js_of_row(A[i], B[i], row);
        }
    }
    result.argmax_agreement /= n;
    result.js_divergence /= n;
    return result;
}

double alignment_accuracy(const std::vector<Matrix>& weights,
                          const std::vector<SentencePair>& pairs) {
    double right = 0, n = 0;
    for (std::size_t i = 0; i < std::min(weights.size(), pairs.size()); ++i) {
        for (std::size_t t = 0; t < pairs[i].alignment.size(); ++t) {
            const std::vector<std::size_t>& from = pairs[i].alignment[t];
            if (!from.empty()) {
                const std::size_t at = largest_in_row(weights[i], t);
                right += std::find(from.begin(), from.end(), at) != from.end() ? 1 : 0;
                ++n;
            }
        }
    }
    return n > 0 ? right / n : std::numeric_limits<double>::quiet_NaN();
}

double mean_entropy(const std::vector<Matrix>& weights) {
    double sum = 0, n = 0;
    for (const Matrix& rows : weights) {
        for (const double h : attention::entropy(rows)) {
            sum += h;
            ++n;
        }
    }
    return sum / n;
}

} // namespace comparison
