#include "autograd/kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <xsimd/xsimd.hpp>

namespace autograd::kernels {
namespace {

template <class T>
using Lanes = xsimd::batch<T>;

// The next lanes of a row, of which the last may be incomplete: filled with `rest` when read.
template <class T>
[[gnu::always_inline]] inline Lanes<T> load(const T* x, std::size_t left, T rest = T(0)) {
    if (left >= Lanes<T>::size) {
        return Lanes<T>::load_unaligned(x);
    }
    std::array<T, Lanes<T>::size> lanes{};
    lanes.fill(rest);
    std::copy_n(x, left, lanes.begin());
    return Lanes<T>::load_unaligned(lanes.data());
}

template <class T>
[[gnu::always_inline]] inline void store(const Lanes<T>& lanes, T* y, std::size_t left) {
    if (left >= Lanes<T>::size) {
        lanes.store_unaligned(y);
        return;
    }
    std::array<T, Lanes<T>::size> all{};
    lanes.store_unaligned(all.data());
    std::copy_n(all.begin(), left, y);
}

template <class T>
T sum_of(const Lanes<T>& lanes) {
    std::array<T, Lanes<T>::size> all{};
    lanes.store_unaligned(all.data());
    T sum = 0;
    for (const T x : all) {
        sum += x;
    }
    return sum;
}

template <class T>
T largest(const T* x, std::size_t n) {
    constexpr T lowest = -std::numeric_limits<T>::infinity();
    Lanes<T> most(lowest);
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        most = xsimd::max(most, load(x + i, n - i, lowest));
    }
    std::array<T, Lanes<T>::size> all{};
    most.store_unaligned(all.data());
    return *std::max_element(all.begin(), all.end());
}

template <class T>
[[gnu::always_inline]] inline Lanes<T> sigmoid(const Lanes<T>& x) {
    return Lanes<T>(T(1)) / (Lanes<T>(T(1)) + xsimd::exp(-x));
}

} // namespace

template <class T>
void tanh(const T* x, T* y, std::size_t n) {
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        store(xsimd::tanh(load(x + i, n - i)), y + i, n - i);
    }
}

template <class T>
void sigmoid(const T* x, T* y, std::size_t n) {
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        store(sigmoid(load(x + i, n - i)), y + i, n - i);
    }
}

// Φ(x), the part of a standard normal distribution below x.
template <class T>
[[gnu::always_inline]] inline Lanes<T> normal_distribution(const Lanes<T>& x) {
    const Lanes<T> half(T(0.5)), root_half(static_cast<T>(0.70710678118654752440));
    return xsimd::fma(half, xsimd::erf(x * root_half), half);
}

template <class T>
void gelu(const T* x, T* y, std::size_t n) {
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        const Lanes<T> in = load(x + i, n - i);
        store(in * normal_distribution(in), y + i, n - i);
    }
}

template <class T>
void gelu_backward(const T* x, const T* dy, std::size_t n, bool add, T* dx) {
    const Lanes<T> root(static_cast<T>(0.39894228040143267794)); // 1/√2π
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        const Lanes<T> in = load(x + i, n - i);
        const Lanes<T> density = root * xsimd::exp(Lanes<T>(T(-0.5)) * in * in);
        const Lanes<T> slope = xsimd::fma(in, density, normal_distribution(in));
        const Lanes<T> before = add ? load(dx + i, n - i) : Lanes<T>(T(0));
        store(xsimd::fma(load(dy + i, n - i), slope, before), dx + i, n - i);
    }
}

template <class T>
void sum(const T* x, T a, const T* y, T* z, std::size_t n) {
    const Lanes<T> factor(a);
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        store(xsimd::fma(factor, load(y + i, n - i), load(x + i, n - i)), z + i, n - i);
    }
}

template <class T>
void line(T a, const T* x, T b, T* y, std::size_t n) {
    const Lanes<T> factor(a), offset(b);
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        store(xsimd::fma(factor, load(x + i, n - i), offset), y + i, n - i);
    }
}

