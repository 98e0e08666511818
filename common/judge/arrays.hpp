#pragma once

// xtensor's arrays as values. Apart from value.hpp: most of the judge needs no xtensor, which takes
// a second to compile.

#include "attention/tensor.hpp"
#include "judge/value.hpp"

namespace judge {

template <class T>
constexpr char element_kind() {
    if constexpr (std::is_same_v<T, bool>) {
        return 'b';
    } else if constexpr (std::is_floating_point_v<T>) {
        return 'f';
    } else {
        return std::is_signed_v<T> ? 'i' : 'u';
    }
}

template <class T, class Tensor>
Array to_array(const Tensor& tensor) {
    const char* const bytes = reinterpret_cast<const char*>(tensor.data());
    return {element_kind<T>(),
            sizeof(T),
            {tensor.shape().begin(), tensor.shape().end()},
            {bytes, bytes + tensor.size() * sizeof(T)}};
}

/// The array in value, if its element type is T; throws malformed if not.
template <class T>
const Array& array_of(const Value& value) {
    const Array& array = expect_alternative<Array>(value, "an array");
    check_array(array);
    if (array.kind != element_kind<T>() || array.size != sizeof(T)) {
        throw malformed("wanted an array of another element type, got " + type_name(value));
    }
    return array;
}

template <class T, class Tensor>
void fill_from(Tensor& tensor, const Array& array) {
    if constexpr (std::is_same_v<T, bool>) { // a bool has the bits of 0 or 1
        std::transform(array.bytes.begin(), array.bytes.end(), tensor.data(),
                       [](char byte) { return byte != 0; });
    } else if (!array.bytes.empty()) {
        std::memcpy(tensor.data(), array.bytes.data(), array.bytes.size());
    }
}

template <class T, std::size_t N>
struct Convert<xt::xtensor<T, N>> {
    static Value to(const xt::xtensor<T, N>& tensor) { return {to_array<T>(tensor)}; }
    static xt::xtensor<T, N> from(const Value& value) {
        const Array& array = array_of<T>(value);
        if (array.shape.size() != N) {
            throw malformed("wanted an array of rank " + std::to_string(N) + ", got " +
                            type_name(value));
        }
        std::array<std::size_t, N> shape{};
        for (std::size_t axis = 0; axis < N; ++axis) {
            shape[axis] = array.shape[axis];
        }
        xt::xtensor<T, N> tensor(shape);
        fill_from<T>(tensor, array);
        return tensor;
    }
};

template <class T>
struct Convert<xt::xarray<T>> {
    static Value to(const xt::xarray<T>& tensor) { return {to_array<T>(tensor)}; }
    static xt::xarray<T> from(const Value& value) {
        const Array& array = array_of<T>(value);
        xt::xarray<T> tensor(std::vector<std::size_t>(array.shape));
        fill_from<T>(tensor, array);
        return tensor;
    }
};

} // namespace judge
