#pragma once

// A cache cannot travel: here it reads keys and values in turn with queries, and is copied. 11.3 is
// called with many seeds at once.

#include <array>
#include <optional>

#include "on_arrays.hpp"

namespace in_turn {

using lesson::Matrix;
using lesson::Vector;
using Indices = std::vector<std::size_t>;

inline Vector row(const Matrix& A, std::size_t i) {
    return xt::view(A, i, xt::all());
}

/// Hands row i of A, argument number `index` of a call, to use, which may only read it.
template <class Use>
auto lend_row(const Matrix& A, std::size_t i, std::size_t index, const Use& use) {
    const auto demand_unchanged = [&](const Vector& lent) {
        const Vector given = row(A, i);
        if (lent.size() != given.size() || !std::equal(lent.begin(), lent.end(), given.begin())) {
            throw judge::changed_argument{index};
        }
    };
    const Vector lent = row(A, i);
    if constexpr (std::is_void_v<decltype(use(lent))>) {
        use(lent);
        demand_unchanged(lent);
    } else {
        auto answer = use(lent);
        demand_unchanged(lent);
        return answer;
    }
}

/// A token's key and value, row i of K and V, for a cache to keep.
template <class Cache>
void append_row(Cache& cache, const Matrix& K, const Matrix& V, std::size_t i) {
    lend_row(K, i, 0, [&](const Vector& k) {
        lend_row(V, i, 1, [&](const Vector& v) { cache.append(k, v); });
    });
}

/// What it answers to row i of Q.
template <class Cache>
Vector attend_row(Cache& cache, const Matrix& Q, std::size_t i) {
    return lend_row(Q, i, 2, [&](const Vector& q) { return Vector(cache.attend(q)); });
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
        append_row(caches.at(cache[i]), K, V, i);
        answers.push_back(attend_row(caches.at(cache[i]), Q, i));
    }
    return stacked(answers);
}

/// Any cache that appends all rows of K and V, then attends with each row of Q.
///   Q (n_queries, d_k)   returns (n_queries, d_v)
template <class Cache>
Matrix attend_by(const Matrix& K, const Matrix& V, const Matrix& Q) {
    Cache cache;
    for (std::size_t j = 0; j < std::max(K.shape(0), V.shape(0)); ++j) {
        append_row(cache, K, V, j);
    }
    std::vector<Vector> answers;
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        answers.push_back(attend_row(cache, Q, i));
    }
    return stacked(answers);
}

/// Any cache that is copied, and goes on beside its copies: the first has read n_before tokens, a
/// second is made of it, and it is assigned to a third that had read the last token. All three
/// attend; they read the other tokens in turns, and whoever reads attends; then all three attend,
/// and when the first is gone the two others.
///   K, Q (n, d_k)   V (n, d_v)   returns (3 + (n − n_before) + 3 + 2, d_v)
template <class Cache>
Matrix copied_by(const Matrix& K, const Matrix& V, const Matrix& Q, std::size_t n_before) {
    const std::size_t n = K.shape(0);
    std::optional<Cache> first(std::in_place);
    Cache third;
    third.append(row(K, n - 1), row(V, n - 1));
    for (std::size_t i = 0; i < n_before; ++i) {
        first->append(row(K, i), row(V, i));
    }
    Cache second(*first);
    third = *first;
    std::vector<Vector> answers;
    const std::array<Cache*, 3> caches{&*first, &second, &third};
    const auto ask_from = [&](std::size_t whom, std::size_t i) {
        for (; whom < caches.size(); ++whom) {
            answers.push_back(caches[whom]->attend(row(Q, i)));
        }
    };
    ask_from(0, 0);
    for (std::size_t i = n_before; i < n; ++i) {
        Cache& cache = *caches[(i - n_before) % caches.size()];
        cache.append(row(K, i), row(V, i));
        answers.push_back(cache.attend(row(Q, i)));
    }
    ask_from(0, n - 1);
    first.reset();
    ask_from(1, n - 1);
    return stacked(answers);
}

