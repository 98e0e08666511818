// Right solutions, written otherwise: each must pass.

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "attention/scores.hpp"
#include "exports.hpp"

using lesson::AttentionGradients;
using lesson::infinity;
using lesson::Mask;
using lesson::Matrix;
using lesson::MatrixF;
using lesson::no_keys_yet;
using lesson::Partial;
using lesson::ScoreTile;
using lesson::Streamed;
using OptionalMask = std::optional<Mask>;

namespace {

using In = const Matrix&;
using InF = const MatrixF&;

double dot(In A, std::size_t i, In B, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < A.shape(1); ++c) {
        sum += A(i, c) * B(j, c);
    }
    return sum;
}
double score(In Q, std::size_t i, In K, std::size_t j) {
    return dot(Q, i, K, j) / std::sqrt(static_cast<double>(Q.shape(1)));
}
bool sees(const OptionalMask& mask, std::size_t i, std::size_t j) {
    return !mask || (*mask)(i, j);
}
void check_forward(In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
    lesson::require_fit("streaming_attention", Q, K, V);
    lesson::require_mask("streaming_attention", Q, K, mask);
    lesson::require_tile("streaming_attention", tile);
}

// ---- 10.1

ALTERNATIVE(merge, case_by_case, [](const Partial& a, const Partial& b) -> Partial {
    if (a.output.size() != b.output.size()) {
        throw std::invalid_argument("outputs (" + std::to_string(a.output.size()) + ",) and (" +
                                    std::to_string(b.output.size()) + ",)");
    }
    if (a.sum == 0 || b.sum == 0) {
        return a.sum == 0 ? b : a;
    }
    Partial all = a.maximum >= b.maximum ? a : b;
    const Partial& other = a.maximum >= b.maximum ? b : a;
    const double factor = std::exp(other.maximum - all.maximum);
    all.sum += factor * other.sum;
    all.output += factor * other.output;
    return all;
});
ALTERNATIVE(merge, that_relies_on_its_contract, [](const Partial& a, const Partial& b) {
    auto result = lesson::merge(a, b);
    for (const Partial* part : {&a, &b}) {
        const bool none = part->maximum == -infinity;
        if (none ? part->sum != 0 || xt::any(part->output) : part->sum < 1) {
            throw std::logic_error("the grader breaks the contract");
        }
    }
    return result;
});

// ---- 10.2

/// One key after the other, as the online softmax was first written down.
ALTERNATIVE(streaming_attention, key_by_key,
            [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
                check_forward(Q, K, V, tile, mask);
                Streamed result{xt::zeros<double>({Q.shape(0), V.shape(1)}),
                                xt::zeros<double>({Q.shape(0)})};
                for (std::size_t i = 0; i < Q.shape(0); ++i) {
                    double m = -infinity, l = 0;
                    for (std::size_t j = 0; j < K.shape(0); ++j) {
                        if (!sees(mask, i, j)) {
                            continue;
                        }
                        const double s = score(Q, i, K, j);
                        const double shrink = s > m ? std::exp(m - s) : 1;
                        m = std::max(m, s);
                        const double p = std::exp(s - m);
                        l = l * shrink + p;
                        for (std::size_t c = 0; c < V.shape(1); ++c) {
                            result.output(i, c) = result.output(i, c) * shrink + p * V(j, c);
                        }
                    }
                    for (std::size_t c = 0; c < V.shape(1) && l > 0; ++c) {
                        result.output(i, c) /= l;
                    }
                    result.logsumexp(i) = l > 0 ? m + std::log(l) : -infinity;
                }
                return result;
            });
/// What is known of each query at the end.
Streamed finished(const std::vector<Partial>& all, std::size_t d_v) {
    Streamed result{xt::zeros<double>({all.size(), d_v}), xt::zeros<double>({all.size()})};
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].sum > 0) {
            xt::view(result.output, i, xt::all()) = all[i].output / all[i].sum;
        }
        result.logsumexp(i) = all[i].maximum + std::log(all[i].sum);
    }
    return result;
}
/// Tiles outside, queries inside: the state of all queries is kept.
ALTERNATIVE(streaming_attention, tiles_outside,
            [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
                check_forward(Q, K, V, tile, mask);
                std::vector<Partial> so_far(Q.shape(0), no_keys_yet(V.shape(1)));
                for (std::size_t first = 0; first < K.shape(0); first += tile) {
                    const std::size_t end = first + std::min(tile, K.shape(0) - first);
                    const Matrix k = xt::view(K, xt::range(first, end), xt::all());
                    const Matrix s = attention::scaled_scores(Q, k);
                    for (std::size_t i = 0; i < Q.shape(0); ++i) {
                        for (std::size_t j = first; j < end; ++j) {
                            if (sees(mask, i, j)) {
                                const Partial key{s(i, j - first), 1, xt::view(V, j, xt::all())};
                                so_far[i] = lesson::merge(so_far[i], key);
                            }
                        }
                    }
                }
                return finished(so_far, V.shape(1));
            });
// ---- 10.3

