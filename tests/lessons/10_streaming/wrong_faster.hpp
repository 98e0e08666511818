#pragma once

// What the wrong versions of 10.4 are made of: right in everything but the part that is exchanged,
// and to more digits than a float has.

#include "wrong.hpp"

namespace wrong {

using InF = const MatrixF&;

/// |q| · max |k|, of lengths whose squares are floats, and overflow like them.
inline double bound_of_scores(In Q, std::size_t i, In K) {
    const auto length = [](In rows, std::size_t row) {
        return std::sqrt(static_cast<float>(dot(rows, row, rows, row)));
    };
    float longest = 0;
    for (std::size_t j = 0; j < K.shape(0); ++j) {
        longest = std::max(longest, length(K, j));
    }
    return static_cast<double>(length(Q, i) * longest);
}

/// The right answer of other arguments, or of other parts.
struct Faster {
    std::function<double(In Q, In V)> divisor = [](auto& Q, auto&) { return root(Q.shape(1)); };
    std::function<double(double)> exponential = [](double x) { return std::exp(x); };
    /// What was summed before shrinks by it, where that is another.
    std::function<double(double)> shrinks_by = {};
    std::size_t keys_in_whole = 1;    // keys past a multiple of it are lost
    std::size_t keys_in_tiles = 1;    // likewise, where there are more than so many
    std::size_t values_in_whole = 1;  // components of V likewise: 0
    std::size_t queries_in_whole = 1; // queries likewise: 0
    std::size_t d_k_in_whole = 1;     // components of Q and K likewise
    std::size_t padded_to = 1;        // keys of score 0 count up to a multiple of it
    std::size_t keys_of_score_0 = 0;  // and so many more, of values of 0
    std::size_t keys_at_most = 1U << 30U;
    std::size_t queries_of = 1U << 30U;       // query i is read at i modulo this
    std::size_t queries_a_thread = 1U << 30U; // queries past so many for each thread: 0
    std::size_t block = 1;                    // queries of a block share what is not reset
    std::size_t tile = 1U << 30U;             // keys of a tile, of an online softmax
    bool in_equal_parts = false;              // for each thread as many queries, and the rest 0
    std::size_t maximum_of = 1U << 30U;       // the first so many keys alone
    double clipped_at = infinity, clipped_above = infinity; // scores, before all else
    double lowest = -infinity;                              // what the maximum starts at
    bool resets_maximum = true, resets_sum = true, resets_output = true; // in a block
    bool shrinks_sum = true, shrinks_output = true;                      // from tile to tile
    bool values_by_d_k = false; // row j of V is read from j · d_k on
    bool subtracts_maximum = true;
    bool divides = true;
    bool whole_products = false;      // summed in an int
    bool maximum_before_root = false; // of q · k, not divided by √d_k
    bool bound_for_maximum = false;   // |q| · max |k|, which no score exceeds
    bool sums_in_floats = false;      // which overflow

    MatrixF operator()(InF Q_f, InF K_f, InF V_f, std::size_t threads) const {
        lesson::require_fit("faster_attention", Q_f, K_f, V_f);
        const Matrix Q = xt::cast<double>(Q_f), K = xt::cast<double>(K_f),
                     V = xt::cast<double>(V_f);
        const auto whole = [](std::size_t n, std::size_t of) { return n / of * of; };
        const std::size_t n_keys =
            std::min(keys_at_most, whole(K.shape(0), K.shape(0) > keys_in_tiles
                                                         ? std::max(keys_in_tiles, keys_in_whole)
                                                         : keys_in_whole));
        const std::size_t padding =
            (padded_to - K.shape(0) % padded_to) % padded_to + keys_of_score_0;
        MatrixF output = xt::zeros<float>({Q.shape(0), V.shape(1)});
        const auto held = [this](double x) {
            return sums_in_floats ? static_cast<double>(static_cast<float>(x)) : x;
        };
        double maximum = lowest, sum = 0;
        std::vector<double> mixed(V.shape(1));
        const std::size_t n_queries =
            std::min(whole(Q.shape(0), in_equal_parts ? threads : queries_in_whole),
                     queries_a_thread * threads);
        for (std::size_t i = 0; i < n_queries; ++i) {
            const bool first = i % block == 0;
            maximum = first || resets_maximum ? padding > 0 ? 0 : lowest : maximum;
            maximum = bound_for_maximum ? bound_of_scores(Q, i, K) / divisor(Q, V) : maximum;
            sum = first || resets_sum ? 0 : sum;
            if (first || resets_output) {
                std::fill(mixed.begin(), mixed.end(), 0.0);
            }
            for (std::size_t from = 0; from < n_keys; from += tile) {
                const std::size_t until = std::min(n_keys, from + tile);
                std::vector<double> scores(until - from);
                const double before = maximum;
                for (std::size_t j = from; j < until; ++j) {
                    double& score = scores[j - from];
                    for (std::size_t c = 0; c < whole(Q.shape(1), d_k_in_whole); ++c) {
                        score += Q(i % queries_of, c) * K(j, c);
                        score = whole_products ? std::trunc(score) : score;
                    }
                    score = std::clamp(score / divisor(Q, V), -clipped_at,
                                       std::min(clipped_at, clipped_above));
                    maximum = j < maximum_of ? std::max(maximum, score) : maximum;
                }
                maximum = subtracts_maximum ? maximum : 0;
                maximum *= maximum_before_root ? divisor(Q, V) : 1;
                const double shrink =
                    from > 0 ? (shrinks_by ? shrinks_by : exponential)(before - maximum) : 1;
                sum *= shrinks_sum ? shrink : 1;
                for (double& each : mixed) {
                    each *= shrinks_output ? shrink : 1;
                }
                for (std::size_t j = from; j < until; ++j) {
                    // In a float, as it would be there.
                    const double p = static_cast<double>(
                        static_cast<float>(exponential(scores[j - from] - maximum)));
                    sum = held(sum + p);
                    for (std::size_t c = 0; c < mixed.size(); ++c) {
                        const std::size_t at =
                            (values_by_d_k ? j * Q.shape(1) : j * V.shape(1)) + c;
                        mixed[c] = held(mixed[c] + p * (at < V.size() ? V.flat(at) : 0.0));
                    }
                }
            }
            const double all = sum + (padding > 0 ? real(padding) * exponential(-maximum) : 0.0);
            for (std::size_t c = 0; c < whole(mixed.size(), values_in_whole); ++c) {
                output(i, c) = static_cast<float>(divides ? mixed[c] / all : mixed[c]);
            }
        }
        return output;
    }
};

template <class Change>
Faster faster_with(Change change) {
    Faster wrong;
    change(wrong);
    return wrong;
}

inline Faster with_size(std::size_t Faster::*size, std::size_t value) {
    Faster wrong;
    wrong.*size = value;
    return wrong;
}

} // namespace wrong
