#pragma once

// Memory for kernels: aligned, and not initialised.

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace attention {

/// Every buffer of a kernel starts at a multiple of this many bytes.
constexpr std::size_t kernel_alignment = 64;

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

/// Scratch memory for each worker, made on first use.
template <class T>
class WorkerScratch {
public:
    WorkerScratch(std::size_t workers, std::size_t size) : size_(size), buffers_(workers) {}
    T* of(std::size_t worker) {
        KernelBuffer<T>& buffer = buffers_[worker];
        if (!buffer) {
            buffer = kernel_buffer<T>(size_);
        }
        return buffer.get();
    }

private:
    std::size_t size_;
    std::vector<KernelBuffer<T>> buffers_;
};

} // namespace attention
