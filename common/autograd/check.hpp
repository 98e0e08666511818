#pragma once

// Shape checks in the words of every public function: "function: rule, got values; shapes".

#include "attention/shapes.hpp"
#include "autograd/tape.hpp"

namespace autograd {

template <class T>
void require_rank(const char* function, const char* name, const BasicValue<T>& value,
                  std::size_t rank) {
    if (value.dimension() != rank) {
        throw std::invalid_argument(std::string(function) + ": " + name + " must have rank " +
                                    std::to_string(rank) + ", got " +
                                    std::to_string(value.dimension()) + "; " + name + " is " +
                                    attention::shape_text(value.data()));
    }
}

template <class T>
void require_same_tape(const char* function, const BasicValue<T>& a, const BasicValue<T>& b) {
    if (&a.tape() != &b.tape()) {
        throw std::invalid_argument(std::string(function) +
                                    ": the operands must be values of one tape, got two tapes");
    }
}

/// Both axes of one size; negative axes are not understood.
template <class T>
void require_shared(const char* function, const char* dimension, const char* left_name,
                    const BasicValue<T>& left, std::size_t left_axis, const char* right_name,
                    const BasicValue<T>& right, std::size_t right_axis) {
    attention::require_shared(function, dimension,
                              attention::Axis{left_name, left.data(), left_axis},
                              attention::Axis{right_name, right.data(), right_axis});
    require_same_tape(function, left, right);
}

/// A list of numbers with one entry for each of `expected`.
template <class T>
void require_count(const char* function, const char* list, const char* dimension, std::size_t got,
                   std::size_t expected, const char* name, const BasicValue<T>& value) {
    if (got != expected) {
        throw std::invalid_argument(std::string(function) + ": " + list + " must hold " +
                                    dimension + " entries, got " + std::to_string(got) + "; " +
                                    name + " is " + attention::shape_text(value.data()));
    }
}

} // namespace autograd
