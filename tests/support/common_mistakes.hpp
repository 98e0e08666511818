#pragma once

// What wrong versions of many exercises have in common: a sum that ends too early, and a text that
// does not fit into its buffer.

#include <stdexcept>
#include <string>

#include "attention/tensor.hpp"

namespace mistakes {

constexpr const char* sum_ends_where_unchanged =
    "a sum ends at a term that does not change it, as if those after it could only be smaller. "
    "They may be of any size: add all of them.";

/// The term that does not change a sum and ends it: any, or one that is not 0.
enum class Ends { at_any, at_one_that_is_not_0 };

/// Σ term(i), i < n, up to the first term that does not change it.
template <class Term>
double sum_ended(std::size_t n, Ends ends, const Term& term) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double next = sum + term(i);
        if (next == sum && (ends == Ends::at_any || term(i) != 0)) {
            break;
        }
        sum = next;
    }
    return sum;
}

/// X · Y, each sum of which ends so.
inline attention::Matrix product_ended(const attention::Matrix& X, const attention::Matrix& Y,
                                       Ends ends) {
    attention::Matrix result = attention::Matrix::from_shape({X.shape(0), Y.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < Y.shape(1); ++j) {
            result(i, j) =
                sum_ended(Y.shape(0), ends, [&](std::size_t k) { return X(i, k) * Y(k, j); });
        }
    }
    return result;
}

constexpr const char* text_cut_off =
    "what the exception says is cut off where sizes have many digits: the text is written into a "
    "buffer of a fixed length, by snprintf maybe. Put it together as a std::string, which grows.";

/// What snprintf leaves of a text in a buffer of so many characters.
[[noreturn]] inline void refuse_in_a_buffer(std::size_t characters, const std::string& text) {
    throw std::invalid_argument(text.substr(0, characters - 1));
}

/// Throws unless the sizes at these axes are equal; the text has room for short shapes.
template <class Left, class Right>
void require_in_a_buffer(std::size_t characters, const std::string& function,
                         const std::string& left_name, const Left& left, std::size_t left_axis,
                         const std::string& right_name, const Right& right,
                         std::size_t right_axis) {
    if (left.shape(left_axis) != right.shape(right_axis)) {
        refuse_in_a_buffer(characters, function + ": " + left_name + " " +
                                           attention::shape_text(left) + ", " + right_name + " " +
                                           attention::shape_text(right));
    }
}

} // namespace mistakes
