// Wrong versions of transformer_block in 11.1: its attention, and gradients; see misconceptions.cpp
// for what becomes of them.

#include <cmath>

#include "wrong_block.hpp"

using namespace wrong;

namespace {

using In = const Value&;
using With = const BlockWeights&;
using Self = const Transformer&;

/// Right but for the queries, keys and values that go in.
Value attend(In Q, In K, In V, Sizes size) {
    return autograd::causal_attention(Q, K, V, size.n_texts, size.n_heads);
}

/// Without a mask, text by text and head by head.
Value attend_to_all(In Q, In K, In V, Sizes size) {
    const std::size_t n = Q.shape(0) / size.n_texts, d_k = Q.shape(1) / size.n_heads;
    std::vector<Value> texts;
    for (std::size_t t = 0; t < size.n_texts; ++t) {
        std::vector<Value> heads;
        for (std::size_t h = 0; h < size.n_heads; ++h) {
            const auto part = [&](In A) {
                const Value rows = autograd::slice(A, 0, t * n, (t + 1) * n);
                const Value columns = autograd::slice(rows, 1, h * d_k, (h + 1) * d_k);
                return autograd::reshape(columns, {1, n, d_k});
            };
            const Value read =
                autograd::scaled_dot_product_attention(part(Q), part(K), part(V), {.threads = 1});
            heads.push_back(autograd::reshape(read, {n, d_k}));
        }
        texts.push_back(autograd::concatenate(heads, 1));
    }
    return autograd::concatenate(texts, 0);
}

float root_of(std::size_t n) {
    return std::sqrt(static_cast<float>(n));
}

// ---- texts, heads, what is seen

BLOCK_MISCONCEPTION(
    texts_run_together,
    "all rows are taken for one text, so that a text sees those before it: n_texts "
    "does not arrive at the attention.",
    heads, [](In N, With w, Sizes size) {
        return attend(product(N, w.W_q), product(N, w.W_k), product(N, w.W_v), {1, size.n_heads});
    });

BLOCK_MISCONCEPTION(every_row_a_text,
                    "every row is taken for a text of its own, and sees itself alone: the number "
                    "of rows is given where the number of texts belongs.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(product(N, w.W_q), product(N, w.W_k), product(N, w.W_v),
                                      {N.shape(0), size.n_heads});
                    });

BLOCK_MISCONCEPTION(
    one_head,
    "there is one head, as wide as all together: n_heads does not arrive at the "
    "attention.",
    heads, [](In N, With w, Sizes size) {
        return attend(product(N, w.W_q), product(N, w.W_k), product(N, w.W_v), {size.n_texts, 1});
    });

BLOCK_MISCONCEPTION(
    one_head_and_one_text,
    "all rows are taken for one text, and one head is as wide as all together: "
    "neither n_texts nor n_heads arrives at the attention.",
    heads, [](In N, With w, Sizes) {
        return attend(product(N, w.W_q), product(N, w.W_k), product(N, w.W_v), {1, 1});
    });

BLOCK_MISCONCEPTION(heads_for_texts, "n_texts and n_heads are exchanged where attention is called.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(product(N, w.W_q), product(N, w.W_k), product(N, w.W_v),
                                      {size.n_heads, size.n_texts});
                    });

BLOCK_MISCONCEPTION(not_causal,
                    "a position sees what comes after it: there is no causal mask. A model that is "
                    "trained like that reads off what it is to predict.",
                    heads, [](In N, With w, Sizes size) {
                        return attend_to_all(product(N, w.W_q), product(N, w.W_k),
                                             product(N, w.W_v), size);
                    });

BLOCK_MISCONCEPTION(root_of_d,
                    "the scores are divided by √d, of all heads together. A head's scores are sums "
                    "over d_k = d / n_heads components; causal_attention divides by √d_k already.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(scale(product(N, w.W_q), 1 / root_of(size.n_heads)),
                                      product(N, w.W_k), product(N, w.W_v), size);
                    });

BLOCK_MISCONCEPTION(root_twice,
                    "the scores are divided by √d_k twice: causal_attention does it already.",
                    heads, [](In N, With w, Sizes size) {
                        const float root = root_of(N.shape(1) / size.n_heads);
                        return attend(scale(product(N, w.W_q), 1 / root), product(N, w.W_k),
                                      product(N, w.W_v), size);
                    });

BLOCK_MISCONCEPTION(roots_of_d_and_d_k,
                    "the scores are divided by √d as well as by √d_k: causal_attention divides "
                    "already.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(scale(product(N, w.W_q), 1 / root_of(N.shape(1))),
                                      product(N, w.W_k), product(N, w.W_v), size);
                    });

BLOCK_MISCONCEPTION(head_scores_not_divided,
                    "the scores are not divided by √d_k: not at all, or by 1, as pow(d_k, 1 / 2) "
                    "is, where 1 / 2 is 0.",
                    heads, [](In N, With w, Sizes size) {
                        const float root = root_of(N.shape(1) / size.n_heads);
                        return attend(scale(product(N, w.W_q), root), product(N, w.W_k),
                                      product(N, w.W_v), size);
                    });

