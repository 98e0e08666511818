#pragma once

// Memory of the streaming forms: aligned for the kernels. Inner to common/streaming.

#include "streaming/forward_kernel.hpp"

#include <memory>
#include <new>

namespace attention {

struct KernelFree {
    void operator()(void* memory) const {
        ::operator delete(memory, std::align_val_t(kernel_alignment));
    }
};

/// Numbers that start at a multiple of kernel_alignment, not initialised.
template <class T>
using KernelBuffer = std::unique_ptr<T[], KernelFree>;

template <class T>
KernelBuffer<T> kernel_buffer(std::size_t size) {
    return KernelBuffer<T>(
        static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t(kernel_alignment))));
}

} // namespace attention
