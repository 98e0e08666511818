#pragma once

// A function cannot travel: 10.3 is called with queries and keys, of which score_tile is made here.
// It throws when it is called against the contract. So does a call of 10.4 with too many threads.

#include <cmath>
#include <vector>

#include "judge/export.hpp"
#include "streaming.hpp"
#include "support/threads_at_once.hpp"

namespace by_tiles {

using lesson::Matrix;

/// The scores of these queries and keys, each tile once.
class Scores {
public:
    Scores(const Matrix& Q, const Matrix& K, std::size_t tile)
        : Q_(Q), K_(K), tile_(tile), computed_(Q.shape(0) * K.shape(0)) {}

    Matrix operator()(std::size_t first_query, std::size_t rows, std::size_t first_key,
                      std::size_t columns) {
        check_range("queries", first_query, rows, Q_.shape(0));
        check_range("keys", first_key, columns, K_.shape(0));
        const std::string tile = "score_tile: " + range_text("queries", first_query, rows) +
                                 " and " + range_text("keys", first_key, columns);
        if (rows > tile_ || columns > tile_) {
            throw std::length_error(tile + " are more than a tile of " + std::to_string(tile_));
        }
        if (rows * columns > 0 && first_key >= first_query + rows) {
            throw std::logic_error(tile + ": none of these queries sees any of these keys");
        }
        Matrix scores = xt::zeros<double>({rows, columns});
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                auto computed = computed_[(first_query + i) * K_.shape(0) + first_key + j];
                if (computed) {
                    throw std::runtime_error(tile + ": some of these were computed before");
                }
                computed = true;
                for (std::size_t c = 0; c < K_.shape(1); ++c) {
                    scores(i, j) += Q_(first_query + i, c) * K_(first_key + j, c);
                }
            }
        }
        return scores / std::sqrt(static_cast<double>(K_.shape(1)));
    }

private:
    static std::string range_text(const char* what, std::size_t first, std::size_t count) {
        return std::to_string(count) + " " + what + " from " + std::to_string(first) + " on";
    }
    static void check_range(const char* what, std::size_t first, std::size_t count,
                            std::size_t all) {
        if (count > all || first > all - count) {
            throw std::out_of_range("score_tile: " + range_text(what, first, count) +
                                    ", but there are only " + std::to_string(all));
        }
    }

    const Matrix &Q_, &K_;
    std::size_t tile_;
    std::vector<bool> computed_;
};

/// Any causal_streaming, called with arrays.
template <class Function>
Matrix causal_streaming_by(const Function& function, const Matrix& Q, const Matrix& K,
                           const Matrix& V, std::size_t tile) {
    Scores scores(Q, K, tile);
    return function([&](auto... range) { return scores(range...); }, V, Q.shape(0), tile);
}

inline Matrix causal_streaming(const Matrix& Q, const Matrix& K, const Matrix& V,
                               std::size_t tile) {
    return causal_streaming_by(lesson::causal_streaming, Q, K, V, tile);
}

} // namespace by_tiles

namespace on_threads {

using lesson::MatrixF;

/// With this many queries a call takes long enough for its threads to be counted.
constexpr std::size_t counted_queries = 400;

/// Any faster_attention, whose threads are counted.
template <class Function>
MatrixF faster_attention_by(const Function& function, const MatrixF& Q, const MatrixF& K,
                            const MatrixF& V, std::size_t threads) {
    if (Q.shape(0) != counted_queries) {
        return function(Q, K, V, threads);
    }
    MatrixF output;
    if (support::threads_at_once([&] { output = function(Q, K, V, threads); }) > threads) {
        throw std::logic_error("there were more threads at once than `threads`");
    }
    return output;
}

inline MatrixF faster_attention(const MatrixF& Q, const MatrixF& K, const MatrixF& V,
                                std::size_t threads) {
    return faster_attention_by(lesson::faster_attention, Q, K, V, threads);
}

} // namespace on_threads

JUDGE_STRUCT(lesson::Partial, maximum, sum, output);
JUDGE_STRUCT(lesson::Streamed, output, logsumexp);
JUDGE_STRUCT(lesson::AttentionGradients, d_Q, d_K, d_V);

JUDGE_FUNCTION(merge, a, b);
JUDGE_FUNCTION(streaming_attention, Q, K, V, tile, mask);
JUDGE_FUNCTION_IN(by_tiles, causal_streaming, Q, K, V, tile);
JUDGE_FUNCTION_IN(on_threads, faster_attention, Q, K, V, threads);
JUDGE_FUNCTION(streaming_backward, Q, K, V, forward, d_output, mask);
JUDGE_SHOWN_AS(causal_streaming, "causal_streaming(score_tile, V, n_queries, tile), where "
                                 "score_tile gives the scores of these queries and keys,");