// ---- matrices

BLOCK_MISCONCEPTION(queries_and_keys_exchanged,
                    "W_q and W_k are exchanged: the scores are those of key and query, not of "
                    "query and key.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(product(N, w.W_k), product(N, w.W_q), product(N, w.W_v),
                                      size);
                    });

BLOCK_MISCONCEPTION(queries_by_W_q_transposed,
                    "the queries are made with W_q transposed, as a PyTorch Linear keeps its "
                    "weights. Here a row times W_q is meant: product.",
                    heads, [](auto& N, auto& w, Sizes size) {
                        return attend(autograd::product_transposed(N, w.W_q), product(N, w.W_k),
                                      product(N, w.W_v), size);
                    });
BLOCK_MISCONCEPTION(keys_by_W_k_transposed,
                    "the keys are made with W_k transposed, as a PyTorch Linear keeps its "
                    "weights. Here a row times W_k is meant: product.",
                    heads, [](auto& N, auto& w, Sizes size) {
                        return attend(product(N, w.W_q), autograd::product_transposed(N, w.W_k),
                                      product(N, w.W_v), size);
                    });
BLOCK_MISCONCEPTION(values_by_W_v_transposed,
                    "the values are made with W_v transposed, as a PyTorch Linear keeps its "
                    "weights. Here a row times W_v is meant: product.",
                    heads, [](auto& N, auto& w, Sizes size) {
                        return attend(product(N, w.W_q), product(N, w.W_k),
                                      autograd::product_transposed(N, w.W_v), size);
                    });
BLOCK_MISCONCEPTION(queries_by_W_k, "the queries are made with W_k. They have their own, W_q.",
                    heads, [](In N, With w, Sizes size) {
                        const Value K = product(N, w.W_k);
                        return attend(K, K, product(N, w.W_v), size);
                    });

BLOCK_MISCONCEPTION(keys_by_W_q, "the keys are made with W_q. They have their own, W_k.", heads,
                    [](In N, With w, Sizes size) {
                        const Value Q = product(N, w.W_q);
                        return attend(Q, Q, product(N, w.W_v), size);
                    });

BLOCK_MISCONCEPTION(values_by_W_k, "the values are made with W_k. They have their own, W_v.", heads,
                    [](In N, With w, Sizes size) {
                        const Value K = product(N, w.W_k);
                        return attend(product(N, w.W_q), K, K, size);
                    });

BLOCK_MISCONCEPTION(values_by_W_q, "the values are made with W_q. They have their own, W_v.", heads,
                    [](In N, With w, Sizes size) {
                        const Value Q = product(N, w.W_q);
                        return attend(Q, product(N, w.W_k), Q, size);
                    });

BLOCK_MISCONCEPTION(keys_for_values,
                    "keys and values are exchanged where attention is called: keys are compared, "
                    "values are given.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(product(N, w.W_q), product(N, w.W_v), product(N, w.W_k),
                                      size);
                    });

BLOCK_MISCONCEPTION(queries_for_values,
                    "queries and values are exchanged where attention is called: Q, K, V is the "
                    "order.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(product(N, w.W_v), product(N, w.W_k), product(N, w.W_q),
                                      size);
                    });

BLOCK_MISCONCEPTION(gelu_after_attention,
                    "gelu is applied to what attention gives, too. It belongs to the mlp alone.",
                    project,
                    [](In attended, With w) { return autograd::gelu(product(attended, w.W_o)); });

BLOCK_MISCONCEPTION(all_by_W_q, "queries, keys and values are all made with W_q.", heads,
                    [](In N, With w, Sizes size) {
                        const Value Q = product(N, w.W_q);
                        return attend(Q, Q, Q, size);
                    });

BLOCK_MISCONCEPTION(norm_is_the_value, "the values are what the norm gives, without W_v.", heads,
                    [](In N, With w, Sizes size) {
                        return attend(product(N, w.W_q), product(N, w.W_k), N, size);
                    });

BLOCK_MISCONCEPTION(nothing_projected,
                    "queries, keys and values are what the norm gives: W_q, W_k and W_v are "
                    "missing.",
                    heads, [](In N, With, Sizes size) { return attend(N, N, N, size); });

