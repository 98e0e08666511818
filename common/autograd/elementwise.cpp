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

// visit(result, a, b, n): rows of n elements along the last axis, by the flat positions at which
// they start. Along a row an operand moves on (if its last step is 1) or is one number, repeated
// (if 0).
template <class Visit>
void for_each_row(const Broadcast& lined_up, const Visit& visit) {
    const std::size_t rank = lined_up.shape.size();
    const std::size_t n = rank == 0 ? 1 : lined_up.shape[rank - 1];
    std::size_t n_rows = 1;
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
        n_rows *= lined_up.shape[axis];
    }
    Shape index(rank, 0);
    std::size_t a = 0, b = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
        visit(row * n, a, b, n);
        for (std::size_t axis = rank < 2 ? 0 : rank - 1; axis-- > 0;) {
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

// to[0 … n) or, where it is one number, to[0] gathers from[0 … n).
template <class T>
void gather(const T* from, T* to, bool moves, std::size_t n) {
    if (moves) {
        kernels::add(T(1), from, to, n);
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            to[0] += from[i];
        }
    }
}

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
BasicValue<T> add(const BasicValue<T>& a, const BasicValue<T>& b) {
    require_same_tape("add", a, b);
    const Broadcast lined_up = broadcast(a, b);
    const bool a_moves = !lined_up.a_steps.empty() && lined_up.a_steps.back() != 0;
    const bool b_moves = !lined_up.b_steps.empty() && lined_up.b_steps.back() != 0;
    Array<T> y(lined_up.shape, T(0));
    const auto put = [&](const T* from, bool moves, T* to, std::size_t n) {
        for (std::size_t k = 0; k < n && !moves; ++k) {
            to[k] += from[0];
        }
        kernels::add(T(1), from, to, moves ? n : 0);
    };
    for_each_row(lined_up, [&](std::size_t flat, std::size_t i, std::size_t j, std::size_t n) {
        put(a.data().data() + i, a_moves, y.data() + flat, n);
        put(b.data().data() + j, b_moves, y.data() + flat, n);
    });
    return a.tape().record(
        std::move(y), a.needs_gradient() || b.needs_gradient(),
        [=](const Array<T>& dy, const Array<T>&) {
            T* da = a.needs_gradient() ? a.gradient_accumulator().data() : nullptr;
            T* db = b.needs_gradient() ? b.gradient_accumulator().data() : nullptr;
            for_each_row(lined_up,
                         [&](std::size_t flat, std::size_t i, std::size_t j, std::size_t n) {
                             if (da != nullptr) {
                                 gather(dy.data() + flat, da + i, a_moves, n);
                             }
                             if (db != nullptr) {
                                 gather(dy.data() + flat, db + j, b_moves, n);
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
                                                        a.gradient_accumulator().data(), dy.size());
                               }
                               if (b.needs_gradient()) {
                                   kernels::add_product(dy.data(), a.data().data(),
                                                        b.gradient_accumulator().data(), dy.size());
                               }
                           });
}

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
