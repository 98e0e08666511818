#include "autograd/check.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace autograd {
namespace {

// An operation on one array whose derivative follows from its result.
template <class T, class Derivative>
BasicValue<T> record_unary(const BasicValue<T>& a, Array<T> y, const Derivative& derivative) {
    return a.tape().record(std::move(y), a.needs_gradient(),
                           [a, derivative](const Array<T>& dy, const Array<T>& out) {
                               T* da = a.gradient_accumulator().data();
                               for (std::size_t i = 0; i < dy.size(); ++i) {
                                   da[i] += dy.data()[i] * derivative(out.data()[i]);
                               }
                           });
}

} // namespace

template <class T>
BasicValue<T> scale(const BasicValue<T>& a, std::type_identity_t<T> factor) {
    Array<T> y = factor * a.data();
    return a.tape().record(
        std::move(y), a.needs_gradient(),
        [a, factor](const Array<T>& dy, const Array<T>&) { a.add_gradient(dy.data(), factor); });
}

template <class T>
BasicValue<T> tanh(const BasicValue<T>& a) {
    Array<T> y = Array<T>::from_shape(shape_of(a.data()));
    kernels::tanh(a.data().data(), y.data(), y.size());
    return record_unary(a, std::move(y), [](T out) { return T(1) - out * out; });
}

template <class T>
BasicValue<T> sigmoid(const BasicValue<T>& a) {
    Array<T> y = Array<T>::from_shape(shape_of(a.data()));
    kernels::sigmoid(a.data().data(), y.data(), y.size());
    return record_unary(a, std::move(y), [](T out) { return out * (T(1) - out); });
}

template <class T>
BasicValue<T> inverse_square_root(const BasicValue<T>& a, std::type_identity_t<T> epsilon) {
    Array<T> y = Array<T>::from_shape(shape_of(a.data()));
    for (std::size_t i = 0; i < y.size(); ++i) {
        y.data()[i] = T(1) / std::sqrt(a.data().data()[i] + epsilon);
    }
    return record_unary(a, std::move(y), [](T out) { return T(-0.5) * out * out * out; });
}

template <class T>
BasicValue<T> gelu(const BasicValue<T>& a) {
    Array<T> y = Array<T>::from_shape(shape_of(a.data()));
    kernels::gelu(a.data().data(), y.data(), y.size());
    return a.tape().record(
        std::move(y), a.needs_gradient(), [a](const Array<T>& dy, const Array<T>&) {
            const Destination<T> da = a.gradient_destination();
            kernels::gelu_backward(a.data().data(), dy.data(), dy.size(), da.add, da.data);
        });
}

template <class T>
BasicValue<T> row_mean(const BasicValue<T>& a) {
    Shape shape = shape_of(a.data());
    if (shape.empty() || shape.back() == 0) {
        throw std::invalid_argument("row_mean: a row must hold a number, got none; a is " +
                                    attention::shape_text(a.data()));
    }
    const std::size_t d = shape.back();
    const T share = T(1) / static_cast<T>(d);
    shape.back() = 1;
    Array<T> y = Array<T>::from_shape(shape);
    for (std::size_t row = 0; row < y.size(); ++row) {
        y.data()[row] = share * kernels::total(a.data().data() + row * d, d);
    }
    return a.tape().record(std::move(y), a.needs_gradient(),
                           [a, d, share](const Array<T>& dy, const Array<T>&) {
                               const Destination<T> da = a.gradient_destination();
                               for (std::size_t row = 0; row < dy.size(); ++row) {
                                   T* to = da.data + row * d;
                                   const T up = share * dy.data()[row];
                                   if (da.add) {
                                       kernels::line(T(1), to, up, to, d);
                                   } else {
                                       std::fill_n(to, d, up);
                                   }
                               }
                           });
}

template <class T>
BasicValue<T> sum(const BasicValue<T>& a) {
    T total = 0;
    for (const T x : a.data()) {
        total += x;
    }
    return a.tape().record(
        Array<T>(total), a.needs_gradient(),
        [a](const Array<T>& dy, const Array<T>&) { a.gradient_accumulator() += dy(); });
}

template <class T>
BasicValue<T> dropout(const BasicValue<T>& a, T rate, std::uint64_t seed) {
    if (!(rate >= T(0) && rate < T(1))) {
        throw std::invalid_argument("dropout: rate must be in [0, 1), got " + std::to_string(rate));
    }
    if (rate == T(0)) {
        return a;
    }
    // 16 random bits an element: the rate is met to 1 in 65,536.
    const auto limit = static_cast<std::uint64_t>(rate * T(65536));
    const T kept = T(1) / (T(1) - rate);
    std::mt19937_64 engine(seed);
    Array<T> factors = Array<T>::from_shape(shape_of(a.data()));
    T* factor = factors.data();
    const std::size_t size = factors.size();
    for (std::size_t first = 0; first < size; first += 4) {
        std::uint64_t bits = engine();
        for (std::size_t i = first; i < std::min(first + 4, size); ++i, bits >>= 16) {
            factor[i] = (bits & 0xFFFF) < limit ? T(0) : kept;
        }
    }
    return multiply(a, a.tape().constant(std::move(factors)));
}

#define AUTOGRAD_ELEMENTWISE(T)                                                                    \
    template BasicValue<T> scale(const BasicValue<T>&, T);                                         \
    template BasicValue<T> tanh(const BasicValue<T>&);                                             \
    template BasicValue<T> sigmoid(const BasicValue<T>&);                                          \
    template BasicValue<T> inverse_square_root(const BasicValue<T>&, T);                           \
    template BasicValue<T> gelu(const BasicValue<T>&);                                             \
    template BasicValue<T> row_mean(const BasicValue<T>&);                                         \
    template BasicValue<T> sum(const BasicValue<T>&);                                              \
    template BasicValue<T> dropout(const BasicValue<T>&, T, std::uint64_t);
AUTOGRAD_ELEMENTWISE(float)
AUTOGRAD_ELEMENTWISE(double)
#undef AUTOGRAD_ELEMENTWISE

} // namespace autograd
