// Wrong versions of transformer_block in 11.1: norms, residual connections and the mlp; see
// misconceptions.cpp for what becomes of them.

#include "wrong_block.hpp"

using namespace wrong;

namespace {

using In = const Value&;
using With = const BlockWeights&;
using Self = const Transformer&;

// ---- norms

BLOCK_MISCONCEPTION(post_norm,
                    "the norms come after each sum, as in the first Transformer (Vaswani et al. "
                    "2017). Here they stand in front: X + attention(norm(X)), so that X itself "
                    "goes through from block to block.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = self.first_norm(add(X, self.attention(X, w, size)), w);
                        return self.second_norm(add(H, self.mlp(H, w)), w);
                    });

BLOCK_MISCONCEPTION(norms_of_what_branches_give,
                    "the norms are applied to what attention and the mlp give, and not to what "
                    "they are given.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.first_norm(self.attention(X, w, size), w));
                        return add(H, self.second_norm(self.mlp(H, w), w));
                    });

BLOCK_MISCONCEPTION(without_norms, "neither attention nor the mlp reads its input through a norm.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(X, w, size));
                        return add(H, self.mlp(H, w));
                    });

BLOCK_MISCONCEPTION(without_the_first_norm, "attention reads X itself, without a norm in front.",
                    first_norm, [](In X, With) { return X; });

BLOCK_MISCONCEPTION(without_the_second_norm, "the mlp reads H itself, without a norm in front.",
                    second_norm, [](In H, With) { return H; });

BLOCK_MISCONCEPTION(first_norm_twice,
                    "both norms have the gain and bias of the first. The second has its own, "
                    "mlp_gain and mlp_bias.",
                    second_norm, [](In H, With w) {
                        return lesson::layer_norm(H, w.attention_gain, w.attention_bias);
                    });

BLOCK_MISCONCEPTION(second_norm_twice,
                    "both norms have the gain and bias of the second. The first has its own, "
                    "attention_gain and attention_bias.",
                    first_norm,
                    [](In X, With w) { return lesson::layer_norm(X, w.mlp_gain, w.mlp_bias); });

BLOCK_MISCONCEPTION(bias_of_the_first_norm,
                    "the norm before the mlp has its own gain, and the bias of the norm before "
                    "attention. Its own is mlp_bias.",
                    second_norm, [](In H, With w) {
                        return lesson::layer_norm(H, w.mlp_gain, w.attention_bias);
                    });

BLOCK_MISCONCEPTION(gain_of_the_first_norm,
                    "the norm before the mlp has its own bias, and the gain of the norm before "
                    "attention. Its own is mlp_gain.",
                    second_norm, [](In H, With w) {
                        return lesson::layer_norm(H, w.attention_gain, w.mlp_bias);
                    });

BLOCK_MISCONCEPTION(bias_of_the_second_norm,
                    "the norm before attention has its own gain, and the bias of the norm before "
                    "the mlp. Its own is attention_bias.",
                    first_norm, [](In X, With w) {
                        return lesson::layer_norm(X, w.attention_gain, w.mlp_bias);
                    });

BLOCK_MISCONCEPTION(gain_of_the_second_norm,
                    "the norm before attention has its own bias, and the gain of the norm before "
                    "the mlp. Its own is attention_gain.",
                    first_norm, [](In X, With w) {
                        return lesson::layer_norm(X, w.mlp_gain, w.attention_bias);
                    });

