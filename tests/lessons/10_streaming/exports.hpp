#pragma once

// A function cannot travel: what 10.3 is asked is queries and keys, and score_tile is made of them
// here, where it counts what it is asked. What the functions that measure are asked is a size, or a
// number of threads: they call the exercise by themselves.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "attention/random.hpp"
#include "judge/export.hpp"
#include "judge/memory_taken.hpp"
#include "streaming.hpp"
#ifdef JUDGE_CHILD
#include "threads_at_once.hpp"
#endif

namespace by_tiles {

using lesson::Matrix;

struct Causal {
    Matrix output;        // (n_queries, d_v)
    std::size_t unseen;   // scores asked for in tiles that none of their queries sees
    std::size_t repeated; // scores asked for that had been asked for before
};

/// Any causal_streaming, asked in arrays.
template <class Function>
Causal causal_streaming_by(const Function& function, const Matrix& Q, const Matrix& K,
                           const Matrix& V, std::size_t tile) {
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0), d_k = K.shape(1);
    Causal result{{}, 0, 0};
    std::vector<bool> asked(n_queries * n_keys, false);
    const auto range = [](const char* what, std::size_t first, std::size_t count, std::size_t all) {
        if (count > all || first > all - count) {
            throw std::out_of_range("score_tile: asked for " + std::to_string(count) + " " + what +
                                    " from " + std::to_string(first) + " on, where there are " +
                                    std::to_string(all));
        }
    };
    const lesson::ScoreTile score_tile = [&](std::size_t first_query, std::size_t rows,
                                             std::size_t first_key, std::size_t columns) -> Matrix {
        range("queries", first_query, rows, n_queries);
        range("keys", first_key, columns, n_keys);
        if (rows > tile || columns > tile) {
            throw std::length_error("score_tile: asked for " + std::to_string(rows) + " x " +
                                    std::to_string(columns) + " scores, where a tile is " +
                                    std::to_string(tile) + " x " + std::to_string(tile) +
                                    " at most");
        }
        Matrix scores = xt::zeros<double>({rows, columns});
        const bool seen = rows > 0 && first_key < first_query + rows;
        result.unseen += seen ? 0 : rows * columns;
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                auto before = asked[(first_query + i) * n_keys + first_key + j];
                result.repeated += before ? 1 : 0;
                before = true;
                for (std::size_t c = 0; c < d_k; ++c) {
                    scores(i, j) += Q(first_query + i, c) * K(first_key + j, c);
                }
            }
        }
        return scores / std::sqrt(static_cast<double>(d_k));
    };
    result.output = function(score_tile, V, n_queries, tile);
    return result;
}

// Under the name of the exercise's own function, which is how verdicts speak of it.
inline Causal causal_streaming(const Matrix& Q, const Matrix& K, const Matrix& V,
                               std::size_t tile) {
    return causal_streaming_by(lesson::causal_streaming, Q, K, V, tile);
}

} // namespace by_tiles

namespace measured {

using lesson::Mask;
using lesson::Matrix;

/// What a call with n queries and n keys took beyond its arguments and its result, and what one
/// with a quarter of both; with what the submission kept from earlier calls.
struct Taken {
    double n, bytes, bytes_of_a_quarter;
    /// Of bytes, what is in proportion to n², divided by n²: 8 where one array of n × n doubles was
    /// held, 0 where memory grows with n or not at all.
    double for_each_pair;
    double threads; // that allocated
    bool right;     // what it answered
};

/// n queries and keys of one component each, so that 2048 of them are quick.
struct Inputs {
    Matrix Q, K, V, d_output;
    std::optional<Mask> mask;
    explicit Inputs(std::size_t n, bool masked)
        : Q(attention::standard_normal(n, 1, 1)), K(attention::standard_normal(n, 1, 2)),
          V(attention::standard_normal(n, 1, 3)), d_output(attention::standard_normal(n, 1, 4)) {
        if (masked) {
            mask.emplace(Mask::from_shape({n, n}));
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    (*mask)(i, j) = (i + j) % 3 != 0;
                }
            }
        }
    }
};

/// Bytes for each pair that no buffer takes: half an n × n array of doubles.
constexpr double room_for_all_pairs = 4;

