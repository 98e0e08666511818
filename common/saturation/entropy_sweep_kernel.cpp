#include "saturation/entropy_sweep_kernel.hpp"

#include <algorithm>
#include <limits>
#include <xsimd/xsimd.hpp>

namespace attention {
namespace {

using Lanes = xsimd::batch<float>; // one query a lane
constexpr std::size_t width = Lanes::size;
static_assert(sweep_lanes % width == 0);

// One softmax of every lane, from scores less their maximum. With e = exp(s − m) and Z = Σ e the
// weights are e/Z, so H = −Σ p ln p = ln Z − Σ e (s − m) / Z: one logarithm a row, not one a
// weight.
struct Row {
    Lanes Z = Lanes(0.0F);
    Lanes depth = Lanes(0.0F);
    Lanes squares = Lanes(0.0F);

    void add(Lanes s) {
        const Lanes e = xsimd::exp(s);
        Z += e;
        depth = xsimd::fma(e, s, depth);
        squares = xsimd::fma(e, e, squares);
    }

    void measure(std::size_t n_lanes, SweepSums& sums) const {
        const Lanes largest = Lanes(1.0F) / Z;
        const Lanes entropy = xsimd::log(Z) - depth * largest;
        const Lanes gradient = Lanes(1.0F) - squares * largest * largest;
        add_lanes(entropy, n_lanes, sums.entropy);
        add_lanes(largest, n_lanes, sums.largest_weight);
        add_lanes(gradient, n_lanes, sums.remaining_gradient);
    }

    static void add_lanes(Lanes numbers, std::size_t n_lanes, double& sum) {
        float lane[width];
        numbers.store_unaligned(lane);
        for (std::size_t i = 0; i < n_lanes; ++i) {
            sum += static_cast<double>(lane[i]);
        }
    }
};

} // namespace

SweepStep sweep_step(float* scores, std::size_t n_queries, std::size_t n_keys, const float* q,
                     const float* k, float scale) {
    SweepStep step;
    const Lanes scale_lanes(scale);
    for (std::size_t first = 0; first < n_queries; first += width) {
        float* s = scores + first * n_keys; // (n_keys, width)
        const Lanes q_lanes = Lanes::load_unaligned(q + first);
        Lanes maximum(-std::numeric_limits<float>::infinity());
        for (std::size_t j = 0; j < n_keys; ++j) {
            const Lanes score =
                xsimd::fma(q_lanes, Lanes(k[j]), Lanes::load_unaligned(s + j * width));
            score.store_unaligned(s + j * width);
            maximum = xsimd::max(maximum, score);
        }
        Row unscaled, scaled;
        for (std::size_t j = 0; j < n_keys; ++j) {
            const Lanes below = Lanes::load_unaligned(s + j * width) - maximum;
            unscaled.add(below);
            scaled.add(below * scale_lanes);
        }
        const std::size_t n_lanes = std::min(width, n_queries - first);
        unscaled.measure(n_lanes, step.unscaled);
        scaled.measure(n_lanes, step.scaled);
    }
    return step;
}

} // namespace attention
