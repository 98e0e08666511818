#pragma once

// Lesson 10, attention without its matrix: what its exercises promise.
//
//   n_queries  number of queries              d_k  components of a query and of a key
//   n_keys     number of keys                 d_v  components of a value
//   tile       keys (in 10.3 queries, too) that are worked on at a time
//
// Every size is at least 1, and all numbers that are handed in are finite, but for a maximum or a
// logsumexp of −∞. They may be 0, and of any size with which nothing overflows. Results need a
// relative error of at most about 1e-10, relative to the largest number of their array;
// in 10.4 as floats have it.

#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>

#include "attention/shapes.hpp" // require_shared
#include "attention/tensor.hpp" // Vector, Matrix, MatrixF, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::MatrixF;
using attention::shape_text;
using attention::Vector;

/// Who may see whom: true where query i may attend to key j, false where that is blocked.
using Mask = xt::xtensor<bool, 2>; // (n_queries, n_keys)

/// What one query knows after some of its keys, with scores s_j and values v_j.
struct Partial {
    double maximum = -std::numeric_limits<double>::infinity(); // the largest s_j; −∞: no keys
    double sum = 0; // Σ exp(s_j − maximum); 0: no keys
    Vector output;  // (d_v), Σ exp(s_j − maximum) v_j, not divided by the sum; zeros if none
};

/// 10.1  What the query knows after the keys of a and those of b together.
///   a, b  of different keys, with outputs (d_v)
/// How they are grouped does not matter, nor their order: merge(merge(a, b), c) and
/// merge(a, merge(b, c)) agree but for rounding. If there were no keys on one side, the other comes
/// back; if on neither, a partial result of no keys.
/// Throws std::invalid_argument, with both shapes in its text, if the outputs differ in d_v.
Partial merge(const Partial& a, const Partial& b);

/// What attention returns in place of its weights.
struct Streamed {
    Matrix output;    // (n_queries, d_v)
    Vector logsumexp; // (n_queries), ln Σ_j exp(s_ij) over the keys that query i sees; −∞: none
};

/// 10.2  softmax(Q Kᵀ / √d_k) V under a mask, `tile` keys at a time.
///   Q (n_queries, d_k)   K (n_keys, d_k)   V (n_keys, d_v)   tile: from 1 to 2³²; it need not
///   divide n_keys, and may be far larger
///   mask (n_queries, n_keys), or none, and nothing is blocked
/// A query that sees no key has output 0, as in 05.3.
/// Memory beyond the arguments and the result may grow with n_queries · min(tile, n_keys) + n_keys:
/// the scores of one tile may be held for all queries. It never grows with n_queries · n_keys where
/// the tile does not: neither all scores are held nor a bool for each.
/// Throws std::invalid_argument if two of the arrays do not fit, with both shapes in its text; and
/// if tile is 0.
Streamed streaming_attention(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t tile,
                             const std::optional<Mask>& mask = std::nullopt);

/// Some of the scores Q Kᵀ / √d_k: those of the queries first_query … first_query + rows − 1 with
/// the keys first_key … first_key + columns − 1.
///   returns (rows, columns)
/// Computes them at each call. Throws std::out_of_range if there are no such queries or keys, and
/// another exception if 10.3 must not compute them.
using ScoreTile = std::function<Matrix(std::size_t first_query, std::size_t rows,
                                       std::size_t first_key, std::size_t columns)>;

/// 10.3  Causal attention: query i sees the keys 0 … i, also where n_queries is not n_keys.
///   score_tile  computes scores, those of at most tile queries and tile keys per call
///   V (n_keys, d_v)   n_queries   tile: from 1 to 2³², as in 10.2
///   returns the output (n_queries, d_v)
/// The queries are worked on in blocks 0 … tile − 1, tile … 2 tile − 1 and so on, the keys in tiles
/// cut in the same way. Smaller blocks and tiles are allowed, in any order. A tile that is blocked
/// for all queries of its block must not be computed, and no score twice. In tiles on the diagonal
/// blocked scores may be computed.
/// Throws std::invalid_argument if tile is 0.
Matrix causal_streaming(const ScoreTile& score_tile, const Matrix& V, std::size_t n_queries,
                        std::size_t tile);

