#include "autograd/check.hpp"
#include "autograd/gemm.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

#include <algorithm>

namespace autograd {
namespace {

// What the backward of a step needs of its forward.
template <class T>
struct Kept {
    Array<T> g;     // (batch, 3d): h W + b; the backward overwrites it with its gradient
    Array<T> gates; // (batch, 3d): r, z, n
    std::vector<char> active;
};

template <class T>
void require_gru(const BasicValue<T>& inputs, std::size_t step, const BasicValue<T>& more,
                 const BasicValue<T>& h, const BasicValue<T>& W, const BasicValue<T>& b,
                 std::size_t n_active) {
    require_rank("gru_step", "inputs", inputs, 2);
    require_rank("gru_step", "h", h, 2);
    require_rank("gru_step", "W", W, 2);
    require_rank("gru_step", "b", b, 1);
    require_shared("gru_step", "d", "h", h, 1, "W", W, 0);
    require_shared("gru_step", "3d", "W", W, 1, "b", b, 0);
    require_shared("gru_step", "3d", "inputs", inputs, 1, "W", W, 1);
    if (more.exists()) {
        require_rank("gru_step", "more", more, 2);
        require_shared("gru_step", "batch", "h", h, 0, "more", more, 0);
        require_shared("gru_step", "3d", "more", more, 1, "W", W, 1);
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
BasicValue<T> gru_step(const BasicValue<T>& inputs, std::size_t step, const BasicValue<T>& more,
                       const BasicValue<T>& h, const BasicValue<T>& W, const BasicValue<T>& b,
                       const std::vector<char>& active) {
    require_gru(inputs, step, more, h, W, b, active.size());
    const std::size_t batch = h.shape(0), d = h.shape(1), width = 3 * d;
    const auto kept = std::make_shared<Kept<T>>();
    kept->g = Array<T>::from_shape({batch, width});
    kept->gates = Array<T>::from_shape({batch, width});
    kept->active = active;
    gemm(false, false, batch, width, d, h.data().data(), W.data().data(), false, kept->g.data());
    Array<T> next = Array<T>::from_shape({batch, d});
    for (std::size_t row = 0; row < batch; ++row) {
        const T* h_row = h.data().data() + row * d;
        if (active[row] == 0) {
            std::copy_n(h_row, d, next.data() + row * d);
            continue;
        }
        const T* more_row = more.exists() ? more.data().data() + row * width : nullptr;
        kernels::gru_row(inputs.data().data() + (step * batch + row) * width, more_row,
                         b.data().data(), h_row, d, kept->g.data() + row * width,
                         kept->gates.data() + row * width, next.data() + row * d);
    }

    const auto backward = [=](const Array<T>& dh_next, const Array<T>&) {
        Array<T> dx(Shape{batch, width}, T(0));
        Array<T>& dg = kept->g;
        Array<T> dh(Shape{batch, d}, T(0));
        for (std::size_t row = 0; row < batch; ++row) {
            const T* up = dh_next.data() + row * d;
            if (kept->active[row] == 0) {
                std::fill_n(dg.data() + row * width, width, T(0));
                kernels::add(T(1), up, dh.data() + row * d, d);
                continue;
            }
            kernels::gru_row_backward(kept->gates.data() + row * width, h.data().data() + row * d,
                                      up, d, dg.data() + row * width, dx.data() + row * width,
                                      dh.data() + row * d);
        }
        bool assign = false;
        if (inputs.needs_gradient()) {
            T* d_inputs = inputs.gradient_sum().data() + step * batch * width;
            kernels::add(T(1), dx.data(), d_inputs, dx.size());
        }
        if (more.exists() && more.needs_gradient()) {
            kernels::add(T(1), dx.data(), more.gradient_sum().data(), dx.size());
        }
        if (h.needs_gradient()) {
            gemm(false, true, batch, d, width, dg.data(), W.data().data(), true, dh.data());
            kernels::add(T(1), dh.data(), h.gradient_sum().data(), dh.size());
        }
        if (W.needs_gradient()) {
            T* dW = W.gradient_raw(assign).data();
            gemm(true, false, d, width, batch, h.data().data(), dg.data(), !assign, dW);
        }
        if (b.needs_gradient()) {
            T* db = b.gradient_sum().data();
            for (std::size_t row = 0; row < batch; ++row) {
                kernels::add(T(1), dg.data() + row * width, db, width);
            }
        }
    };
    const bool needs_gradient = inputs.needs_gradient() || h.needs_gradient() ||
                                W.needs_gradient() || b.needs_gradient() ||
                                (more.exists() && more.needs_gradient());
    return h.tape().record(std::move(next), needs_gradient, backward);
}

#define AUTOGRAD_RECURRENT(T)                                                                      \
    template BasicValue<T> gru_step(const BasicValue<T>&, std::size_t, const BasicValue<T>&,       \
                                    const BasicValue<T>&, const BasicValue<T>&,                    \
                                    const BasicValue<T>&, const std::vector<char>&);
AUTOGRAD_RECURRENT(float)
AUTOGRAD_RECURRENT(double)
#undef AUTOGRAD_RECURRENT

} // namespace autograd