template <class T>
T total(const T* x, std::size_t n) {
    Lanes<T> sum(T(0));
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        sum += load(x + i, n - i);
    }
    return sum_of(sum);
}

template <class T>
void multiply(const T* x, const T* y, T* z, std::size_t n) {
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        store(load(x + i, n - i) * load(y + i, n - i), z + i, n - i);
    }
}

template <class T>
void add_product(const T* x, const T* y, T* z, std::size_t n) {
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        store(xsimd::fma(load(x + i, n - i), load(y + i, n - i), load(z + i, n - i)), z + i, n - i);
    }
}

template <class T>
void add(T a, const T* x, T* y, std::size_t n) {
    const Lanes<T> factor(a);
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        store(xsimd::fma(factor, load(x + i, n - i), load(y + i, n - i)), y + i, n - i);
    }
}

template <class T>
T dot(const T* x, const T* y, std::size_t n) {
    Lanes<T> sum(T(0));
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        sum = xsimd::fma(load(x + i, n - i), load(y + i, n - i), sum);
    }
    return sum_of(sum);
}

template <class T>
void normalise(const T* x, const T* gain, const T* bias, T epsilon, std::size_t n, T* moments,
               T* y) {
    moments[0] = total(x, n) / static_cast<T>(n);
    const Lanes<T> mean(moments[0]);
    Lanes<T> squares(T(0));
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        const Lanes<T> centred = load(x + i, n - i, moments[0]) - mean;
        squares = xsimd::fma(centred, centred, squares);
    }
    moments[1] = T(1) / std::sqrt(sum_of(squares) / static_cast<T>(n) + epsilon);
    const Lanes<T> factor(moments[1]);
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        const Lanes<T> normed = (load(x + i, n - i) - mean) * factor;
        store(xsimd::fma(normed, load(gain + i, n - i), load(bias + i, n - i)), y + i, n - i);
    }
}

template <class T>
void normalise_backward(const T* x, const T* moments, const T* gain, const T* dy, std::size_t n,
                        bool add, T* dx, T* d_gain, T* d_bias) {
    const Lanes<T> mean(moments[0]), factor(moments[1]);
    Lanes<T> sum(T(0)), product(T(0)); // of d normed, and of that with normed
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        const Lanes<T> up = load(dy + i, n - i), g = up * load(gain + i, n - i);
        const Lanes<T> normed = (load(x + i, n - i) - mean) * factor;
        sum += g;
        product = xsimd::fma(g, normed, product);
        store(load(d_bias + i, n - i) + up, d_bias + i, n - i);
        store(xsimd::fma(up, normed, load(d_gain + i, n - i)), d_gain + i, n - i);
    }
    const Lanes<T> g_mean(sum_of(sum) / static_cast<T>(n));
    const Lanes<T> slope(sum_of(product) / static_cast<T>(n));
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        const Lanes<T> g = load(dy + i, n - i) * load(gain + i, n - i);
        const Lanes<T> normed = (load(x + i, n - i) - mean) * factor;
        const Lanes<T> before = add ? load(dx + i, n - i) : Lanes<T>(T(0));
        store(xsimd::fma(factor, g - g_mean - normed * slope, before), dx + i, n - i);
    }
}

template <class T>
void softmax(T* x, std::size_t n) {
    const Lanes<T> most(largest(x, n));
    constexpr T lowest = -std::numeric_limits<T>::infinity();
    Lanes<T> sum(T(0));
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        const Lanes<T> e = xsimd::exp(load(x + i, n - i, lowest) - most);
        sum += e;
        store(e, x + i, n - i);
    }
    const Lanes<T> factor(T(1) / sum_of(sum));
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        store(load(x + i, n - i) * factor, x + i, n - i);
    }
}

