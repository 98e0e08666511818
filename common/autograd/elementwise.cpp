#include "autograd/check.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

#include <algorithm>
#include <random>

namespace autograd {
namespace {

// How numpy lines up two shapes: the result's shape, and how far one step along each of its axes
// goes in either operand, 0 where the operand is repeated.
struct Broadcast {
    Shape shape, a_steps, b_steps;
};

template <class T>
Broadcast broadcast(const BasicValue<T>& a, const BasicValue<T>& b) {
    const std::size_t rank = std::max(a.dimension(), b.dimension());
    Broadcast result{Shape(rank, 1), Shape(rank, 0), Shape(rank, 0)};
    std::size_t a_step = 1, b_step = 1;
    for (std::size_t back = 1; back <= rank; ++back) {
        const std::size_t axis = rank - back;
        const std::size_t a_size = back <= a.dimension() ? a.shape(a.dimension() - back) : 1;
        const std::size_t b_size = back <= b.dimension() ? b.shape(b.dimension() - back) : 1;
        if (a_size != b_size && a_size != 1 && b_size != 1) {
            throw std::invalid_argument("add: sizes must be equal or 1, got " +
                                        std::to_string(a_size) + " and " + std::to_string(b_size) +
                                        "; a is " + attention::shape_text(a.data()) + ", b is " +
                                        attention::shape_text(b.data()));
        }
        result.shape[axis] = a_size == 1 ? b_size : a_size;
        result.a_steps[axis] = a_size == 1 ? 0 : a_step;
        result.b_steps[axis] = b_size == 1 ? 0 : b_step;
        a_step *= a_size;
        b_step *= b_size;
    }
    return result;
}

// visit(result, a, b): the flat positions of every element of the result and what it comes from.
template <class Visit>
void for_each_element(const Broadcast& lined_up, const Visit& visit) {
    std::size_t total = 1;
    for (const std::size_t size : lined_up.shape) {
        total *= size;
    }
    Shape index(lined_up.shape.size(), 0);
    std::size_t a = 0, b = 0;
    for (std::size_t flat = 0; flat < total; ++flat) {
        visit(flat, a, b);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            a += lined_up.a_steps[axis];
            b += lined_up.b_steps[axis];
            if (++index[axis] < lined_up.shape[axis]) {
                break;
            }
            index[axis] = 0;
            a -= lined_up.a_steps[axis] * lined_up.shape[axis];
            b -= lined_up.b_steps[axis] * lined_up.shape[axis];
        }
    }
}

// An operation on one array whose derivative follows from its result.
template <class T, class Derivative>
BasicValue<T> record_unary(const BasicValue<T>& a, Array<T> y, const Derivative& derivative) {
    return a.tape().record(std::move(y), a.needs_gradient(),
                           [a, derivative](const Array<T>& dy, const Array<T>& out) {
                               T* da = a.gradient_sum().data();
                               for (std::size_t i = 0; i < dy.size(); ++i) {
                                   da[i] += dy.data()[i] * derivative(out.data()[i]);
                               }
                           });
}

} // namespace

template <class T>
BasicValue<T> add(const BasicValue<T>& a, const BasicValue<T>& b) {
    require_same_tape("add", a, b);
    const Broadcast lined_up = broadcast(a, b);
    Array<T> y = Array<T>::from_shape(lined_up.shape);
    T* out = y.data();
    const T* left = a.data().data();
    const T* right = b.data().data();
    for_each_element(lined_up, [=](std::size_t flat, std::size_t i, std::size_t j) {
        out[flat] = left[i] + right[j];
    });
    return a.tape().record(std::move(y), a.needs_gradient() || b.needs_gradient(),
                           [a, b, lined_up](const Array<T>& dy, const Array<T>&) {
                               T* da = a.needs_gradient() ? a.gradient_sum().data() : nullptr;
                               T* db = b.needs_gradient() ? b.gradient_sum().data() : nullptr;
                               const T* up = dy.data();
                               for_each_element(
                                   lined_up, [=](std::size_t flat, std::size_t i, std::size_t j) {
                                       if (da != nullptr) {
                                           da[i] += up[flat];
                                       }
                                       if (db != nullptr) {
                                           db[j] += up[flat];
                                       }
                                   });
                           });
}

template <class T>
BasicValue<T> multiply(const BasicValue<T>& a, const BasicValue<T>& b) {
    require_same_tape("multiply", a, b);
    if (shape_of(a.data()) != shape_of(b.data())) {
        throw std::invalid_argument("multiply: a and b must have one shape, got two; a is " +
                                    attention::shape_text(a.data()) + ", b is " +
                                    attention::shape_text(b.data()));
    }
    Array<T> y = Array<T>::from_shape(shape_of(a.data()));
    kernels::multiply(a.data().data(), b.data().data(), y.data(), y.size());
    return a.tape().record(std::move(y), a.needs_gradient() || b.needs_gradient(),
                           [a, b](const Array<T>& dy, const Array<T>&) {
                               if (a.needs_gradient()) {
                                   kernels::add_product(dy.data(), b.data().data(),
                                                        a.gradient_sum().data(), dy.size());
                               }
                               if (b.needs_gradient()) {
                                   kernels::add_product(dy.data(), a.data().data(),
                                                        b.gradient_sum().data(), dy.size());
                               }
                           });
}

template <class T>
BasicValue<T> scale(const BasicValue<T>& a, T factor) {
    Array<T> y = factor * a.data();
    return a.tape().record(std::move(y), a.needs_gradient(),
                           [a, factor](const Array<T>& dy, const Array<T>&) {
                               kernels::add(factor, dy.data(), a.gradient_sum().data(), dy.size());
                           });
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
BasicValue<T> sum(const BasicValue<T>& a) {
    T total = 0;
    for (const T x : a.data()) {
        total += x;
    }
    return a.tape().record(Array<T>(total), a.needs_gradient(),
                           [a](const Array<T>& dy, const Array<T>&) { a.gradient_sum() += dy(); });
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
    template BasicValue<T> add(const BasicValue<T>&, const BasicValue<T>&);                        \
    template BasicValue<T> multiply(const BasicValue<T>&, const BasicValue<T>&);                   \
    template BasicValue<T> scale(const BasicValue<T>&, T);                                         \
    template BasicValue<T> tanh(const BasicValue<T>&);                                             \
    template BasicValue<T> sigmoid(const BasicValue<T>&);                                          \
    template BasicValue<T> sum(const BasicValue<T>&);                                              \
    template BasicValue<T> dropout(const BasicValue<T>&, T, std::uint64_t);
AUTOGRAD_ELEMENTWISE(float)
AUTOGRAD_ELEMENTWISE(double)
#undef AUTOGRAD_ELEMENTWISE

} // namespace autograd
