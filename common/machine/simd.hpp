#pragma once

// The machine's vector registers, through xsimd. What its versions name or do differently is hidden
// here: from 10 on `hadd` is `reduce_add`, and `bitwise_cast` takes an element's type; from 14 on
// `max` takes its other argument where one is NaN. Everything is in an unnamed namespace, because
// code compiled for this machine must never be merged with the same compiled for all.

#include <xsimd/xsimd.hpp>

namespace attention {
namespace {

/// As many numbers as a register holds: 16 floats with AVX-512, 8 with AVX2, 4 with NEON or SSE.
template <class T>
using Lanes = xsimd::batch<T>;

/// The sum of all numbers of a register.
template <class T>
[[maybe_unused]] T sum_of(const Lanes<T>& x) {
#if XSIMD_VERSION_MAJOR >= 10
    return xsimd::reduce_add(x);
#else
    return xsimd::hadd(x);
#endif
}

/// The larger of each two; where either is NaN, that of b on x86, and NaN on ARM.
template <class T>
[[maybe_unused]] Lanes<T> larger(const Lanes<T>& a, const Lanes<T>& b) {
#if XSIMD_VERSION_MAJOR >= 14
    return xsimd::max(b, a);
#else
    return xsimd::max(a, b);
#endif
}

/// The same bits as another type.
template <class To, class From>
[[maybe_unused]] To same_bits(const From& x) {
#if XSIMD_VERSION_MAJOR >= 10
    return xsimd::bitwise_cast<typename To::value_type>(x);
#else
    return xsimd::bitwise_cast<To>(x);
#endif
}

} // namespace
} // namespace attention
