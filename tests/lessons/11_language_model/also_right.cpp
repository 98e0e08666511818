// Right solutions, written otherwise: each must pass.

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <random>

#include "attention/softmax.hpp"
#include "autograd/streaming.hpp"
#include "exports.hpp"

using lesson::BlockWeights;
using lesson::Matrix;
using lesson::Value;
using lesson::Vector;
using on_arrays::Array;
using on_arrays::Block;

namespace {

// ---- 11.1

using In = const Value&;
using With = const BlockWeights&;

/// Means by products with a matrix of 1/d, and its own epsilon added.
Value means_by_products(In X, In gain, In bias) {
    lesson::require_fit(X, gain, bias);
    const std::size_t d = X.shape(1);
    const Value average = X.tape().constant(Array(xt::ones<float>({d, d}) / static_cast<float>(d)));
    const Value epsilon = X.tape().constant(Array(1e-5F * xt::ones<float>({1})));
    const Value centred = subtract(X, product(X, average));
    const Value variance = add(product(multiply(centred, centred), average), epsilon); // (n, d)
    return add(multiply(multiply(centred, inverse_square_root(variance, 0.0F)), gain), bias);
}

ALTERNATIVE_IN(on_arrays, layer_norm, means_by_products,
               [](const Array& X, const Array& gain, const Array& bias, const Array& d_output) {
                   return on_arrays::layer_norm_by(means_by_products, X, gain, bias, d_output);
               });

/// Each head's output through its own rows of W_o.
Value heads_added_up(In X, With w, std::size_t texts, std::size_t heads) {
    lesson::require_divides("n_texts", texts, "rows", X.shape(0), X);
    lesson::require_divides("n_heads", heads, "columns", X.shape(1), X);
    const std::size_t d_k = X.shape(1) / heads;
    const Value N = lesson::layer_norm(X, w.attention_gain, w.attention_bias);
    Value H = X;
    for (std::size_t h = 0; h < heads; ++h) {
        const auto projected = [&](In W) {
            return product(N, slice(W, 1, h * d_k, (h + 1) * d_k));
        };
        const Value read = autograd::causal_attention(projected(w.W_q), projected(w.W_k),
                                                      projected(w.W_v), texts, 1);
        H = add(H, product(read, slice(w.W_o, 0, h * d_k, (h + 1) * d_k)));
    }
    const Value M = lesson::layer_norm(H, w.mlp_gain, w.mlp_bias);
    return add(H, affine(gelu(affine(M, w.W_in, w.b_in)), w.W_out, w.b_out));
}

ALTERNATIVE_IN(on_arrays, transformer_block, heads_added_up,
               [](const Array& X, const Block& w, std::size_t n_texts, std::size_t n_heads,
                  const Array& d_output) {
                   return on_arrays::transformer_block_by(heads_added_up, X, w, n_texts, n_heads,
                                                          d_output);
               });

// ---- 11.2

/// The newest first, an order that nobody sees, with keys already divided by √d_k; and softmax as
/// it comes, corrected whenever a larger score is met: lesson 10's.
class NewestFirst {
public:
    void append(const Vector& k, const Vector& v) {
        if (!keys_.empty()) {
            lesson::require_size("append", "k", k.size(), keys_.front().size());
            lesson::require_size("append", "v", v.size(), values_.front().size());
        }
        keys_.push_front(k / std::sqrt(static_cast<double>(k.size())));
        values_.push_front(v);
    }
    Vector attend(const Vector& q) const {
        if (keys_.empty()) {
            throw std::invalid_argument("nothing has been appended yet");
        }
        lesson::require_size("attend", "q", q.size(), keys_.front().size());
        double largest = -std::numeric_limits<double>::infinity(), sum = 0;
        Vector output = xt::zeros<double>({values_[0].size()});
        for (std::size_t j = 0; j < keys_.size(); ++j) {
            const double score = std::inner_product(q.begin(), q.end(), keys_[j].begin(), 0.0);
            const double before = std::max(largest, score);
            const double shrunk = std::exp(largest - before), weight = std::exp(score - before);
            output = Vector(output * shrunk + weight * values_[j]);
            sum = sum * shrunk + weight;
            largest = before;
        }
        return Vector(output / sum);
    }

private:
    std::deque<Vector> keys_, values_;
};

ALTERNATIVE_IN(in_turn, append, newest_first,
               [](const Matrix& K, const Matrix& V, const Matrix& Q,
                  const in_turn::Indices& cache) {
                   return in_turn::append_by<NewestFirst>(K, V, Q, cache);
               });
ALTERNATIVE_IN(in_turn, attend, newest_first,
               [](const Matrix& K, const Matrix& V, const Matrix& Q) {
                   return in_turn::attend_by<NewestFirst>(K, V, Q);
               });

// ---- 11.3

using L = const Vector&;
using Size = std::size_t;

/// One probability for each token, 0 for those that are cut; a random number walks through them.
Size cumulative_sums(L logits, double T, Size k, double top, std::uint64_t seed) {
    lesson::require_sampling(logits, T, top);
    std::vector<Size> order(logits.size()); // by probability; of equals the earlier
    std::iota(order.begin(), order.end(), Size{0});
    std::sort(order.begin(), order.end(), [&](Size a, Size b) {
        return logits(a) > logits(b) || (logits(a) == logits(b) && a < b);
    });
    if (T == 0) {
        return order[0];
    }
    Vector p = attention::softmax(Vector((logits - xt::amax(logits)()) / T));
    for (Size i = k; k > 0 && i < order.size(); ++i) {
        p(order[i]) = 0;
    }
    p /= xt::sum(p)();
    double sum = 0;
    for (const Size token : order) {
        if (top < 1 && sum >= top && token != order[0]) {
            p(token) = 0;
        }
        sum += p(token);
    }
    p /= xt::sum(p)();
    std::mt19937_64 engine(seed);
    double u = std::uniform_real_distribution<double>(0, 1)(engine);
    for (Size t = 0; t < p.size(); ++t) {
        if ((u -= p(t)) < 0) {
            return t;
        }
    }
    return order[0];
}

ALTERNATIVE_IN(of_seeds, sample, cumulative_sums,
               [](L logits, double T, Size k, double top, const std::vector<std::uint64_t>& seeds) {
                   return of_seeds::sample_by(cumulative_sums, logits, T, k, top, seeds);
               });

// ---- 11.4

ALTERNATIVE(perplexity, two_to_the_bits,
            [](L logs) -> double { return std::exp2(lesson::bits_per_character(logs)); });
ALTERNATIVE(bits_per_character, each_in_bits, [](L logs) -> double {
    lesson::require_any("bits_per_character", logs);
    double bits = 0;
    for (const double log : logs) {
        bits -= log / 0.693147180559945309417;
    }
    return bits / static_cast<double>(logs.size());
});

// ---- 11.5

/// Sums in loops, and each head's output through its own rows of W_o at once.
Vector head_by_head(const lesson::LanguageModel& model, Size token, Size position,
                    lesson::Caches& caches) {
    lesson::require_fit(model, token, position, caches);
    const Size d = model.gain.size(), d_k = d / model.n_heads;
    const auto norm = [&](L x, L gain, L bias) {
        double mean = 0, squares = 0;
        for (Size c = 0; c < d; ++c) {
            mean += x(c) / double(d);
        }
        for (Size c = 0; c < d; ++c) {
            squares += std::pow(x(c) - mean, 2);
        }
        Vector y = x;
        for (Size c = 0; c < d; ++c) {
            y(c) = (x(c) - mean) / std::sqrt(squares / double(d) + 1e-5) * gain(c) + bias(c);
        }
        return y;
    };
    Vector x = xt::view(model.positions, position, xt::all());
    x += xt::view(model.tokens, token, xt::all());
    for (Size l = 0; l < caches.size(); ++l) {
        const lesson::Layer& w = model.layers[l];
        const Vector read = norm(x, w.attention_gain, w.attention_bias);
        for (Size h = 0; h < model.n_heads; ++h) {
            const auto part = [&](const Matrix& W) {
                return lesson::times(read,
                                     xt::view(W, xt::all(), xt::range(h * d_k, (h + 1) * d_k)));
            };
            caches[l][h].append(part(w.W_k), part(w.W_v));
            x += lesson::times(caches[l][h].attend(part(w.W_q)),
                               xt::view(w.W_o, xt::range(h * d_k, (h + 1) * d_k), xt::all()));
        }
        Vector hidden = lesson::times(norm(x, w.mlp_gain, w.mlp_bias), w.W_in) + w.b_in;
        for (double& u : hidden) {
            u *= 0.5 * std::erfc(-u / std::sqrt(2.0));
        }
        x += lesson::times(hidden, w.W_out) + w.b_out;
    }
    const Vector last = norm(x, model.gain, model.bias);
    Vector logits = Vector::from_shape({model.tokens.shape(0)});
    for (Size t = 0; t < logits.size(); ++t) {
        logits(t) = xt::sum(xt::view(model.tokens, t, xt::all()) * last)();
    }
    return logits;
}

ALTERNATIVE_IN(token_by_token, next_logits, head_by_head,
               [](const token_by_token::Model& model, const token_by_token::Tokens& tokens) {
                   return token_by_token::next_logits_by(head_by_head, model, tokens);
               });

} // namespace
