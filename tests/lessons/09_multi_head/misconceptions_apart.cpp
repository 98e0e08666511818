// Wrong versions of 09.2 to 09.4 that treat apart what is no case of its own: a 0, or a size of 1.

#include "attention/product.hpp"
#include "wrong_positions.hpp"

namespace misconceptions_apart {

using namespace wrong;
using plain::GroupedMechanism;
using In = const Matrix&;

namespace {

// ---- One head, and heads of two widths

MISCONCEPTION(multi_head_attention, one_head_without_w_o,
              "where there is one head its output is returned as it is, if the shape fits. W_o "
              "belongs to one head as "
              "well: its output is multiplied by it.",
              [](In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads,
                 const OptionalMask& mask) {
                  Mechanism wrong;
                  wrong.finish = [=](const Matrix& merged, const Matrix& last) -> Matrix {
                      return n_heads == 1 && merged.shape(1) == last.shape(1)
                                 ? merged
                                 : oracle::matmul(merged, last);
                  };
                  return wrong(X, W_q, W_k, W_v, W_o, n_heads, mask);
              });

MISCONCEPTION(multi_head_attention, values_as_wide_as_keys,
              "it refuses, or fails, wherever a value is not as wide as a key: the heads of the "
              "values are cut with d_k. They have d_v columns each, those of W_v / n_heads.",
              [](In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads,
                 const OptionalMask& mask) {
                  lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
                  if (W_q.shape(1) != W_v.shape(1)) { // which refuses it
                      attention::matmul(xt::zeros<double>({X.shape(0), W_q.shape(1)}), W_o);
                  }
                  return Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, mask);
              });

// ---- Heads in blocks

/// Heads after the last whole block have no weights and no output, if there is more than a block.
void cut_to_blocks(Heads& weights, std::size_t block) {
    const std::size_t n = weights.size();
    for (std::size_t h = n > block ? n / block * block : n; h < n; ++h) {
        weights[h] *= 0;
    }
}
constexpr const char* heads_lost =
    "heads go a block at a time, such as four, and those after the last whole block stay 0: the "
    "number of blocks is rounded down. Round it up, and cut the last block short.";
#define HEADS_IN_BLOCKS(block)                                                                     \
    MISCONCEPTION(multi_head_attention, heads_in_blocks_of_##block, heads_lost,                    \
                  Mechanism{.change = [](auto& weights) { cut_to_blocks(weights, block); }});      \
    MISCONCEPTION(                                                                                 \
        grouped_query_attention, heads_in_blocks_of_##block, heads_lost,                           \
        GroupedMechanism{.change = [](auto& weights, auto) { cut_to_blocks(weights, block); }})
HEADS_IN_BLOCKS(2);
HEADS_IN_BLOCKS(4);
HEADS_IN_BLOCKS(8);
#undef HEADS_IN_BLOCKS

// ---- What is blocked, or 0

/// Right, under another mask.
template <class Seen>
auto seeing(Seen seen) {
    return Mechanism{.mask_of = [=](const Mask& mask, std::size_t) {
        Mask other = mask;
        for (std::size_t i = 0; i < mask.shape(0); ++i) {
            for (std::size_t j = 0; j < mask.shape(1); ++j) {
                other(i, j) = mask(i, j) && seen(mask, i, j);
            }
        }
        return other;
    }};
}
MISCONCEPTION(multi_head_attention, row_ends_at_a_blocked_key,
              "a row ends at its first blocked key: break where continue is meant. The mask may "
              "block one key and allow those after it.",
              seeing([](const Mask& mask, std::size_t i, std::size_t j) {
                  std::size_t first = 0;
                  while (first < j && mask(i, first)) {
                      ++first;
                  }
                  return first == j;
              }));
MISCONCEPTION(multi_head_attention, first_key_blocked_for_all,
              "a position that may not see the first one is taken for one that sees nothing.",
              seeing([](const Mask& mask, std::size_t i, std::size_t) { return mask(i, 0); }));
MISCONCEPTION(multi_head_attention, itself_blocked_for_all,
              "a position that may not see itself is taken for one that sees nothing.",
              seeing([](const Mask& mask, std::size_t i, std::size_t) { return mask(i, i); }));
MISCONCEPTION(multi_head_attention, last_key_blocked_for_all,
              "a position that may not see the last one is taken for one that sees nothing.",
              seeing([](const Mask& mask, std::size_t i, std::size_t) {
                  return mask(i, mask.shape(1) - 1);
              }));

MISCONCEPTION(multi_head_attention, blocked_position_sees_itself,
              "a position that may see nothing sees itself. Its weights are 0, and so is what its "
              "heads give.",
              Mechanism{.mask_of = [](const Mask& mask, std::size_t) {
                  Mask other = mask;
                  for (std::size_t i = 0; i < mask.shape(0); ++i) {
                      other(i, i) = mask(i, i) || !xt::any(xt::view(mask, i, xt::all()));
                  }
                  return other;
              }});

/// Another mask where a size is 1.
template <class Apart>
auto unmasked_where(Apart apart) {
    return [=](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
               const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) {
        lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
        return Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads,
                           apart(X, n_heads) ? OptionalMask{} : mask);
    };
}
MISCONCEPTION(multi_head_attention, one_position_sees_itself,
              "a sequence of one position is taken to see itself, whatever the mask says.",
              unmasked_where([](const Matrix& X, auto) { return X.shape(0) == 1; }));
