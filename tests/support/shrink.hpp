#pragma once

// A call that fails, made smaller as long as it fails in the same way: fewer rows and columns, then
// numbers that are 0, 1, or have few digits. A learner then reads "softmax_rows({{710}}) is NaN",
// not a matrix of 31 x 127.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "judge/outcome.hpp"

namespace domain {

using Sizes = std::map<std::string, std::size_t>;
using Oracle = std::function<judge::Value(const judge::List&)>;

/// The axes of an argument, each a product of sizes and numbers: "n x 2*pairs" is {{n}, {2,
/// pairs}}.
using Axes = std::vector<std::vector<std::string>>;
Axes axes_of(const std::string& shape);
bool is_number(const std::string& factor);
std::vector<std::size_t> shape_of(const Axes& axes, const Sizes& sizes);

/// How a call fails: not at all, by its shape, by NaN or infinity, by its numbers, or by not
/// returning.
enum class Failing { not_at_all, shape, undefined, numbers, ending };

struct Shrinking {
    std::vector<Axes> axes; // of each argument
    Sizes least;            // for sizes; 1 by default
    std::function<Failing(const judge::List&)> failing;
    int calls = 400;                 // that may be made
    std::vector<bool> optional = {}; // optional arguments
};

/// The smallest call found. `arguments` fail in the way that `failing` says.
judge::List shrunk(judge::List arguments, Shrinking how);

} // namespace domain
