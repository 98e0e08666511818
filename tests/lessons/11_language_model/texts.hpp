#pragma once

// Keys, values and queries of 11.2, and what its graders expect of them.

#include <cmath>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

namespace texts {

using drawn::standard_normal;
using in_turn::Indices;
using judge::expect_close;
using judge::expect_shape;
using judge::expect_that;
using judge::sizes;
using lesson::Matrix;

struct Text {
    Matrix K, V, Q;
};

inline Text some_text(std::size_t n, std::size_t d_k, std::size_t d_v, std::uint64_t seed,
                      std::size_t n_queries = 0) {
    return {standard_normal(n, d_k, 3 * seed), standard_normal(n, d_v, 3 * seed + 1),
            standard_normal(n_queries == 0 ? n : n_queries, d_k, 3 * seed + 2)};
}

/// One cache for all.
inline Indices one(std::size_t n) {
    return Indices(n, 0);
}

/// Token by token.
inline void expect_causal(const Text& of) {
    const Indices cache = one(of.K.shape(0));
    expect_close(graded::append(of.K, of.V, of.Q, cache), plain::append(of.K, of.V, of.Q, cache),
                 judge::normwise);
}

inline void expect_turns(const Text& of, const Indices& cache) {
    expect_close(graded::append(of.K, of.V, of.Q, cache), plain::append(of.K, of.V, of.Q, cache),
                 judge::normwise);
}

/// All tokens, then all queries.
inline void expect_attention(const Text& of, judge::Tolerance tolerance = judge::normwise) {
    expect_close(graded::attend(of.K, of.V, of.Q), plain::attend(of.K, of.V, of.Q), tolerance);
}

} // namespace texts
