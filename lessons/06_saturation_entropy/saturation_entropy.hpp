#pragma once

// Lesson 06, saturation and entropy: what its exercises promise.
//
//   n_queries  number of queries
//   n_keys     number of keys
//
// Every size is at least 1, unless a function says that it throws.
//
// Entropies are in nats: all logarithms are natural ones. Weights are what a softmax returned: none
// is negative, each row sums to 1, and a weight may be exactly 0.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/tensor.hpp" // Vector, Matrix, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::shape_text;
using attention::Vector;

/// 06.1  How evenly each query spreads its attention: H = −Σ p ln p  (Shannon 1948).
///   weights (n_queries, n_keys)
///   returns nats (n_queries): 0 where one weight is 1 and all others are 0, ln n_keys where all
///   are equal
/// A weight of 0 adds 0. To twelve digits, or to 1e-14 nats.
Vector entropy(const Matrix& weights);

/// 06.2  The most by which each query's softmax stretches a gradient on its way back: the largest
/// eigenvalue of its Jacobian diag(p) − p pᵀ.
///   weights (n_queries, n_keys)
///   returns (n_queries): 0 where one weight is 1, 1/n_keys where all n_keys ≥ 2 are equal; never
///   less than max p (1 − p), never more than twice that, and so never more than 1/2
/// To eight digits, or to 1e-13: iterate until the gain grows by less than 1e-10 of itself, or for
/// 1000 steps.
/// In every graded row each eigenvalue other than the largest is at most 0.8 of the largest.
Vector gradient_gain(const Matrix& weights);

/// Entropy against d_k: two lists of one length.
struct EntropyCurve {
    std::vector<std::size_t> d_ks;
    Vector entropies; // nats; entropies(i) belongs to d_ks[i]
};

/// 06.3  The mean entropy of the attention weights for each of several d_k, on one pair Q and K.
///   Q (n_queries, components)   K (n_keys, components)
///   d_ks    in any order, or none at all; d_k sees the first d_k components of Q and of K
///   scaled  true: weights are softmax(Q Kᵀ / √d_k); false: softmax(Q Kᵀ)
///   returns the same d_ks in the same order, each with the mean, over the queries, of their
///   entropies, to ten digits or to 1e-12 nats
/// Throws std::invalid_argument if Q and K do not share their number of components (with both
/// shapes in its text), if there are no queries or no keys, or if a d_k is 0 or more than there are
/// components.
EntropyCurve entropy_sweep(const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
                           bool scaled);

/// 06.4  A rough prediction for normal scores: ln n_keys − variance / 2, or 0 where that is
/// negative  (the random-energy model, Derrida 1981).
///   variance of the scores: d_k unscaled, 1 scaled; it may be infinite
///   returns nats, to twelve digits or to 1e-13 nats
/// Throws std::invalid_argument if n_keys is 0, or if variance is negative or NaN.
double predicted_entropy(std::size_t n_keys, double variance);

/// 06.5  Where the softmax has collapsed: the first d_k, in the curve's own order, whose entropy is
/// at most half of the curve's first entropy, which is positive. The d_ks may be in any order, and
/// may come again; no entropy is NaN.
///   returns that d_k, or 0 if there is none
/// Throws std::invalid_argument if the curve is empty, or its lists differ in length.
std::size_t dk_at_collapse(const EntropyCurve& curve);

// ---- Already written: the checks of 06.3.

inline void require_sweep(const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks) {
    const auto refuse = [&](const std::string& rule) {
        throw std::invalid_argument("entropy_sweep: " + rule + "; Q is " + shape_text(Q) +
                                    ", K is " + shape_text(K));
    };
    if (Q.shape(1) != K.shape(1)) {
        refuse("Q and K must share their number of components, got " + std::to_string(Q.shape(1)) +
               " and " + std::to_string(K.shape(1)));
    }
    if (Q.shape(0) == 0 || K.shape(0) == 0) {
        refuse("there must be a query and a key");
    }
    for (const std::size_t d_k : d_ks) {
        if (d_k == 0 || d_k > Q.shape(1)) {
            refuse("each d_k must be from 1 to " + std::to_string(Q.shape(1)) + ", got " +
                   std::to_string(d_k));
        }
    }
}

} // namespace lesson
