#pragma once

// Shapes and masks on which the streaming forms are compared with the plain one, and how.

#include "common/normal.hpp"
#include "streaming/streaming.hpp"
#include "support/check_close.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace streaming_cases {

using attention::AttentionOptions;
using attention::Tensor3;
using attention::Tensor3F;
using support::normal;

struct Sizes {
    std::size_t batch, n_queries, n_keys, d_k, d_v;
};

inline std::string text(const Sizes& s) {
    std::string all;
    for (const std::size_t size : {s.batch, s.n_queries, s.n_keys, s.d_k, s.d_v}) {
        all += std::to_string(size) + " ";
    }
    return all;
}

/// Around every size at which the kernels change: lanes, panels, register tiles, tiles of keys,
/// blocks of queries.
inline const std::vector<Sizes> awkward{
    {1, 1, 1, 1, 1},       {2, 1, 7, 3, 5},     {2, 7, 1, 5, 2},       {1, 8, 32, 16, 32},
    {6, 5, 33, 17, 31},    {2, 9, 31, 64, 33},  {1, 63, 65, 8, 64},    {1, 129, 127, 3, 1},
    {1, 128, 128, 64, 64}, {1, 15, 255, 65, 7}, {2, 33, 257, 2, 80},   {1, 300, 129, 40, 12},
    {1, 131, 300, 7, 70},  {1, 3, 513, 130, 9}, {4, 17, 17, 128, 128}, {1, 257, 513, 32, 48},
};

template <class Array>
struct Inputs {
    Array Q, K, V;
};

template <class Array = Tensor3>
Inputs<Array> inputs(const Sizes& s, std::uint64_t seed = 1) {
    return {normal<Array>({s.batch, s.n_queries, s.d_k}, 3 * seed),
            normal<Array>({s.batch, s.n_keys, s.d_k}, 3 * seed + 1),
            normal<Array>({s.batch, s.n_keys, s.d_v}, 3 * seed + 2)};
}

struct Masked {
    std::string name;
    AttentionOptions options;
};

/// Masks of every kind and broadcast. Random ones leave some queries without a key.
inline std::vector<Masked> masks(const Sizes& s) {
    const Tensor3 all = normal<Tensor3>({s.batch, s.n_queries, s.n_keys}, 71);
    const attention::Matrix keys = attention::standard_normal(1, s.n_keys, 73);
    const attention::Matrix queries = attention::standard_normal(s.n_queries, 1, 74);
    const Tensor3 batch = normal<Tensor3>({s.batch, 1, s.n_keys}, 75);
    return {
        {"none", {}},
        {"causal", {.is_causal = true}},
        {"mask", {.mask = xt::xarray<bool>(all < 0.4)}},
        {"both", {.mask = xt::xarray<bool>(all < 0.9), .is_causal = true}},
        {"mask of keys", {.mask = xt::xarray<bool>(keys < 0.2)}},
        {"mask of queries", {.mask = xt::xarray<bool>(queries < 0.2)}},
        {"padding", {.mask = xt::xarray<bool>(batch < 0.2), .is_causal = true}},
        {"all blocked", {.mask = xt::xarray<bool>(xt::zeros<bool>({1, 1}))}},
    };
}

/// max |got − expected| / max |expected| is at most `limit`; NaN and infinities must be the same.
template <class Got, class Expected>
void check_error(const Got& got, const Expected& expected, double limit) {
    double largest = 0;
    for (const double x : expected) {
        largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : largest;
    }
    support::check_close(got, expected, {0, limit * largest + 1e-300});
}

constexpr double float_limit = 2e-6;
constexpr double double_limit = 1e-14;

} // namespace streaming_cases
