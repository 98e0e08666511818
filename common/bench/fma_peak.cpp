#include "bench/fma_peak.hpp"

#include <chrono>
#include <numeric>
#include <vector>

#include "machine/parallel.hpp"
#include "machine/simd.hpp"

namespace attention {
namespace {

using Floats = Lanes<float>;

// Enough sums that none waits for its own last step: 4 to 5 cycles, two started in each.
constexpr int sums = 12;

} // namespace

double fma_peak(double seconds) {
    using Clock = std::chrono::steady_clock;
    constexpr int steps = 4096;
    // The compiler must not know the numbers, or it would compute the sums itself.
    volatile float unknown[] = {0.999F, 0.001F};
    const Floats factor(unknown[0]), addend(unknown[1]);
    Floats sum[sums];
    for (int i = 0; i < sums; ++i) {
        sum[i] = Floats(unknown[0] * static_cast<float>(i));
    }
    double operations = 0, elapsed = 0;
    const auto start = Clock::now();
    while (elapsed < seconds) {
        for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 16
            for (int i = 0; i < sums; ++i) {
                sum[i] = xsimd::fma(sum[i], factor, addend);
            }
        }
        operations += 2.0 * sums * steps * static_cast<double>(Floats::size);
        elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    }
    for (const Floats& lanes : sum) {
        unknown[0] = unknown[0] + sum_of(lanes);
    }
    return operations / elapsed;
}

double fma_peak_of(std::size_t threads) {
    std::vector<double> each(threads);
    parallel_for(threads, threads,
                 [&](std::size_t item, std::size_t) { each[item] = fma_peak(0.01); });
    return std::accumulate(each.begin(), each.end(), 0.0);
}

} // namespace attention
