#include "training/workers.hpp"

#include <cblas.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace training {

Workers::Workers(std::size_t n_threads)
    : errors_(n_threads), barrier_(static_cast<std::ptrdiff_t>(n_threads)) {
    for (std::size_t part = 1; part < n_threads; ++part) {
        threads_.emplace_back([this, part] {
            for (;;) {
                barrier_.arrive_and_wait(); // until there is work
                if (work_ == nullptr) {
                    return;
                }
                call(part);
                barrier_.arrive_and_wait(); // until all is done
            }
        });
    }
}

Workers::~Workers() {
    work_ = nullptr;
    barrier_.arrive_and_wait();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void Workers::call(std::size_t part) {
    try {
        (*work_)(part);
    } catch (...) {
        errors_[part] = std::current_exception();
    }
}

void Workers::run(const std::function<void(std::size_t)>& work) {
    work_ = &work;
    barrier_.arrive_and_wait();
    call(0);
    barrier_.arrive_and_wait();
    std::exception_ptr first;
    for (std::exception_ptr& error : errors_) {
        first = first ? first : error;
        error = nullptr;
    }
    if (first) {
        std::rethrow_exception(first);
    }
}

void prepare_process() {
    openblas_set_num_threads(1);
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 26);
#endif
}

} // namespace training
