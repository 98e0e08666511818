#pragma once

// The inner loops, apart from everything else so that this one file can be compiled for the machine
// at hand. Plain pointers: inline code that other files share must not be compiled twice with
// different instructions. T is float or double.

#include <cstddef>

namespace autograd::kernels {

// y ← tanh(x), y ← σ(x)
template <class T>
void tanh(const T* x, T* y, std::size_t n);
template <class T>
void sigmoid(const T* x, T* y, std::size_t n);

// y ← x Φ(x), Φ the normal distribution; dx ← dx + dy ∘ (Φ(x) + x φ(x)), without dx where !add
template <class T>
void gelu(const T* x, T* y, std::size_t n);
template <class T>
void gelu_backward(const T* x, const T* dy, std::size_t n, bool add, T* dx);

// z ← x + a y;  y ← a x + b;  Σ x
template <class T>
void sum(const T* x, T a, const T* y, T* z, std::size_t n);
template <class T>
void line(T a, const T* x, T b, T* y, std::size_t n);
template <class T>
T total(const T* x, std::size_t n);

// z ← x ∘ y;  z ← z + x ∘ y;  y ← y + a x;  x · y
template <class T>
void multiply(const T* x, const T* y, T* z, std::size_t n);
template <class T>
void add_product(const T* x, const T* y, T* z, std::size_t n);
template <class T>
void add(T a, const T* x, T* y, std::size_t n);
template <class T>
T dot(const T* x, const T* y, std::size_t n);

// One row of a layer norm: y ← gain ∘ (x − mean) factor + bias, factor = 1/√(variance + epsilon);
// moments ← mean, factor. And its gradients: d_gain, d_bias are added to, dx too where `add`.
template <class T>
void normalise(const T* x, const T* gain, const T* bias, T epsilon, std::size_t n, T* moments,
               T* y);
template <class T>
void normalise_backward(const T* x, const T* moments, const T* gain, const T* dy, std::size_t n,
                        bool add, T* dx, T* d_gain, T* d_bias);

// x ← softmax(x), over n ≥ 1 numbers
template <class T>
void softmax(T* x, std::size_t n);
// ln Σ exp(x_i)
template <class T>
T log_sum_exp(const T* x, std::size_t n);
// dx ← factor · (exp(x − log_sum) − off)
template <class T>
void softmax_minus(const T* x, T log_sum, T off, T factor, T* dx, std::size_t n);

// scores_j ← v · tanh(q + k_j), and the gradients from d scores; q, v: d numbers, k: (n_keys, d)
template <class T>
void additive_scores(const T* q, const T* k, const T* v, std::size_t n_keys, std::size_t d,
                     T* scores);
template <class T>
void additive_scores_backward(const T* q, const T* k, const T* v, const T* d_scores,
                              std::size_t n_keys, std::size_t d, T* dq, T* dk, T* dv);

// One row of a GRU step; every gate has d numbers. x and context: the inputs of r, z, n in a row
// (context may be null); g ← g + b; gates ← r, z, n.
template <class T>
void gru_row(const T* x, const T* context, const T* b, const T* h, std::size_t d, T* g, T* gates,
             T* h_next);
// dx: gradient of x (and of context), overwritten; g: g_r, g_z, g_n, replaced by their
// gradient; dh is added to.
template <class T>
void gru_row_backward(const T* gates, const T* h, const T* dh_next, std::size_t d, T* g, T* dx,
                      T* dh);

// One step of Adam on n weights (Kingma and Ba 2015, algorithm 1). The gradient is gradient_scale
// times g, or 0 if g is null; rate and epsilon hold the corrections of the bias.
// Before it moves, a weight is multiplied by `kept`: 1 less what decays (Loshchilov and Hutter
// 2019).
struct AdamStep {
    float rate, epsilon, beta1, beta2, gradient_scale, kept;
};
void adam(const AdamStep& step, const float* g, float* weights, float* first, float* second,
          std::size_t n);
double sum_of_squares(const float* x, std::size_t n);

} // namespace autograd::kernels
