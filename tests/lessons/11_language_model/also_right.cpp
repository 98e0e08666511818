// Right solutions, written otherwise: each must pass.

#include <algorithm>
#include <cmath>
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
using Rows = std::vector<Vector>;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- 11.1

using In = const Value&;
using With = const BlockWeights&;

#define NORM_ALTERNATIVE(name, ...)                                                                \
    ALTERNATIVE_IN(on_arrays, layer_norm, name,                                                    \
                   [](const Array& x_, const Array& gain_, const Array& bias_, const Array& d_) {  \
                       return on_arrays::layer_norm_by(__VA_ARGS__, x_, gain_, bias_, d_);         \
                   })
#define BLOCK_ALTERNATIVE(name, ...)                                                               \
    ALTERNATIVE_IN(on_arrays, transformer_block, name,                                             \
                   [](const Array& x_, const Block& w_, std::size_t texts_, std::size_t heads_,    \
                      const Array& d_) {                                                           \
                       return on_arrays::transformer_block_by(__VA_ARGS__, x_, w_, texts_, heads_, \
                                                              d_);                                 \
                   })

/// Means by products with a matrix of 1/d.
NORM_ALTERNATIVE(means_by_products, [](In X, In gain, In bias) {
    lesson::require_fit(X, gain, bias);
    const std::size_t d = X.shape(1);
    const Value average = X.tape().constant(Array(xt::ones<float>({d, d}) / static_cast<float>(d)));
    const Value centred = subtract(X, product(X, average));
    const Value variance = product(multiply(centred, centred), average); // (n, d)
    return add(multiply(multiply(centred, inverse_square_root(variance, 1e-5F)), gain), bias);
});
/// Its own epsilon added, and the gain as a row.
NORM_ALTERNATIVE(epsilon_before, [](In X, In gain, In bias) {
    lesson::require_fit(X, gain, bias);
    const Value centred = subtract(X, row_mean(X));
    const Value epsilon = X.tape().constant(Array(1e-5F * xt::ones<float>({1})));
    const Value variance = add(row_mean(multiply(centred, centred)), epsilon);
    const Value normed = multiply(centred, inverse_square_root(variance, 0.0F));
    return add(multiply(reshape(gain, {1, X.shape(1)}), normed), bias);
});

void require_both(In X, std::size_t n_texts, std::size_t n_heads) {
    lesson::require_divides("n_texts", n_texts, "rows", X.shape(0), X);
    lesson::require_divides("n_heads", n_heads, "columns", X.shape(1), X);
}

/// Each head's output through its own rows of W_o.
BLOCK_ALTERNATIVE(heads_added_up, [](In X, With w, std::size_t texts, std::size_t heads) {
    require_both(X, texts, heads);
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
});

// ---- 11.2

/// What a member function keeps, and how it answers, as a lambda each; the checks are the stub's.
template <class Keep, class Answer>
class Cache {
public:
    void append(const Vector& k, const Vector& v) {
        if (!keys_.empty()) {
            lesson::require_size("append", "k", k.size(), keys_.front().size());
            lesson::require_size("append", "v", v.size(), values_.front().size());
        }
        Keep{}(keys_, values_, k, v);
    }
    Vector attend(const Vector& q) const {
        if (keys_.empty()) {
            throw std::invalid_argument("nothing has been appended yet");
        }
        lesson::require_size("attend", "q", q.size(), keys_.front().size());
        return Answer{}(keys_, values_, q);
    }

private:
    Rows keys_, values_;
};

#define CACHE_ALTERNATIVE(name, keep, answer)                                                      \
    using name = Cache<decltype(keep), decltype(answer)>;                                          \
    ALTERNATIVE_IN(                                                                                \
        in_turn, append, name,                                                                     \
        [](const Matrix& K, const Matrix& V, const Matrix& Q, const in_turn::Indices& cache) {     \
            return in_turn::append_by<::name>(K, V, Q, cache);                                     \
        });                                                                                        \
    ALTERNATIVE_IN(in_turn, attend, name, [](const Matrix& K, const Matrix& V, const Matrix& Q) {  \
        return in_turn::attend_by<::name>(K, V, Q);                                                \
    })