template <class T>
T log_sum_exp(const T* x, std::size_t n) {
    const T most = largest(x, n);
    constexpr T lowest = -std::numeric_limits<T>::infinity();
    Lanes<T> sum(T(0));
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        sum += xsimd::exp(load(x + i, n - i, lowest) - Lanes<T>(most));
    }
    return most + std::log(sum_of(sum));
}

template <class T>
void softmax_minus(const T* x, T log_sum, T off, T factor, T* dx, std::size_t n) {
    for (std::size_t i = 0; i < n; i += Lanes<T>::size) {
        const Lanes<T> p = xsimd::exp(load(x + i, n - i) - Lanes<T>(log_sum));
        store(Lanes<T>(factor) * (p - Lanes<T>(off)), dx + i, n - i);
    }
}

template <class T>
void additive_scores(const T* q, const T* k, const T* v, std::size_t n_keys, std::size_t d,
                     T* scores) {
    for (std::size_t j = 0; j < n_keys; ++j, k += d) {
        Lanes<T> sum(T(0));
        for (std::size_t i = 0; i < d; i += Lanes<T>::size) {
            const Lanes<T> t = xsimd::tanh(load(q + i, d - i) + load(k + i, d - i));
            sum = xsimd::fma(load(v + i, d - i), t, sum);
        }
        scores[j] = sum_of(sum);
    }
}

template <class T>
void additive_scores_backward(const T* q, const T* k, const T* v, const T* d_scores,
                              std::size_t n_keys, std::size_t d, T* dq, T* dk, T* dv) {
    for (std::size_t j = 0; j < n_keys; ++j, k += d, dk += d) {
        const Lanes<T> e(d_scores[j]);
        for (std::size_t i = 0; i < d; i += Lanes<T>::size) {
            const std::size_t left = d - i;
            const Lanes<T> t = xsimd::tanh(load(q + i, left) + load(k + i, left));
            const Lanes<T> inner = e * load(v + i, left) * (Lanes<T>(T(1)) - t * t);
            store(load(dq + i, left) + inner, dq + i, left);
            store(load(dk + i, left) + inner, dk + i, left);
            store(xsimd::fma(e, t, load(dv + i, left)), dv + i, left);
        }
    }
}

template <class T>
void gru_row(const T* x, const T* context, const T* b, const T* h, std::size_t d, T* g, T* gates,
             T* h_next) {
    for (std::size_t i = 0; i < d; i += Lanes<T>::size) {
        const std::size_t left = d - i;
        Lanes<T> in[3], own[3];
        for (std::size_t gate = 0; gate < 3; ++gate) {
            const std::size_t at = gate * d + i;
            in[gate] = load(x + at, left);
            if (context != nullptr) {
                in[gate] += load(context + at, left);
            }
            own[gate] = load(g + at, left) + load(b + at, left);
            store(own[gate], g + at, left);
        }
        const Lanes<T> r = sigmoid(in[0] + own[0]);
        const Lanes<T> z = sigmoid(in[1] + own[1]);
        const Lanes<T> n = xsimd::tanh(in[2] + r * own[2]);
        store(r, gates + i, left);
        store(z, gates + d + i, left);
        store(n, gates + 2 * d + i, left);
        store(n + z * (load(h + i, left) - n), h_next + i, left);
    }
}

template <class T>
void gru_row_backward(const T* gates, const T* h, const T* dh_next, std::size_t d, T* g, T* dx,
                      T* dh) {
    const Lanes<T> one(T(1));
    for (std::size_t i = 0; i < d; i += Lanes<T>::size) {
        const std::size_t left = d - i;
        const Lanes<T> r = load(gates + i, left);
        const Lanes<T> z = load(gates + d + i, left);
        const Lanes<T> n = load(gates + 2 * d + i, left);
        const Lanes<T> g_n = load(g + 2 * d + i, left);
        const Lanes<T> up = load(dh_next + i, left);
        const Lanes<T> in_z = up * (load(h + i, left) - n) * z * (one - z);
        const Lanes<T> in_n = up * (one - z) * (one - n * n);
        const Lanes<T> in_r = in_n * g_n * r * (one - r);
        store(in_r, dx + i, left);
        store(in_z, dx + d + i, left);
        store(in_n, dx + 2 * d + i, left);
        store(in_r, g + i, left);
        store(in_z, g + d + i, left);
        store(in_n * r, g + 2 * d + i, left);
        store(xsimd::fma(up, z, load(dh + i, left)), dh + i, left);
    }
}

