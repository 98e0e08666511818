#include "show/grid.hpp"

#include <fmt/format.h>
#include <stdexcept>

namespace show {
namespace {

void check_count(const char* function, const char* axis, std::size_t labels, std::size_t count) {
    if (labels != 0 && labels != count) {
        throw std::invalid_argument(fmt::format(
            "{}: {}_labels must name every {}, got {} {} for {} {}", function, axis, axis, labels,
            labels == 1 ? "label" : "labels", count, std::string(axis) + (count == 1 ? "" : "s")));
    }
}

} // namespace

Grid::Grid(const xt::xarray<double>& values) : shape_(attention::shape_text(values)) {
    if (values.dimension() == 1) {
        values_ = xt::view(values, xt::newaxis(), xt::all());
    } else if (values.dimension() == 2) {
        values_ = values;
    } else {
        throw std::invalid_argument("show: a matrix must have one or two dimensions, got shape " +
                                    shape_);
    }
}

void check_labels(const char* function, const Grid& grid,
                  const std::vector<std::string>& row_labels,
                  const std::vector<std::string>& column_labels) {
    check_count(function, "row", row_labels.size(), grid.rows());
    check_count(function, "column", column_labels.size(), grid.columns());
}

Shown shown(std::size_t count, std::size_t head, std::size_t tail) {
    Shown result;
    for (std::size_t i = 0; i < count; ++i) {
        // A gap of one would take as much room as the number that it hides.
        const bool is_only_hidden = head + tail + 1 >= count;
        if (is_only_hidden || i < head || i + tail >= count) {
            result.emplace_back(i);
        } else if (result.empty() || result.back()) {
            result.emplace_back(std::nullopt);
        }
    }
    return result;
}

} // namespace show
