#include "autograd/check.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

#include <algorithm>

namespace autograd {
namespace {

// An array as blocks around one axis: outer blocks of (size of the axis) × inner numbers.
struct Around {
    std::size_t outer = 1, inner = 1;
};

Around around(const Shape& shape, std::size_t axis) {
    Around result;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        (i < axis ? result.outer : result.inner) *= i == axis ? 1 : shape[i];
    }
    return result;
}

template <class T>
bool any_needs_gradient(const std::vector<BasicValue<T>>& values) {
    return std::any_of(values.begin(), values.end(),
                       [](const BasicValue<T>& value) { return value.needs_gradient(); });
}

template <class T>
void require_alike(const char* function, const std::vector<BasicValue<T>>& values,
                   std::size_t except_axis) {
    if (values.empty()) {
        throw std::invalid_argument(std::string(function) + ": there must be a value, got none");
    }
    for (const BasicValue<T>& value : values) {
        Shape first = shape_of(values[0].data()), other = shape_of(value.data());
        if (except_axis < std::min(first.size(), other.size())) {
            first[except_axis] = other[except_axis] = 0;
        }
        if (first != other) {
            throw std::invalid_argument(std::string(function) + ": shapes must agree, got " +
                                        attention::shape_text(values[0].data()) + " and " +
                                        attention::shape_text(value.data()));
        }
        require_same_tape(function, values[0], value);
    }
}

template <class T>
void require_axis(const char* function, const BasicValue<T>& a, std::size_t axis) {
    if (axis >= a.dimension()) {
        throw std::invalid_argument(std::string(function) + ": axis must be below the rank, got " +
                                    std::to_string(axis) + "; a is " +
                                    attention::shape_text(a.data()));
    }
}

} // namespace

template <class T>
BasicValue<T> reshape(const BasicValue<T>& a, const Shape& shape) {
    Array<T> y = a.data();
    std::size_t size = 1;
    for (const std::size_t n : shape) {
        size *= n;
    }
    if (size != y.size()) {
        throw std::invalid_argument("reshape: the new shape must hold as many elements, got " +
                                    std::to_string(size) + "; a is " + attention::shape_text(y));
    }
    y.reshape(shape);
    return a.tape().record(std::move(y), a.needs_gradient(),
                           [a](const Array<T>& dy, const Array<T>&) { a.add_gradient(dy.data()); });
}

template <class T>
BasicValue<T> embedding(const BasicValue<T>& table, const std::vector<std::size_t>& indices) {
    require_rank("embedding", "table", table, 2);
    const std::size_t d = table.shape(1);
    Array<T> y = Array<T>::from_shape({indices.size(), d});
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] >= table.shape(0)) {
            throw std::invalid_argument("embedding: indices must be below n_rows, got " +
                                        std::to_string(indices[i]) + "; table is " +
                                        attention::shape_text(table.data()));
        }
        std::copy_n(table.data().data() + indices[i] * d, d, y.data() + i * d);
    }
    return table.tape().record(std::move(y), table.needs_gradient(),
                               [table, indices, d](const Array<T>& dy, const Array<T>&) {
                                   T* d_table = table.gradient_accumulator().data();
                                   std::vector<char>& touched = table.gradient_store().touched;
                                   for (std::size_t i = 0; i < indices.size(); ++i) {
                                       kernels::add(T(1), dy.data() + i * d,
                                                    d_table + indices[i] * d, d);
                                       if (!touched.empty()) {
                                           touched[indices[i]] = 1;
                                       }
                                   }
                               });
}

