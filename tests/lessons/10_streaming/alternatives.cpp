// Right solutions, written otherwise: each has to pass. Here: 10.1 to 10.3; the others:
// alternatives_faster.cpp.

#include <vector>

#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "exports.hpp"
#include "plain.hpp"

using lesson::infinity;
using lesson::no_keys_yet;
using lesson::Partial;
using lesson::ScoreTile;
using lesson::Streamed;
using plain::Mask;
using plain::Matrix;
using plain::OptionalMask;
using plain::Vector;

namespace {

using In = const Matrix&;
using P = const Partial&;

void check_forward(In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
    lesson::require_fit("streaming_attention", Q, K, V);
    lesson::require_mask("streaming_attention", Q, K, mask);
    lesson::require_tile("streaming_attention", tile);
}
void check_partials(P a, P b) {
    if (a.output.size() != b.output.size()) {
        throw std::invalid_argument("outputs (" + std::to_string(a.output.size()) + ",) and (" +
                                    std::to_string(b.output.size()) + ",)");
    }
}

/// A right streaming_attention, whose memory is graded, too.
#define FORWARD_ALTERNATIVE(name, ...)                                                             \
    const auto forward_##name = __VA_ARGS__;                                                       \
    ALTERNATIVE(streaming_attention, name, forward_##name);                                        \
    const judge::RegisterVariant<decltype(measured::memory_of_forward)> memory_of_forward_##name(  \
        "memory_of_forward", #name, "", [](std::size_t n, std::size_t tile, bool masked) {         \
            return measured::memory_of_forward_by(forward_##name, n, tile, masked);                \
        })

// ---- 10.1

ALTERNATIVE(merge, in_long_double, [](P a, P b) -> Partial {
    check_partials(a, b);
    return plain::merge(a, b);
});
ALTERNATIVE(merge, case_by_case, [](P a, P b) -> Partial {
    check_partials(a, b);
    if (a.sum == 0) {
        return b;
    }
    if (b.sum == 0) {
        return a;
    }
    Partial all = a.maximum >= b.maximum ? a : b;
    const Partial& other = a.maximum >= b.maximum ? b : a;
    const double factor = std::exp(other.maximum - all.maximum);
    all.sum += factor * other.sum;
    for (std::size_t c = 0; c < all.output.size(); ++c) {
        all.output(c) += factor * other.output(c);
    }
    return all;
});
ALTERNATIVE(merge, nan_replaced, [](P a, P b) -> Partial {
    check_partials(a, b);
    const double m = std::max(a.maximum, b.maximum);
    const auto factor = [&](double own) { return own == m ? 1.0 : std::exp(own - m); };
    return {m, a.sum * factor(a.maximum) + b.sum * factor(b.maximum),
            factor(a.maximum) * a.output + factor(b.maximum) * b.output};
});

// ---- 10.2

/// One key after the other, as the online softmax was first written down.
FORWARD_ALTERNATIVE(key_by_key,
                    [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
                        check_forward(Q, K, V, tile, mask);
                        const std::size_t n = Q.shape(0), d_v = V.shape(1);
                        Streamed result{xt::zeros<double>({n, d_v}), xt::zeros<double>({n})};
                        for (std::size_t i = 0; i < n; ++i) {
                            double m = -infinity, l = 0;
                            for (std::size_t j = 0; j < K.shape(0); ++j) {
                                if (mask && !(*mask)(i, j)) {
                                    continue;
                                }
                                const double s = plain::dot(Q, i, K, j) / plain::root(Q.shape(1));
                                const double shrink = s > m ? std::exp(m - s) : 1;
                                m = std::max(m, s);
                                const double p = std::exp(s - m);
                                l = l * shrink + p;
                                for (std::size_t c = 0; c < d_v; ++c) {
                                    result.output(i, c) =
                                        result.output(i, c) * shrink + p * V(j, c);
                                }
                            }
                            for (std::size_t c = 0; c < d_v && l > 0; ++c) {
                                result.output(i, c) /= l;
                            }
                            result.logsumexp(i) = l > 0 ? m + std::log(l) : -infinity;
                        }
                        return result;
                    });
/// Tiles outside, queries inside: what is known of all queries is kept.
FORWARD_ALTERNATIVE(
    tiles_outside, [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
        check_forward(Q, K, V, tile, mask);
        std::vector<Partial> so_far(Q.shape(0), no_keys_yet(V.shape(1)));
        const Matrix scaled = Q / plain::root(Q.shape(1));
        for (std::size_t first = 0; first < K.shape(0); first += tile) {
            const std::size_t end = first + std::min(tile, K.shape(0) - first);
            for (std::size_t i = 0; i < Q.shape(0); ++i) {
                Partial here = no_keys_yet(V.shape(1));
                for (std::size_t j = first; j < end; ++j) {
                    if (!mask || (*mask)(i, j)) {
                        here.maximum = std::max(here.maximum, plain::dot(scaled, i, K, j));
                    }
                }
                for (std::size_t j = first; j < end; ++j) {
                    if (!mask || (*mask)(i, j)) {
                        const double p = std::exp(plain::dot(scaled, i, K, j) - here.maximum);
                        here.sum += p;
                        here.output += p * xt::view(V, j, xt::all());
                    }
                }
                so_far[i] = lesson::merge(so_far[i], here);
            }
        }
        Streamed result{Matrix::from_shape({Q.shape(0), V.shape(1)}),
                        Vector::from_shape({Q.shape(0)})};
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            const double sum = so_far[i].sum > 0 ? so_far[i].sum : 1;
            xt::view(result.output, i, xt::all()) = so_far[i].output / sum;
            result.logsumexp(i) = so_far[i].sum > 0 ? so_far[i].maximum + std::log(sum) : -infinity;
        }
        return result;
    });