BLOCK_MISCONCEPTION(keys_and_values_without_the_norm,
                    "only the queries are made of the norm; keys and values are made of X. All "
                    "three are made of the norm.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value Q = product(self.first_norm(X, w), w.W_q);
                        const Value read = attend(Q, product(X, w.W_k), product(X, w.W_v), size);
                        const Value H = add(X, self.project(read, w));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(values_without_the_norm,
                    "the values are made of X. Queries, keys and values are all made of the norm.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        const Value read =
                            attend(product(N, w.W_q), product(N, w.W_k), product(X, w.W_v), size);
                        const Value H = add(X, self.project(read, w));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(queries_without_the_norm,
                    "the queries are made of X. Queries, keys and values are all made of the norm.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        const Value read =
                            attend(product(X, w.W_q), product(N, w.W_k), product(N, w.W_v), size);
                        const Value H = add(X, self.project(read, w));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(without_W_o, "W_o is missing: what the heads give is added as it is.", project,
                    [](In attended, With) { return attended; });

BLOCK_MISCONCEPTION(W_v_for_W_o, "W_v stands where W_o belongs, at the end of the attention.",
                    project, [](In attended, With w) { return product(attended, w.W_v); });

BLOCK_MISCONCEPTION(W_o_transposed,
                    "W_o is transposed: rows are multiplied from the right, by W_o "
                    "itself.",
                    project, [](In attended, With w) {
                        return autograd::product_transposed(attended, w.W_o);
                    });

BLOCK_MISCONCEPTION(projections_transposed,
                    "W_q, W_k and W_v are transposed, as PyTorch keeps them. Here a row x is "
                    "multiplied by W itself: product, not product_transposed.",
                    heads, [](In N, With w, Sizes size) {
                        using autograd::product_transposed;
                        return attend(product_transposed(N, w.W_q), product_transposed(N, w.W_k),
                                      product_transposed(N, w.W_v), size);
                    });

BLOCK_MISCONCEPTION(all_four_transposed,
                    "W_q, W_k, W_v and W_o are transposed, as PyTorch's nn.Linear keeps them. Here "
                    "a row x is multiplied by W itself: product, not product_transposed.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        using autograd::product_transposed;
                        const Value N = self.first_norm(X, w);
                        const Value read =
                            attend(product_transposed(N, w.W_q), product_transposed(N, w.W_k),
                                   product_transposed(N, w.W_v), size);
                        const Value H = add(X, product_transposed(read, w.W_o));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(W_o_after_the_sum,
                    "W_o is applied to X + attention. It is applied to what the heads give, before "
                    "X is added.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value read = self.heads(self.first_norm(X, w), w, size);
                        const Value H = self.project(add(X, read), w);
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(W_o_before_attention,
                    "W_o multiplies the values, before attention. It mixes what the heads have "
                    "found: product(read, W_o), after attention.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        const Value V = product(product(N, w.W_v), w.W_o);
                        const Value H =
                            add(X, attend(product(N, w.W_q), product(N, w.W_k), V, size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(W_o_before_all,
                    "W_o multiplies the norm of X, before queries, keys and values are made. It "
                    "mixes what the heads have found: product(read, W_o), after attention.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = product(self.first_norm(X, w), w.W_o);
                        const Value H = add(X, self.heads(N, w, size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(W_o_before_attention_in_all_three,
                    "W_o multiplies queries, keys and values, before attention. It mixes what the "
                    "heads have found: product(read, W_o), after attention.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        const auto twice = [&](const Value& W) {
                            return product(product(N, W), w.W_o);
                        };
                        const Value H =
                            add(X, attend(twice(w.W_q), twice(w.W_k), twice(w.W_v), size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(W_o_before_the_norm,
                    "W_o multiplies X, before its norm. It mixes what the heads have found: "
                    "product(read, W_o), after attention.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(product(X, w.W_o), w);
                        const Value H = add(X, self.heads(N, w, size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(W_o_at_the_queries,
                    "W_o multiplies the queries, before attention. It mixes what the heads have "
                    "found: product(read, W_o), after attention.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        const Value Q = product(product(N, w.W_q), w.W_o);
                        const Value H =
                            add(X, attend(Q, product(N, w.W_k), product(N, w.W_v), size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(W_o_at_the_queries_too,
                    "W_o multiplies the queries as well, before attention. It mixes what the heads "
                    "have found, and stands there alone.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(product(product(N, w.W_q), w.W_o), product(N, w.W_k),
                                      product(N, w.W_v), size);
                    });

BLOCK_MISCONCEPTION(queries_by_W_o,
                    "the queries are made with W_o. They have their own, W_q: W_o mixes what the "
                    "heads have found.",
                    heads, [](In N, With w, Sizes size) {
                        return attend(product(N, w.W_o), product(N, w.W_k), product(N, w.W_v),
                                      size);
                    });

BLOCK_MISCONCEPTION(W_q_and_W_o_exchanged,
                    "W_q and W_o are exchanged: the queries are made with W_o, and W_q mixes what "
                    "the heads have found.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        const Value read =
                            attend(product(N, w.W_o), product(N, w.W_k), product(N, w.W_v), size);
                        const Value H = add(X, product(read, w.W_q));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

// ---- gradients

BLOCK_MISCONCEPTION(block_is_a_constant,
                    "the output is right, and no gradient flows back: the result is put on the "
                    "tape as a constant.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
                        return detached(add(H, self.mlp(self.second_norm(H, w), w)));
                    });

BLOCK_MISCONCEPTION(attention_is_a_constant,
                    "the output is right, and no gradient flows back through attention: what it "
                    "gives is put on the tape as a constant.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H =
                            add(X, detached(self.attention(self.first_norm(X, w), w, size)));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(heads_are_constants,
                    "the output is right, and no gradient flows back through the heads: what they "
                    "give is put on the tape as a constant.",
                    project,
                    [](In attended, With w) { return product(detached(attended), w.W_o); });

} // namespace
