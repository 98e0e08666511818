// Wrong versions of transformer_block in 11.1: how heads are cut and put together; see
// misconceptions.cpp for what becomes of them.

#include <algorithm>

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

/// The columns of A that belong to head h, or follow it at a distance of n_heads.
Value columns_of(const Value& A, std::size_t h, std::size_t n_heads, bool interleaved) {
    const std::size_t d_k = A.shape(1) / n_heads;
    std::vector<Value> columns;
    for (std::size_t c = 0; c < d_k; ++c) {
        const std::size_t at = interleaved ? c * n_heads + h : h * d_k + c;
        columns.push_back(autograd::slice(A, 1, at, at + 1));
    }
    return autograd::concatenate(columns, 1);
}

/// Column c of head h back at one of the two places.
Value side_by_side(const std::vector<Value>& heads, bool interleaved) {
    const std::size_t n_heads = heads.size(), d_k = heads.front().shape(1);
    std::vector<Value> columns;
    for (std::size_t j = 0; j < n_heads * d_k; ++j) {
        const std::size_t h = interleaved ? j % n_heads : j / d_k;
        const std::size_t c = interleaved ? j / n_heads : j % d_k;
        columns.push_back(autograd::slice(heads[h], 1, c, c + 1));
    }
    return autograd::concatenate(columns, 1);
}

/// What each head reads.
std::vector<Value> read_by_heads(const Value& N, const BlockWeights& w, Sizes size,
                                 bool interleaved) {
    const Value Q = product(N, w.W_q), K = product(N, w.W_k), V = product(N, w.W_v);
    std::vector<Value> heads;
    for (std::size_t h = 0; h < size.n_heads; ++h) {
        const auto of = [&](const Value& A) { return columns_of(A, h, size.n_heads, interleaved); };
        heads.push_back(autograd::causal_attention(of(Q), of(K), of(V), size.n_texts, 1));
    }
    return heads;
}

BLOCK_MISCONCEPTION(
    heads_interleaved,
    "the columns are dealt out to the heads in turn: head h takes columns h, h + n_heads, … A head "
    "has d_k columns that stand side by side, from h · d_k on. (Dealt out, it would be a model, "
    "too, but not one that others' weights fit.)",
    heads, [](const Value& N, const BlockWeights& w, Sizes size) {
        return side_by_side(read_by_heads(N, w, size, true), true);
    });

BLOCK_MISCONCEPTION(heads_read_interleaved,
                    "the columns are dealt out to the heads in turn: head h takes columns h, "
                    "h + n_heads, … A head has d_k columns that stand side by side, from h · d_k "
                    "on, as where its output is written.",
                    heads, [](const Value& N, const BlockWeights& w, Sizes size) {
                        return side_by_side(read_by_heads(N, w, size, true), false);
                    });

BLOCK_MISCONCEPTION(heads_written_interleaved,
                    "what the heads read is mixed up when it is put together: column c of head h "
                    "belongs at h · d_k + c, as where it was taken from.",
                    heads, [](const Value& N, const BlockWeights& w, Sizes size) {
                        return side_by_side(read_by_heads(N, w, size, false), true);
                    });

BLOCK_MISCONCEPTION(
    heads_below_each_other,
    "what the heads read is put together row by row, one head below the other, and a reshape to "
    "(rows, d) moves nothing: a row then holds several positions of one head. Heads stand side by "
    "side: concatenate along axis 1.",
    heads, [](const Value& N, const BlockWeights& w, Sizes size) {
        return autograd::reshape(autograd::concatenate(read_by_heads(N, w, size, false), 0),
                                 {N.shape(0), N.shape(1)});
    });

BLOCK_MISCONCEPTION(heads_in_reverse,
                    "the heads stand in reverse order where they are put together: head 0 comes "
                    "first, on the left.",
                    heads, [](const Value& N, const BlockWeights& w, Sizes size) {
                        std::vector<Value> heads = read_by_heads(N, w, size, false);
                        std::reverse(heads.begin(), heads.end());
                        return autograd::concatenate(heads, 1);
                    });

BLOCK_MISCONCEPTION(first_head_in_all,
                    "all heads read the columns of the first: the place where a head's columns "
                    "begin, h · d_k, is forgotten.",
                    heads, [](const Value& N, const BlockWeights& w, Sizes size) {
                        const std::vector<Value> heads = read_by_heads(N, w, size, false);
                        return autograd::concatenate(
                            std::vector<Value>(size.n_heads, heads.front()), 1);
                    });

} // namespace

} // namespace misconceptions_splits
