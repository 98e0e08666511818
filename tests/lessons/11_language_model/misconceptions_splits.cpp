// Wrong versions of transformer_block in 11.1: heads that a reshape makes; see misconceptions.cpp
// for what becomes of them.

#include "wrong_block.hpp"

namespace misconceptions_splits {

using namespace wrong;

namespace {

/// Queries, keys and values as rows of d_k numbers, as reshape makes them, in texts of one head.
Value of_rows_of_d_k(const Value& N, const BlockWeights& w, std::size_t n_heads,
                     std::size_t n_texts) {
    const autograd::Shape split{N.shape(0) * n_heads, N.shape(1) / n_heads};
    const auto rows = [&](const Value& W) { return autograd::reshape(product(N, W), split); };
    const Value read =
        autograd::causal_attention(rows(w.W_q), rows(w.W_k), rows(w.W_v), n_texts, 1);
    return autograd::reshape(read, {N.shape(0), N.shape(1)});
}

BLOCK_MISCONCEPTION(
    heads_as_positions,
    "heads are made by a reshape to rows of d_k numbers, which moves nothing: the parts of a "
    "position become positions that follow each other, and see each other. A head takes its "
    "columns of every position, as causal_attention does where n_heads is given to it.",
    heads, [](const Value& N, const BlockWeights& w, Sizes size) {
        return of_rows_of_d_k(N, w, size.n_heads, size.n_texts);
    });

BLOCK_MISCONCEPTION(
    heads_of_whole_positions,
    "heads are made by a reshape to (n_texts, n_heads, n, d_k), which moves nothing: a head gets "
    "all columns of some positions. It takes its columns of every position, as causal_attention "
    "does where n_heads is given to it.",
    heads, [](const Value& N, const BlockWeights& w, Sizes size) {
        return of_rows_of_d_k(N, w, size.n_heads, size.n_texts * size.n_heads);
    });

} // namespace

} // namespace misconceptions_splits
