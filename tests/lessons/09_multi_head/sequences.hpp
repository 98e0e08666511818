#pragma once

// What the graders of lesson 09 share: examples, and checks.

#include <algorithm>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/refusal.hpp"

namespace sequences {

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using plain::Mask;
using plain::Matrix;
using plain::OptionalMask;
using plain::Tensor3;
using plain::Vector;

/// What is only copied is equal to the last bit.
constexpr judge::Tolerance exact{0, 0};

/// Sums of some thousand terms.
constexpr judge::Tolerance of_long_sums{0, 0, 1e-10};

/// 0, 1, 2 …, each in a place of its own.
inline Matrix counted(std::size_t rows, std::size_t columns) {
    return plain::matrix_of(rows, columns,
                            [&](auto i, auto j) { return static_cast<double>(i * columns + j); });
}

inline Tensor3 random_tensor(std::size_t n_heads, std::size_t rows, std::size_t columns,
                             std::uint64_t seed) {
    const Matrix numbers = standard_normal(n_heads * rows, columns, seed);
    Tensor3 tensor = Tensor3::from_shape({n_heads, rows, columns});
    std::copy(numbers.begin(), numbers.end(), tensor.begin());
    return tensor;
}

/// A mask that blocks about one place in three.
inline Mask random_mask(std::size_t n, std::uint64_t seed) {
    const Matrix numbers = standard_normal(n, n, seed);
    Mask mask = Mask::from_shape({n, n});
    std::transform(numbers.begin(), numbers.end(), mask.begin(), [](double x) { return x < 0.43; });
    return mask;
}

/// 0, 1, … n − 1, and a number added to each.
inline Vector counting(std::size_t n, double from = 0) {
    Vector positions = Vector::from_shape({n});
    for (std::size_t i = 0; i < n; ++i) {
        positions(i) = from + static_cast<double>(i);
    }
    return positions;
}

/// The outcome is a std::invalid_argument that names both numbers, in any wording.
inline void expect_numbers_named(const judge::Outcome& outcome, std::size_t a,
                                 const std::vector<std::size_t>& one_of) {
    judge::expect_refused(outcome, std::to_string(a) + " and " + std::to_string(one_of.front()));
    const std::string& text = std::get<judge::Threw>(outcome).what;
    const std::vector<support::NumberInText> numbers = support::numbers_in(text);
    const auto named = [&](std::size_t wanted) {
        return std::any_of(
            numbers.begin(), numbers.end(),
            [&](const support::NumberInText& number) { return number.value == wanted; });
    };
    const auto expect_named = [&](bool is_named, std::size_t number) {
        expect_that(is_named, "the error's text names both numbers",
                    std::to_string(number) + " is not in it: \"" + text + "\"");
    };
    expect_named(named(a), a);
    expect_named(std::any_of(one_of.begin(), one_of.end(), named), one_of.front());
}

inline void expect_numbers_named(const judge::Outcome& outcome, std::size_t a, std::size_t b) {
    expect_numbers_named(outcome, a, std::vector<std::size_t>{b});
}

} // namespace sequences
