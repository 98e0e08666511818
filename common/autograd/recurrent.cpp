#include "autograd/check.hpp"
#include "autograd/gemm.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

#include <algorithm>

namespace autograd {
namespace {

// What the backward pass of a step needs from its forward pass.
template <class T>
struct SavedStep {
    Array<T> g;     // (batch, 3d): h W + b; the backward overwrites it with its gradient
    Array<T> gates; // (batch, 3d): r, z, n
    std::vector<char> active;
};

template <class T>
void require_gru(const GruInput<T>& x, const BasicValue<T>& h, const GruWeights<T>& weights,
                 std::size_t n_active) {
    const auto& [inputs, step, context] = x;
    const auto& [W, b] = weights;
    require_rank("gru_step", "inputs", inputs, 2);
    require_rank("gru_step", "h", h, 2);
    require_rank("gru_step", "W", W, 2);
    require_rank("gru_step", "b", b, 1);
    require_shared("gru_step", "d", "h", h, 1, "W", W, 0);
    require_shared("gru_step", "3d", "W", W, 1, "b", b, 0);
    require_shared("gru_step", "3d", "inputs", inputs, 1, "W", W, 1);
    if (context.exists()) {
        require_rank("gru_step", "context", context, 2);
        require_shared("gru_step", "batch", "h", h, 0, "context", context, 0);
        require_shared("gru_step", "3d", "context", context, 1, "W", W, 1);
    }
    if (W.shape(1) != 3 * W.shape(0)) {
        throw std::invalid_argument("gru_step: W must be (d, 3d), got " +
                                    attention::shape_text(W.data()));
    }
    require_count("gru_step", "active", "batch", n_active, h.shape(0), "h", h);
    if ((step + 1) * h.shape(0) > inputs.shape(0)) {
        throw std::invalid_argument("gru_step: inputs must hold the step, got step " +
                                    std::to_string(step) + "; inputs is " +
                                    attention::shape_text(inputs.data()) + ", h is " +
                                    attention::shape_text(h.data()));
    }
}

} // namespace

template <class T>
BasicValue<T> gru_step(const GruInput<T>& x, const BasicValue<T>& h, const GruWeights<T>& weights,
                       const std::vector<char>& active) {
    require_gru(x, h, weights, active.size());
    const BasicValue<T> inputs = x.inputs, context = x.context, W = weights.W, b = weights.b;
    const std::size_t step = x.step, batch = h.shape(0), d = h.shape(1), width = 3 * d;
    const auto saved = std::make_shared<SavedStep<T>>();
    saved->g = Array<T>::from_shape({batch, width});
    saved->gates = Array<T>::from_shape({batch, width});
    saved->active = active;
    gemm<T>({h.data().data(), batch, d}, {W.data().data(), d, width}, {saved->g.data()});
    Array<T> next = Array<T>::from_shape({batch, d});
    for (std::size_t row = 0; row < batch; ++row) {
        const T* h_row = h.data().data() + row * d;
        if (active[row] == 0) {
            std::copy_n(h_row, d, next.data() + row * d);
            continue;
        }
        const T* context_row = context.exists() ? context.data().data() + row * width : nullptr;
        kernels::gru_row(inputs.data().data() + (step * batch + row) * width, context_row,
                         b.data().data(), h_row, d, saved->g.data() + row * width,
                         saved->gates.data() + row * width, next.data() + row * d);
    }

    const auto backward = [=](const Array<T>& dh_next, const Array<T>&) {
        Array<T> dx(Shape{batch, width}, T(0));
        Array<T>& dg = saved->g;
        Array<T> dh(Shape{batch, d}, T(0));
        for (std::size_t row = 0; row < batch; ++row) {
            const T* up = dh_next.data() + row * d;
            if (saved->active[row] == 0) {
                std::fill_n(dg.data() + row * width, width, T(0));
                kernels::add(T(1), up, dh.data() + row * d, d);
                continue;
            }
            kernels::gru_row_backward(saved->gates.data() + row * width, h.data().data() + row * d,
                                      up, d, dg.data() + row * width, dx.data() + row * width,
                                      dh.data() + row * d);
        }
        if (inputs.needs_gradient()) {
            T* d_inputs = inputs.gradient_accumulator().data() + step * batch * width;
            kernels::add(T(1), dx.data(), d_inputs, dx.size());
        }
        if (context.exists()) {
            context.add_gradient(dx.data());
        }
        const Factor<T> dg_rows{dg.data(), batch, width};
        if (h.needs_gradient()) {
            gemm<T>(dg_rows, transposed(Factor<T>{W.data().data(), d, width}), {dh.data(), true});
            h.add_gradient(dh.data());
        }
        if (W.needs_gradient()) {
            gemm(transposed(Factor<T>{h.data().data(), batch, d}), dg_rows,
                 W.gradient_destination());
        }
        if (b.needs_gradient()) {
            T* db = b.gradient_accumulator().data();
            for (std::size_t row = 0; row < batch; ++row) {
                kernels::add(T(1), dg.data() + row * width, db, width);
            }
        }
    };
    const bool needs_gradient = inputs.needs_gradient() || h.needs_gradient() ||
                                W.needs_gradient() || b.needs_gradient() ||
                                (context.exists() && context.needs_gradient());
    return h.tape().record(std::move(next), needs_gradient, backward);
}

template BasicValue<float> gru_step(const GruInput<float>&, const BasicValue<float>&,
                                    const GruWeights<float>&, const std::vector<char>&);
template BasicValue<double> gru_step(const GruInput<double>&, const BasicValue<double>&,
                                     const GruWeights<double>&, const std::vector<char>&);

} // namespace autograd
