#include "training/workers.hpp"

#include <cblas.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace training {

Workers::Workers(std::size_t n_threads)
    : errors_(n_threads), barrier_(static_cast<std::ptrdiff_t>(n_threads)) {
    try {
        for (std::size_t part = 1; part < n_threads; ++part) {
            threads_.emplace_back([this, part] { wait_and_work(part); });
        }
    } catch (...) { // one could not be started: those that were need not wait for it
        end();
        throw;
    }
}

Workers::~Workers() {
    end();
}

void Workers::end() {
    work_ = nullptr;
    // For the caller, and for all that have not been started.
    static_cast<void>(barrier_.arrive(static_cast<std::ptrdiff_t>(size() - threads_.size())));
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void Workers::wait_and_work(std::size_t part) {
    for (;;) {
        barrier_.arrive_and_wait(); // until there is work
        if (work_ == nullptr) {
            return;
        }
        call(part);
        barrier_.arrive_and_wait(); // until all is done
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
