#pragma once

// Reverse-mode differentiation. Every operation on values computes its result at once and leaves a
// note on the tape: how the gradient of the result becomes gradients of its operands. Reading the
// tape backwards is the chain rule.
//
//   Tape tape;
//   Value W = tape.variable(…), x = tape.constant(…);
//   Value loss = sum(tanh(product(x, W)));
//   tape.backward(loss);      // W.gradient() is d loss / d W
//
// There is no global state: values of one tape belong to one thread, and each thread has its own.

#include "attention/tensor.hpp"

#include <deque>
#include <functional>
#include <vector>

namespace autograd {

template <class T>
using Array = xt::xarray<T>; // row-major, of any rank
using Shape = std::vector<std::size_t>;

template <class T>
Shape shape_of(const Array<T>& array) {
    return Shape(array.shape().begin(), array.shape().end());
}

/// How a result is stored: added to the numbers at `data`, or in their place.
template <class T>
struct Destination {
    T* data;
    bool add = false;
};

/// d loss / d value, gathered from every use of the value.
template <class T>
struct Gradient {
    Array<T> array;
    bool used = false; // false: nothing was added yet, and array has no meaning

    /// In an embedding table only the rows of the words that occur are touched; all others stay 0.
    bool by_rows = false;
    std::vector<char> touched; // if by_rows: for each row, whether anything was added to it

    /// The array to add to: zeros of this shape if nothing was added yet.
    Array<T>& accumulator(const Shape& shape);
    /// The same for functions that can also assign: nothing is set to 0 first.
    Destination<T> destination(const Shape& shape);
    /// Back to "nothing was added", keeping the memory.
    void clear();
};

/// Adds to the gradients of an operation's operands, given that of its result: dy = d loss / d y.
template <class T>
using BackwardOf = std::function<void(const Array<T>& dy, const Array<T>& y)>;

template <class T>
class BasicTape;

template <class T>
struct Node {
    BasicTape<T>* tape = nullptr;
    Array<T> own_data;
    Gradient<T> own_gradient;
    const Array<T>* data = nullptr;
    Gradient<T>* gradient = nullptr;
    bool needs_gradient = false;
    BackwardOf<T> backward;
};

/// An array on a tape. Copies are the same value, not a second one.
template <class T>
class BasicValue {
public:
    BasicValue() = default;
    explicit BasicValue(Node<T>* node) : node_(node) {}

    const Array<T>& data() const { return *node_->data; }
    /// d loss / d this after Tape::backward; zeros if the loss does not depend on it. Only inputs
    /// keep theirs: throws std::invalid_argument for the result of an operation.
    Array<T> gradient() const;

    std::size_t dimension() const { return data().dimension(); }
    std::size_t shape(std::size_t axis) const { return data().shape(axis); }
    bool exists() const { return node_ != nullptr; }

    // For operations: the tape that they record on, and their gradients.
    BasicTape<T>& tape() const { return *node_->tape; }
    bool needs_gradient() const { return node_->needs_gradient; }
    Gradient<T>& gradient_store() const { return *node_->gradient; }
    Array<T>& gradient_accumulator() const {
        return gradient_store().accumulator(shape_of(data()));
    }
    Destination<T> gradient_destination() const {
        return gradient_store().destination(shape_of(data()));
    }
    /// Adds factor · dx, of the value's size, where a gradient is needed.
    void add_gradient(const T* dx, T factor = T(1)) const;

private:
    Node<T>* node_ = nullptr;
};

template <class T>
class BasicTape {
public:
    BasicTape() = default;
    BasicTape(const BasicTape&) = delete; // nodes know their tape
    BasicTape& operator=(const BasicTape&) = delete;

    /// An input without a gradient.
    BasicValue<T> constant(Array<T> data);
    /// The same without a copy: `data` must outlive the tape's contents.
    BasicValue<T> reference(const Array<T>& data);
    /// An input with a gradient.
    BasicValue<T> variable(Array<T> data);
    /// An input with a gradient, both kept elsewhere: weights that several tapes read, while each
    /// thread gathers a gradient of its own. Both must outlive the tape's contents.
    BasicValue<T> parameter(const Array<T>& data, Gradient<T>& gradient);

    /// The result of an operation, and its backward pass, which is dropped if no gradient is
    /// needed.
    BasicValue<T> record(Array<T> data, bool needs_gradient, BackwardOf<T> backward);

    /// Gradients of a single number with respect to everything it was computed from, times `seed`.
    /// Throws std::invalid_argument if loss is not a single number of this tape, or if the tape was
    /// read backwards before: backwards reuse the memory of what their forwards saved.
    void backward(const BasicValue<T>& loss, T seed = T(1));

    /// Forgets all values; none of them may be used any more.
    void clear();
    std::size_t size() const { return nodes_.size(); }

private:
    BasicValue<T> add_node(bool needs_gradient);

    std::deque<Node<T>> nodes_; // in the order of computing; a deque leaves them where they are
    bool was_read_ = false;
};

// Single precision trains, double precision checks gradients.
using Tape = BasicTape<float>;
using Value = BasicValue<float>;
using DoubleTape = BasicTape<double>;
using DoubleValue = BasicValue<double>;

} // namespace autograd
