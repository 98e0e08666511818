#pragma once

#include <barrier>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace training {

/// Threads that wait for work. Each has a number, and is given the work of that number, so that the
/// result does not depend on which is fastest.
class Workers {
public:
    /// n_threads ≥ 1, of which the caller is the first. Throws std::system_error if they cannot all
    /// be started.
    explicit Workers(std::size_t n_threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    std::size_t size() const { return errors_.size(); }
    /// Calls work(0) … work(size − 1), each in a thread of its own, and waits for all. Throws what
    /// the first of them threw.
    void run(const std::function<void(std::size_t)>& work);

private:
    void end();
    void wait_and_work(std::size_t part);
    void call(std::size_t part);

    std::vector<std::exception_ptr> errors_;
    std::barrier<> barrier_;
    const std::function<void(std::size_t)>* work_ = nullptr; // null: the end
    std::vector<std::thread> threads_;
};

/// For the main of a program that trains: one thread for BLAS, since ours are already one a core;
/// and memory that is freed is kept, since the next batch needs as much.
void prepare_process();

} // namespace training
