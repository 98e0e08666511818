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

// y by its rows: compute(row of a, row of b, row of y).
template <class T, class Compute>
Array<T> by_rows(const Broadcast& lined_up, const BasicValue<T>& a, const BasicValue<T>& b,
                 const Compute& compute) {
    Array<T> y = Array<T>::from_shape(lined_up.shape);
    for_each_row(lined_up, [&](std::size_t flat, std::size_t i, std::size_t j) {
        compute(a.data().data() + i, b.data().data() + j, y.data() + flat);
    });
    return y;
}

// Passes dy on to one operand: gather(row of dy, row of the other operand, row of the gradient,
// whether to add). The first gradient that reaches an operand with the result's shape is stored,
// not added: nothing needs to be set to 0 first. A repeated operand gathers its gradients.
template <class T, class Gather>
void pass_on(const Broadcast& lined_up, const BasicValue<T>& operand, const BasicValue<T>& other,
             bool is_a, const Array<T>& dy, const Gather& gather) {
    if (!operand.needs_gradient()) {
        return;
    }
    const Destination<T> to = shape_of(operand.data()) == lined_up.shape
                                  ? operand.gradient_destination()
                                  : Destination<T>{operand.gradient_accumulator().data(), true};
    for_each_row(lined_up, [&](std::size_t flat, std::size_t i, std::size_t j) {
        gather(dy.data() + flat, other.data().data() + (is_a ? j : i), to.data + (is_a ? i : j),
               to.add);
    });
}

// a + factor · b
template <class T>
BasicValue<T> sum_of(const char* function, const BasicValue<T>& a, const BasicValue<T>& b,
                     T factor) {
    const Broadcast lined_up = broadcast(function, a, b);
    const std::size_t n = lined_up.n;
    Array<T> y = by_rows(lined_up, a, b, [&](const T* x, const T* z, T* to) {
        if (lined_up.a_moves && lined_up.b_moves) {
            kernels::sum(x, factor, z, to, n);
        } else if (lined_up.a_moves) {
            kernels::line(T(1), x, factor * *z, to, n);
        } else {
            kernels::line(factor, z, *x, to, n);
        }
    });
    const auto backward = [=](const Array<T>& dy, const Array<T>&) {
        const auto gather = [n](bool moves, T times) {
            return [=](const T* up, const T*, T* row, bool add) {
                if (!moves) {
                    *row += times * kernels::total(up, n);
                } else if (add) {
                    kernels::add(times, up, row, n);
                } else {
                    kernels::line(times, up, T(0), row, n);
                }
            };
        };
        pass_on(lined_up, a, b, true, dy, gather(lined_up.a_moves, T(1)));
        pass_on(lined_up, b, a, false, dy, gather(lined_up.b_moves, factor));
    };
    return a.tape().record(std::move(y), a.needs_gradient() || b.needs_gradient(), backward);
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
    const std::size_t n = lined_up.n;
    Array<T> y = by_rows(lined_up, a, b, [&](const T* x, const T* z, T* to) {
        if (lined_up.a_moves && lined_up.b_moves) {
            kernels::multiply(x, z, to, n);
        } else if (lined_up.a_moves) {
            kernels::line(*z, x, T(0), to, n);
        } else {
            kernels::line(*x, z, T(0), to, n);
        }
    });
    const auto backward = [=](const Array<T>& dy, const Array<T>&) {
        const auto gather = [n](bool moves, bool other_moves) {
            return [=](const T* up, const T* factors, T* row, bool add) {
                if (!moves) {
                    *row += kernels::dot(up, factors, n);
                } else if (!other_moves && add) {
                    kernels::add(*factors, up, row, n);
                } else if (!other_moves) {
                    kernels::line(*factors, up, T(0), row, n);
                } else if (add) {
                    kernels::add_product(up, factors, row, n);
                } else {
                    kernels::multiply(up, factors, row, n);
                }
            };
        };
        pass_on(lined_up, a, b, true, dy, gather(lined_up.a_moves, lined_up.b_moves));
        pass_on(lined_up, b, a, false, dy, gather(lined_up.b_moves, lined_up.a_moves));
    };
    return a.tape().record(std::move(y), a.needs_gradient() || b.needs_gradient(), backward);
}

#define AUTOGRAD_BROADCAST(T)                                                                      \
    template BasicValue<T> add(const BasicValue<T>&, const BasicValue<T>&);                        \
    template BasicValue<T> subtract(const BasicValue<T>&, const BasicValue<T>&);                   \
    template BasicValue<T> multiply(const BasicValue<T>&, const BasicValue<T>&);
AUTOGRAD_BROADCAST(float)
AUTOGRAD_BROADCAST(double)
#undef AUTOGRAD_BROADCAST

} // namespace autograd
