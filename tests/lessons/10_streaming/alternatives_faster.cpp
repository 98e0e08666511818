// Right solutions, written otherwise: each has to pass. Here: 10.4 and 10.5.

#include <numeric>
#include <thread>

#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "exports.hpp"
#include "plain.hpp"

using lesson::AttentionGradients;
using lesson::Streamed;
using plain::Matrix;
using plain::MatrixF;
using plain::OptionalMask;
using plain::Vector;

namespace {

using In = const Matrix&;

// ---- 10.4

using InF = const MatrixF&;

ALTERNATIVE(faster_attention, by_double, [](InF Q, InF K, InF V, std::size_t) -> MatrixF {
    lesson::require_fit("faster_attention", Q, K, V);
    return xt::cast<float>(lesson::streaming_attention(xt::cast<double>(Q), xt::cast<double>(K),
                                                       xt::cast<double>(V), 64, {})
                               .output);
});
/// 10.2 in floats, as one begins.
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
            s *= scale;
            const float larger = std::max(m, s);
            const float shrink = std::exp(m - larger), p = std::exp(s - larger);
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
ALTERNATIVE(faster_attention, number_by_number, [](InF Q, InF K, InF V, std::size_t) -> MatrixF {
    lesson::require_fit("faster_attention", Q, K, V);
    MatrixF output = MatrixF::from_shape({Q.shape(0), V.shape(1)});
    in_floats(Q, K, V, 0, Q.shape(0), output);
    return output;
});
ALTERNATIVE(faster_attention, threads_of_its_own,
            [](InF Q, InF K, InF V, std::size_t threads) -> MatrixF {
                lesson::require_fit("faster_attention", Q, K, V);
                MatrixF output = MatrixF::from_shape({Q.shape(0), V.shape(1)});
                const std::size_t share = (Q.shape(0) + threads - 1) / threads;
                std::vector<std::thread> workers;
                for (std::size_t first = 0; first < Q.shape(0); first += share) {
                    workers.emplace_back([&, first] {
                        in_floats(Q, K, V, first, std::min(first + share, Q.shape(0)), output);
                    });
                }
                for (std::thread& worker : workers) {
                    worker.join();
                }
                return output;
            });
/// A polynomial of degree 5 for 2^x, as our kernel has it.
ALTERNATIVE(faster_attention, powers_of_two_by_a_polynomial,
            [](InF Q, InF K, InF V, std::size_t) -> MatrixF {
                lesson::require_fit("faster_attention", Q, K, V);
                const auto power = [](float x) {
                    if (x < -126) {
                        return 0.0F;
                    }
                    const float whole = std::nearbyint(x), f = x - whole;
                    float p = 1.3333558e-3F;
                    for (const float c :
                         {9.6181291e-3F, 5.5504109e-2F, 2.4022651e-1F, 6.9314718e-1F, 1.0F}) {
                        p = p * f + c;
                    }
                    return std::ldexp(p, static_cast<int>(whole));
                };
                const float scale = 1.44269504F / std::sqrt(static_cast<float>(Q.shape(1)));
                MatrixF output = xt::zeros<float>({Q.shape(0), V.shape(1)});
                std::vector<float> s(K.shape(0));
                for (std::size_t i = 0; i < Q.shape(0); ++i) {
                    for (std::size_t j = 0; j < s.size(); ++j) {
                        s[j] = 0;
                        for (std::size_t c = 0; c < Q.shape(1); ++c) {
                            s[j] += scale * Q(i, c) * K(j, c);
                        }
                    }
                    const float m = *std::max_element(s.begin(), s.end());
                    float l = 0;
                    for (std::size_t j = 0; j < s.size(); ++j) {
                        const float p = power(s[j] - m);
                        l += p;
                        for (std::size_t c = 0; c < V.shape(1); ++c) {
                            output(i, c) += p * V(j, c);
                        }
                    }
                    for (std::size_t c = 0; c < V.shape(1); ++c) {
                        output(i, c) /= l;
                    }
                }
                return output;
            });

// ---- 10.5

void check_backward(In Q, In K, In V, const Streamed& forward, In d_output,
                    const OptionalMask& mask) {
    lesson::require_fit("streaming_backward", Q, K, V);
    lesson::require_mask("streaming_backward", Q, K, mask);
    lesson::require_forward("streaming_backward", Q, V, forward, d_output);
}

/// A right streaming_backward, whose memory is graded, too.
#define BACKWARD_ALTERNATIVE(name, ...)                                                            \
    const auto backward_##name = __VA_ARGS__;                                                      \
    ALTERNATIVE(streaming_backward, name, backward_##name);                                        \
    const judge::RegisterVariant<decltype(measured::memory_of_backward)>                           \
        memory_of_backward_##name(                                                                 \
            "memory_of_backward", #name, "", [](std::size_t n, bool masked) {                      \
                return measured::memory_of_backward_by(backward_##name, n, masked);                \
            })

/// One row of weights at a time; the row's sum from those, and not from the output.
BACKWARD_ALTERNATIVE(
    row_by_row,
    [](In Q, In K, In V, const Streamed& forward, In d_output,
       const OptionalMask& mask) -> AttentionGradients {
        check_backward(Q, K, V, forward, d_output, mask);
        const double root = plain::root(Q.shape(1));
        AttentionGradients d{xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            std::vector<double> p(K.shape(0), 0.0), g(K.shape(0));
            for (std::size_t j = 0; j < p.size(); ++j) {
                if (!mask || (*mask)(i, j)) {
                    p[j] = std::exp(plain::dot(Q, i, K, j) / root - forward.logsumexp(i));
                }
                g[j] = plain::dot(d_output, i, V, j);
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
/// Keys outside.
BACKWARD_ALTERNATIVE(
    keys_outside,
    [](In Q, In K, In V, const Streamed& forward, In d_output,
       const OptionalMask& mask) -> AttentionGradients {
        check_backward(Q, K, V, forward, d_output, mask);
        const double root = plain::root(Q.shape(1));
        AttentionGradients d{xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
        Vector sums = Vector::from_shape({Q.shape(0)});
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            sums(i) = plain::dot(d_output, i, forward.output, i);
        }
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            for (std::size_t i = 0; i < Q.shape(0); ++i) {
                if (mask && !(*mask)(i, j)) {
                    continue;
                }
                const double p = std::exp(plain::dot(Q, i, K, j) / root - forward.logsumexp(i));
                const double d_s = p * (plain::dot(d_output, i, V, j) - sums(i)) / root;
                for (std::size_t c = 0; c < Q.shape(1); ++c) {
                    d.d_Q(i, c) += d_s * K(j, c);
                    d.d_K(j, c) += d_s * Q(i, c);
                }
                for (std::size_t c = 0; c < V.shape(1); ++c) {
                    d.d_V(j, c) += p * d_output(i, c);
                }
            }
        }
        return d;
    });
/// A tile of weights as a matrix, multiplied as matrices.
BACKWARD_ALTERNATIVE(
    tiles_of_matrices,
    [](In Q, In K, In V, const Streamed& forward, In d_output,
       const OptionalMask& mask) -> AttentionGradients {
        check_backward(Q, K, V, forward, d_output, mask);
        constexpr std::size_t tile = 32;
        AttentionGradients d{xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
        const double root = plain::root(Q.shape(1));
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            const Matrix q = xt::view(Q, xt::range(i, i + 1), xt::all());
            const Matrix d_o = xt::view(d_output, xt::range(i, i + 1), xt::all());
            const Matrix o = xt::view(forward.output, xt::range(i, i + 1), xt::all());
            const double sum = xt::sum(d_o * o)();
            for (std::size_t j = 0; j < K.shape(0); j += tile) {
                const std::size_t end = std::min(j + tile, K.shape(0));
                const Matrix k = xt::view(K, xt::range(j, end), xt::all());
                const Matrix v = xt::view(V, xt::range(j, end), xt::all());
                Matrix p = attention::scaled_scores(q, k);
                for (std::size_t c = 0; c < end - j; ++c) {
                    p(0, c) =
                        mask && !(*mask)(i, j + c) ? 0 : std::exp(p(0, c) - forward.logsumexp(i));
                }
                const Matrix g = attention::matmul(d_o, Matrix(xt::transpose(v)));
                const Matrix d_s = p * (g - sum) / root;
                xt::view(d.d_Q, xt::range(i, i + 1), xt::all()) += attention::matmul(d_s, k);
                xt::view(d.d_K, xt::range(j, end), xt::all()) +=
                    attention::matmul(Matrix(xt::transpose(d_s)), q);
                xt::view(d.d_V, xt::range(j, end), xt::all()) +=
                    attention::matmul(Matrix(xt::transpose(p)), d_o);
            }
        }
        return d;
    });

} // namespace
