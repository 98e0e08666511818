#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/value.hpp"

namespace judge {

/// |actual − expected| ≤ absolute + relative · |expected| + of_largest · max |expected|, the
/// maximum over the finite elements of the array; integers and bools have to be equal.
struct Tolerance {
    double relative = 0;
    double absolute = 0;
    double of_largest = 0;
};

/// Numbers that are only copied.
constexpr Tolerance exact{};
/// The digits that sums of up to a few hundred positive terms keep of 16, as in weights: small
/// elements have as many as large ones.
constexpr Tolerance in_double{1e-10, 1e-300};
/// If products cancel, a sum is as exact as its largest terms.
constexpr Tolerance sums_in_double{1e-10, 1e-300, 1e-10};
/// A shorter sum, or one of weights that add up to 1.
constexpr Tolerance normwise{0, 0, 1e-12};
/// Iterations, and right computations that differ by as much.
constexpr Tolerance roughly{1e-5, 1e-6};
/// How far two correct computations in double may differ; the larger of the two allowances counts.
constexpr Tolerance of_two_right_ways{1e-12, 1e-300, 1e-12};

/// Where two values differ. member: the struct's member, or "[2]" for a list's item, "" if there is
/// none. index: the element with the largest error, empty for a scalar or when shapes differ.
struct Mismatch {
    std::string member = {};
    bool shape = false;
    std::vector<std::size_t> index = {};
    double expected = 0;
    double actual = 0;
};

/// The worst mismatch between two values of one type, or nothing if they agree. Shapes are compared
/// before elements. NaN agrees with NaN, and an infinity with itself.
std::optional<Mismatch> compare(const Value& actual, const Value& expected,
                                Tolerance tolerance = roughly);

/// Whether the two are of one type, and their arrays and lists of one shape.
bool same_form(const Value& a, const Value& b);

/// Whether a number is NaN or infinite where that of `right`, of the same shape, is finite; or NaN
/// where that is infinite.
bool is_undefined(Value actual, const Value& right);

/// `actual` with its undefined numbers, as judged by `right`, replaced by the right ones.
Value where_defined(Value actual, const Value& right);

/// "(2, 3)", "(4,)"; "" for anything but an array.
std::string shape_text(const Value& value);
std::string index_text(const std::vector<std::size_t>& index);

/// The number that a value is; nothing for an array, a list, a struct or a text.
std::optional<double> scalar_of(const Value& value);

/// The part of a value that Mismatch::member names; the value itself if the name is empty.
const Value& member_of(const Value& value, const std::string& name);

} // namespace judge
