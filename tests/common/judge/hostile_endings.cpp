#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <pthread.h>
#include <unistd.h>

#include "hostile.hpp"
#include "judge/todo.hpp"

namespace lesson {

namespace {

struct Complaint : std::exception {
    const char* what() const noexcept override { return "a complaint"; }
};

volatile double sink;

/// Without a last call: the compiler must keep every frame.
double recurse(double depth) {
    volatile double frame[64] = {depth};
    sink = depth;
    return frame[0] < 0 ? 0 : recurse(depth + 1) + frame[0];
}

void throws_though_noexcept() noexcept {
    std::vector<int>().at(1);
}

[[noreturn]] void loop_for_ever() {
    for (;;) {
        sink = 1;
    }
}

} // namespace

double unwritten(const Matrix& X) {
    todo("09.9", X);
}

double throws(const std::string& what) {
    if (what == "int") {
        throw 42;
    }
    if (what == "a library's") {
        return std::vector<double>(3).at(what.size());
    }
    if (what == "the last of many") {
        for (int i = 0; i < 20'000; ++i) {
            try {
                throw i;
            } catch (int) {
                sink = i;
            }
        }
    }
    if (what == "a template's") {
        const Matrix two_by_three = xt::ones<double>({2, 3});
        return Matrix(two_by_three * xt::transpose(two_by_three))(0, 0);
    }
    if (what == "custom") {
        throw Complaint();
    }
    if (what == "long") {
        throw std::runtime_error(std::string(1 << 20, 'x'));
    }
    throw std::invalid_argument(what);
}

double loops(bool ignoring_signals) {
    if (ignoring_signals) {
        for (int number = 1; number < NSIG; ++number) {
            std::signal(number, SIG_IGN);
        }
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, nullptr);
    }
    loop_for_ever();
}

double crashes(const std::string& how) {
    if (how == "segfault") {
        // Not null, which the undefined-behaviour sanitizer would see first.
        volatile double* volatile nowhere = reinterpret_cast<double*>(64);
        return *nowhere;
    } else if (how == "abort") {
        std::abort();
    } else if (how == "after one that is caught") {
        try {
            throw std::invalid_argument(how);
        } catch (const std::exception&) {
            std::raise(SIGABRT);
        }
    } else if (how == "terminate") {
        throws_though_noexcept();
    } else if (how == "recursion") {
        return recurse(1);
    } else if (how == "kill") {
        std::raise(SIGKILL);
    } else if (how == "out of range") {
        return std::vector<double>(3)[std::strlen(how.c_str())];
    } else if (how == "pthread_exit") {
        pthread_exit(nullptr);
    }
    return 0;
}

double exits(const std::string& how) {
    if (how == "exit") {
        std::exit(0);
    } else if (how == "_Exit") {
        std::_Exit(0);
    } else if (how == "quick_exit") {
        std::quick_exit(0);
    }
    std::exit(7);
}

std::uint64_t allocates(std::uint64_t bytes, bool touching) {
    std::vector<char*> blocks;
    const std::uint64_t each = touching ? std::uint64_t{1} << 20 : bytes;
    std::uint64_t total = 0;
    for (; total < bytes; total += each) {
        blocks.push_back(new char[each]);
        if (touching) {
            std::memset(blocks.back(), 1, each);
        }
    }
    sink = blocks.back()[0];
    return total;
}

Matrix huge_answer(std::uint64_t rows) {
    return Matrix(std::array<std::size_t, 2>{rows, 1024}, 1.0);
}

double stops_itself() {
    std::raise(SIGSTOP);
    return 0;
}

} // namespace lesson