/// Blocks of queries and tiles of keys, cut out by views and multiplied as matrices.
FORWARD_ALTERNATIVE(
    by_views_and_products,
    [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
        check_forward(Q, K, V, tile, mask);
        const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
        Streamed result{xt::zeros<double>({n_queries, V.shape(1)}), xt::zeros<double>({n_queries})};
        for (std::size_t i = 0; i < n_queries; i += std::min(tile, n_queries)) {
            const std::size_t rows = std::min(tile, n_queries - i);
            const Matrix q = xt::view(Q, xt::range(i, i + rows), xt::all());
            Vector m = -infinity * xt::ones<double>({rows}), l = xt::zeros<double>({rows});
            Matrix o = xt::zeros<double>({rows, V.shape(1)});
            for (std::size_t j = 0; j < n_keys; j += std::min(tile, n_keys)) {
                const std::size_t columns = std::min(tile, n_keys - j);
                const Matrix k = xt::view(K, xt::range(j, j + columns), xt::all());
                const Matrix v = xt::view(V, xt::range(j, j + columns), xt::all());
                Matrix s = attention::scaled_scores(q, k);
                if (mask) {
                    const Mask part =
                        xt::view(*mask, xt::range(i, i + rows), xt::range(j, j + columns));
                    s = Matrix(xt::where(part, s, -infinity));
                }
                const Vector tops = xt::amax(s, {1});
                const Vector larger = xt::maximum(m, tops);
                const Vector safe = xt::where(xt::isinf(larger), 0.0, larger);
                const Vector shrink = xt::exp(m - safe);
                Matrix p = s;
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t c = 0; c < columns; ++c) {
                        p(r, c) = std::exp(s(r, c) - safe(r));
                    }
                }
                const Vector sums = xt::sum(p, {1});
                l = Vector(l * shrink + sums);
                const Matrix added = attention::matmul(p, v);
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t c = 0; c < o.shape(1); ++c) {
                        o(r, c) = o(r, c) * shrink(r) + added(r, c);
                    }
                }
                m = larger;
            }
            for (std::size_t r = 0; r < rows; ++r) {
                result.logsumexp(i + r) = m(r) + std::log(l(r));
                for (std::size_t c = 0; c < o.shape(1) && l(r) > 0; ++c) {
                    result.output(i + r, c) = o(r, c) / l(r);
                }
            }
        }
        return result;
    });
