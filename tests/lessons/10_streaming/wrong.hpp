#pragma once

// What the wrong versions of lesson 10 are put together from.

#include <algorithm>
#include <vector>

#include "exports.hpp"
#include "plain.hpp"

namespace wrong {

using lesson::AttentionGradients;
using lesson::infinity;
using lesson::no_keys_yet;
using plain::dot;
using plain::Mask;
using plain::Matrix;
using plain::MatrixF;
using plain::OptionalMask;
using plain::Partial;
using plain::root;
using plain::Streamed;
using plain::Vector;

using In = const Matrix&;
using P = const Partial&;

inline double real(std::size_t n) {
    return static_cast<double>(n);
}

/// A dot product that is summed in an int.
inline double whole_dot(In A, std::size_t i, In B, std::size_t j) {
    int sum = 0;
    for (std::size_t c = 0; c < A.shape(1); ++c) {
        sum = static_cast<int>(sum + A(i, c) * B(j, c));
    }
    return sum;
}
inline constexpr const char* products_in_an_int =
    "the products are summed in an int, so their fractions are lost. std::inner_product and "
    "std::accumulate sum in the type of their start value: write 0.0.";

/// A merge made of two factors and a new maximum: of_a and of_b of what was summed.
struct Factors {
    double maximum, of_a, of_b;
};
inline Factors right_factors(double a, double b) {
    const double maximum = std::max(a, b);
    return maximum == -infinity ? Factors{maximum, 1, 0}
                                : Factors{maximum, std::exp(a - maximum), std::exp(b - maximum)};
}
inline Partial merged(P a, P b, const Factors& by) {
    return {by.maximum, by.of_a * a.sum + by.of_b * b.sum, by.of_a * a.output + by.of_b * b.output};
}
inline Partial right_merge(P a, P b) {
    return merged(a, b, right_factors(a.maximum, b.maximum));
}
inline void check_partials(P a, P b) {
    attention::require_shared("merge", "d_v", attention::Axis{"a.output", a.output, 0},
                              attention::Axis{"b.output", b.output, 0});
}

/// A range of keys.
struct Tile {
    std::size_t first, count;
};
using Tiles = std::vector<Tile>;
inline Tiles right_tiles(std::size_t n_keys, std::size_t tile) {
    Tiles tiles;
    for (std::size_t first = 0; first < n_keys; first += tile) {
        tiles.push_back({first, std::min(tile, n_keys - first)});
    }
    return tiles;
}

/// 10.2, each of whose parts a misconception may exchange for a wrong one.
struct Streaming {
    std::function<double(In Q, In K, In V, std::size_t tile)> divisor =
        [](auto& Q, auto&, auto&, auto) { return root(Q.shape(1)); };
    std::function<double(double)> exponential = [](double x) { return std::exp(x); };
    std::function<Tiles(std::size_t n_keys, std::size_t tile)> tiles = right_tiles;
    /// Of key j of the tile that begins at first: which row of K, which of V, and what the mask
    /// says.
    std::function<std::size_t(std::size_t first, std::size_t j)> key = [](auto first, auto j) {
        return first + j;
    };
    std::function<std::size_t(std::size_t first, std::size_t j)> value = [](auto first, auto j) {
        return first + j;
    };
    std::function<bool(const Mask&, std::size_t i, std::size_t first, std::size_t j)> allowed =
        [](auto& mask, auto i, auto first, auto j) { return mask(i, first + j); };
    double blocked = -infinity; // the score of a blocked key
    double (*product)(In A, std::size_t i, In B, std::size_t j) = dot;
    /// What is known of a tile, from its scores and what of them is allowed.
    std::function<Partial(const std::vector<double>& scores, const std::vector<bool>& allowed,
                          const Matrix& values)>
        partial;
    std::function<Partial(std::size_t d_v)> start = no_keys_yet;
    std::function<Partial(P so_far, P here)> merge = right_merge;
    std::function<Vector(P all, std::size_t n_keys, std::size_t tile)> finish = [](auto& all, auto,
                                                                                   auto) -> Vector {
        return all.sum > 0 ? Vector(all.output / all.sum) : Vector(0.0 * all.output);
    };
    std::function<double(P all)> logsumexp = [](auto& all) {
        return all.maximum + std::log(all.sum);
    };

    Partial partial_of(const std::vector<double>& scores, const std::vector<bool>& seen,
                       const Matrix& values) const {
        if (partial) {
            return partial(scores, seen, values);
        }
        Partial here = no_keys_yet(values.shape(1));
        here.maximum = *std::max_element(scores.begin(), scores.end());
        if (here.maximum == -infinity) {
            return here;
        }
        for (std::size_t j = 0; j < scores.size(); ++j) {
            const double p = exponential(scores[j] - here.maximum);
            here.sum += p;
            for (std::size_t c = 0; c < values.shape(1); ++c) {
                here.output(c) += p * values(j, c);
            }
        }
        return here;
    }

    Streamed operator()(In Q, In K, In V, std::size_t tile, const OptionalMask& mask) const {
        lesson::require_fit("streaming_attention", Q, K, V);
        lesson::require_mask("streaming_attention", Q, K, mask);
        lesson::require_tile("streaming_attention", tile);
        const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0), d_v = V.shape(1);
        const double divided_by = divisor(Q, K, V, tile);
        Streamed result{xt::zeros<double>({n_queries, d_v}), xt::zeros<double>({n_queries})};
        for (std::size_t i = 0; i < n_queries; ++i) {
            Partial so_far = start(d_v);
            for (const auto& [first, count] : tiles(n_keys, tile)) {
                std::vector<double> scores(count);
                std::vector<bool> seen(count);
                Matrix values = Matrix::from_shape({count, d_v});
                for (std::size_t j = 0; j < count; ++j) {
                    seen[j] = !mask || allowed(*mask, i, first, j);
                    scores[j] = seen[j] ? product(Q, i, K, key(first, j)) / divided_by : blocked;
                    for (std::size_t c = 0; c < d_v; ++c) {
                        values(j, c) = V(value(first, j), c);
                    }
                }
                so_far = merge(so_far, partial_of(scores, seen, values));
            }
            xt::view(result.output, i, xt::all()) = finish(so_far, n_keys, tile);
            result.logsumexp(i) = logsumexp(so_far);
        }
        return result;
    }
};

} // namespace wrong

/// A right streaming_attention that takes too much memory.
#define HUNGRY_FORWARD(name, explanation, ...)                                                     \
    const auto forward_##name = __VA_ARGS__;                                                       \
    MISCONCEPTION(streaming_attention, name, explanation, forward_##name);                         \
    const judge::RegisterVariant<decltype(measured::memory_of_forward)> memory_of_forward_##name(  \
        "memory_of_forward", #name, explanation,                                                   \
        [](std::size_t n, std::size_t tile, bool masked) {                                         \
            return measured::memory_of_forward_by(forward_##name, n, tile, masked);                \
        })

/// A right streaming_backward that takes too much memory.
#define HUNGRY_BACKWARD(name, explanation, ...)                                                    \
    const auto backward_##name = __VA_ARGS__;                                                      \
    MISCONCEPTION(streaming_backward, name, explanation, backward_##name);                         \
    const judge::RegisterVariant<decltype(measured::memory_of_backward)>                           \
        memory_of_backward_##name(                                                                 \
            "memory_of_backward", #name, explanation, [](std::size_t n, bool masked) {             \
                return measured::memory_of_backward_by(backward_##name, n, masked);                \
            })
