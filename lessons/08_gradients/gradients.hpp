#pragma once

// Lesson 08, gradients: what its exercises promise.
//
//   n_queries  number of queries              d_k  components of a query and of a key
//   n_keys     number of keys                 d_v  components of a value
//
// d_X stands for ∂L/∂X, the gradient of one number L, the loss, with respect to every element of X.
// It has the shape of X. Every size is at least 1, and all numbers are finite, where nothing else
// is said. Results must have a relative error of at most about 1e-10, in an array relative
// to its largest number.

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/masks.hpp"  // Mask
#include "attention/shapes.hpp" // throw_not_shared
#include "attention/tensor.hpp" // Vector, Matrix, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Mask;
using attention::Matrix;
using attention::shape_text;
using attention::Vector;

/// 08.1  The gradient's way back through a softmax of rows: p ∘ (g − Σ_k p_k g_k), row by row.
///   weights p (n_queries, n_keys), what softmax_rows returned, or masked_softmax under a mask:
///   each row sums to 1 but for rounding, or is all 0
///   d_weights g (n_queries, n_keys)
///   returns d_scores (n_queries, n_keys)
/// No Jacobian is built: for 12,000 keys it would not fit into memory.
/// Throws std::invalid_argument, with both shapes in its text, if they differ.
Matrix softmax_backward(const Matrix& weights, const Matrix& d_weights);

/// What a product hands back to its two factors.
struct ProductGradients {
    Matrix d_A; // the shape of A
    Matrix d_B; // the shape of B
};

/// 08.2  The way back through C = A · B.
///   A (m, k)   B (k, n)   d_C (m, n)   returns d_A (m, k) and d_B (k, n)
/// Throws std::invalid_argument, with two shapes that do not fit in its text, if A · B does not
/// exist or has not the shape of d_C.
ProductGradients matmul_backward(const Matrix& A, const Matrix& B, const Matrix& d_C);

/// 08.2  The way back through C = A · Bᵀ.
///   A (m, k)   B (n, k)   d_C (m, n)   returns d_A (m, k) and d_B (n, k)
/// Throws std::invalid_argument, with two shapes that do not fit in its text, if A · Bᵀ does not
/// exist or has not the shape of d_C.
ProductGradients matmul_transposed_backward(const Matrix& A, const Matrix& B, const Matrix& d_C);

struct AttentionGradients {
    Matrix d_Q; // (n_queries, d_k)
    Matrix d_K; // (n_keys, d_k)
    Matrix d_V; // (n_keys, d_v)
};

/// 08.3  The way back through output = weights · V, weights = softmax(Q Kᵀ / √d_k) under a mask.
///   Q (n_queries, d_k)   K (n_keys, d_k)   V (n_keys, d_v)
///   mask and weights (n_queries, n_keys): true = attend; the weights of the forward pass, made of
///   this Q and this K, which are 0 where the mask blocks   d_output (n_queries, d_v)
/// A key that no query sees gets exactly 0 in d_K and d_V, and a query that sees no key exactly 0
/// in d_Q. At a key that no query sees (padding) V may hold anything, infinity and NaN too, and
/// d_output · Vᵀ may overflow: nothing of it reaches a gradient. All other numbers are finite.
/// Throws std::invalid_argument, with two shapes that do not fit in its text, if any do not.
AttentionGradients attention_backward(const Matrix& Q, const Matrix& K, const Matrix& V,
                                      const Mask& mask, const Matrix& weights,
                                      const Matrix& d_output);

/// A function of many numbers with one number as its result.
using ScalarFunction = std::function<double(const Vector& x)>;

/// 08.4  How far a gradient is from centred differences, (f(x + h e_i) − f(x − h e_i)) / 2h, where
/// e_i is 1 at i and 0 elsewhere. All other components are exactly those of x (adding and
/// subtracting h again may round), and the divisor is 2h, with the h that is given.
///   x (n)   gradient (n), what is claimed to be that of f at x   h > 0; none of them, nor what f
///   returns, is infinite
///   returns max_i |gradient_i − difference_i| / the largest of all |gradient_i| and |difference_i|
/// 0 if all of these are 0. If any difference or component is NaN, so is the result: a check that
/// loses a NaN would pass a broken gradient.
/// Throws std::invalid_argument, with both shapes in its text, if x and gradient differ in n; and
/// if h is not above 0.
double gradient_check(const ScalarFunction& f, const Vector& x, const Vector& gradient, double h);

/// One task of looking something up: row i of asked is to receive row i of wanted.
struct Table {
    Matrix asked;   // (n_queries, d_model), what queries are made of
    Matrix entries; // (n_keys, d_model), what keys and values are made of
    Matrix wanted;  // (n_queries, d_v)
};

/// The three matrices that attention learns.
struct Projections {
    Matrix W_q; // (d_model, d_k)
    Matrix W_k; // (d_model, d_k)
    Matrix W_v; // (d_model, d_v)
};

/// What learning ends with.
struct Learned {
    Matrix W_q, W_k, W_v; // after the last step
    Vector losses;        // (steps): the loss of step t's table, just before that step
};

/// 08.5  Gradient descent. Step t takes tables[t mod the number of tables], computes
///   Q = asked · W_q   K = entries · W_k   V = entries · W_v   output = attention(Q, K, V)
///   loss = Σ (output − wanted)² / (2 n_queries)
/// and moves all three matrices at once by W ← W − rate · d_W, from `start` on. There may be 0
/// steps, and a rate of 0.
/// Throws std::invalid_argument if there is no table; and, with two shapes that do not fit in its
/// text, if those of a table and of start do not fit.
Learned learn_lookup(const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                     double rate);

// ---- Already written.

/// Throws unless the sizes at these axes are equal.
///   require_equal("matmul_backward", "k", "A", A, 1, "B", B, 0);
template <class Left, class Right>
void require_equal(const std::string& function, const std::string& dimension,
                   const std::string& left_name, const Left& left, std::size_t left_axis,
                   const std::string& right_name, const Right& right, std::size_t right_axis) {
    if (left.shape(left_axis) != right.shape(right_axis)) {
        attention::throw_not_shared(function, dimension,
                                    {left_name, left.shape(left_axis), shape_text(left)},
                                    {right_name, right.shape(right_axis), shape_text(right)});
    }
}

/// Throws unless the tables fit each other and the weights.
inline void require_tables(const std::vector<Table>& tables, const Projections& start) {
    if (tables.empty()) {
        throw std::invalid_argument("learn_lookup: there must be at least one table, got none");
    }
    const auto share = [](auto&&... arguments) { require_equal("learn_lookup", arguments...); };
    share("d_k", "W_q", start.W_q, 1U, "W_k", start.W_k, 1U);
    for (const Table& table : tables) {
        share("n_queries", "asked", table.asked, 0U, "wanted", table.wanted, 0U);
        share("d_model", "asked", table.asked, 1U, "W_q", start.W_q, 0U);
        share("d_model", "entries", table.entries, 1U, "W_k", start.W_k, 0U);
        share("d_model", "entries", table.entries, 1U, "W_v", start.W_v, 0U);
        share("d_v", "wanted", table.wanted, 1U, "W_v", start.W_v, 1U);
    }
}

} // namespace lesson
