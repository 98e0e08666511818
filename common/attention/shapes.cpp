#include "attention/shapes.hpp"

namespace attention {

std::string shape_text(const std::size_t* sizes, std::size_t dimension) {
    std::string text = "(";
    for (std::size_t axis = 0; axis < dimension; ++axis) {
        text += (axis == 0 ? "" : ", ") + std::to_string(sizes[axis]);
    }
    return text + (dimension == 1 ? ",)" : ")");
}

void throw_not_shared(const std::string& function, const std::string& dimension,
                      const NamedSize& left, const NamedSize& right) {
    throw std::invalid_argument(function + ": " + left.name + " and " + right.name +
                                " must share " + dimension + ", got " + std::to_string(left.size) +
                                " and " + std::to_string(right.size) + "; " + left.name + " is " +
                                left.shape + ", " + right.name + " is " + right.shape);
}

} // namespace attention