void adam(const AdamStep& step, const float* g, float* weights, float* first, float* second,
          std::size_t n) {
    using F = Lanes<float>;
    const F beta1(step.beta1), beta2(step.beta2);
    const F scale1((1.0F - step.beta1) * step.gradient_scale);
    const F scale2((1.0F - step.beta2) * step.gradient_scale * step.gradient_scale);
    for (std::size_t i = 0; i < n; i += F::size) {
        const std::size_t left = n - i;
        F m = beta1 * load(first + i, left);
        m = xsimd::select(xsimd::abs(m) < F(1e-30F), F(0.0F), m); // denormal numbers are slow
        F v = beta2 * load(second + i, left);
        if (g != nullptr) {
            const F gradient = load(g + i, left);
            m = xsimd::fma(scale1, gradient, m);
            v = xsimd::fma(scale2 * gradient, gradient, v);
        }
        store(m, first + i, left);
        store(v, second + i, left);
        const F move = F(step.rate) * m / (xsimd::sqrt(v) + F(step.epsilon));
        store(F(step.kept) * load(weights + i, left) - move, weights + i, left);
    }
}

double sum_of_squares(const float* x, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; i += 4096) { // blocks, so that single precision is enough
        const std::size_t block = std::min<std::size_t>(4096, n - i);
        sum += static_cast<double>(dot(x + i, x + i, block));
    }
    return sum;
}

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define AUTOGRAD_KERNELS(T)                                                                        \
    template void tanh(const T*, T*, std::size_t);                                                 \
    template void sigmoid(const T*, T*, std::size_t);                                              \
    template void gelu(const T*, T*, std::size_t);                                                 \
    template void gelu_backward(const T*, const T*, std::size_t, bool, T*);                        \
    template void sum(const T*, T, const T*, T*, std::size_t);                                     \
    template void line(T, const T*, T, T*, std::size_t);                                           \
    template T total(const T*, std::size_t);                                                       \
    template void multiply(const T*, const T*, T*, std::size_t);                                   \
    template void add_product(const T*, const T*, T*, std::size_t);                                \
    template void add(T, const T*, T*, std::size_t);                                               \
    template T dot(const T*, const T*, std::size_t);                                               \
    template void normalise(const T*, const T*, const T*, T, std::size_t, T*, T*);                 \
    template void normalise_backward(const T*, const T*, const T*, const T*, std::size_t, bool,    \
                                     T*, T*, T*);                                                  \
    template void softmax(T*, std::size_t);                                                        \
    template T log_sum_exp(const T*, std::size_t);                                                 \
    template void softmax_minus(const T*, T, T, T, T*, std::size_t);                               \
    template void additive_scores(const T*, const T*, const T*, std::size_t, std::size_t, T*);     \
    template void additive_scores_backward(const T*, const T*, const T*, const T*, std::size_t,    \
                                           std::size_t, T*, T*, T*);                               \
    template void gru_row(const T*, const T*, const T*, const T*, std::size_t, T*, T*, T*);        \
    template void gru_row_backward(const T*, const T*, const T*, std::size_t, T*, T*, T*);
AUTOGRAD_KERNELS(float)
AUTOGRAD_KERNELS(double)
#undef AUTOGRAD_KERNELS
// NOLINTEND(bugprone-macro-parentheses)

} // namespace autograd::kernels
