#pragma once

// Lesson 04, aggregation: what its exercises promise.
//
//   n_queries  rows of Q, one query each      n_keys  rows of K and of V: each key has its value
//   d_k        components of a query and of a key      d_v  components of a value
//   n          positions of a sequence that attends to itself: n_queries and n_keys are both n
//
// Every size is at least 1, unless a function says that it throws.
//
// Numbers are finite, and may be tiny or huge, such as 1e-100 or 1e100; weights are not negative.
// Precision: a weight is right to about twelve digits, and a number of an output to as many of the
// largest value that goes into it, as sums in double are; sums in float have seven.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/tensor.hpp" // Matrix, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::shape_text;

/// 04.1  For each query the mixture of all values, each times its weight: weights · V.
///   weights (n_queries, n_keys)   V (n_keys, d_v)
///   Each row of weights has the sum 1, but for rounding: you need not check it.
///   returns output (n_queries, d_v)
/// Throws std::invalid_argument, with both shapes in its text, if weights and V do not share
/// n_keys.
Matrix aggregate(const Matrix& weights, const Matrix& V);

/// 04.2  How each query shares out its attention: softmax(Q · Kᵀ / √d_k), row by row.
///   Q (n_queries, d_k)   K (n_keys, d_k); they may be the same matrix; n_keys is at least 1
///   returns (n_queries, n_keys), each row with sum 1
/// Throws std::invalid_argument, with both shapes in its text, if Q and K do not share d_k, or if
/// d_k is 0.
Matrix attention_weights(const Matrix& Q, const Matrix& K);

/// 04.3  The whole mechanism: softmax(Q · Kᵀ / √d_k) · V  (Vaswani et al. 2017, equation 1).
///   Q (n_queries, d_k)   K (n_keys, d_k)   V (n_keys, d_v); n_keys is at least 1. They are called
///   self-attention's because all three come from one sequence; nothing here depends on that.
///   returns output (n_queries, d_v)
/// Throws std::invalid_argument, with both shapes in its text, if Q and K do not share d_k, or K
/// and V do not share n_keys; with those of Q and K if d_k is 0. If
/// several are wrong, any one message will do.
Matrix self_attention(const Matrix& Q, const Matrix& K, const Matrix& V);

/// A cell of 04.4 without a number in it yet.
constexpr double blank = std::numeric_limits<double>::quiet_NaN();

/// The answer to a question of 04.4 that has none yet.
constexpr int unanswered = 0;

/// The sheet of 04.4. Queries and keys count from 1, as on paper.
struct ByHand {
    Matrix raw_scores;             // (3, 3)  Q · Kᵀ
    Matrix scaled_scores;          // (3, 3)  each divided by √d_k
    Matrix weights;                // (3, 3)  softmax of each row
    Matrix output;                 // (3, 2)  weights · V
    int most_uniform = unanswered; // the query whose attention is spread most evenly
    std::vector<int> most_focused; // those whose attention is spread least evenly: all that tie
};

/// A matrix from its rows; rows that are shorter than the longest are filled up with blanks, which
/// the grader finds in the step where it is. (0,5 is two numbers, 0.5 is one.)
inline Matrix rows(std::initializer_list<std::initializer_list<double>> lines) {
    std::size_t width = 0;
    for (const auto& line : lines) {
        width = std::max(width, line.size());
    }
    Matrix matrix = Matrix::from_shape({lines.size(), width});
    matrix.fill(blank);
    std::size_t i = 0;
    for (const auto& line : lines) {
        std::copy(line.begin(), line.end(), matrix.data() + width * i++);
    }
    return matrix;
}

/// 04.4  The numbers of one small example, worked out by hand and not by a program.
///   returns the sheet, each cell right to 0.001, or to 0.001 what follows from the step before as
///   you wrote it; for the two questions that is step 3. most_focused in any order.
ByHand by_hand();

/// Whether every cell of a sheet is still blank.
inline bool nothing_filled_in(const ByHand& sheet) {
    for (const Matrix* step :
         {&sheet.raw_scores, &sheet.scaled_scores, &sheet.weights, &sheet.output}) {
        for (const double cell : *step) {
            if (!std::isnan(cell)) {
                return false;
            }
        }
    }
    return true;
}

/// 04.5  Floating-point operations of self-attention's two matrix products, Q · Kᵀ and weights · V.
///   n positions; each element of a product takes one multiplication and one addition for each term
///   of its sum. Scaling and softmax, a few operations for each of the n² scores, are left out.
///   returns operations, in a double: n² passes what 64 bits can count long before a double ends.
///   In both functions each size fits into a std::size_t, and so does d_k + d_v; products, such as
///   2 · n or n · d_k, may not.
double attention_flops(std::size_t n, std::size_t d_k, std::size_t d_v);

/// 04.5  Memory of self-attention's matrices: Q, K, V, the weights and the output, each stored once
/// (the scores lie where the weights will), in doubles of 8 bytes.
///   returns bytes, in a double
double attention_bytes(std::size_t n, std::size_t d_k, std::size_t d_v);

} // namespace lesson