/// A strip of scores, one query by all keys: in proportion to n, not to n².
FORWARD_ALTERNATIVE(one_row_of_scores,
                    [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
                        check_forward(Q, K, V, tile, mask);
                        Streamed result{xt::zeros<double>({Q.shape(0), V.shape(1)}),
                                        xt::zeros<double>({Q.shape(0)})};
                        for (std::size_t i = 0; i < Q.shape(0); ++i) {
                            const plain::Weighed row = plain::weighed(Q, K, mask, i);
                            result.logsumexp(i) = static_cast<double>(row.logsumexp);
                            for (std::size_t j = 0; j < K.shape(0); ++j) {
                                for (std::size_t c = 0; c < V.shape(1); ++c) {
                                    result.output(i, c) +=
                                        static_cast<double>(row.weights[j]) * V(j, c);
                                }
                            }
                        }
                        return result;
                    });
/// Two halves, each by itself, and merged: it is associative.
Partial halved(In Q, In K, In V, const OptionalMask& mask, std::size_t i, std::size_t first,
               std::size_t end) {
    if (end - first > 1) {
        const std::size_t middle = first + (end - first) / 2;
        return lesson::merge(halved(Q, K, V, mask, i, first, middle),
                             halved(Q, K, V, mask, i, middle, end));
    }
    if (mask && !(*mask)(i, first)) {
        return no_keys_yet(V.shape(1));
    }
    return {plain::dot(Q, i, K, first) / plain::root(Q.shape(1)), 1, xt::view(V, first, xt::all())};
}
FORWARD_ALTERNATIVE(halves,
                    [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
                        check_forward(Q, K, V, tile, mask);
                        Streamed result{xt::zeros<double>({Q.shape(0), V.shape(1)}),
                                        xt::zeros<double>({Q.shape(0)})};
                        for (std::size_t i = 0; i < Q.shape(0); ++i) {
                            const Partial all = halved(Q, K, V, mask, i, 0, K.shape(0));
                            result.logsumexp(i) = all.maximum + std::log(all.sum);
                            for (std::size_t c = 0; c < V.shape(1) && all.sum > 0; ++c) {
                                result.output(i, c) = all.output(c) / all.sum;
                            }
                        }
                        return result;
                    });
/// Means in place of sums, so that nothing is divided at the end.
FORWARD_ALTERNATIVE(running_means,
                    [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) -> Streamed {
                        check_forward(Q, K, V, tile, mask);
                        Streamed result{xt::zeros<double>({Q.shape(0), V.shape(1)}),
                                        -infinity * xt::ones<double>({Q.shape(0)})};
                        for (std::size_t i = 0; i < Q.shape(0); ++i) {
                            for (std::size_t j = 0; j < K.shape(0); ++j) {
                                if (mask && !(*mask)(i, j)) {
                                    continue;
                                }
                                const double s = plain::dot(Q, i, K, j) / plain::root(Q.shape(1));
                                const double before = result.logsumexp(i);
                                const double most = std::max(before, s);
                                const double both =
                                    most + std::log(std::exp(before - most) + std::exp(s - most));
                                const double share = std::exp(s - both);
                                result.logsumexp(i) = both;
                                for (std::size_t c = 0; c < V.shape(1); ++c) {
                                    result.output(i, c) += share * (V(j, c) - result.output(i, c));
                                }
                            }
                        }
                        return result;
                    });

// ---- 10.3

template <class Function>
auto asked_by_tiles(Function function) {
    return [=](In Q, In K, In V, std::size_t tile) {
        return by_tiles::causal_streaming_by(
            [&](const ScoreTile& score_tile, In values, std::size_t n_queries, std::size_t size) {
                lesson::require_tile("causal_streaming", size);
                return function(score_tile, values, n_queries, size);
            },
            Q, K, V, tile);
    };
}
Matrix divided(const std::vector<Partial>& all, std::size_t d_v) {
    Matrix output = Matrix::from_shape({all.size(), d_v});
    for (std::size_t i = 0; i < all.size(); ++i) {
        xt::view(output, i, xt::all()) = all[i].output / all[i].sum;
    }
    return output;
}