/// The newest first, an order that nobody sees; and keys that are already divided by √d_k.
constexpr auto in_front = [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
    keys.insert(keys.begin(), k / std::sqrt(static_cast<double>(k.size())));
    values.insert(values.begin(), v);
};

/// Softmax as it comes, corrected whenever a larger score is met: lesson 10's.
constexpr auto as_it_comes = [](const Rows& keys, const Rows& values, const Vector& q) {
    double largest = -infinity, sum = 0;
    Vector output = xt::zeros<double>({values[0].size()});
    for (std::size_t j = 0; j < keys.size(); ++j) {
        const double score = std::inner_product(q.begin(), q.end(), keys[j].begin(), 0.0);
        const double before = std::max(largest, score);
        const double shrunk = std::exp(largest - before), weight = std::exp(score - before);
        output = Vector(output * shrunk + weight * values[j]);
        sum = sum * shrunk + weight;
        largest = before;
    }
    return Vector(output / sum);
};
CACHE_ALTERNATIVE(online_newest_first, in_front, as_it_comes);

// ---- 11.3

#define SAMPLE_ALTERNATIVE(name, ...)                                                              \
    ALTERNATIVE_IN(of_seeds, sample, name,                                                         \
                   [](const Vector& l_, double t_, std::size_t k_, double p_,                      \
                      const std::vector<std::uint64_t>& seeds_) {                                  \
                       return of_seeds::sample_by(__VA_ARGS__, l_, t_, k_, p_, seeds_);            \
                   })

std::size_t largest_of(const Vector& logits) {
    return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) -
                                    logits.begin());
}

/// Tokens by probability; of equals the earlier.
std::vector<std::size_t> sorted(const Vector& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return p(a) > p(b) || (p(a) == p(b) && a < b); });
    return order;
}

using L = const Vector&;
using Size = std::size_t;

/// One probability for each token, 0 for those that are cut; a random number walks through them.
SAMPLE_ALTERNATIVE(cumulative_sums,
                   [](L logits, double T, Size k, double top, std::uint64_t seed) -> Size {
                       lesson::require_sampling(logits, T, top);
                       if (T == 0) {
                           return largest_of(logits);
                       }
                       Vector p = attention::softmax(Vector((logits - xt::amax(logits)()) / T));
                       const auto order = sorted(p);
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
                   });

/// Of what is kept, the largest of logit + Gumbel noise has the softmax for its distribution.
SAMPLE_ALTERNATIVE(gumbel_noise,
                   [](L logits, double T, Size k, double top, std::uint64_t seed) -> Size {
                       lesson::require_sampling(logits, T, top);
                       auto order = sorted(logits);
                       if (T == 0) {
                           return order[0];
                       }
                       order.resize(k == 0 ? order.size() : std::min(k, order.size()));
                       Vector scores = Vector::from_shape({order.size()});
                       for (Size i = 0; i < order.size(); ++i) {
                           scores(i) = (logits(order[i]) - logits(order[0])) / T;
                       }
                       const Vector p = attention::softmax(scores);
                       Size kept = top < 1 ? 0 : order.size();
                       for (double sum = 0; kept < order.size() && (kept == 0 || sum < top);) {
                           sum += p(kept++);
                       }
                       std::mt19937_64 engine(seed);
                       std::extreme_value_distribution<double> gumbel;
                       Vector noisy = Vector::from_shape({kept});
                       for (Size i = 0; i < kept; ++i) {
                           noisy(i) = scores(i) + gumbel(engine);
                       }
                       return order[largest_of(noisy)];
                   });

// ---- 11.4

ALTERNATIVE(perplexity, two_to_the_bits,
            [](L logs) -> double { return std::exp2(lesson::bits_per_character(logs)); });
ALTERNATIVE(perplexity, product_of_roots, [](L logs) -> double {
    lesson::require_any("perplexity", logs);
    double product = 1;
    for (const double log : logs) {
        product *= std::exp(-log / static_cast<double>(logs.size()));
    }
    return product;
});
ALTERNATIVE(bits_per_character, each_in_bits, [](L logs) -> double {
    lesson::require_any("bits_per_character", logs);
    double bits = 0;
    for (const double log : logs) {
        bits -= log / 0.693147180559945309417;
    }
    return bits / static_cast<double>(logs.size());
});

} // namespace
