#pragma once

#include "attention/tensor.hpp"
#include "show/terminal.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace show {

/// What `matrix` and `heatmap` draw: any xtensor array or expression of numbers or bools with one
/// dimension (drawn as one row) or two. Converted on the spot, so that a lazy expression cannot
/// dangle. Throws std::invalid_argument for other ranks.
class Grid {
public:
    template <class E>
    Grid(const xt::xexpression<E>& values)
        : Grid(xt::xarray<double>(xt::cast<double>(values.derived_cast()))) {}
    Grid(std::initializer_list<std::initializer_list<double>> rows)
        : Grid(xt::xarray<double>(attention::Matrix(rows))) {}
    Grid(const xt::xarray<double>& values);

    std::size_t rows() const { return values_.shape(0); }
    std::size_t columns() const { return values_.shape(1); }
    double operator()(std::size_t row, std::size_t column) const { return values_(row, column); }
    const attention::Matrix& values() const { return values_; }

    /// "(2, 3)", or "(3,)" of a vector.
    const std::string& shape() const { return shape_; }

private:
    attention::Matrix values_;
    std::string shape_;
};

/// One element of a matrix.
struct Cell {
    std::size_t row = 0;
    std::size_t column = 0;
};

/// Throws std::invalid_argument, in the name of `function`, unless the labels name every row (every
/// column), or there are none.
void check_labels(const char* function, const Grid& grid,
                  const std::vector<std::string>& row_labels,
                  const std::vector<std::string>& column_labels);

/// The indices of an axis that are shown, in order; nullopt marks those left out between.
using Shown = std::vector<std::optional<std::size_t>>;

/// The first `head` and last `tail` of `count`; all of them if nothing would be saved.
Shown shown(std::size_t count, std::size_t head, std::size_t tail);

} // namespace show
