// Right solutions that look at their arguments in another order, and refuse what does not fit in
// words of their own: each has to pass. The others: alternatives.cpp.

#include "exports.hpp"
#include "support/agree.hpp"

using lesson::AttentionGradients;
using lesson::Mask;
using lesson::Matrix;
using lesson::Streamed;
using support::agree;

namespace {

ALTERNATIVE(streaming_backward, from_the_last_argument,
            [](const Matrix& Q, const Matrix& K, const Matrix& V, const Streamed& forward,
               const Matrix& d_output, const std::optional<Mask>& mask) -> AttentionGradients {
                if (mask) {
                    agree(*mask, 1, K, 0);
                    agree(*mask, 0, Q, 0);
                }
                agree(d_output, 0, forward.logsumexp, 0);
                agree(d_output, 1, forward.output, 1);
                agree(d_output, 0, forward.output, 0);
                agree(d_output, 1, V, 1);
                agree(d_output, 0, Q, 0);
                agree(V, 0, K, 0);
                agree(K, 1, Q, 1);
                return lesson::streaming_backward(Q, K, V, forward, d_output, mask);
            });

} // namespace
