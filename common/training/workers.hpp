#pragma once

#include "machine/parallel.hpp"

namespace training {

/// How many parts a training's work is cut into, each for a thread: the result depends on their
/// number, and not on which thread is fastest.
class Workers {
public:
    explicit Workers(std::size_t n_parts) : size_(n_parts) {}

    std::size_t size() const { return size_; }
    /// Calls work(0) … work(size − 1) on so many threads, and waits for all. Throws what the first
    /// of them to fail threw.
    void run(const std::function<void(std::size_t)>& work) {
        attention::parallel_for(size_, size_, [&](std::size_t part, std::size_t) { work(part); });
    }

private:
    std::size_t size_;
};

/// For the main of a program that trains: one thread for BLAS, since ours are already one a core;
/// and memory that is freed is kept, since the next batch needs as much.
void prepare_process();

} // namespace training