BLOCK_MISCONCEPTION(norms_exchanged,
                    "the norm before attention has the gain and bias of the one before the mlp, "
                    "and the other way round.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.second_norm(X, w), w, size));
                        return add(H, self.mlp(self.first_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(gain_and_bias_exchanged,
                    "layer_norm is called with bias and gain exchanged, both times.", whole,
                    [](Self self, In X, With w, Sizes size) {
                        const Value N = lesson::layer_norm(X, w.attention_bias, w.attention_gain);
                        const Value H = add(X, self.attention(N, w, size));
                        return add(H, self.mlp(lesson::layer_norm(H, w.mlp_bias, w.mlp_gain), w));
                    });

BLOCK_MISCONCEPTION(norm_at_the_end,
                    "the result is normalised once more. A model does that after its last block, "
                    "not in each.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
                        return self.second_norm(add(H, self.mlp(self.second_norm(H, w), w)), w);
                    });

// ---- residual connections

BLOCK_MISCONCEPTION(no_residuals,
                    "nothing is added to what attention and the mlp give: both residual "
                    "connections are missing.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = self.attention(self.first_norm(X, w), w, size);
                        return self.mlp(self.second_norm(H, w), w);
                    });

BLOCK_MISCONCEPTION(no_first_residual, "X is not added to what attention gives.", whole,
                    [](Self self, In X, With w, Sizes size) {
                        const Value H = self.attention(self.first_norm(X, w), w, size);
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(no_second_residual, "H is not added to what the mlp gives.", whole,
                    [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
                        return self.mlp(self.second_norm(H, w), w);
                    });

BLOCK_MISCONCEPTION(input_in_place_of_H,
                    "X is added to what the mlp gives, and not H, so that attention is lost on the "
                    "way.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
                        return add(X, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(input_twice, "X is added twice: it is in H already.", whole,
                    [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
                        return add(add(X, H), self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(branches_side_by_side,
                    "the mlp reads the norm of X, beside attention. It reads the norm of H, after "
                    "it.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
                        return add(H, self.mlp(self.second_norm(X, w), w));
                    });

BLOCK_MISCONCEPTION(mlp_reads_the_first_norm,
                    "the mlp reads what attention read, the first norm. It reads a norm of H.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        return add(add(X, self.attention(N, w, size)), self.mlp(N, w));
                    });

BLOCK_MISCONCEPTION(mlp_reads_attention_alone,
                    "the mlp reads the norm of what attention gives, without X. H is both.", whole,
                    [](Self self, In X, With w, Sizes size) {
                        const Value attended = self.attention(self.first_norm(X, w), w, size);
                        return add(add(X, attended), self.mlp(self.second_norm(attended, w), w));
                    });

BLOCK_MISCONCEPTION(norms_are_added,
                    "what is added is the norm of X, and the norm of H. It is X and H themselves, "
                    "so that they reach the next block as they are.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        const Value M = self.second_norm(add(N, self.attention(N, w, size)), w);
                        return add(M, self.mlp(M, w));
                    });

BLOCK_MISCONCEPTION(first_norm_is_added,
                    "the norm of X is added to what attention gives. It is X itself.", whole,
                    [](Self self, In X, With w, Sizes size) {
                        const Value N = self.first_norm(X, w);
                        const Value H = add(N, self.attention(N, w, size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(second_norm_is_added,
                    "the norm of H is added to what the mlp gives. It is H itself.", whole,
                    [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
                        const Value M = self.second_norm(H, w);
                        return add(M, self.mlp(M, w));
                    });

BLOCK_MISCONCEPTION(X_is_added_as_a_constant,
                    "the output is right, and no gradient takes the straight way to X: what is "
                    "added to attention is a constant with X's numbers. Add X itself.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H =
                            add(detached(X), self.attention(self.first_norm(X, w), w, size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(H_is_added_as_a_constant,
                    "the output is right, and no gradient takes the straight way to H: what is "
                    "added to the mlp is a constant with H's numbers. Add H itself.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
                        return add(detached(H), self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(both_are_added_as_constants,
                    "the output is right, and no gradient takes the straight way: what is added "
                    "to attention and to the mlp are constants with the numbers of X and H. Add X "
                    "and H themselves.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H =
                            add(detached(X), self.attention(self.first_norm(X, w), w, size));
                        return add(detached(H), self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(without_the_mlp, "H is returned: the mlp is missing.", whole,
                    [](Self self, In X, With w, Sizes size) {
                        return add(X, self.attention(self.first_norm(X, w), w, size));
                    });

BLOCK_MISCONCEPTION(without_attention, "only the mlp is there; attention is missing.", whole,
                    [](Self self, In X, With w, Sizes) {
                        return add(X, self.mlp(self.second_norm(X, w), w));
                    });

BLOCK_MISCONCEPTION(single_positions_skip_attention,
                    "in texts of a single position attention is left out. A position sees itself: "
                    "its weight is 1, and W_v and W_o still make something of it.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const bool alone = X.shape(0) == size.n_texts;
                        const Value H =
                            alone ? X : add(X, self.attention(self.first_norm(X, w), w, size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(single_rows_skip_attention,
                    "where X has a single row attention is left out. A position sees itself: its "
                    "weight is 1, and W_v and W_o still make something of it.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const bool alone = X.shape(0) == 1;
                        const Value H =
                            alone ? X : add(X, self.attention(self.first_norm(X, w), w, size));
                        return add(H, self.mlp(self.second_norm(H, w), w));
                    });

BLOCK_MISCONCEPTION(mlp_first, "the mlp comes first, and attention after it. Attention is first.",
                    whole, [](Self self, In X, With w, Sizes size) {
                        const Value H = add(X, self.mlp(self.second_norm(X, w), w));
                        return add(H, self.attention(self.first_norm(H, w), w, size));
                    });

// ---- the mlp

BLOCK_MISCONCEPTION(without_gelu,
                    "there is no gelu between the two products: together they are one product, and "
                    "the mlp is linear.",
                    mlp, [](In M, With w) {
                        return affine(affine(M, w.W_in, w.b_in), w.W_out, w.b_out);
                    });

BLOCK_MISCONCEPTION(gelu_at_the_end,
                    "gelu comes after the second product, too late. It stands between the two.",
                    mlp, [](In M, With w) {
                        return autograd::gelu(affine(affine(M, w.W_in, w.b_in), w.W_out, w.b_out));
                    });

BLOCK_MISCONCEPTION(gelu_twice, "gelu comes after both products. It stands between the two alone.",
                    mlp, [](In M, With w) {
                        const Value hidden = autograd::gelu(affine(M, w.W_in, w.b_in));
                        return autograd::gelu(affine(hidden, w.W_out, w.b_out));
                    });

BLOCK_MISCONCEPTION(gelu_first, "gelu comes before the first product. It stands between the two.",
                    mlp, [](In M, With w) {
                        return affine(affine(autograd::gelu(M), w.W_in, w.b_in), w.W_out, w.b_out);
                    });

BLOCK_MISCONCEPTION(tanh_for_gelu, "tanh stands where gelu belongs.", mlp, [](In M, With w) {
    return affine(autograd::tanh(affine(M, w.W_in, w.b_in)), w.W_out, w.b_out);
});

BLOCK_MISCONCEPTION(sigmoid_for_gelu, "a sigmoid stands where gelu belongs.", mlp,
                    [](In M, With w) {
                        return affine(autograd::sigmoid(affine(M, w.W_in, w.b_in)), w.W_out,
                                      w.b_out);
                    });

BLOCK_MISCONCEPTION(
    silu_for_gelu,
    "x times its sigmoid stands where gelu belongs (SiLU, or Swish). gelu is x Φ(x), "
    "and autograd has it.",
    mlp, [](In M, With w) {
        const Value U = affine(M, w.W_in, w.b_in);
        return affine(multiply(U, autograd::sigmoid(U)), w.W_out, w.b_out);
    });

BLOCK_MISCONCEPTION(gelu_by_a_sigmoid,
                    "x times the sigmoid of 1.702 x is near gelu, and not near enough here. "
                    "autograd::gelu is exact.",
                    mlp, [](In M, With w) {
                        const Value U = affine(M, w.W_in, w.b_in);
                        return affine(multiply(U, autograd::sigmoid(scale(U, 1.702F))), w.W_out,
                                      w.b_out);
                    });

BLOCK_MISCONCEPTION(gelu_by_tanh,
                    "gelu is computed by the formula with tanh, which is near it, and not near "
                    "enough here. autograd::gelu is exact.",
                    mlp, [](In M, With w) {
                        const Value U = affine(M, w.W_in, w.b_in);
                        const Value cube = multiply(multiply(U, U), U);
                        const Value inner = scale(add(U, scale(cube, 0.044715F)), 0.79788456F);
                        const Value G = scale(add(U, multiply(U, autograd::tanh(inner))), 0.5F);
                        return affine(G, w.W_out, w.b_out);
                    });

BLOCK_MISCONCEPTION(relu_for_gelu,
                    "what is negative is set to 0 (ReLU, as in the first Transformer) where gelu "
                    "belongs.",
                    mlp, [](In M, With w) {
                        const Value U = affine(M, w.W_in, w.b_in);
                        const Array positive = xt::cast<float>(U.data() > 0.0F);
                        return affine(multiply(U, U.tape().constant(positive)), w.W_out, w.b_out);
                    });

BLOCK_MISCONCEPTION(without_b_in, "b_in is not added: affine has a bias, product has none.", mlp,
                    [](In M, With w) {
                        return affine(autograd::gelu(product(M, w.W_in)), w.W_out, w.b_out);
                    });

BLOCK_MISCONCEPTION(without_b_out, "b_out is not added: affine has a bias, product has none.", mlp,
                    [](In M, With w) {
                        return product(autograd::gelu(affine(M, w.W_in, w.b_in)), w.W_out);
                    });

BLOCK_MISCONCEPTION(without_both_biases,
                    "b_in and b_out are not added: affine has a bias, product has none.", mlp,
                    [](In M, With w) {
                        return product(autograd::gelu(product(M, w.W_in)), w.W_out);
                    });

BLOCK_MISCONCEPTION(b_in_after_gelu,
                    "b_in is added after gelu. It is added before, to the product.", mlp,
                    [](In M, With w) {
                        return affine(add(autograd::gelu(product(M, w.W_in)), w.b_in), w.W_out,
                                      w.b_out);
                    });

} // namespace