/// What came of a token that does not fit those before it.
struct Refusal {
    std::string said;  // the text of the exception; empty: it was taken
    std::string other; // what else than std::invalid_argument that was
    Vector after;      // (d_v), what a query is answered once another token has come
};

/// A cache that has read K and V is given k and v, of which one may have another size than those
/// kept; then its first token once more, and the query q.
inline Refusal append_another_size(const Matrix& K, const Matrix& V, const Vector& k,
                                   const Vector& v, const Vector& q) {
    lesson::KeyValueCache cache;
    for (std::size_t j = 0; j < K.shape(0); ++j) {
        cache.append(row(K, j), row(V, j));
    }
    Refusal refusal;
    try {
        cache.append(k, v);
        return refusal;
    } catch (const std::invalid_argument& error) {
        refusal.said = error.what();
    } catch (const std::exception& error) {
        refusal.said = error.what();
        refusal.other = dynamic_cast<const std::runtime_error*>(&error) != nullptr
                            ? "std::runtime_error"
                            : "another std::exception";
    }
    cache.append(row(K, 0), row(V, 0));
    refusal.after = cache.attend(q);
    return refusal;
}

// Under the names of the exercise's own functions, which is how verdicts speak of them.
inline Matrix append(const Matrix& K, const Matrix& V, const Matrix& Q, const Indices& cache) {
    return append_by<lesson::KeyValueCache>(K, V, Q, cache);
}
inline Matrix attend(const Matrix& K, const Matrix& V, const Matrix& Q) {
    return attend_by<lesson::KeyValueCache>(K, V, Q);
}
inline Matrix copied(const Matrix& K, const Matrix& V, const Matrix& Q, std::size_t n_before) {
    return copied_by<lesson::KeyValueCache>(K, V, Q, n_before);
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
JUDGE_FUNCTION_IN(on_arrays, layer_norm_in_a_model, X, gain, bias, d_output, constants, elsewhere);
JUDGE_FUNCTION_IN(on_arrays, transformer_block_in_a_model, X, weights, n_texts, n_heads, d_output,
                  constants, elsewhere);
JUDGE_STRUCT(in_turn::Refusal, said, other, after);

JUDGE_FUNCTION_IN(in_turn, append, K, V, Q, cache);
JUDGE_FUNCTION_IN(in_turn, append_another_size, K, V, k, v, q);
JUDGE_FUNCTION_IN(in_turn, attend, K, V, Q);
JUDGE_FUNCTION_IN(in_turn, copied, K, V, Q, n_before);
JUDGE_FUNCTION_IN(of_seeds, sample, logits, temperature, top_k, top_p, seeds);
JUDGE_SHOWN_AS(layer_norm, "layer_norm(X, gain, bias), and the way back from d_output,");
JUDGE_SHOWN_AS(transformer_block,
               "transformer_block(X, weights, n_texts, n_heads), and the way back from d_output,");
JUDGE_SHOWN_AS(
    layer_norm_in_a_model,
    "layer_norm(X, gain, bias), of which some are constants, and some are used elsewhere, "
    "too; and the way back from d_output,");
JUDGE_SHOWN_AS(transformer_block_in_a_model,
               "transformer_block(X, weights, n_texts, n_heads), of which some are constants, and "
               "some are used elsewhere, too; and the way back from d_output,");
JUDGE_SHOWN_AS(
    append, "append and attend in turns: in turn i, cache number cache[i] appends row i of K and "
            "V, then attends with row i of Q,");
JUDGE_SHOWN_AS(append_another_size,
               "append(k, v) of another size than the rows of K and V that are kept, then "
               "attend(q),");
JUDGE_SHOWN_AS(attend, "append of all rows of K and V, then attend with each row of Q,");
JUDGE_SHOWN_AS(copied,
               "append and attend, where a cache that has kept n_before rows of K and V is copied, "
               "and each goes on by itself,");
JUDGE_SHOWN_AS(sample, "sample(logits, temperature, top_k, top_p, seed), for each of seeds,");
JUDGE_FUNCTION(perplexity, log_probabilities);
JUDGE_FUNCTION(bits_per_character, log_probabilities);
