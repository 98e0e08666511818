// Right solutions of 11.1 and 11.4, written otherwise: each has to pass. Those of 11.2 and 11.3:
// alternatives_cache.cpp and alternatives_sample.cpp.

#include <cmath>
#include <numeric>

#include "autograd/streaming.hpp"
#include "exports.hpp"
#include "plain.hpp"
#include "plain_block.hpp"

using lesson::BlockWeights;
using lesson::Value;
using lesson::Vector;
using on_arrays::Array;
using on_arrays::Block;

namespace {

using In = const Value&;
using With = const BlockWeights&;

// ---- 11.1

/// Asked in arrays.
template <class Norm>
auto norm_by(Norm norm) {
    return [=](const Array& X, const Array& gain, const Array& bias, const Array& d_output) {
        return on_arrays::layer_norm_by(norm, X, gain, bias, d_output);
    };
}
#define NORM_ALTERNATIVE(name, ...)                                                                \
    ALTERNATIVE_IN(on_arrays, layer_norm, name, norm_by(__VA_ARGS__))

NORM_ALTERNATIVE(gain_with_the_root, [](In X, In gain, In bias) {
    lesson::require_fit(X, gain, bias);
    const Value centred = add(X, scale(row_mean(X), -1));
    const Value root = inverse_square_root(row_mean(multiply(centred, centred)), 1e-5F);
    return add(bias, multiply(multiply(root, gain), centred));
});
/// Means by products with a matrix of 1/d.
NORM_ALTERNATIVE(means_by_products, [](In X, In gain, In bias) {
    lesson::require_fit(X, gain, bias);
    const std::size_t d = X.shape(1);
    const Value average = X.tape().constant(Array(xt::ones<float>({d, d}) / static_cast<float>(d)));
    const Value centred = subtract(X, product(X, average));
    const Value variance = product(multiply(centred, centred), average); // (n, d)
    return add(multiply(multiply(centred, inverse_square_root(variance, 1e-5F)), gain), bias);
});
NORM_ALTERNATIVE(row_by_row, [](In X, In gain, In bias) {
    lesson::require_fit(X, gain, bias);
    std::vector<Value> rows;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        const Value x = slice(X, 0, i, i + 1);
        const Value centred = subtract(x, row_mean(x));
        const Value root = inverse_square_root(row_mean(multiply(centred, centred)), 1e-5F);
        rows.push_back(add(multiply(multiply(centred, root), gain), bias));
    }
    return concatenate(rows, 0);
});
/// Its own epsilon added, and the gain and bias as rows.
NORM_ALTERNATIVE(epsilon_before, [](In X, In gain, In bias) {
    lesson::require_fit(X, gain, bias);
    const Value centred = subtract(X, row_mean(X));
    const Value epsilon = X.tape().constant(Array(1e-5F * xt::ones<float>({1})));
    const Value variance = add(row_mean(multiply(centred, centred)), epsilon);
    const Value normed = multiply(centred, inverse_square_root(variance, 0.0F));
    const std::size_t d = X.shape(1);
    return add(multiply(reshape(gain, {1, d}), normed), reshape(bias, {1, d}));
});
/// One operation of its own, with its backward written out.
ALTERNATIVE_IN(on_arrays, layer_norm, an_operation_of_its_own,
               [](const Array& X, const Array& gain, const Array& bias, const Array& d_output) {
                   if (gain.shape(0) != X.shape(1) || bias.shape(0) != X.shape(1)) {
                       throw std::invalid_argument("X " + lesson::shape_text(X) + " gain " +
                                                   lesson::shape_text(gain) + " bias " +
                                                   lesson::shape_text(bias));
                   }
                   return plain::layer_norm(X, gain, bias, d_output);
               });

void require_both(In X, std::size_t n_texts, std::size_t n_heads) {
    lesson::require_divides("n_texts", n_texts, "rows", X.shape(0), X);
    lesson::require_divides("n_heads", n_heads, "columns", X.shape(1), X);
}

template <class TransformerBlock>
auto block_by(TransformerBlock block) {
    return [=](const Array& X, const Block& weights, std::size_t n_texts, std::size_t n_heads,
               const Array& d_output) {
        return on_arrays::transformer_block_by(block, X, weights, n_texts, n_heads, d_output);
    };
}
#define BLOCK_ALTERNATIVE(name, ...)                                                               \
    ALTERNATIVE_IN(on_arrays, transformer_block, name, block_by(__VA_ARGS__))