MISCONCEPTION(multi_head_attention, one_head_unmasked,
              "where there is one head the mask has no effect: is that case handled apart?",
              unmasked_where([](auto&, auto n_heads) { return n_heads == 1; }));

bool zero_row(const Matrix& X, std::size_t row) {
    return xt::amax(xt::abs(xt::view(X, row, xt::all())))() == 0;
}

MISCONCEPTION(multi_head_attention, zeros_for_padding,
              "a row of zeros in X is taken for padding, and not seen. What is not to be seen the "
              "mask says.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                 const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) {
                  lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
                  Mask seen = mask.value_or(plain::all_allowed(X.shape(0)));
                  for (std::size_t j = 0; j < X.shape(0); ++j) {
                      if (zero_row(X, j)) {
                          xt::view(seen, xt::all(), j) = false;
                      }
                  }
                  return Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, seen);
              });

// ---- 09.3

/// Some rows are turned as they should be, and the others are as `rest` has them.
template <class Turned>
auto turned_where(Turned where, bool zero) {
    return checked_rotation([=](const Matrix& X, const Vector& positions) {
        const Matrix right = plain::rotate(X, positions);
        return matrix_of(X.shape(0), X.shape(1), [&](auto i, auto c) {
            return where(X, positions, i, c) ? right(i, c) : zero ? 0.0 : X(i, c);
        });
    });
}
MISCONCEPTION(rotate, row_at_position_0_is_zero,
              "a row at position 0 is left out of the result, and stays 0. It is turned by 0, and "
              "stays as it is.",
              turned_where([](auto&, auto& positions, auto i, auto) { return positions(i) != 0; },
                           true));
MISCONCEPTION(rotate, ends_at_position_0,
              "the rows after one at position 0 are not turned: break where continue is meant.",
              turned_where(
                  [](auto&, auto& positions, auto i, auto) {
                      const auto end = positions.begin() + static_cast<std::ptrdiff_t>(i);
                      return std::find(positions.begin(), end, 0.0) == end;
                  },
                  false));
MISCONCEPTION(rotate, pair_with_a_0_left_as_it_is,
              "a pair whose x is 0 is not turned. (0, y) turns to (−y sin, y cos).",
              turned_where([](auto& X, auto&, auto i, auto c) { return X(i, c - c % 2) != 0; },
                           false));
MISCONCEPTION(rotate, pair_whose_y_is_0_left_as_it_is,
              "a pair whose y is 0 is not turned. (x, 0) turns to (x cos, x sin).",
              turned_where([](auto& X, auto&, auto i, auto c) { return X(i, c - c % 2 + 1) != 0; },
                           false));
MISCONCEPTION(rotate, first_position_of_0_for_all,
              "nothing is turned if the first position is 0. The others may be something else.",
              turned_where([](auto&, auto& positions, auto, auto) { return positions(0) != 0; },
                           false));

MISCONCEPTION(rotate, positions_added_up,
              "each row is turned by its position and those of all rows above it: an angle goes on "
              "from row to row.",
              checked_rotation([](const Matrix& X, const Vector& positions) {
                  const Vector sums = xt::cumsum(positions);
                  return plain::rotate(X, sums);
              }));

// ---- 09.3 and 09.4: keys that are 0

/// Softmax over the keys that are not all 0.
Matrix over_keys_that_are_not_0(const Matrix& Q, const Matrix& K, const Matrix& V) {
    Mask seen = xt::ones<bool>({Q.shape(0), K.shape(0)});
    for (std::size_t j = 0; j < K.shape(0); ++j) {
        if (zero_row(K, j)) {
            xt::view(seen, xt::all(), j) = false;
        }
    }
    return oracle::matmul(oracle::masked_softmax(oracle::scaled_scores(Q, K), seen), V);
}
constexpr const char* keys_of_zeros =
    "a key of zeros is taken for padding. Its scores are 0, and take part like any others.";
MISCONCEPTION(rotary_attention, keys_of_zeros_left_out, keys_of_zeros,
              [](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) {
                  lesson::require_fit(Q, K, V, positions);
                  return over_keys_that_are_not_0(plain::rotate(Q, positions),
                                                  plain::rotate(K, positions), V);
              });
MISCONCEPTION(grouped_query_attention, keys_of_zeros_left_out, keys_of_zeros,
              [](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) {
                  const lesson::Grouped size = lesson::require_fit(Q, K, V, n_kv_heads);
                  const Heads queries = plain::split(Q, size.n_heads);
                  const Heads keys = plain::split(K, n_kv_heads),
                              values = plain::split(V, n_kv_heads);
                  Heads outputs;
                  for (std::size_t h = 0; h < size.n_heads; ++h) {
                      const std::size_t group =
                          GroupedMechanism::own_group(h, size.n_heads, n_kv_heads);
                      outputs.push_back(
                          over_keys_that_are_not_0(queries[h], keys[group], values[group]));
                  }
                  return plain::merge(outputs);
              });

} // namespace

} // namespace misconceptions_apart
