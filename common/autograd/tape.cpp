#include "autograd/tape.hpp"

#include "autograd/kernels.hpp"

#include <algorithm>
#include <stdexcept>

namespace autograd {

template <class T>
Array<T>& Gradient<T>::accumulator(const Shape& shape) {
    if (!destination(shape).add) {
        array.fill(T(0));
    }
    return array;
}

template <class T>
Destination<T> Gradient<T>::destination(const Shape& shape) {
    const bool was_used = used;
    if (array.size() == 0 || shape_of(array) != shape) {
        array = Array<T>::from_shape(shape);
        if (by_rows) {
            array.fill(T(0));
            touched.assign(shape.at(0), 0);
        }
    }
    used = true;
    return {array.data(), was_used || by_rows};
}

template <class T>
void Gradient<T>::clear() {
    used = false;
    for (std::size_t row = 0; row < touched.size(); ++row) {
        if (touched[row] != 0) {
            const std::size_t width = array.size() / touched.size();
            std::fill_n(array.data() + row * width, width, T(0));
            touched[row] = 0;
        }
    }
}

template <class T>
Array<T> BasicValue<T>::gradient() const {
    if (node_->backward) {
        throw std::invalid_argument(
            "gradient: inputs keep theirs, got the result of an operation; it is " +
            attention::shape_text(data()));
    }
    if (!node_->gradient->used) {
        return Array<T>(data().shape(), T(0));
    }
    return node_->gradient->array;
}

template <class T>
void BasicValue<T>::add_gradient(const T* dx, T factor) const {
    if (needs_gradient()) {
        Array<T>& sum = gradient_accumulator();
        kernels::add(factor, dx, sum.data(), sum.size());
    }
}

template <class T>
BasicValue<T> BasicTape<T>::add_node(bool needs_gradient) {
    Node<T>& node = nodes_.emplace_back();
    node.tape = this;
    node.data = &node.own_data;
    node.gradient = &node.own_gradient;
    node.needs_gradient = needs_gradient;
    return BasicValue<T>(&node);
}

template <class T>
BasicValue<T> BasicTape<T>::constant(Array<T> data) {
    const BasicValue<T> value = add_node(false);
    nodes_.back().own_data = std::move(data);
    return value;
}

template <class T>
BasicValue<T> BasicTape<T>::reference(const Array<T>& data) {
    const BasicValue<T> value = add_node(false);
    nodes_.back().data = &data;
    return value;
}

template <class T>
BasicValue<T> BasicTape<T>::variable(Array<T> data) {
    const BasicValue<T> value = add_node(true);
    nodes_.back().own_data = std::move(data);
    return value;
}

template <class T>
BasicValue<T> BasicTape<T>::parameter(const Array<T>& data, Gradient<T>& gradient) {
    const BasicValue<T> value = add_node(true);
    nodes_.back().data = &data;
    nodes_.back().gradient = &gradient;
    return value;
}

template <class T>
BasicValue<T> BasicTape<T>::record(Array<T> data, bool needs_gradient, BackwardOf<T> backward) {
    const BasicValue<T> value = add_node(needs_gradient);
    nodes_.back().own_data = std::move(data);
    if (needs_gradient) {
        nodes_.back().backward = std::move(backward);
    }
    return value;
}

template <class T>
void BasicTape<T>::backward(const BasicValue<T>& loss, T seed) {
    if (loss.data().size() != 1) {
        throw std::invalid_argument("backward: loss must be a single number, got " +
                                    std::to_string(loss.data().size()) + "; loss is " +
                                    attention::shape_text(loss.data()));
    }
    if (&loss.tape() != this) {
        throw std::invalid_argument(
            "backward: loss must be a value of this tape, got another tape's");
    }
    if (was_read_) {
        throw std::invalid_argument(
            "backward: a tape is read backwards once, got a second call; clear it, compute again");
    }
    was_read_ = true;
    loss.gradient_accumulator().fill(seed);
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
        if (node->backward && node->gradient->used) {
            node->backward(node->gradient->array, *node->data);
            node->own_gradient = {}; // its memory is still in the cache: the next gradient takes it
        }
    }
}

template <class T>
void BasicTape<T>::clear() {
    nodes_.clear();
    was_read_ = false;
}

template struct Gradient<float>;
template struct Gradient<double>;
template class BasicValue<float>;
template class BasicValue<double>;
template class BasicTape<float>;
template class BasicTape<double>;

} // namespace autograd
