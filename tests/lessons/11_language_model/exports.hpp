#pragma once

// A cache cannot travel: here it reads keys and values in turn with queries. 11.3 is called with
// many seeds at once.

#include "on_arrays.hpp"

namespace in_turn {

using lesson::Matrix;
using lesson::Vector;
using Indices = std::vector<std::size_t>;

inline Vector row(const Matrix& A, std::size_t i) {
    return xt::view(A, i, xt::all());
}

/// What each query was answered, a row each: (n_queries, d_v).
inline Matrix stacked(const std::vector<Vector>& answers) {
    Matrix rows = Matrix::from_shape({answers.size(), answers.empty() ? 0 : answers[0].size()});
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].size() != rows.shape(1)) {
            throw std::length_error("attend: the answers have different sizes, " +
                                    std::to_string(rows.shape(1)) + " and " +
                                    std::to_string(answers[i].size()));
        }
        xt::view(rows, i, xt::all()) = answers[i];
    }
    return rows;
}

/// Any cache in turns: in turn i, cache number cache[i] appends row i of K and V, then attends with
/// row i of Q.
///   K, Q (n, d_k)   V (n, d_v)   returns (n, d_v)
template <class Cache>
Matrix append_by(const Matrix& K, const Matrix& V, const Matrix& Q, const Indices& cache) {
    std::vector<Cache> caches(cache.size());
    std::vector<Vector> answers;
    for (std::size_t i = 0; i < cache.size(); ++i) {
        caches.at(cache[i]).append(row(K, i), row(V, i));
        answers.push_back(caches.at(cache[i]).attend(row(Q, i)));
    }
    return stacked(answers);
}

/// Any cache that appends all rows of K and V, then attends with each row of Q.
///   Q (n_queries, d_k)   returns (n_queries, d_v)
template <class Cache>
Matrix attend_by(const Matrix& K, const Matrix& V, const Matrix& Q) {
    Cache cache;
    for (std::size_t j = 0; j < K.shape(0); ++j) {
        cache.append(row(K, j), row(V, j));
    }
    std::vector<Vector> answers;
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        answers.push_back(cache.attend(row(Q, i)));
    }
    return stacked(answers);
}

/// A cache that has read K and V is given k and v, of which one has another size. When it has
/// refused them it goes on, with its first token and a query like it.
inline Vector append_another_size(const Matrix& K, const Matrix& V, const Vector& k,
                                  const Vector& v) {
    lesson::KeyValueCache cache;
    for (std::size_t j = 0; j < K.shape(0); ++j) {
        cache.append(row(K, j), row(V, j));
    }
    try {
        cache.append(k, v);
    } catch (const std::invalid_argument&) {
        cache.append(row(K, 0), row(V, 0));
        cache.attend(row(K, 0));
        throw;
    }
    return k;
}

// Under the names of the exercise's own functions, which is how verdicts speak of them.
inline Matrix append(const Matrix& K, const Matrix& V, const Matrix& Q, const Indices& cache) {
    return append_by<lesson::KeyValueCache>(K, V, Q, cache);
}
inline Matrix attend(const Matrix& K, const Matrix& V, const Matrix& Q) {
    return attend_by<lesson::KeyValueCache>(K, V, Q);
}

} // namespace in_turn

namespace of_seeds {

using lesson::Vector;
using Indices = std::vector<std::size_t>;

/// Any sample, called with each of the seeds.   returns as many tokens
template <class Sample>
Indices sample_by(const Sample& sample, const Vector& logits, double temperature, std::size_t top_k,
                  double top_p, const std::vector<std::uint64_t>& seeds) {
    Indices tokens;
    for (const std::uint64_t seed : seeds) {
        tokens.push_back(sample(logits, temperature, top_k, top_p, seed));
    }
    return tokens;
}

inline Indices sample(const Vector& logits, double temperature, std::size_t top_k, double top_p,
                      const std::vector<std::uint64_t>& seeds) {
    return sample_by(lesson::sample, logits, temperature, top_k, top_p, seeds);
}

} // namespace of_seeds

JUDGE_FUNCTION_IN(on_arrays, layer_norm, X, gain, bias, d_output);
JUDGE_FUNCTION_IN(on_arrays, transformer_block, X, weights, n_texts, n_heads, d_output);
JUDGE_FUNCTION_IN(in_turn, append, K, V, Q, cache);
JUDGE_FUNCTION_IN(in_turn, append_another_size, K, V, k, v);
JUDGE_FUNCTION_IN(in_turn, attend, K, V, Q);
JUDGE_FUNCTION_IN(of_seeds, sample, logits, temperature, top_k, top_p, seeds);
JUDGE_FUNCTION(perplexity, log_probabilities);
JUDGE_FUNCTION(bits_per_character, log_probabilities);
JUDGE_SHOWN_AS(layer_norm, "layer_norm(X, gain, bias), and the way back from d_output,");
JUDGE_SHOWN_AS(transformer_block,
               "transformer_block(X, weights, n_texts, n_heads), and the way back from d_output,");
JUDGE_SHOWN_AS(
    append, "append and attend in turns: in turn i, cache number cache[i] appends row i of K and "
            "V, then attends with row i of Q,");
JUDGE_SHOWN_AS(append_another_size, "append of all rows of K and V, then append(k, v),");
JUDGE_SHOWN_AS(attend, "append of all rows of K and V, then attend with each row of Q,");
JUDGE_SHOWN_AS(sample, "sample(logits, temperature, top_k, top_p, seed), for each of seeds,");
