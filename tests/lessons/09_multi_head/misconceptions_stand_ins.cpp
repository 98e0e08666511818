// Wrong versions of 09.2 and 09.4 with a number in place of −∞, or another head's columns in place
// of a head's own.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_stand_ins {

using namespace wrong;

namespace {

// ---- numbers in place of −∞, and what the maximum is taken of

Matrix with_minus_1e9(const Matrix& scores, const Mask& mask) {
    return oracle::softmax_rows(filled(scores, mask, -1e9));
}

MISCONCEPTION(
    multi_head_attention, blocked_is_minus_1e9,
    "−1e9 stands in place of a blocked score. A position that may see nothing then shares "
    "out equally over all that is blocked, where its weights are 0; and scores may lie "
    "further below 0 still. attention::masked_softmax knows both cases.",
    Mechanism{.weigh = with_minus_1e9});

MISCONCEPTION(multi_head_attention, largest_of_blocked_scores_too,
              "the largest score of a row is sought among the blocked ones, too. Where one of them "
              "is far above, all others vanish under it: exp(s − largest) is 0 for each.",
              Mechanism{.weigh = [](auto& scores, auto& mask) -> Matrix {
                  const Matrix largest = xt::amax(scores, {1}, xt::keep_dims);
                  const Matrix terms = xt::where(mask, xt::exp(scores - largest), 0.0);
                  const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);
                  return matrix_of(terms.shape(0), terms.shape(1), [&](auto i, auto j) {
                      return sums(i, 0) > 0 ? terms(i, j) / sums(i, 0) : 0.0;
                  });
              }});

/// Heads of `width` columns each, as far as there are so many; the rest is 0.
Heads cut_by(const Matrix& V, std::size_t n_heads, std::size_t width) {
    Heads heads;
    for (std::size_t h = 0; h < n_heads; ++h) {
        heads.push_back(matrix_of(V.shape(0), width, [&](auto i, auto c) {
            return h * width + c < V.shape(1) ? V(i, h * width + c) : 0.0;
        }));
    }
    return heads;
}

MISCONCEPTION(multi_head_attention, values_cut_by_d_k,
              "the heads of the values, and what they come to, are cut with d_k. They have d_v "
              "columns each, those of W_v / n_heads: right only where d_v is d_k.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                 const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) {
                  const std::size_t d_k = W_q.shape(1) / n_heads;
                  Mechanism by_d_k;
                  by_d_k.split_values = [=](const Matrix& V, std::size_t n) {
                      return cut_by(V, n, d_k);
                  };
                  by_d_k.merge_outputs = [columns = W_v.shape(1)](const Heads& heads) {
                      const Matrix merged = plain::merge(heads);
                      return matrix_of(merged.shape(0), columns, [&](auto i, auto j) {
                          return j < merged.shape(1) ? merged(i, j) : 0.0;
                      });
                  };
                  return by_d_k(X, W_q, W_k, W_v, W_o, n_heads, mask);
              });

std::size_t by_the_heads_of_keys(std::size_t h, std::size_t, std::size_t n_kv_heads) {
    return h / n_kv_heads % n_kv_heads;
}

MISCONCEPTION(grouped_query_attention, divided_by_n_kv_heads_and_begun_again,
              "head h uses head h / n_kv_heads of the keys and values. So many heads share one as "
              "n_heads / n_kv_heads says: it is h / (n_heads / n_kv_heads).",
              plain::GroupedMechanism{.key_of = by_the_heads_of_keys,
                                      .value_of = by_the_heads_of_keys});

} // namespace

} // namespace misconceptions_stand_ins
