#include "autograd/check.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

#include <algorithm>

namespace autograd {
namespace {

// How numpy aligns two shapes: the result's shape, and the length of a step along each of its axes
// in either operand, 0 where the operand is repeated.
struct Broadcast {
    Shape shape, a_steps, b_steps;
    std::size_t n = 1, n_rows = 1; // rows along the last axis; of one shape all is one row
    // Whether an operand advances along a row; otherwise it is one repeated number.
    bool a_moves = true, b_moves = true;
};

template <class T>
Broadcast broadcast(const char* function, const BasicValue<T>& a, const BasicValue<T>& b) {
    require_same_tape(function, a, b);
    const std::size_t rank = std::max(a.dimension(), b.dimension());
    Broadcast result{Shape(rank, 1), Shape(rank, 0), Shape(rank, 0)};
    std::size_t a_step = 1, b_step = 1;
    for (std::size_t back = 1; back <= rank; ++back) {
        const std::size_t axis = rank - back;
        const std::size_t a_size = back <= a.dimension() ? a.shape(a.dimension() - back) : 1;
        const std::size_t b_size = back <= b.dimension() ? b.shape(b.dimension() - back) : 1;
        if (a_size != b_size && a_size != 1 && b_size != 1) {
            throw std::invalid_argument(std::string(function) + ": sizes must be equal or 1, got " +
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
    if (shape_of(a.data()) == shape_of(b.data())) {
        result.n = a.data().size();
        return result;
    }
    result.n = result.shape.back();
    if (result.n > 1) {
        result.a_moves = result.a_steps.back() != 0;
        result.b_moves = result.b_steps.back() != 0;
    }
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
        result.n_rows *= result.shape[axis];
    }
    return result;
}

// visit(result, a, b): the flat positions at which a row of each starts.
template <class Visit>
void for_each_row(const Broadcast& lined_up, const Visit& visit) {
    const std::size_t rank = lined_up.shape.size();
    Shape index(rank, 0);
    std::size_t a = 0, b = 0;
    for (std::size_t row = 0; row < lined_up.n_rows; ++row) {
        visit(row * lined_up.n, a, b);
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

// The first gradient that reaches an operand with the result's shape is stored, not added: nothing
// needs to be set to 0 first. A repeated operand gathers its gradients.
template <class T>
Destination<T> destination(const BasicValue<T>& operand, const Broadcast& lined_up) {
    if (shape_of(operand.data()) == lined_up.shape) {
        return operand.gradient_destination();
    }
    return {operand.gradient_accumulator().data(), true};
}

// a + factor · b
template <class T>
BasicValue<T> sum_of(const char* function, const BasicValue<T>& a, const BasicValue<T>& b,
                     T factor) {
    const Broadcast lined_up = broadcast(function, a, b);
    Array<T> y = Array<T>::from_shape(lined_up.shape);
    for_each_row(lined_up, [&](std::size_t flat, std::size_t i, std::size_t j) {
        const T *from_a = a.data().data() + i, *from_b = b.data().data() + j;
        T* to = y.data() + flat;
        if (lined_up.a_moves && lined_up.b_moves) {
            kernels::sum(from_a, factor, from_b, to, lined_up.n);
        } else if (lined_up.a_moves) {
            kernels::line(T(1), from_a, factor * *from_b, to, lined_up.n);
        } else {
            kernels::line(factor, from_b, *from_a, to, lined_up.n);
        }
    });
    return a.tape().record(
        std::move(y), a.needs_gradient() || b.needs_gradient(),
        [=](const Array<T>& dy, const Array<T>&) {
            const auto pass_on = [&](const BasicValue<T>& operand, bool moves, bool is_a, T times) {
                if (!operand.needs_gradient()) {
                    return;
                }
                const Destination<T> to = destination(operand, lined_up);
                for_each_row(lined_up, [&](std::size_t flat, std::size_t i, std::size_t j) {
                    T* row = to.data + (is_a ? i : j);
                    if (!moves) {
                        *row += times * kernels::total(dy.data() + flat, lined_up.n);
                    } else if (to.add) {
                        kernels::add(times, dy.data() + flat, row, lined_up.n);
                    } else {
                        kernels::line(times, dy.data() + flat, T(0), row, lined_up.n);
                    }
                });
            };
            pass_on(a, lined_up.a_moves, true, T(1));
            pass_on(b, lined_up.b_moves, false, factor);
        });
}

} // namespace

template <class T>
BasicValue<T> add(const BasicValue<T>& a, const BasicValue<T>& b) {
    return sum_of("add", a, b, T(1));
}

template <class T>
BasicValue<T> subtract(const BasicValue<T>& a, const BasicValue<T>& b) {
    return sum_of("subtract", a, b, T(-1));
}

template <class T>
BasicValue<T> multiply(const BasicValue<T>& a, const BasicValue<T>& b) {
    const Broadcast lined_up = broadcast("multiply", a, b);
    Array<T> y = Array<T>::from_shape(lined_up.shape);
    for_each_row(lined_up, [&](std::size_t flat, std::size_t i, std::size_t j) {
        const T *from_a = a.data().data() + i, *from_b = b.data().data() + j;
        T* to = y.data() + flat;
        if (lined_up.a_moves && lined_up.b_moves) {
            kernels::multiply(from_a, from_b, to, lined_up.n);
        } else if (lined_up.a_moves) {
            kernels::line(*from_b, from_a, T(0), to, lined_up.n);
        } else {
            kernels::line(*from_a, from_b, T(0), to, lined_up.n);
        }
    });
    return a.tape().record(
        std::move(y), a.needs_gradient() || b.needs_gradient(),
        [=](const Array<T>& dy, const Array<T>&) {
            // the gradient of one operand; the other is the one that it was multiplied by
            const auto pass_on = [&](const BasicValue<T>& operand, const BasicValue<T>& other,
                                     bool moves, bool other_moves, bool is_a) {
                if (!operand.needs_gradient()) {
                    return;
                }
                const Destination<T> to = destination(operand, lined_up);
                for_each_row(lined_up, [&](std::size_t flat, std::size_t i, std::size_t j) {
                    const T* factors = other.data().data() + (is_a ? j : i);
                    const T* up = dy.data() + flat;
                    T* row = to.data + (is_a ? i : j);
                    if (!moves) {
                        *row += kernels::dot(up, factors, lined_up.n);
                    } else if (!other_moves && to.add) {
                        kernels::add(*factors, up, row, lined_up.n);
                    } else if (!other_moves) {
                        kernels::line(*factors, up, T(0), row, lined_up.n);
                    } else if (to.add) {
                        kernels::add_product(up, factors, row, lined_up.n);
                    } else {
                        kernels::multiply(up, factors, row, lined_up.n);
                    }
                });
            };
            pass_on(a, b, lined_up.a_moves, lined_up.b_moves, true);
            pass_on(b, a, lined_up.b_moves, lined_up.a_moves, false);
        });
}

#define AUTOGRAD_BROADCAST(T)                                                                      \
    template BasicValue<T> add(const BasicValue<T>&, const BasicValue<T>&);                        \
    template BasicValue<T> subtract(const BasicValue<T>&, const BasicValue<T>&);                   \
    template BasicValue<T> multiply(const BasicValue<T>&, const BasicValue<T>&);
AUTOGRAD_BROADCAST(float)
AUTOGRAD_BROADCAST(double)
#undef AUTOGRAD_BROADCAST

} // namespace autograd
