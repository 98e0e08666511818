#pragma once

// Lesson 11, a model that writes: what its exercises promise.
//
//   n_texts  texts at once                    d        components of a position
//   n        positions of each of them        n_heads  attentions side by side, of d / n_heads each
//   d_k      components of a query and a key  d_v      components of a value
//   V        tokens that a model knows        context  positions that it has learned
//
// Every size is at least 1, and all numbers are finite, unless a function says otherwise.
//
// Precision, as a relative error: 11.1 is in float, 1e-4. 11.2 is in double, 1e-12 of the largest
// value that goes into an output. 11.4 is in double, 1e-10. 11.5 is in double, 1e-8.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/product.hpp"      // attention::matmul
#include "attention/shapes.hpp"       // require_shared
#include "attention/tensor.hpp"       // Vector, Matrix, shape_text
#include "autograd/operations.hpp"    // Value and the operations of 11.1
#include "judge/todo.hpp"             // todo(): marks what is still to be written
#include "language/block_weights.hpp" // BlockWeights: what a block has learned

namespace lesson {

using attention::Matrix;
using attention::shape_text;
using attention::Vector;
using autograd::Value;
using language::BlockWeights;

/// 11.1  Layer normalisation (Ba et al. 2016), of each row by itself:
///   gain ∘ (x − mean) / √(variance + 1e-5) + bias
/// where mean and variance are those of the row's d components; the variance is the mean of the
/// squared distances from the mean, so it divides by d. Rows may be far from 0: at a mean of 3000
/// beside a spread of 1, two digits are enough. Made of operations of autograd/operations.hpp, so
/// that gradients flow back to all three.
///   X (n, d)   gain (d)   bias (d)   returns (n, d)
/// Throws std::invalid_argument, with both shapes in its text, if gain or bias does not have d
/// numbers.
Value layer_norm(const Value& X, const Value& gain, const Value& bias);

/// 11.1  One block of a Transformer with its norms in front (pre-norm, as in GPT-2):
///   H = X + attention(layer_norm(X)) W_o
///   returns H + gelu(layer_norm(H) W_in + b_in) W_out + b_out
/// Attention has n_heads heads: head h takes the columns h · d_k … h · d_k + d_k − 1 of
/// layer_norm(X) W_q, W_k and W_v, where d_k = d / n_heads, and the heads' outputs lie in the same
/// columns. Scores are divided by √d_k. It is causal, and within a text: the rows of X are the
/// positions of text 0, then those of text 1 and so on, and position i of a text sees the positions
/// 0 … i of the same text. gelu(x) = x Φ(x), with Φ the normal distribution function.
///   X (n_texts · n, d)   weights: their shapes are in language/block_weights.hpp
///   returns (n_texts · n, d)
/// Throws std::invalid_argument, with both numbers in its text, if n_texts does not divide the rows
/// of X, or n_heads the columns, or one of them is 0.
Value transformer_block(const Value& X, const BlockWeights& weights, std::size_t n_texts,
                        std::size_t n_heads);

/// 11.2  What one head of attention keeps of the tokens that it has read, so that nothing of them
/// is computed again. Caches are independent of each other, and so is a copy.
class KeyValueCache {
public:
    /// 11.2  Keeps one token's key and value.   k (d_k)   v (d_v)
    /// Throws std::invalid_argument, with both sizes in its text, if k or v has another size than
    /// those kept before, and then keeps neither.
    void append(const Vector& k, const Vector& v);

