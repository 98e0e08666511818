#include "streaming.hpp"

#include <cmath>

namespace lesson {

Streamed streaming_attention(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t tile,
                             const std::optional<Mask>& mask) {
    require_fit("streaming_attention", Q, K, V);
    require_mask("streaming_attention", Q, K, mask);
    require_tile("streaming_attention", tile);

    // TODO 10.2: for each query, what is known so far merged with a tile of keys after the other
    todo("10.2", Q, K, V, tile, mask);
}

} // namespace lesson