/// of(n): what one call took, its result's elements apart.
template <class Of>
Taken taken(std::size_t n, const Of& of) {
    bool right = true;
    const auto beyond_result = [&](std::size_t size) -> judge::MemoryTaken {
        const double kept = judge::bytes_kept();
        const auto [all, result, is_right] = of(size);
        right = right && is_right;
        return {kept + std::max(0.0, all.bytes - 8 * static_cast<double>(result)), all.threads,
                all.resident};
    };
    judge::MemoryTaken small = beyond_result(n / 4);
    const judge::MemoryTaken large = beyond_result(n);
    if (large.resident >
        judge::resident_says_nothing) { // then that of the small one says something
        small.bytes = std::max(small.bytes, small.resident);
    }
    const double pairs = static_cast<double>(n * n);
    // The resident set tells nothing of the small one, which then is no part of the large one.
    const double growing = std::min(large.bytes, (large.bytes - 4 * small.bytes) / 0.75) / pairs;
    // A static array for all pairs does not grow. At a small n as much may be a buffer.
    const bool fixed = n >= 2048 && large.bytes >= room_for_all_pairs * pairs;
    const double quadratic = fixed ? large.bytes / pairs : growing;
    return {static_cast<double>(n),
            large.bytes,
            small.bytes,
            std::max(0.0, quadratic),
            std::max(large.threads, small.threads),
            right};
}

/// Of many queries, those that are looked at: all would take as long as what is measured.
struct Sample {
    std::size_t first, step;
};
constexpr Sample all_queries{0, 1};
inline Sample some_queries() {
    constexpr std::size_t step = 16;
    return {std::random_device()() % step, step};
}

/// What attention gives, a query at a time, so that nothing is held for each pair; 0 for queries
/// that are not looked at.
inline lesson::Streamed attended(const Matrix& Q, const Matrix& K, const Matrix& V,
                                 const std::optional<Mask>& mask = std::nullopt,
                                 Sample sample = all_queries) {
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
    lesson::Streamed result{xt::zeros<double>({n_queries, V.shape(1)}),
                            xt::zeros<double>({n_queries})};
    std::vector<double> scores(n_keys);
    for (std::size_t i = sample.first; i < n_queries; i += sample.step) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            scores[j] = 0;
            for (std::size_t c = 0; c < Q.shape(1); ++c) {
                scores[j] += Q(i, c) * K(j, c);
            }
            scores[j] = mask && !(*mask)(i, j) ? -lesson::infinity
                                               : scores[j] / std::sqrt(double(Q.shape(1)));
        }
        const double maximum = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double weight = std::exp(scores[j] - maximum);
            sum += weight;
            for (std::size_t c = 0; c < V.shape(1); ++c) {
                result.output(i, c) += weight * V(j, c);
            }
        }
        for (std::size_t c = 0; c < V.shape(1); ++c) {
            result.output(i, c) /= sum;
        }
        result.logsumexp(i) = maximum + std::log(sum);
    }
    return result;
}

/// The gradient of queries of one component, likewise.
inline Matrix gradient_of_queries(const Inputs& in, const lesson::Streamed& forward,
                                  Sample sample) {
    const std::size_t n = in.Q.shape(0);
    Matrix d_Q = xt::zeros<double>({n, std::size_t{1}});
    for (std::size_t i = sample.first; i < n; i += sample.step) {
        for (std::size_t j = 0; j < n; ++j) {
            if (!in.mask || (*in.mask)(i, j)) {
                const double weight = std::exp(in.Q(i, 0) * in.K(j, 0) - forward.logsumexp(i));
                const double d_weight = in.V(j, 0) - forward.output(i, 0);
                d_Q(i, 0) += weight * in.d_output(i, 0) * d_weight * in.K(j, 0);
            }
        }
    }
    return d_Q;
}

/// Whether what is measured is an answer, too.
inline bool is_right(const Matrix& mine, const Matrix& right, double relative, Sample sample) {
    if (mine.shape() != right.shape()) {
        return false;
    }
    double largest_error = 0, largest = 0;
    for (std::size_t i = sample.first; i < mine.shape(0); i += sample.step) {
        for (std::size_t c = 0; c < mine.shape(1); ++c) {
            const double error = std::abs(mine(i, c) - right(i, c));
            largest_error = std::isnan(error) ? error : std::max(largest_error, error); // NaN stays
            largest = std::max(largest, std::abs(right(i, c)));
        }
    }
    return largest_error <= relative * largest;
}

struct Call {
    judge::MemoryTaken all;
    std::size_t result; // numbers handed back
    bool right;
};

/// Any streaming_attention.
template <class Function>
Taken memory_of_forward_by(const Function& function, std::size_t n, std::size_t tile, bool masked) {
    return taken(n, [&](std::size_t size) -> Call {
        const Inputs in(size, masked);
        lesson::Streamed result;
        const judge::MemoryTaken all =
            judge::memory_taken([&] { result = function(in.Q, in.K, in.V, tile, in.mask); });
        const Sample some = some_queries();
        return {
            all, result.output.size() + result.logsumexp.size(),
            is_right(result.output, attended(in.Q, in.K, in.V, in.mask, some).output, 1e-8, some)};
    });
}