    /// 11.2  Attention of one query over all that is kept: Σ_j p_j v_j, where p is the softmax of
    /// the scores q · k_j / √d_k. Changes nothing.   q (d_k)   returns (d_v)
    /// Throws std::invalid_argument if nothing is kept yet, or, with both sizes in its text, if q
    /// has another size than the keys.
    Vector attend(const Vector& q) const;

private:
    std::vector<Vector> keys_;   // n_kept of (d_k)
    std::vector<Vector> values_; // n_kept of (d_v)
};

/// 11.3  Draws one of n tokens at random, as a model that writes does at each step:
///   1. temperature T > 0: p = softmax(logits / T).
///      T = 0: returns the token of the largest logit, the first of several. Nothing else matters.
///   2. top_k > 0: keeps the top_k most probable tokens, or all if there are no more than top_k;
///      of equals the earlier. 0 keeps all. What is kept is divided by its sum, to sum to 1 again.
///   3. top_p < 1: of what step 2 kept, keeps the most probable tokens, as few as it takes for
///      their probabilities to sum to at least top_p, of equals the earlier; but always one. 1
///      keeps all. What is kept is divided by its sum.  ("Nucleus sampling", Holtzman et al. 2019)
///   4. Draws a token with the probability that it now has.
/// The same arguments give the same token, at every call. Over many seeds, consecutive ones and 0
/// included, tokens come with these probabilities, whichever generator you take (one that takes
/// fewer than the 64 bits of the seed will do). Where a sum is top_p but for rounding, either
/// number of tokens will do.
///   logits (n), each from −1e6 to 1e6, or −∞ for a token that never comes; one of them is finite,
///   and logits / T does not overflow
///   returns 0 … n − 1
/// Throws std::invalid_argument if there are no logits, if temperature is negative or not a finite
/// number, or if top_p is not in 0 … 1.
std::size_t sample(const Vector& logits, double temperature, std::size_t top_k, double top_p,
                   std::uint64_t seed);

/// 11.4  exp of the mean surprise: exp(−(1/n) Σ_i log_probabilities(i)). A model that guesses at
/// each step among N equally likely tokens has the perplexity N.
///   log_probabilities (n): natural logarithms of what the model gave each token that really came;
///   −∞ if it had given it 0
///   returns 1 … ∞
/// Throws std::invalid_argument if there are none.
double perplexity(const Vector& log_probabilities);

/// 11.4  The mean surprise in bits: how many a perfect coder that knows the model would write for
/// each character.   log_probabilities as above: natural logarithms   returns 0 … ∞
/// Throws std::invalid_argument if there are none.
double bits_per_character(const Vector& log_probabilities);

/// What one block has learned, as 11.1's BlockWeights, in numbers that are on no tape.
struct Layer {
    Vector attention_gain, attention_bias; // (d)
    Matrix W_q, W_k, W_v, W_o;             // (d, d)
    Vector mlp_gain, mlp_bias;             // (d)
    Matrix W_in;                           // (d, 4d)
    Vector b_in;                           // (4d)
    Matrix W_out;                          // (4d, d)
    Vector b_out;                          // (d)
};

/// What a whole model has learned.
struct LanguageModel {
    Matrix tokens;             // (V, d)
    Matrix positions;          // (context, d)
    std::size_t n_heads = 0;   // of each layer; divides d
    std::vector<Layer> layers; // in the order in which a token goes through them
    Vector gain, bias;         // (d) of the norm after the last layer
};

/// What a model keeps of the tokens that it has read: caches[l][h] is that of head h of layer l.
using Caches = std::vector<std::vector<KeyValueCache>>;

/// 11.5  Reads one more token, with caches that hold the tokens before it: the logits of the token
/// that comes next.
///   x = row `token` of tokens + row `position` of positions
///   x goes through each layer, which is 11.1's block of this one row: head h of layer l puts its
///   key and value into caches[l][h], and its query attends to all that is there
///   logits = the dot product of norm(x) with each row of tokens, where norm is 11.1's layer_norm
/// Nothing else changes. The tokens of a text come in the order of their positions, from 0 on.
///   returns (V)
/// Throws std::invalid_argument if tokens has no row `token` or positions no row `position`, with
/// both numbers in its text, or if there is not one cache for each head of each layer.
Vector next_logits(const LanguageModel& model, std::size_t token, std::size_t position,
                   Caches& caches);

// ---- Already written, for you to use: what 11.5 computes with.

/// A row times a matrix: x W.   x (m)   W (m, n)   returns (n)
inline Vector times(const Vector& x, const Matrix& W) {
    Matrix row = Matrix::from_shape({1, x.size()});
    std::copy(x.begin(), x.end(), row.begin());
    const Matrix product = attention::matmul(row, W);
    Vector result = Vector::from_shape({W.shape(1)});
    std::copy(product.begin(), product.end(), result.begin());
    return result;
}

/// x Φ(x) of each number, with Φ the normal distribution function.
inline Vector gelu(Vector x) {
    for (double& component : x) {
        component *= std::erfc(-component / std::sqrt(2.0)) / 2;
    }
    return x;
}

// ---- Already written, for you to use: the checks that the exercises call.

/// The checks of 11.1.
inline void require_fit(const Value& X, const Value& gain, const Value& bias) {
    using attention::Axis;
    attention::require_shared("layer_norm", "d", Axis{"X", X.data(), 1},
                              Axis{"gain", gain.data(), 0});
    attention::require_shared("layer_norm", "d", Axis{"X", X.data(), 1},
                              Axis{"bias", bias.data(), 0});
}

inline void require_divides(const char* name, std::size_t divisor, const char* what,
                            std::size_t size, const Value& X) {
    if (divisor == 0 || size % divisor != 0) {
        throw std::invalid_argument(std::string("transformer_block: ") + name +
                                    " must divide the " + what + " of X, got " +
                                    std::to_string(divisor) + " and " + std::to_string(size) +
                                    "; X is " + shape_text(X.data()));
    }
}

/// The check of 11.2. what: "k" or "q", for example.
inline void require_size(const char* function, const char* what, std::size_t got,
                         std::size_t kept) {
    if (got != kept) {
        throw std::invalid_argument(std::string("KeyValueCache::") + function + ": " + what +
                                    " must have as many components as those kept, got " +
                                    std::to_string(got) + " and " + std::to_string(kept));
    }
}

/// The check of 11.3.
inline void require_sampling(const Vector& logits, double temperature, double top_p) {
    const auto refuse = [](const std::string& rule) {
        throw std::invalid_argument("sample: " + rule);
    };
    if (logits.size() == 0) {
        refuse("there must be a logit, got none");
    }
    if (!(temperature >= 0 && std::isfinite(temperature))) {
        refuse("temperature must be 0 or more and finite, got " + std::to_string(temperature));
    }
    if (!(top_p >= 0 && top_p <= 1)) {
        refuse("top_p must be in 0 … 1, got " + std::to_string(top_p));
    }
}

/// The check of 11.4.
inline void require_any(const char* function, const Vector& log_probabilities) {
    if (log_probabilities.size() == 0) {
        throw std::invalid_argument(std::string(function) +
                                    ": there must be a log-probability, got none");
    }
}

/// The checks of 11.5.
inline void require_fit(const LanguageModel& model, std::size_t token, std::size_t position,
                        const Caches& caches) {
    const auto refuse = [](const std::string& rule, std::size_t got, std::size_t rows) {
        throw std::invalid_argument("next_logits: " + rule + ", got " + std::to_string(got) +
                                    " and " + std::to_string(rows));
    };
    if (token >= model.tokens.shape(0)) {
        refuse("token must be a row of tokens", token, model.tokens.shape(0));
    }
    if (position >= model.positions.shape(0)) {
        refuse("position must be a row of positions", position, model.positions.shape(0));
    }
    if (caches.size() != model.layers.size()) {
        refuse("there must be caches for each layer", caches.size(), model.layers.size());
    }
    for (const std::vector<KeyValueCache>& heads : caches) {
        if (heads.size() != model.n_heads) {
            refuse("there must be a cache for each head", heads.size(), model.n_heads);
        }
    }
}

} // namespace lesson
