#pragma once

// The exports of a submission that defines functions of the C library as its own: every comparison
// of memory says that it is equal, and memory is always filled with 0.

#include "attention/tensor.hpp"
#include "judge/export.hpp"

// NOLINTBEGIN(misc-definitions-in-headers): included once
extern "C" int memcmp(const void*, const void*, std::size_t) noexcept {
    return 0;
}

extern "C" void* memset(void* memory, int, std::size_t size) noexcept {
    auto* const bytes = static_cast<volatile char*>(memory);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = 0;
    }
    return memory;
}
// NOLINTEND(misc-definitions-in-headers)

namespace lesson {

using attention::Matrix;

inline Matrix changes_its_argument(const Matrix& X) {
    const_cast<Matrix&>(X)(0, 0) += 1;
    return X;
}

inline Matrix leaves_elements_unset(std::size_t n) {
    return Matrix::from_shape({n, n});
}

} // namespace lesson

JUDGE_FUNCTION(changes_its_argument, X);
JUDGE_FUNCTION(leaves_elements_unset, n);
