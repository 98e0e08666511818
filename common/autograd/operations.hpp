#pragma once

// The operations, each with its forward and backward side by side in the .cpp. Shapes are written
// (rows, columns); "…" stands for any leading axes. Arguments must be values of one tape. Every
// function throws std::invalid_argument "function: rule, got …; X is (…)" if shapes do not fit.

#include "autograd/tape.hpp"

#include <cstdint>

namespace autograd {

// ---- products (products.cpp)

/// A B.   A (…, k)   B (k, n)   returns (…, n) With a vector B (k) the last axis disappears:
/// returns (…).
template <class T>
BasicValue<T> product(const BasicValue<T>& A, const BasicValue<T>& B);

/// A B + b, the bias added to every row.   A (…, k)   B (k, n)   b (n)   returns (…, n)
template <class T>
BasicValue<T> affine(const BasicValue<T>& A, const BasicValue<T>& B, const BasicValue<T>& b);

/// A Bᵀ.   A (…, k)   B (n, k)   returns (…, n)
template <class T>
BasicValue<T> product_transposed(const BasicValue<T>& A, const BasicValue<T>& B);

/// One product for each batch element.   A (batch, m, k)   B (batch, k, n)   returns (batch, m, n)
template <class T>
BasicValue<T> batched_product(const BasicValue<T>& A, const BasicValue<T>& B);

// ---- two operands, element by element (broadcast.cpp)
// Axes of size 1, and leading axes that one of them lacks, are broadcast as in numpy.

/// a + b.
template <class T>
BasicValue<T> add(const BasicValue<T>& a, const BasicValue<T>& b);

/// a − b.
template <class T>
BasicValue<T> subtract(const BasicValue<T>& a, const BasicValue<T>& b);

/// a ∘ b.
template <class T>
BasicValue<T> multiply(const BasicValue<T>& a, const BasicValue<T>& b);

// ---- one operand, element by element (elementwise.cpp)

/// factor · a.
template <class T>
BasicValue<T> scale(const BasicValue<T>& a, std::type_identity_t<T> factor);

template <class T>
BasicValue<T> tanh(const BasicValue<T>& a);

/// 1 / (1 + exp(−a)).
template <class T>
BasicValue<T> sigmoid(const BasicValue<T>& a);

/// 1 / √(a + epsilon).
template <class T>
BasicValue<T> inverse_square_root(const BasicValue<T>& a, std::type_identity_t<T> epsilon);

/// x Φ(x), where Φ is the standard normal distribution (Hendrycks and Gimpel 2016).
template <class T>
BasicValue<T> gelu(const BasicValue<T>& a);

/// The mean of each row: the last axis becomes 1.   a (…, d), d ≥ 1   returns (…, 1)
template <class T>
BasicValue<T> row_mean(const BasicValue<T>& a);

/// The sum of all elements, shape ().
template <class T>
BasicValue<T> sum(const BasicValue<T>& a);

/// Sets elements to 0 with probability `rate` and divides the others by 1 − rate, so that the mean
/// stays. Which ones depends on the seed alone. rate 0 returns a itself.
template <class T>
BasicValue<T> dropout(const BasicValue<T>& a, T rate, std::uint64_t seed);

// ---- moving elements (arrange.cpp)

/// The same elements in row-major order under another shape of the same size.
template <class T>
BasicValue<T> reshape(const BasicValue<T>& a, const Shape& shape);

/// Rows of a table, one for each index.   table (n_rows, d)   returns (indices.size(), d)
/// A row that is selected twice gathers both gradients.
template <class T>
BasicValue<T> embedding(const BasicValue<T>& table, const std::vector<std::size_t>& indices);

/// Parts joined along an axis; all other sizes equal.
template <class T>
BasicValue<T> concatenate(const std::vector<BasicValue<T>>& parts, std::size_t axis);

/// Elements first … last − 1 along an axis.
template <class T>
BasicValue<T> slice(const BasicValue<T>& a, std::size_t axis, std::size_t first, std::size_t last);

/// Time steps side by side.   steps: n_steps values (batch, d)   returns (batch, n_steps, d)
template <class T>
BasicValue<T> stack(const std::vector<BasicValue<T>>& steps);

// ---- attention (attention.cpp)

/// Softmax over the first lengths[b] scores of row b; the others get weight 0 and gradient 0.
///   scores (batch, n_keys)   returns weights (batch, n_keys)
template <class T>
BasicValue<T> masked_softmax(const BasicValue<T>& scores, const std::vector<std::size_t>& lengths);

/// The context vector: Σ_j weights_bj values_bj.
///   weights (batch, n_keys)   values (batch, n_keys, d)   returns (batch, d)
template <class T>
BasicValue<T> weighted_sum(const BasicValue<T>& weights, const BasicValue<T>& values);

/// Additive scores, e_bj = v · tanh(states_b + keys_bj)  (Bahdanau et al. 2014, §A.1.2, both sides
/// already projected). The tanh is computed again in the backward, which is cheaper than keeping
/// it.   states (batch, d)   keys (batch, n_keys, d)   v (d)   returns (batch, n_keys)
template <class T>
BasicValue<T> additive_scores(const BasicValue<T>& states, const BasicValue<T>& keys,
                              const BasicValue<T>& v);

/// Dot-product scores, e_bj = factor · states_b · keys_bj  (Vaswani et al. 2017: factor = 1/√d).
///   states (batch, d)   keys (batch, n_keys, d)   returns (batch, n_keys)
template <class T>
BasicValue<T> dot_scores(const BasicValue<T>& states, const BasicValue<T>& keys, T factor);

// ---- recurrence (recurrent.cpp)

/// The inputs' part of the gates r, z, n in one step.
template <class T>
struct GruInput {
    BasicValue<T> inputs;  // (n_steps · batch, 3d): of all steps, a step a block of rows
    std::size_t step = 0;  // which of them
    BasicValue<T> context; // (batch, 3d): added to the step's; none if it does not exist
};

template <class T>
struct GruWeights {
    BasicValue<T> W, b; // (d, 3d), (3d)
};

/// One step of a gated recurrent unit, the reset gate applied after the product (as in cuDNN), so
/// that the three gates r, z, n share the product with W:
///   g = h W + b     r = σ(x_r + g_r)     z = σ(x_z + g_z)     n = tanh(x_n + r ∘ g_n)
///   h' = (1 − z) ∘ n + z ∘ h
///   h (batch, d)   returns h' (batch, d)
///   active: for each row whether it takes part; other rows keep their h.
template <class T>
BasicValue<T> gru_step(const GruInput<T>& x, const BasicValue<T>& h, const GruWeights<T>& weights,
                       const std::vector<char>& active);

// ---- loss (loss.cpp)

/// Σ_i −ln softmax(logits_i)[targets_i], nats, as one number of shape ().
///   logits (n, n_classes)   targets: n classes
/// With smoothing ε > 0 the target is not one class alone: 1 − ε goes to it and ε to all classes
/// alike (Szegedy et al. 2016, §7).
template <class T>
BasicValue<T> cross_entropy(const BasicValue<T>& logits, const std::vector<std::size_t>& targets,
                            T smoothing = T(0));

} // namespace autograd