template <class T>
BasicValue<T> concatenate(const std::vector<BasicValue<T>>& parts, std::size_t axis) {
    require_alike("concatenate", parts, axis);
    require_axis("concatenate", parts[0], axis);
    Shape shape = shape_of(parts[0].data());
    shape[axis] = 0;
    for (const BasicValue<T>& part : parts) {
        shape[axis] += part.shape(axis);
    }
    const Around blocks = around(shape, axis);
    const std::size_t row = shape[axis] * blocks.inner;
    Array<T> y = Array<T>::from_shape(shape);
    T* to = y.data();
    for (const BasicValue<T>& part : parts) {
        const std::size_t width = part.shape(axis) * blocks.inner;
        for (std::size_t i = 0; i < blocks.outer; ++i) {
            std::copy_n(part.data().data() + i * width, width, to + i * row);
        }
        to += width;
    }
    return parts[0].tape().record(std::move(y), any_needs_gradient(parts),
                                  [parts, axis, blocks, row](const Array<T>& dy, const Array<T>&) {
                                      const T* from = dy.data();
                                      for (const BasicValue<T>& part : parts) {
                                          const std::size_t width = part.shape(axis) * blocks.inner;
                                          if (part.needs_gradient()) {
                                              T* d_part = part.gradient_accumulator().data();
                                              for (std::size_t i = 0; i < blocks.outer; ++i) {
                                                  kernels::add(T(1), from + i * row,
                                                               d_part + i * width, width);
                                              }
                                          }
                                          from += width;
                                      }
                                  });
}

template <class T>
BasicValue<T> slice(const BasicValue<T>& a, std::size_t axis, std::size_t first, std::size_t last) {
    require_axis("slice", a, axis);
    if (first > last || last > a.shape(axis)) {
        throw std::invalid_argument("slice: first ≤ last ≤ size of the axis, got " +
                                    std::to_string(first) + " and " + std::to_string(last) +
                                    "; a is " + attention::shape_text(a.data()));
    }
    Shape shape = shape_of(a.data());
    const Around blocks = around(shape, axis);
    const std::size_t row = shape[axis] * blocks.inner;
    const std::size_t start = first * blocks.inner;
    const std::size_t width = (last - first) * blocks.inner;
    shape[axis] = last - first;
    Array<T> y = Array<T>::from_shape(shape);
    for (std::size_t i = 0; i < blocks.outer; ++i) {
        std::copy_n(a.data().data() + i * row + start, width, y.data() + i * width);
    }
    return a.tape().record(std::move(y), a.needs_gradient(),
                           [=](const Array<T>& dy, const Array<T>&) {
                               T* da = a.gradient_accumulator().data() + start;
                               for (std::size_t i = 0; i < blocks.outer; ++i) {
                                   kernels::add(T(1), dy.data() + i * width, da + i * row, width);
                               }
                           });
}

template <class T>
BasicValue<T> stack(const std::vector<BasicValue<T>>& steps) {
    require_alike("stack", steps, 2);
    require_rank("stack", "a step", steps[0], 2);
    const std::size_t batch = steps[0].shape(0), n_steps = steps.size(), d = steps[0].shape(1);
    Array<T> y = Array<T>::from_shape({batch, n_steps, d});
    for (std::size_t t = 0; t < n_steps; ++t) {
        for (std::size_t b = 0; b < batch; ++b) {
            std::copy_n(steps[t].data().data() + b * d, d, y.data() + (b * n_steps + t) * d);
        }
    }
    return steps[0].tape().record(
        std::move(y), any_needs_gradient(steps),
        [steps, batch, n_steps, d](const Array<T>& dy, const Array<T>&) {
            for (std::size_t t = 0; t < n_steps; ++t) {
                if (steps[t].needs_gradient()) {
                    T* d_step = steps[t].gradient_accumulator().data();
                    for (std::size_t b = 0; b < batch; ++b) {
                        kernels::add(T(1), dy.data() + (b * n_steps + t) * d, d_step + b * d, d);
                    }
                }
            }
        });
}

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define AUTOGRAD_ARRANGE(T)                                                                        \
    template BasicValue<T> reshape(const BasicValue<T>&, const Shape&);                            \
    template BasicValue<T> embedding(const BasicValue<T>&, const std::vector<std::size_t>&);       \
    template BasicValue<T> concatenate(const std::vector<BasicValue<T>>&, std::size_t);            \
    template BasicValue<T> slice(const BasicValue<T>&, std::size_t, std::size_t, std::size_t);     \
    template BasicValue<T> stack(const std::vector<BasicValue<T>>&);
AUTOGRAD_ARRANGE(float)
AUTOGRAD_ARRANGE(double)
#undef AUTOGRAD_ARRANGE
// NOLINTEND(bugprone-macro-parentheses)

} // namespace autograd
