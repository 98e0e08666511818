#pragma once

// Lesson 09, multi-head attention: what its exercises promise.
//
//   n        positions of a sequence       d_k  one head's components of a query and of a key
//   d_model  components of a position      d_v  one head's components of a value
//   n_heads  attentions side by side       d    components of one head, where it may be either
//
// Every size is at least 1, and all numbers are finite, unless a function says that it throws.
//
// Precision: about twelve digits, as sums in double have; sums in float have seven. A sine or a
// cosine of an angle x is right to about x · 1e-15. What is only copied is the same to the last
// bit.

#include <optional>
#include <stdexcept>

#include "attention/shapes.hpp" // require_shared
#include "attention/tensor.hpp" // Vector, Matrix, Tensor3, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::shape_text;
using attention::Tensor3;
using attention::Vector;

/// Who may see whom: true where query i may attend to key j, false where that is blocked.
using Mask = xt::xtensor<bool, 2>; // (n, n)

/// 09.1  Each head's own columns: head h takes those from h·d to before (h + 1)·d, in every row.
///   X (n, n_heads · d)   returns (n_heads, n, d)
/// Throws std::invalid_argument, with n_heads and the number of columns in its text, if n_heads is
/// 0 or does not divide the columns.
Tensor3 split_heads(const Matrix& X, std::size_t n_heads);

/// 09.1  The way back: the heads' columns next to each other, head 0 first.
///   heads (n_heads, n, d)   returns (n, n_heads · d)
Matrix merge_heads(const Tensor3& heads);

/// What multi-head attention returns.
struct MultiHead {
    Matrix output;   // (n, d_out)
    Tensor3 weights; // (n_heads, n, n)
};

/// 09.2  Attention in each head by itself, the outputs merged and multiplied by W_o
/// (Vaswani et al. 2017, §3.2.2).
///   X (n, d_model)   W_q, W_k (d_model, n_heads · d_k)   W_v (d_model, n_heads · d_v)
///   W_o (n_heads · d_v, d_out)
///   mask (n, n), or none, and nothing is blocked; the same for all heads. A row of weights is as
///   in 05.3: exactly 0 where blocked, and 0 throughout if everything is blocked.
/// Throws std::invalid_argument, with both shapes in its text, if two of the arrays do not fit;
/// with n_heads and the number of columns, if n_heads is 0 or does not divide those of W_q or W_v.
MultiHead multi_head_attention(const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                               const Matrix& W_v, const Matrix& W_o, std::size_t n_heads,
                               const std::optional<Mask>& mask = std::nullopt);

/// 09.3  A row for each position, to be added to the sequence (Vaswani et al. 2017, §3.5): at
/// position p
///   column 2k is sin(p · ω_k), column 2k + 1 is cos(p · ω_k), where ω_k = 10000^(−2k / d)
///   d: as many columns as the sequence has, d_model   returns (n, d), for the positions 0 … n − 1
/// Throws std::invalid_argument, with d in its text, if d is odd or 0.
Matrix sinusoidal_positions(std::size_t n, std::size_t d);

/// 09.3  Rotary positions (Su et al. 2021, eq. 15): in row i the pair of columns (2k, 2k + 1) is
/// turned as a point of the plane, counter-clockwise, by the angle positions(i) · ω_k, with ω_k as
/// above, but of one head's d:
///   (x, y) becomes (x cos − y sin, x sin + y cos)
///   X (n, d)   positions (n), any numbers; angles are in radians   returns (n, d)
/// Throws std::invalid_argument if d is odd or 0, with d in its text; or if there is not one
/// position for each row, with both shapes.
Matrix rotate(const Matrix& X, const Vector& positions);

/// 09.3  softmax(Q' K'ᵀ / √d_k) V, where Q' and K' are the rotated queries and keys. Of one head.
///   Q, K (n, d_k)   V (n, d_v)   positions (n), of the queries and of the keys alike
///   returns (n, d_v)
/// Throws std::invalid_argument, with both shapes in its text, if two of the arrays do not fit;
/// with d_k, if that is odd or 0.
Matrix rotary_attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions);

/// 09.4  Attention in which several heads of queries share one head of keys and values
/// (Ainslie et al. 2023). The first n_heads / n_kv_heads heads of queries use head 0 of the keys
/// and values, the next as many head 1, and so on.
///   Q (n_queries, n_heads · d_k)   K (n_keys, n_kv_heads · d_k)   V (n_keys, n_kv_heads · d_v):
///   each head's columns together, as in 09.1
///   returns (n_queries, n_heads · d_v), the heads' outputs merged
/// Throws std::invalid_argument if K and V differ in n_keys, with both shapes in its text; and with
/// both numbers, if n_kv_heads is 0 or does not divide the columns of K or V, or d_k those of Q, or
/// n_kv_heads n_heads.
Matrix grouped_query_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                               std::size_t n_kv_heads);

