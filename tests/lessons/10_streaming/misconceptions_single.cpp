// Wrong versions of 10.2 and 10.5 in which a single key, or a tile of one, is handled apart.

#include "wrong.hpp"

namespace misconceptions_single {

using namespace wrong;

namespace {

constexpr const char* one_key_is_seen =
    "where there is one key it is taken to be seen, by every query. The mask may block it.";

MISCONCEPTION(streaming_attention, one_key_always_seen, one_key_is_seen,
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  lesson::require_mask("streaming_attention", Q, K, mask);
                  return Streaming{}(Q, K, V, tile, K.shape(0) == 1 ? OptionalMask{} : mask);
              });

MISCONCEPTION(streaming_attention, tile_of_one_unmasked,
              "in tiles of one key the mask has no effect: a tile is seen or not, also where it is "
              "a single key.",
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  lesson::require_mask("streaming_attention", Q, K, mask);
                  return Streaming{}(Q, K, V, tile, tile == 1 ? OptionalMask{} : mask);
              });

MISCONCEPTION(streaming_backward, one_key_always_seen, one_key_is_seen,
              [](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
                  lesson::require_fit("streaming_backward", Q, K, V);
                  lesson::require_mask("streaming_backward", Q, K, mask);
                  lesson::require_forward("streaming_backward", Q, V, forward, d_output);
                  AttentionGradients d = plain::backward(Q, K, V, d_output, mask);
                  if (K.shape(0) == 1) {
                      d.d_V = xt::sum(d_output, {0}, xt::keep_dims);
                  }
                  return d;
              });

} // namespace

} // namespace misconceptions_single