/// Any streaming_backward.
template <class Function>
Taken memory_of_backward_by(const Function& function, std::size_t n, bool masked) {
    return taken(n, [&](std::size_t size) -> Call {
        const Inputs in(size, masked);
        const lesson::Streamed forward = attended(in.Q, in.K, in.V, in.mask);
        lesson::AttentionGradients result;
        const judge::MemoryTaken all = judge::memory_taken(
            [&] { result = function(in.Q, in.K, in.V, forward, in.d_output, in.mask); });
        const Sample some = some_queries();
        return {all, result.d_Q.size() + result.d_K.size() + result.d_V.size(),
                is_right(result.d_Q, gradient_of_queries(in, forward, some), 1e-8, some)};
    });
}

inline Taken memory_of_forward(std::size_t n, std::size_t tile, bool masked) {
    return memory_of_forward_by(lesson::streaming_attention, n, tile, masked);
}
inline Taken memory_of_backward(std::size_t n, bool masked) {
    return memory_of_backward_by(lesson::streaming_backward, n, masked);
}

/// What threads_of_faster tells in place of a number.
constexpr auto answered_wrongly = static_cast<std::size_t>(-1);

// Under the name of the exercise's own function.
#ifdef JUDGE_CHILD
inline lesson::MatrixF faster_attention(const lesson::MatrixF& Q, const lesson::MatrixF& K,
                                        const lesson::MatrixF& V, std::size_t threads) {
    const auto call = [&] { return lesson::faster_attention(Q, K, V, threads); };
    return threads > 1 ? interrupted(call) : call();
}

/// Any faster_attention that is allowed so many threads: how many it had at work at once, the
/// fewest of three calls; or answered_wrongly.
template <class Function>
std::size_t threads_of_faster_by(const Function& function, std::size_t threads) {
    const auto drawn = [](std::size_t rows, std::uint64_t seed) -> lesson::MatrixF {
        return xt::cast<float>(attention::standard_normal(rows, 8, seed));
    };
    // Enough rows for any block, and for each enough to do that starting a thread takes less.
    const lesson::MatrixF Q = drawn(400, 1), K = drawn(600, 2), V = drawn(600, 3);
    std::size_t fewest = threads + 1;
    for (int call = 0; call < 3 && fewest > threads; ++call) {
        lesson::MatrixF output;
        const std::size_t at_once = threads_at_once([&] { output = function(Q, K, V, threads); });
        const Sample some = some_queries();
        const auto right = attended(xt::cast<double>(Q), xt::cast<double>(K), xt::cast<double>(V),
                                    std::nullopt, some);
        if (!is_right(xt::cast<double>(output), right.output, 1e-3, some)) {
            return answered_wrongly;
        }
        fewest = call == 0 ? at_once : std::min(fewest, at_once);
    }
    return threads == 1 && fewest == 1 && threads_started.caller_works() ? 2 : fewest;
}

inline std::size_t threads_of_faster(std::size_t threads) {
    return threads_of_faster_by(lesson::faster_attention, threads);
}
#else
lesson::MatrixF faster_attention(const lesson::MatrixF& Q, const lesson::MatrixF& K,
                                 const lesson::MatrixF& V, std::size_t threads);
std::size_t threads_of_faster(std::size_t threads);
#endif

} // namespace measured

JUDGE_STRUCT(lesson::Partial, maximum, sum, output);
JUDGE_STRUCT(lesson::Streamed, output, logsumexp);
JUDGE_STRUCT(lesson::AttentionGradients, d_Q, d_K, d_V);
JUDGE_STRUCT(by_tiles::Causal, output, unseen, repeated);
JUDGE_STRUCT(measured::Taken, n, bytes, bytes_of_a_quarter, for_each_pair, threads, right);

JUDGE_FUNCTION(merge, a, b);
JUDGE_FUNCTION(streaming_attention, Q, K, V, tile, mask);
JUDGE_FUNCTION_IN(measured, memory_of_forward, n, tile, masked);
JUDGE_FUNCTION_IN(by_tiles, causal_streaming, Q, K, V, tile);
JUDGE_FUNCTION_IN(measured, faster_attention, Q, K, V, threads);
JUDGE_FUNCTION_IN(measured, threads_of_faster, threads);
JUDGE_FUNCTION(streaming_backward, Q, K, V, forward, d_output, mask);
JUDGE_FUNCTION_IN(measured, memory_of_backward, n, masked);
JUDGE_SHOWN_AS(causal_streaming,
               "causal_streaming(score_tile, V, n_queries, tile), where score_tile "
               "gives the scores of these queries and keys,");
JUDGE_SHOWN_AS(memory_of_forward,
               "the memory that streaming_attention takes for n queries and keys,");
JUDGE_SHOWN_AS(memory_of_backward,
               "the memory that streaming_backward takes for n queries and keys,");
JUDGE_SHOWN_AS(threads_of_faster, "the threads that faster_attention has at work,");
