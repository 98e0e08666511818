#pragma once

// Lesson 02, score scaling: what its exercises promise.
//
//   n_queries  rows of Q, one query each      n_keys  rows of K, one key each
//   d_k        components of a query and of a key
//
// Every size is at least 1, unless a function says that it throws. Numbers are finite. Scores are
// right to about 10 digits, as sums in double are; float is not precise enough.

#include <cstddef>
#include <cstdint>

#include "attention/tensor.hpp" // Matrix, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::shape_text;

/// 02.1  The dot product of every query with every key: Q · Kᵀ  (Luong et al. 2015, §3.1, "dot").
///   Q (n_queries, d_k)   K (n_keys, d_k)
///   returns (n_queries, n_keys): element (i, j) compares query i with key j
/// Throws std::invalid_argument, with both shapes in its text, if Q and K do not share d_k.
Matrix raw_scores(const Matrix& Q, const Matrix& K);

/// 02.2  The same in units of its standard deviation: Q · Kᵀ / √d_k  (Vaswani et al. 2017, §3.2.1).
///   Q (n_queries, d_k)   K (n_keys, d_k)
///   returns (n_queries, n_keys)
/// Throws std::invalid_argument, with both shapes in its text, if Q and K do not share d_k, or if
/// d_k is 0.
Matrix scaled_scores(const Matrix& Q, const Matrix& K);

/// The mean and variance of a random number.
struct Moments {
    double mean = 0;
    double variance = 0; // the mean of the squared distance from the mean
};

/// 02.3  Mean and variance of the dot product q · k, estimated by drawing it many times.
///   d_k      components of q and of k: independent standard normal numbers, all drawn anew for
///            each sample
///   samples  how many pairs (q, k) are drawn; dividing by samples or by samples − 1 are both right
///   seed     of the random numbers: the same seed gives the same result, another seed another
///            result, from samples of its own (any engine of <random> will do)
/// Throws std::invalid_argument if d_k is 0 or samples is less than 2.
Moments dot_product_moments(std::size_t d_k, std::size_t samples, std::uint64_t seed);

} // namespace lesson
