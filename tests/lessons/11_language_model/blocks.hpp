#pragma once

// Arrays of 11.1, and what its graders expect of gradients.

#include <cmath>

#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain_block.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"

namespace blocks {

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_shape;
using judge::expect_that;
using judge::sizes;
using on_arrays::Array;
using on_arrays::Block;
using on_arrays::Normed;
using on_arrays::Transformed;
using Shape = std::vector<std::size_t>;

constexpr judge::Tolerance four_digits{1e-4, 3e-5, 5e-5};

inline Array some(const Shape& shape, std::uint64_t seed, double spread = 1, double middle = 0) {
    Array array = xt::zeros<float>(shape);
    const attention::Vector numbers = standard_normal(array.size(), seed);
    std::transform(numbers.begin(), numbers.end(), array.begin(),
                   [&](double number) { return static_cast<float>(middle + spread * number); });
    return array;
}

/// The shape is the input's, and not every element is 0.
inline void expect_gradient(const std::string& of, const Array& gradient, const Array& input) {
    expect_shape(sizes(gradient), sizes(input));
    expect_that(xt::amax(xt::abs(gradient))() > 0, "training needs a gradient of " + of,
                "none flows back to it: every element is 0");
}

inline Array golden_array(const std::string& name) {
    return plain::in_float(support::golden("language/" + name));
}
inline Array golden_row(const std::string& name) {
    const attention::Vector row = support::golden_vector("language/" + name);
    return xt::cast<float>(row);
}

/// What fails where nothing is changed in the output.
inline const judge::Suspicion left_out_without_effect{
    "left_out_without_effect",
    "right, but where every gain is 1, or every bias 0: what changes no output is left out, and "
    "gets no gradient. A training starts like that, and they would stay as they are for ever."};

} // namespace blocks
