// Wrong versions whose sums end too early, whose counts are too narrow, and whose texts are cut
// off; grader_tiny_between.cpp asks for them.

#include <cstdint>

#include "exports.hpp"
#include "support/common_mistakes.hpp"
#include "wrong.hpp"

namespace misconceptions_sums_ended {

using namespace wrong;
using mistakes::Ends;
using mistakes::require_in_a_buffer;

namespace {

constexpr const char* sum_ends = mistakes::sum_ends_where_unchanged;
constexpr const char* cut_off = mistakes::text_cut_off;

// ---- 09.2

template <Ends ends>
Matrix ended(const Matrix& X, const Matrix& Y) {
    return mistakes::product_ended(X, Y, ends);
}
template <class Change>
Mechanism mechanism_with(Change change) {
    Mechanism wrong;
    change(wrong);
    return wrong;
}

MISCONCEPTION(multi_head_attention, outputs_end_where_unchanged, sum_ends,
              mechanism_with([](auto& m) { m.mix = ended<Ends::at_one_that_is_not_0>; }));
MISCONCEPTION(multi_head_attention, last_product_ends_where_unchanged, sum_ends,
              mechanism_with([](auto& m) { m.finish = ended<Ends::at_one_that_is_not_0>; }));
MISCONCEPTION(multi_head_attention, sums_end_where_unchanged, sum_ends, mechanism_with([](auto& m) {
                  m.mix = ended<Ends::at_one_that_is_not_0>;
                  m.finish = ended<Ends::at_one_that_is_not_0>;
              }));

bool none_in_8_bits(const Mask& some) {
    return static_cast<std::uint8_t>(std::count(some.begin(), some.end(), true)) == 0;
}
MISCONCEPTION(multi_head_attention, keys_counted_in_8_bits,
              "a position that sees 256 others is taken for one that sees none: they are counted "
              "in 8 bits, which begin again at 0. Count in a std::size_t, or ask whether it sees "
              "any.",
              mechanism_with([](auto& m) {
                  m.mask_of = [](const Mask& mask, auto) {
                      Mask seen = mask;
                      for (std::size_t i = 0; i < mask.shape(0); ++i) {
                          if (none_in_8_bits(xt::view(mask, xt::range(i, i + 1), xt::all()))) {
                              xt::view(seen, i, xt::all()) = false;
                          }
                      }
                      return seen;
                  };
              }));
MISCONCEPTION(multi_head_attention, queries_counted_in_8_bits,
              "a position that 256 others see is taken for one that nobody sees: they are counted "
              "in 8 bits, which begin again at 0. Count in a std::size_t, or ask whether any sees "
              "it.",
              mechanism_with([](auto& m) {
                  m.mask_of = [](const Mask& mask, auto) {
                      Mask seen = mask;
                      for (std::size_t j = 0; j < mask.shape(1); ++j) {
                          if (none_in_8_bits(xt::view(mask, xt::all(), xt::range(j, j + 1)))) {
                              xt::view(seen, xt::all(), j) = false;
                          }
                      }
                      return seen;
                  };
              }));

MISCONCEPTION(multi_head_attention, text_cut_off, cut_off,
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                 const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) {
                  const char* const function = "multi_head_attention";
                  require_in_a_buffer(48, function, "X", X, 1, "W_q", W_q, 0);
                  require_in_a_buffer(48, function, "X", X, 1, "W_k", W_k, 0);
                  require_in_a_buffer(48, function, "X", X, 1, "W_v", W_v, 0);
                  require_in_a_buffer(48, function, "W_q", W_q, 1, "W_k", W_k, 1);
                  require_in_a_buffer(48, function, "W_v", W_v, 1, "W_o", W_o, 0);
                  return Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, mask);
              });

// ---- 09.3

MISCONCEPTION(rotate, text_cut_off, cut_off, [](const Matrix& X, const Vector& positions) {
    lesson::require_even("rotate", "d", X.shape(1));
    require_in_a_buffer(36, "rotate", "X", X, 0, "positions", positions, 0);
    return plain::rotate(X, positions);
});

MISCONCEPTION(rotary_attention, text_cut_off, cut_off,
              [](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) {
                  const char* const function = "rotary_attention";
                  lesson::require_even(function, "d_k", Q.shape(1));
                  require_in_a_buffer(43, function, "Q", Q, 1, "K", K, 1);
                  require_in_a_buffer(43, function, "Q", Q, 0, "K", K, 0);
                  require_in_a_buffer(43, function, "K", K, 0, "V", V, 0);
                  require_in_a_buffer(43, function, "Q", Q, 0, "positions", positions, 0);
                  return plain::rotary_attention(Q, K, V, positions);
              });

// ---- 09.4

MISCONCEPTION(grouped_query_attention, text_cut_off, cut_off,
              [](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) {
                  require_in_a_buffer(48, "grouped_query_attention", "K", K, 0, "V", V, 0);
                  return plain::GroupedMechanism{}(Q, K, V, n_kv_heads);
              });

} // namespace

} // namespace misconceptions_sums_ended