/// Every text and head by itself, with the attention that has a batch.
BLOCK_ALTERNATIVE(text_by_text, [](In X, With w, std::size_t n_texts, std::size_t n_heads) {
    require_both(X, n_texts, n_heads);
    const std::size_t n = X.shape(0) / n_texts, d_k = X.shape(1) / n_heads;
    const Value N = lesson::layer_norm(X, w.attention_gain, w.attention_bias);
    std::vector<Value> texts;
    for (std::size_t t = 0; t < n_texts; ++t) {
        std::vector<Value> heads;
        for (std::size_t h = 0; h < n_heads; ++h) {
            const auto part = [&](In W) {
                const Value rows = slice(N, 0, t * n, (t + 1) * n);
                const Value columns = slice(W, 1, h * d_k, (h + 1) * d_k);
                return reshape(product(rows, columns), {1, n, d_k});
            };
            attention::AttentionOptions options;
            options.is_causal = true;
            options.threads = 1;
            const Value read = autograd::scaled_dot_product_attention(part(w.W_q), part(w.W_k),
                                                                      part(w.W_v), options);
            heads.push_back(reshape(read, {n, d_k}));
        }
        texts.push_back(concatenate(heads, 1));
    }
    const Value H = add(product(concatenate(texts, 0), w.W_o), X);
    const Value M = lesson::layer_norm(H, w.mlp_gain, w.mlp_bias);
    const Value G = gelu(add(product(M, w.W_in), w.b_in));
    return add(add(product(G, w.W_out), w.b_out), H);
});
/// One product for queries, keys and values, and the biases added to what comes last.
BLOCK_ALTERNATIVE(one_product_for_three, [](In X, With w, std::size_t n_texts,
                                            std::size_t n_heads) {
    require_both(X, n_texts, n_heads);
    const std::size_t d = X.shape(1);
    const Value all =
        product(lesson::layer_norm(X, w.attention_gain, w.attention_bias),
                autograd::concatenate<float>({w.W_q, w.W_k, w.W_v}, 1)); // (n_texts · n, 3d)
    const Value read = autograd::causal_attention(slice(all, 1, 0, d), slice(all, 1, d, 2 * d),
                                                  slice(all, 1, 2 * d, 3 * d), n_texts, n_heads);
    const Value H = add(X, product(read, w.W_o));
    const Value hidden = affine(lesson::layer_norm(H, w.mlp_gain, w.mlp_bias), w.W_in, w.b_in);
    return add(H, add(product(gelu(hidden), w.W_out), w.b_out));
});
/// Each head's output through its own rows of W_o.
BLOCK_ALTERNATIVE(heads_added_up, [](In X, With w, std::size_t n_texts, std::size_t n_heads) {
    require_both(X, n_texts, n_heads);
    const std::size_t d_k = X.shape(1) / n_heads;
    const Value N = lesson::layer_norm(X, w.attention_gain, w.attention_bias);
    Value H = X;
    for (std::size_t h = 0; h < n_heads; ++h) {
        const auto projected = [&](In W) {
            return product(N, slice(W, 1, h * d_k, (h + 1) * d_k));
        };
        const Value read = autograd::causal_attention(projected(w.W_q), projected(w.W_k),
                                                      projected(w.W_v), n_texts, 1);
        H = add(H, product(read, slice(w.W_o, 0, h * d_k, (h + 1) * d_k)));
    }
    const Value M = lesson::layer_norm(H, w.mlp_gain, w.mlp_bias);
    return add(H, affine(gelu(affine(M, w.W_in, w.b_in)), w.W_out, w.b_out));
});
ALTERNATIVE_IN(on_arrays, transformer_block, an_operation_of_its_own,
               [](const Array& X, const Block& weights, std::size_t n_texts, std::size_t n_heads,
                  const Array& d_output) {
                   autograd::Tape tape;
                   require_both(tape.constant(X), n_texts, n_heads);
                   return plain::transformer_block(X, weights, n_texts, n_heads, d_output);
               });

// ---- 11.4

ALTERNATIVE(perplexity, in_long_double, [](const Vector& logs) -> double {
    lesson::require_any("perplexity", logs);
    return plain::perplexity(logs);
});
ALTERNATIVE(perplexity, by_a_loop, [](const Vector& logs) -> double {
    if (logs.size() == 0) {
        throw std::invalid_argument("nothing to measure");
    }
    double surprise = 0;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        surprise += -logs(i) / static_cast<double>(logs.size());
    }
    return std::exp(surprise);
});
ALTERNATIVE(perplexity, two_to_the_bits, [](const Vector& logs) -> double {
    return std::exp2(lesson::bits_per_character(logs));
});
ALTERNATIVE(perplexity, one_over_the_geometric_mean, [](const Vector& logs) -> double {
    lesson::require_any("perplexity", logs);
    const double sum = std::accumulate(logs.begin(), logs.end(), 0.0);
    return 1 / std::exp(sum / static_cast<double>(logs.size()));
});
ALTERNATIVE(perplexity, a_running_mean, [](const Vector& logs) -> double {
    lesson::require_any("perplexity", logs);
    double mean = logs(0);
    for (std::size_t i = 1; i < logs.size() && std::isfinite(mean); ++i) {
        mean += (logs(i) - mean) / static_cast<double>(i + 1);
    }
    return std::exp(-mean);
});
ALTERNATIVE(perplexity, product_of_roots, [](const Vector& logs) -> double {
    lesson::require_any("perplexity", logs);
    double product = 1;
    for (const double log : logs) {
        product *= std::exp(-log / static_cast<double>(logs.size()));
    }
    return product;
});
ALTERNATIVE(perplexity, a_power_of_e, [](const Vector& logs) -> double {
    lesson::require_any("perplexity", logs);
    return std::pow(2.718281828459045, -xt::mean(logs)());
});

ALTERNATIVE(bits_per_character, in_long_double, [](const Vector& logs) -> double {
    lesson::require_any("bits_per_character", logs);
    return plain::bits(logs);
});
ALTERNATIVE(bits_per_character, each_in_bits, [](const Vector& logs) -> double {
    lesson::require_any("bits_per_character", logs);
    double bits = 0;
    for (const double log : logs) {
        bits -= log / 0.693147180559945309417;
    }
    return bits / static_cast<double>(logs.size());
});
ALTERNATIVE(bits_per_character, times_log2_e, [](const Vector& logs) -> double {
    lesson::require_any("bits_per_character", logs);
    return xt::mean(-logs)() * std::log2(std::exp(1.0));
});
ALTERNATIVE(bits_per_character, sum_over_n_ln_2, [](const Vector& logs) -> double {
    lesson::require_any("bits_per_character", logs);
    return -std::accumulate(logs.rbegin(), logs.rend(), 0.0) /
           (static_cast<double>(logs.size()) * std::log(2.0));
});

} // namespace
