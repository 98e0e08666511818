// Right solutions that look at their arguments in another order, and refuse what does not fit in
// words of their own: each has to pass. The others: alternatives.cpp.

#include "exports.hpp"
#include "support/agree.hpp"

using lesson::AttentionGradients;
using lesson::Mask;
using lesson::Matrix;
using lesson::ProductGradients;
using support::agree;

namespace {

ALTERNATIVE(matmul_backward, the_result_first,
            [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                agree(d_C, 1, B, 1);
                agree(d_C, 0, A, 0);
                agree(B, 0, A, 1);
                return lesson::matmul_backward(A, B, d_C);
            });

ALTERNATIVE(matmul_transposed_backward, the_result_first,
            [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                agree(d_C, 1, B, 0);
                agree(d_C, 0, A, 0);
                agree(B, 1, A, 1);
                return lesson::matmul_transposed_backward(A, B, d_C);
            });

ALTERNATIVE(attention_backward, from_the_last_argument,
            [](const Matrix& Q, const Matrix& K, const Matrix& V, const Mask& mask,
               const Matrix& weights, const Matrix& d_output) -> AttentionGradients {
                agree(d_output, 1, V, 1);
                agree(d_output, 0, weights, 0);
                agree(weights, 1, V, 0);
                agree(weights, 0, mask, 0);
                agree(weights, 1, mask, 1);
                agree(weights, 0, Q, 0);
                agree(weights, 1, K, 0);
                agree(K, 1, Q, 1);
                return lesson::attention_backward(Q, K, V, mask, weights, d_output);
            });

} // namespace