/// 09.4  What a model keeps of the tokens it has read: in every layer, and for every head of keys
/// and values, one key and one value a token. bytes_each: of one number, 2 for half precision.
/// n_tokens may be 0. The product may be larger than any integer holds.
double kv_cache_bytes(std::size_t n_tokens, std::size_t n_layers, std::size_t n_kv_heads,
                      std::size_t d_k, std::size_t d_v, std::size_t bytes_each);

// ---- Already written, for you to use: the checks that the exercises call.

/// How many columns each of n_heads gets of a matrix. Throws if they do not come out even.
inline std::size_t columns_of_a_head(const char* function, const char* name, const Matrix& matrix,
                                     std::size_t n_heads, const char* heads = "n_heads") {
    const std::size_t columns = matrix.shape(1);
    if (n_heads == 0 || columns == 0 || columns % n_heads != 0) {
        throw std::invalid_argument(std::string(function) + ": " + heads +
                                    " must divide the columns of " + name + ", got " +
                                    std::to_string(n_heads) + " and " + std::to_string(columns) +
                                    "; " + name + " is " + shape_text(matrix));
    }
    return columns / n_heads;
}

/// The check of 09.2.
inline void require_fit(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                        const Matrix& W_o, std::size_t n_heads, const std::optional<Mask>& mask) {
    using attention::Axis;
    using attention::require_shared;
    const char* const function = "multi_head_attention";
    require_shared(function, "d_model", Axis{"X", X, 1}, Axis{"W_q", W_q, 0});
    require_shared(function, "d_model", Axis{"X", X, 1}, Axis{"W_k", W_k, 0});
    require_shared(function, "d_model", Axis{"X", X, 1}, Axis{"W_v", W_v, 0});
    require_shared(function, "n_heads · d_k", Axis{"W_q", W_q, 1}, Axis{"W_k", W_k, 1});
    require_shared(function, "n_heads · d_v", Axis{"W_v", W_v, 1}, Axis{"W_o", W_o, 0});
    columns_of_a_head(function, "W_q", W_q, n_heads);
    columns_of_a_head(function, "W_v", W_v, n_heads);
    if (mask && (mask->shape(0) != X.shape(0) || mask->shape(1) != X.shape(0))) {
        throw std::invalid_argument(std::string(function) +
                                    ": a mask must be (n, n), a row and a column for each row of "
                                    "X; X is " +
                                    shape_text(X) + ", mask is " + shape_text(*mask));
    }
}

/// The checks of 09.3.
inline void require_even(const char* function, const char* name, std::size_t size) {
    if (size == 0 || size % 2 != 0) {
        throw std::invalid_argument(std::string(function) + ": " + name +
                                    " must be even and not 0, since components turn in pairs, "
                                    "got " +
                                    std::to_string(size));
    }
}
inline void require_fit(const Matrix& X, const Vector& positions) {
    require_even("rotate", "d", X.shape(1));
    attention::require_shared("rotate", "n", attention::Axis{"X", X, 0},
                              attention::Axis{"positions", positions, 0});
}
inline void require_fit(const Matrix& Q, const Matrix& K, const Matrix& V,
                        const Vector& positions) {
    using attention::Axis;
    using attention::require_shared;
    const char* const function = "rotary_attention";
    require_even(function, "d_k", Q.shape(1));
    require_shared(function, "d_k", Axis{"Q", Q, 1}, Axis{"K", K, 1});
    require_shared(function, "n", Axis{"Q", Q, 0}, Axis{"K", K, 0});
    require_shared(function, "n", Axis{"K", K, 0}, Axis{"V", V, 0});
    require_shared(function, "n", Axis{"Q", Q, 0}, Axis{"positions", positions, 0});
}

/// The sizes of 09.4, which its check works out.
struct Grouped {
    std::size_t n_heads, d_k, d_v;
};
inline Grouped require_fit(const Matrix& Q, const Matrix& K, const Matrix& V,
                           std::size_t n_kv_heads) {
    const char* const function = "grouped_query_attention";
    attention::require_shared(function, "n_keys", attention::Axis{"K", K, 0},
                              attention::Axis{"V", V, 0});
    const std::size_t d_k = columns_of_a_head(function, "K", K, n_kv_heads, "n_kv_heads");
    const std::size_t d_v = columns_of_a_head(function, "V", V, n_kv_heads, "n_kv_heads");
    const std::size_t n_heads = Q.shape(1) / d_k;
    columns_of_a_head(function, "Q", Q, d_k, "d_k");
    if (n_heads % n_kv_heads != 0) {
        throw std::invalid_argument(std::string(function) +
                                    ": n_kv_heads must divide n_heads, got " +
                                    std::to_string(n_kv_heads) + " and " + std::to_string(n_heads) +
                                    "; Q is " + shape_text(Q) + ", K is " + shape_text(K));
    }
    return {n_heads, d_k, d_v};
}

} // namespace lesson
