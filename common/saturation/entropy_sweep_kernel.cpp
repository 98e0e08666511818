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

    void add(Lanes s) {
        const Lanes e = xsimd::exp(s);
        Z += e;
        depth = xsimd::fma(e, s, depth);
    }

    void measure(std::size_t n_lanes, SweepSums& sums) const {
        const Lanes largest = Lanes(1.0F) / Z;
        const Lanes entropy = xsimd::log(Z) - depth * largest;
        add_lanes(entropy, n_lanes, sums.entropy);
        add_lanes(largest, n_lanes, sums.largest_weight);
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

// As gain_of in attention/entropy.cpp, on e = Z p: Σ e / (μ − e) = 0 has the root μ = Z λ.
void sweep_gains(const float* scores, std::size_t n_queries, std::size_t n_keys, float scale,
                 float* workspace, float* gains) {
    for (std::size_t first_query = 0; first_query < n_queries; first_query += width) {
        const float* s = scores + first_query * n_keys; // (n_keys, width)
        Lanes maximum(-std::numeric_limits<float>::infinity());
        for (std::size_t j = 0; j < n_keys; ++j) {
            maximum = xsimd::max(maximum, Lanes::load_unaligned(s + j * width));
        }
        Lanes first(0.0F), second(0.0F), rest(0.0F);
        for (std::size_t j = 0; j < n_keys; ++j) {
            const Lanes below = Lanes::load_unaligned(s + j * width) - maximum;
            const Lanes e = xsimd::exp(below * Lanes(scale));
            e.store_unaligned(workspace + j * width);
            rest += xsimd::min(first, e);
            second = xsimd::max(second, xsimd::min(first, e));
            first = xsimd::max(first, e);
        }
        const Lanes Z = first + rest;
        Lanes low = xsimd::max(second, first * rest / Z);
        Lanes high = xsimd::min(first, Lanes(2.0F) * first * rest / Z);
        for (int halving = 0; halving < 18; ++halving) { // high is at most twice low
            const Lanes middle = Lanes(0.5F) * (low + high);
            Lanes sum(0.0F);
            for (std::size_t j = 0; j < n_keys; ++j) {
                const Lanes e = Lanes::load_unaligned(workspace + j * width);
                sum += e / (middle - e);
            }
            const auto above = sum > Lanes(0.0F);
            low = xsimd::select(above, middle, low);
            high = xsimd::select(above, high, middle);
        }
        const Lanes gain = Lanes(0.5F) * (low + high) / Z;
        gain.store_unaligned(gains + first_query);
    }
}

} // namespace attention
