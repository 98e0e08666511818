#pragma once

// A cache cannot travel: here it reads keys and values in turn with queries, and 11.5 reads a
// whole text. 11.3 is called with many seeds at once.

#include "on_arrays.hpp"

namespace in_turn {

using lesson::Matrix;
using lesson::Vector;
using Indices = std::vector<std::size_t>;

inline Vector row(const Matrix& A, std::size_t i) {
    return xt::view(A, i, xt::all());
}

/// The answer to each query, a row each: (n_queries, d_v).
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

/// A cache that has read K and V gets k and v, one of another size. After it has refused them it
/// continues, with its first token and an equal query.
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

// Under the names of the exercise's own functions, which verdicts use.
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

namespace token_by_token {

using lesson::Matrix;
using lesson::Vector;
using Tokens = std::vector<std::size_t>;

/// A lesson::LanguageModel, the arrays of its layers one below the other.
struct Model {
    Matrix tokens, positions, attention_gain, attention_bias, W_q, W_k, W_v, W_o, mlp_gain,
        mlp_bias, W_in, b_in, W_out, b_out;
    Vector gain, bias;
    std::size_t n_heads;
};

inline lesson::LanguageModel model_of(const Model& m) {
    lesson::LanguageModel model{m.tokens, m.positions, m.n_heads, {}, m.gain, m.bias};
    const std::size_t d = m.tokens.shape(1);
    for (std::size_t l = 0; l < m.attention_gain.shape(0); ++l) {
        const auto row = [&](const Matrix& A) -> Vector { return xt::view(A, l, xt::all()); };
        const auto rows = [&](const Matrix& A, std::size_t n) -> Matrix {
            return xt::view(A, xt::range(l * n, (l + 1) * n), xt::all());
        };
        model.layers.push_back({row(m.attention_gain), row(m.attention_bias), rows(m.W_q, d),
                                rows(m.W_k, d), rows(m.W_v, d), rows(m.W_o, d), row(m.mlp_gain),
                                row(m.mlp_bias), rows(m.W_in, d), row(m.b_in), rows(m.W_out, 4 * d),
                                row(m.b_out)});
    }
    return model;
}

/// Any next_logits that reads these tokens, from position 0 on with new caches. A second text, the
/// same backwards, is read in turn with it, with caches of its own.
///   tokens (n)   returns (n, V)
template <class Next>
Matrix next_logits_by(const Next& next, const Model& arrays, const Tokens& tokens) {
    const lesson::LanguageModel model = model_of(arrays);
    const lesson::Caches none(model.layers.size(),
                              std::vector<lesson::KeyValueCache>(model.n_heads));
    lesson::Caches caches = none, others = none;
    std::vector<Vector> logits;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        logits.push_back(next(model, tokens[i], i, caches));
        next(model, tokens[tokens.size() - 1 - i], i, others);
    }
    return in_turn::stacked(logits);
}

inline Matrix next_logits(const Model& model, const Tokens& tokens) {
    return next_logits_by(lesson::next_logits, model, tokens);
}

/// One call, with caches for n_layers of n_heads.
inline Vector next_logits_once(const Model& model, std::size_t token, std::size_t position,
                               std::size_t n_layers, std::size_t n_heads) {
    lesson::Caches caches(n_layers, std::vector<lesson::KeyValueCache>(n_heads));
    return lesson::next_logits(model_of(model), token, position, caches);
}

} // namespace token_by_token

JUDGE_STRUCT(token_by_token::Model, tokens, positions, attention_gain, attention_bias, W_q, W_k,
             W_v, W_o, mlp_gain, mlp_bias, W_in, b_in, W_out, b_out, gain, bias, n_heads);

JUDGE_FUNCTION_IN(on_arrays, layer_norm, X, gain, bias, d_output);
JUDGE_FUNCTION_IN(on_arrays, transformer_block, X, weights, n_texts, n_heads, d_output);
JUDGE_FUNCTION_IN(in_turn, append, K, V, Q, cache);
JUDGE_FUNCTION_IN(in_turn, append_another_size, K, V, k, v);
JUDGE_FUNCTION_IN(in_turn, attend, K, V, Q);
JUDGE_FUNCTION_IN(of_seeds, sample, logits, temperature, top_k, top_p, seeds);
JUDGE_FUNCTION(perplexity, log_probabilities);
JUDGE_FUNCTION(bits_per_character, log_probabilities);
JUDGE_FUNCTION_IN(token_by_token, next_logits, model, tokens);
JUDGE_FUNCTION_IN(token_by_token, next_logits_once, model, token, position, n_layers, n_heads);
JUDGE_SHOWN_AS(layer_norm, "layer_norm(X, gain, bias), and the way back from d_output,");
JUDGE_SHOWN_AS(transformer_block,
               "transformer_block(X, weights, n_texts, n_heads), and the way back from d_output,");
JUDGE_SHOWN_AS(
    append, "append and attend in turns: in turn i, cache number cache[i] appends row i of K and "
            "V, then attends with row i of Q,");
JUDGE_SHOWN_AS(append_another_size, "append of all rows of K and V, then append(k, v),");
JUDGE_SHOWN_AS(attend, "append of all rows of K and V, then attend with each row of Q,");
JUDGE_SHOWN_AS(sample, "sample(logits, temperature, top_k, top_p, seed), for each of seeds,");
JUDGE_SHOWN_AS(next_logits,
               "next_logits of each of tokens in turn, at positions 0, 1, …, between those of "
               "another text with caches of its own,");
JUDGE_SHOWN_AS(next_logits_once, "next_logits with caches for n_layers of n_heads,");