/// Whole tiles, and −∞ where a key is not seen.
ALTERNATIVE_IN(by_tiles, causal_streaming, minus_infinity,
               asked_by_tiles([](const ScoreTile& score_tile, In V, std::size_t n_queries,
                                 std::size_t tile) {
                   std::vector<Partial> all(n_queries, no_keys_yet(V.shape(1)));
                   for (std::size_t i = 0; i < n_queries; i += tile) {
                       const std::size_t rows = std::min(tile, n_queries - i);
                       for (std::size_t j = 0; j < V.shape(0) && j <= i + rows - 1; j += tile) {
                           const std::size_t columns = std::min(tile, V.shape(0) - j);
                           Matrix scores = score_tile(i, rows, j, columns);
                           for (std::size_t r = 0; r < rows; ++r) {
                               Partial here = no_keys_yet(V.shape(1));
                               for (std::size_t c = 0; c < columns; ++c) {
                                   scores(r, c) = j + c > i + r ? -infinity : scores(r, c);
                                   here.maximum = std::max(here.maximum, scores(r, c));
                               }
                               for (std::size_t c = 0; c < columns; ++c) {
                                   const double p = std::exp(scores(r, c) - here.maximum);
                                   here.sum += p;
                                   here.output += p * xt::view(V, j + c, xt::all());
                               }
                               all[i + r] = lesson::merge(all[i + r], here);
                           }
                       }
                   }
                   return divided(all, V.shape(1));
               }));
/// One score a call.
ALTERNATIVE_IN(by_tiles, causal_streaming, one_score_at_a_time,
               asked_by_tiles([](const ScoreTile& score_tile, In V, std::size_t n_queries,
                                 std::size_t) {
                   std::vector<Partial> all(n_queries, no_keys_yet(V.shape(1)));
                   for (std::size_t i = 0; i < n_queries; ++i) {
                       for (std::size_t j = 0; j <= i && j < V.shape(0); ++j) {
                           all[i] = lesson::merge(all[i], {score_tile(i, 1, j, 1)(0, 0), 1,
                                                           xt::view(V, j, xt::all())});
                       }
                   }
                   return divided(all, V.shape(1));
               }));
/// Keys outside: each tile of keys with all blocks of queries that see it.
ALTERNATIVE_IN(by_tiles, causal_streaming, keys_outside,
               asked_by_tiles([](const ScoreTile& score_tile, In V, std::size_t n_queries,
                                 std::size_t tile) {
                   std::vector<Partial> all(n_queries, no_keys_yet(V.shape(1)));
                   for (std::size_t j = 0; j < V.shape(0); j += tile) {
                       const std::size_t columns = std::min(tile, V.shape(0) - j);
                       for (std::size_t i = j / tile * tile; i < n_queries; i += tile) {
                           const std::size_t rows = std::min(tile, n_queries - i);
                           const Matrix scores = score_tile(i, rows, j, columns);
                           for (std::size_t r = 0; r < rows; ++r) {
                               for (std::size_t c = 0; c < columns; ++c) {
                                   if (j + c <= i + r) {
                                       all[i + r] = lesson::merge(
                                           all[i + r],
                                           {scores(r, c), 1, xt::view(V, j + c, xt::all())});
                                   }
                               }
                           }
                       }
                   }
                   return divided(all, V.shape(1));
               }));
/// From the diagonal back to the first key.
ALTERNATIVE_IN(
    by_tiles, causal_streaming, backwards,
    asked_by_tiles([](const ScoreTile& score_tile, In V, std::size_t n_queries, std::size_t tile) {
        std::vector<Partial> all(n_queries, no_keys_yet(V.shape(1)));
        for (std::size_t i = 0; i < n_queries; i += tile) {
            const std::size_t rows = std::min(tile, n_queries - i);
            const std::size_t keys = std::min(i + rows, V.shape(0));
            for (std::size_t t = (keys + tile - 1) / tile; t-- > 0;) {
                const std::size_t j = t * tile;
                const Matrix scores = score_tile(i, rows, j, std::min(tile, keys - j));
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t c = 0; c < scores.shape(1) && j + c <= i + r; ++c) {
                        all[i + r] = lesson::merge({scores(r, c), 1, xt::view(V, j + c, xt::all())},
                                                   all[i + r]);
                    }
                }
            }
        }
        return divided(all, V.shape(1));
    }));

} // namespace
