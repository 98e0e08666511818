#pragma once

// Lesson 12, a published model: what its exercises promise.
//
//   dim     components of a token          n_heads     heads of queries, of d = dim / n_heads each
//   hidden  components inside the mlp      n_kv_heads  heads of keys and of values, of d each
//
// The structs of a model are in llama/checkpoint.hpp, the vocabulary in llama/vocabulary.hpp.
// Every size is at least 1, and all numbers are finite, unless a function says otherwise.
//
// Precision, as a relative error: 12.1 and 12.2 1e-10; 12.5 1e-8 of the largest number of an
// answer. What 12.4 reads is the same to the last bit.

#include <stdexcept>
#include <string>
#include <vector>

#include "attention/shapes.hpp" // require_shared
#include "attention/tensor.hpp" // Vector, Matrix, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written
#include "llama/checkpoint.hpp" // Checkpoint, Layer, Sizes, zeros
#include "llama/vocabulary.hpp" // Vocabulary, Tokens, start_of_text, first_byte

namespace lesson {

using attention::Matrix;
using attention::Vector;
using llama::Checkpoint;
using llama::Layer;
using llama::Sizes;
using llama::Tokens;
using llama::Vocabulary;

/// 12.1  Root mean square normalisation (Zhang and Sennrich 2019):
///   gain ∘ x / √(mean of x² + 1e-5)
///   x (dim)   gain (dim)   returns (dim)
/// Throws std::invalid_argument, with both shapes in its text, if gain has another size than x.
Vector rms_norm(const Vector& x, const Vector& gain);

/// 12.2  The mlp of the Llama family (Shazeer 2020):
///   W_down (silu(W_gate x) ∘ (W_up x)),   silu(z) = z / (1 + e^−z)
/// Right for any finite z, however far from 0.
///   x (dim)   W_gate, W_up (hidden, dim)   W_down (dim, hidden)   returns (dim)
/// Throws std::invalid_argument, with both shapes in its text, if two of the arrays do not fit.
Vector swiglu(const Vector& x, const Matrix& W_gate, const Matrix& W_up, const Matrix& W_down);

/// 12.3  A text as tokens:
///   1. The first token is start_of_text. It is never joined with another.
///   2. A text that is not empty gets a blank in front: "Lily" becomes " Lily".
///   3. Each UTF-8 character becomes its token, if it is a piece of the vocabulary; if not, each of
///      its bytes b becomes the token first_byte + b. Bytes whose upper bits are 10 go on with a
///      character.
///   4. Of all neighbours whose union is a piece, those are joined whose union has the highest
///      score, of equals the first; and so again, until no union is a piece.
///   text: UTF-8   vocabulary: no piece comes twice
Tokens encode(const std::string& text, const Vocabulary& vocabulary);

/// 12.4  A checkpoint from the bytes of a llama2.c file. Numbers are little-endian, as this
/// machine's; a matrix lies row by row.
///   7 int32: dim, hidden, n_layers, n_heads, n_kv_heads, n_tokens, context. A negative n_tokens
///   says that the last array is there.
///   Then float32: tokens (n_tokens, dim); attention_gain of every layer; then W_q of every layer,
///   and so W_k, W_v, W_o, mlp_gain, W_gate, W_down, W_up (their shapes: struct Layer); last_gain;
///   context · d numbers that are skipped; output (n_tokens, dim), if n_tokens is negative. If not,
///   output is a copy of tokens.
///   returns sizes with n_tokens positive, and all arrays
/// Throws std::invalid_argument, with a line that says what is wrong, if a size is 0 or another
/// one negative, if 2 · n_heads does not divide dim or n_kv_heads n_heads, or if there are more or
/// fewer bytes than the sizes ask for; and allocates nothing before that. Sizes may be as large as
/// an int32 is: the number of bytes may be too large for 64 bits, and is exact in a double where
/// it matters.
Checkpoint read_checkpoint(const std::string& bytes);

/// What 12.5 keeps of the tokens that it has read, in one layer: as in 11.2, of all heads together.
struct LayerCache {
    std::vector<Vector> keys;   // of each token (n_kv_heads · d), rotated
    std::vector<Vector> values; // of each token (n_kv_heads · d)
};
using Cache = std::vector<LayerCache>; // of each layer; at first Cache(n_layers)

/// 12.5  Logits of the token after this one. x is the token's row of model.tokens; each layer makes
///   H = x + W_o attention(rms_norm(x)),   x = H + swiglu(rms_norm(H))
/// with its own gains and matrices; the logits are output · rms_norm(x), with last_gain.
/// Attention: q = W_q y, k = W_k y, v = W_v y, where y is the norm. In every head of q and of k the
/// components 2c and 2c + 1 are rotated as in 09.3: the angle is position · 10000^(−2c / d). The
/// rotated k, and v, go to the end of the layer's cache. Head h of the queries reads head
/// h / (n_heads / n_kv_heads) of all keys and values in the cache, its own included, as in 09.4;
/// scores are divided by √d.
///   position: tokens read before this one, from 0   returns (n_tokens)
/// Throws std::invalid_argument if there is no such token, or the cache holds another number of
/// tokens than position.
Vector next_logits(std::size_t token, std::size_t position, const Checkpoint& model, Cache& cache);

// ---- Already written, for you to use.

/// W x, for a matrix with a row for each output.   W (n, m)   x (m)   returns (n)
inline Vector times(const Matrix& W, const Vector& x) {
    using attention::Axis;
    attention::require_shared("times", "m", Axis{"W", W, 1}, Axis{"x", x, 0});
    return xt::sum(W * x, {1}); // x is repeated for each row
}

/// The checks that the exercises call.
inline void require_fit(const Vector& x, const Vector& gain) {
    using attention::Axis;
    attention::require_shared("rms_norm", "dim", Axis{"x", x, 0}, Axis{"gain", gain, 0});
}

inline void require_fit(const Vector& x, const Matrix& W_gate, const Matrix& W_up,
                        const Matrix& W_down) {
    using attention::Axis;
    attention::require_shared("swiglu", "dim", Axis{"x", x, 0}, Axis{"W_gate", W_gate, 1});
    attention::require_shared("swiglu", "dim", Axis{"x", x, 0}, Axis{"W_up", W_up, 1});
    attention::require_shared("swiglu", "dim", Axis{"x", x, 0}, Axis{"W_down", W_down, 0});
    attention::require_shared("swiglu", "hidden", Axis{"W_gate", W_gate, 0}, Axis{"W_up", W_up, 0});
    attention::require_shared("swiglu", "hidden", Axis{"W_gate", W_gate, 0},
                              Axis{"W_down", W_down, 1});
}

inline void require_next(std::size_t token, std::size_t position, const Checkpoint& model,
                         const Cache& cache) {
    const std::size_t n_tokens = model.tokens.shape(0);
    if (token >= n_tokens) {
        throw std::invalid_argument("next_logits: a token must be below " +
                                    std::to_string(n_tokens) + ", got " + std::to_string(token));
    }
    if (cache.size() != model.layers.size() || cache.front().keys.size() != position) {
        throw std::invalid_argument("next_logits: the cache must have " +
                                    std::to_string(model.layers.size()) + " layers of " +
                                    std::to_string(position) + " tokens");
    }
}

} // namespace lesson