/// A right causal_streaming: fill(score_tile, V, tile, so_far) may call for any tile.
template <class Fill>
auto by_tiles_of(Fill fill) {
    return [=](In Q, In K, In V, std::size_t tile) {
        return by_tiles::causal_streaming_by(
            [&](const ScoreTile& score_tile, In values, std::size_t n_queries, std::size_t size) {
                lesson::require_tile("causal_streaming", size);
                std::vector<Partial> so_far(n_queries, no_keys_yet(values.shape(1)));
                fill(score_tile, values, size, so_far);
                return finished(so_far, values.shape(1)).output;
            },
            Q, K, V, tile);
    };
}
/// Scores of queries from i on and keys from j on.
void add_seen(In scores, std::size_t i, std::size_t j, In V, std::vector<Partial>& so_far) {
    for (std::size_t r = 0; r < scores.shape(0); ++r) {
        for (std::size_t c = 0; c < scores.shape(1) && j + c <= i + r; ++c) {
            so_far[i + r] =
                lesson::merge({scores(r, c), 1, xt::view(V, j + c, xt::all())}, so_far[i + r]);
        }
    }
}
ALTERNATIVE_IN(by_tiles, causal_streaming, one_score_at_a_time,
               by_tiles_of([](const ScoreTile& score_tile, In V, std::size_t,
                              std::vector<Partial>& so_far) {
                   for (std::size_t i = 0; i < so_far.size(); ++i) {
                       for (std::size_t j = 0; j <= i && j < V.shape(0); ++j) {
                           add_seen(score_tile(i, 1, j, 1), i, j, V, so_far);
                       }
                   }
               }));
/// Each tile of keys, a whole one, with all blocks of queries that see it, from the last one back.
ALTERNATIVE_IN(by_tiles, causal_streaming, keys_outside,
               by_tiles_of([](const ScoreTile& score_tile, In V, std::size_t tile,
                              std::vector<Partial>& so_far) {
                   for (std::size_t t = (V.shape(0) - 1) / tile + 1; t-- > 0;) {
                       const std::size_t j = t * tile, columns = std::min(tile, V.shape(0) - j);
                       for (std::size_t i = j; i < so_far.size(); i += tile) {
                           const std::size_t rows = std::min(tile, so_far.size() - i);
                           add_seen(score_tile(i, rows, j, columns), i, j, V, so_far);
                       }
                   }
               }));

// ---- 10.4

ALTERNATIVE(faster_attention, by_double, [](InF Q, InF K, InF V, std::size_t) -> MatrixF {
    lesson::require_fit("faster_attention", Q, K, V);
    return xt::cast<float>(lesson::streaming_attention(xt::cast<double>(Q), xt::cast<double>(K),
                                                       xt::cast<double>(V), 64, {})
                               .output);
});
/// 10.2 in floats, as one begins, on threads of its own.
void in_floats(InF Q, InF K, InF V, std::size_t first, std::size_t end, MatrixF& output) {
    const float scale = 1 / std::sqrt(static_cast<float>(Q.shape(1)));
    for (std::size_t i = first; i < end; ++i) {
        float m = -std::numeric_limits<float>::infinity(), l = 0;
        std::vector<float> o(V.shape(1));
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            float s = 0;
            for (std::size_t c = 0; c < Q.shape(1); ++c) {
                s += Q(i, c) * K(j, c);
            }
            const float larger = std::max(m, s * scale);
            const float shrink = std::exp(m - larger), p = std::exp(s * scale - larger);
            m = larger;
            l = l * shrink + p;
            for (std::size_t c = 0; c < o.size(); ++c) {
                o[c] = o[c] * shrink + p * V(j, c);
            }
        }
        for (std::size_t c = 0; c < o.size(); ++c) {
            output(i, c) = o[c] / l;
        }
    }
}
MatrixF on_own_threads(InF Q, InF K, InF V, std::size_t threads) {
    lesson::require_fit("faster_attention", Q, K, V);
    MatrixF output = MatrixF::from_shape({Q.shape(0), V.shape(1)});
    const std::size_t share = (Q.shape(0) + threads - 1) / threads;
    std::vector<std::thread> workers;
    for (std::size_t first = 0; first < Q.shape(0); first += share) {
        workers.emplace_back(
            [&, first] { in_floats(Q, K, V, first, std::min(first + share, Q.shape(0)), output); });
    }
    for (std::thread& worker : workers) {
        worker.join();
    }
    return output;
}
ALTERNATIVE_IN(on_threads, faster_attention, on_own_threads,
               [](InF Q, InF K, InF V, std::size_t threads) {
                   return on_threads::faster_attention_by(on_own_threads, Q, K, V, threads);
               });

// ---- 10.5

/// One row of weights at a time; the row's sum from those, and not from the output.
ALTERNATIVE(streaming_backward, row_by_row,
            [](In Q, In K, In V, const Streamed& forward, In d_output,
               const OptionalMask& mask) -> AttentionGradients {
                lesson::require_forward("streaming_backward", Q, V, forward, d_output);
                lesson::require_mask("streaming_backward", Q, K, mask);
                lesson::require_fit("streaming_backward", Q, K, V);
                const double root = std::sqrt(static_cast<double>(Q.shape(1)));
                AttentionGradients d{xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
                for (std::size_t i = 0; i < Q.shape(0); ++i) {
                    std::vector<double> p(K.shape(0), 0.0), g(K.shape(0));
                    for (std::size_t j = 0; j < p.size(); ++j) {
                        if (sees(mask, i, j)) {
                            p[j] = std::exp(score(Q, i, K, j) - forward.logsumexp(i));
                        }
                        g[j] = dot(d_output, i, V, j);
                    }
                    const double mean = std::inner_product(p.begin(), p.end(), g.begin(), 0.0);
                    for (std::size_t j = 0; j < p.size(); ++j) {
                        const double d_s = p[j] * (g[j] - mean) / root;
                        xt::view(d.d_Q, i, xt::all()) += d_s * xt::view(K, j, xt::all());
                        xt::view(d.d_K, j, xt::all()) += d_s * xt::view(Q, i, xt::all());
                        xt::view(d.d_V, j, xt::all()) += p[j] * xt::view(d_output, i, xt::all());
                    }
                }
                return d;
            });

} // namespace