/// 10.4  softmax(Q Kᵀ / √d_k) V in floats, as fast as you can.
///   Q (n_queries, d_k)   K (n_keys, d_k)   V (n_keys, d_v)
///   threads: at least 1. No more than so many exist at once, at work or waiting; a caller that
///   does nothing but wait for them is not counted
///   returns the output (n_queries, d_v), right to four digits or more of its largest element; at
///   scores of 1000, of which a float has no more digits, to three
/// Throws std::invalid_argument, with both shapes in its text, if two of the arrays do not fit.
MatrixF faster_attention(const MatrixF& Q, const MatrixF& K, const MatrixF& V, std::size_t threads);

struct AttentionGradients {
    Matrix d_Q; // (n_queries, d_k)
    Matrix d_K; // (n_keys, d_k)
    Matrix d_V; // (n_keys, d_v)
};

/// 10.5  The backward pass of 10.2: the gradients of a loss L with respect to Q, K and V.
///   forward  what streaming_attention returned for the same Q, K, V and mask
///   d_output (n_queries, d_v), ∂L/∂output   mask (n_queries, n_keys), or none
/// A key that no query sees gets exactly 0, and a query that sees no key exactly 0. Memory as in
/// 10.2: no array of n_queries · n_keys.
/// Throws std::invalid_argument, with both shapes in its text, if two of the arrays do not fit.
AttentionGradients streaming_backward(const Matrix& Q, const Matrix& K, const Matrix& V,
                                      const Streamed& forward, const Matrix& d_output,
                                      const std::optional<Mask>& mask = std::nullopt);

// ---- Already written, for you to use.

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a query knows before its first key: the neutral element of merge.
inline Partial no_keys_yet(std::size_t d_v) {
    return {-infinity, 0, xt::zeros<double>({d_v})};
}

/// The checks that the exercises call.
template <class M>
void require_fit(const char* function, const M& Q, const M& K, const M& V) {
    using attention::Axis;
    attention::require_shared(function, "d_k", Axis{"Q", Q, 1}, Axis{"K", K, 1});
    attention::require_shared(function, "n_keys", Axis{"K", K, 0}, Axis{"V", V, 0});
}
inline void require_mask(const char* function, const Matrix& Q, const Matrix& K,
                         const std::optional<Mask>& mask) {
    if (mask && (mask->shape(0) != Q.shape(0) || mask->shape(1) != K.shape(0))) {
        throw std::invalid_argument(std::string(function) +
                                    ": a mask must be (n_queries, n_keys); Q is " + shape_text(Q) +
                                    ", K is " + shape_text(K) + ", mask is " + shape_text(*mask));
    }
}
inline void require_tile(const char* function, std::size_t tile) {
    if (tile == 0) {
        throw std::invalid_argument(std::string(function) + ": tile must be at least 1, got 0");
    }
}
inline void require_forward(const char* function, const Matrix& Q, const Matrix& V,
                            const Streamed& forward, const Matrix& d_output) {
    using attention::Axis;
    using attention::require_shared;
    const Matrix& output = forward.output;
    require_shared(function, "n_queries", Axis{"Q", Q, 0}, Axis{"output", output, 0});
    require_shared(function, "n_queries", Axis{"Q", Q, 0}, Axis{"logsumexp", forward.logsumexp, 0});
    require_shared(function, "d_v", Axis{"V", V, 1}, Axis{"output", output, 1});
    require_shared(function, "n_queries", Axis{"Q", Q, 0}, Axis{"d_output", d_output, 0});
    require_shared(function, "d_v", Axis{"V", V, 1}, Axis{"d_output", d_output, 1});
}

} // namespace lesson
