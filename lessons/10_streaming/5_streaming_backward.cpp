#include "streaming.hpp"

#include <cmath>

namespace lesson {

AttentionGradients streaming_backward(const Matrix& Q, const Matrix& K, const Matrix& V,
                                      const Streamed& forward, const Matrix& d_output,
                                      const std::optional<Mask>& mask) {
    require_fit("streaming_backward", Q, K, V);
    require_mask("streaming_backward", Q, K, mask);
    require_forward("streaming_backward", Q, V, forward, d_output);

    // TODO 10.5: each weight computed anew from its score and the logsumexp, used, and forgotten
    todo("10.5", Q, K, V, forward, d_output, mask);
}

} // namespace lesson
